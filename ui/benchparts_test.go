package ui

import (
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"retrace/engine/roadnet"
	"retrace/internal/cputime"
	"retrace/mapview/render"
	"retrace/ui/state"
)

// tour pans and zooms over the city, a frame at a time: from the whole of it down
// to streets and back. Each frame is measured.
func (w *bench) tour(frames int, t *times) {
	size := w.raster.Size()
	middle := fyne.NewPos(size.Width/2, size.Height/2)
	w.fitAll()
	for i := range frames {
		began := time.Now()
		t.measure(func() {
			switch {
			case i%100 < 60:
				w.view.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: middle}, Dragged: fyne.NewDelta(float32(9-18*(i/100%2)), 4)})
			case i%5 == 0:
				step := float32(20)
				if i/400%2 == 1 {
					step = -20
				}
				w.view.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: middle}, Scrolled: fyne.NewDelta(0, step)})
			}
			w.frame()
		})
		time.Sleep(pace - time.Since(began))
	}
	w.view.DragEnd()
}

// tourFrames is how long the measured tours are.
const tourFrames = 800

// frames measures the map's frames, and the software painter's share of a frame
// of the whole window.
func (w *bench) frames(b *testing.B) {
	var t times
	w.tour(tourFrames, &t)
	t.report(b)
	w.settle()
	var whole, own times
	for range 10 {
		own.measure(func() { w.frame() })
		whole.measure(func() { w.win.Canvas().Capture() })
	}
	b.ReportMetric(percentile(whole.own, 50), "window-own-ms")
	b.ReportMetric(100*(1-percentile(own.own, 50)/percentile(whole.own, 50)), "painter-%")
	b.ReportMetric(float64(w.m.Network().NumSegments()), "segments")
	b.ReportMetric(float64(w.m.Count().Recovered), "trips")
}

// framesBesides measures frames while another extract is imported.
func (w *bench) framesBesides(b *testing.B, path string) {
	before := len(w.m.Networks())
	w.desk.Take([]string{path})
	var t times
	frames := 0
	for ; frames < 4000 && (frames == 0 || len(w.tasks.Running()) > 0); frames += 100 {
		w.tour(100, &t)
	}
	t.report(b)
	b.ReportMetric(float64(frames), "frames")
	w.long("the import ends", func() bool { return len(w.tasks.Running()) == 0 })
	b.ReportMetric(float64(len(w.m.Networks())-before), "imported")
	w.desk.ShowNetwork(w.m.Networks()[0].Name)
	w.long("the network is back", func() bool { return len(w.tasks.Running()) == 0 })
	w.fitAll()
	w.settle()
}

// play measures frames while all trips are played: at the times of one day, or
// all from their start.
func (w *bench) play(b *testing.B, over state.Playback) {
	w.fitAll()
	w.settle()
	w.m.SetPlayback(over)
	from, to, _ := w.m.TimeSpan()
	if over == state.PlayStart {
		to = from + w.briefest(4) // while most are under way
	}
	var t times
	var shown []int
	for i := range 300 {
		t.measure(func() {
			w.m.SetTime(from + (to-from)*int64(i)/300)
			w.frame()
		})
		shown = append(shown, len(w.view.Scene().Markers))
	}
	t.report(b)
	slices.Sort(shown)
	b.ReportMetric(float64(shown[len(shown)-1]), "vehicles")
	b.ReportMetric(float64(shown[len(shown)/2]), "half-the-time")
	w.m.SetPlayback(state.PlayTrip)
}

// briefest is the time that a share of the trips, one in n, takes at the most, in
// milliseconds.
func (w *bench) briefest(n int) int64 {
	var took []int64
	for _, t := range w.m.Trips() {
		took = append(took, t.Facts.End-t.Facts.Start)
	}
	slices.Sort(took)
	return took[len(took)/n]
}

// answers measures how long the window takes to answer: to the next frame that
// shows what was asked for.
func (w *bench) answers(b *testing.B) {
	w.fitAll()
	w.settle()
	v := w.view.View()
	var hover, click, next times
	for i := range 60 {
		tick := w.m.Trips()[i%len(w.m.Trips())].Shown()
		if tick == nil || len(tick.Ticks) == 0 {
			continue
		}
		at := tick.Ticks[len(tick.Ticks)/2]
		x, y := v.Pixel(roadnet.Point{Lon: at.Lon, Lat: at.Lat})
		e := fyne.PointEvent{Position: fyne.NewPos(float32(x), float32(y))}
		hover.measure(func() { w.view.MouseMoved(&desktop.MouseEvent{PointEvent: e}); w.frame() })
		click.measure(func() { w.view.Tapped(&e); w.frame() })
		w.m.Deselect()
		w.view.GoTo(v.Center, 0)
		w.fitAll()
		w.frame()
	}
	for range 30 {
		next.measure(func() { w.actions.Do("next"); w.frame() })
	}
	for name, t := range map[string]*times{"hover": &hover, "click": &click, "next": &next} {
		b.ReportMetric(percentile(t.own, 95), name+"-p95-own-ms")
		b.ReportMetric(percentile(t.wall, 95), name+"-p95-wall-ms")
	}
	b.ReportMetric(0, "ns/op")
	w.m.Deselect()
}

// benchStart measures from the start of a stored workspace to the first frame
// that shows its network.
func benchStart(b *testing.B, path string) {
	began, own := time.Now(), cputime.Used()
	s := openStage(b, path, benchWidth, benchHeight, 1)
	w := &bench{stage: s, b: b, raster: mapRaster(s)}
	s.long("the network shows", func() bool { w.frame(); return s.m.Network() != nil && s.view.Shows() })
	b.ReportMetric(float64(time.Since(began).Milliseconds()), "first-wall-ms")
	b.ReportMetric(float64((cputime.Used() - own).Milliseconds()), "first-own-ms")
	s.long("all is there", func() bool { w.frame(); return len(s.tasks.Running()) == 0 && s.view.Ready() })
	b.ReportMetric(float64(time.Since(began).Milliseconds()), "whole-wall-ms")
	b.ReportMetric(0, "ns/op")
	s.end()
}

// script is a round of use: looking around, selecting, colouring, recovering again,
// the roads driven, playing, the tables, hiding and undoing.
func (w *bench) script() {
	var t times
	w.tour(100, &t)
	for i := range 10 {
		w.actions.Do("next")
		w.m.SetColourBy(render.ColourBy(i % render.NumColourBy))
		w.frame()
	}
	w.actions.Do(actRecover)
	w.long("the trip is recovered again", func() bool { w.frame(); return len(w.tasks.Running()) == 0 })
	w.m.ShowLayer(render.LayerLinks, true)
	w.frame()
	w.m.ShowLayer(render.LayerLinks, false)
	w.m.SetPlayback(state.PlayAll)
	w.frame()
	w.m.SetPlayback(state.PlayTrip)
	for tab := range state.Tab(state.NumTabs) {
		w.m.ShowTab(tab)
		w.frame()
	}
	w.m.ShowTab(state.TripsTab)
	w.m.Hide(w.m.Marked(), true)
	w.frame()
	w.m.Undo()
	w.m.Deselect()
	w.fitAll()
	w.settle()
	w.win.Canvas().Capture() // fyne lets go of what has not been drawn for a minute
}
