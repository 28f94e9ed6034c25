package ui

import (
	"context"
	"image"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"retrace/engine/roadnet"
	"retrace/engine/simulate"
	tracks "retrace/engine/trajectory/write"
	"retrace/internal/cputime"
	"retrace/mapview/render"
	"retrace/osmimport"
	"retrace/ui/state"
)

// benchTrips is how many recovered trips the benchmarks show; RETRACE_TRIPS
// names another number.
func benchTrips() int {
	if n, err := strconv.Atoi(os.Getenv("RETRACE_TRIPS")); err == nil {
		return n
	}
	return 1000
}

// The size of the benchmarks' window, in pixels.
const benchWidth, benchHeight = 1600, 1000

// bench is a window over a large city with many trips.
type bench struct {
	*stage
	b      *testing.B
	raster *canvas.Raster // of the map
}

// BenchmarkWindow measures the window over the shared extract with the most
// segments: see tools/windowbench.
func BenchmarkWindow(b *testing.B) {
	extracts := largest(b, 4)
	path := filepath.Join(b.TempDir(), "w.retrace")
	fillWorkspace(b, path, extracts[0])
	b.Run("start", func(b *testing.B) { benchStart(b, path) })
	w := newBench(b, path)
	b.Run("frame", w.frames)
	b.Run("import", func(b *testing.B) { w.framesBesides(b, extracts[1].path) })
	b.Run("play", w.play)
	b.Run("answer", w.answers)
	b.Run("memory", w.memory)
	b.Run("growth", w.growth)
}

type extract struct {
	path     string
	segments int
}

// largest are the shared extracts with the most segments, of the n largest files.
func largest(b *testing.B, n int) []extract {
	files, err := filepath.Glob(filepath.Join(data(b, "osm"), "*"))
	if err != nil || len(files) < n {
		b.Skip("too little shared data")
	}
	size := func(path string) int64 {
		info, err := os.Stat(path)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	sort.Slice(files, func(i, j int) bool { return size(files[i]) > size(files[j]) })
	var all []extract
	for _, f := range files[:n] {
		all = append(all, extract{f, network(b, f).NumSegments()})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].segments > all[j].segments })
	return all
}

func network(b *testing.B, path string) *roadnet.Network {
	res, err := osmimport.Import(context.Background(), []string{path}, osmimport.Options{Name: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	return res.Network
}

// fillWorkspace makes a workspace of an extract and recovered trips, as a user
// would.
func fillWorkspace(b *testing.B, path string, e extract) {
	file := filepath.Join(b.TempDir(), "trips.csv")
	out, err := tracks.CreateSamples(file, tracks.About{Version: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	for trip, err := range simulate.Trips(context.Background(), network(b, e.path), simulate.Options{Seed: 7, Count: benchTrips()}) {
		if err == nil {
			err = out.Write(trip.Trajectory)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		b.Fatal(err)
	}
	s := openStage(b, path, benchWidth, benchHeight, 1, e.path, file)
	o := s.m.Options()
	o.Method = "hmm"
	s.m.SetOptions(o)
	s.long("the trips are read", func() bool { return len(s.m.Trips()) > 0 && len(s.tasks.Running()) == 0 })
	s.actions.Do("recoverrest")
	s.long("the trips are recovered", func() bool { return s.m.Count().Pending == 0 && len(s.tasks.Running()) == 0 })
	s.end()
}

// long runs what is posted until ok holds, for minutes where it must be.
func (s *stage) long(what string, ok func() bool) {
	s.t.Helper()
	defer func(began time.Time) { s.t.Logf("%s after %v", what, time.Since(began)) }(time.Now())
	for end := time.Now().Add(10 * time.Minute); !ok(); {
		select {
		case f := <-s.queue:
			f()
		case <-time.After(5 * time.Millisecond):
			if time.Now().After(end) {
				s.t.Fatalf("waited in vain: %s; messages: %v", what, s.m.Notices())
			}
		}
	}
}

func newBench(b *testing.B, path string) *bench {
	w := &bench{stage: openStage(b, path, benchWidth, benchHeight, 1), b: b}
	w.long("the trips are there", func() bool { return w.m.Count().Recovered > 0 && len(w.tasks.Running()) == 0 })
	w.raster = mapRaster(w.stage)
	w.fitAll()
	w.settle()
	return w
}

// mapRaster is the raster that the map draws its frames into.
func mapRaster(s *stage) *canvas.Raster {
	var largest *canvas.Raster
	for _, o := range test.LaidOutObjects(s.view) {
		if r, ok := o.(*canvas.Raster); ok && (largest == nil || r.Size().Width > largest.Size().Width) {
			largest = r
		}
	}
	return largest
}

// frame does what the window's goroutine does for one frame: what was posted to
// it, and the map's picture.
func (w *bench) frame() image.Image {
	for len(w.queue) > 0 {
		(<-w.queue)()
	}
	size := w.raster.Size()
	return w.raster.Generator(int(size.Width), int(size.Height))
}

// settle draws frames until nothing is missing.
func (w *bench) settle() {
	w.long("the map is drawn", func() bool { w.frame(); return w.view.Ready() })
}

// times are how long things took.
type times struct{ wall, own []time.Duration }

// measure times what f does: by the clock, and in the processor's time of the
// window's goroutine alone, which other programs do not touch.
func (t *times) measure(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start, own := time.Now(), threadTime()
	f()
	t.own = append(t.own, threadTime()-own)
	t.wall = append(t.wall, time.Since(start))
}

func (t *times) report(b *testing.B) {
	for _, p := range []int{50, 95, 99} {
		b.ReportMetric(percentile(t.own, p), "p"+strconv.Itoa(p)+"-own-ms")
		b.ReportMetric(percentile(t.wall, p), "p"+strconv.Itoa(p)+"-wall-ms")
	}
	b.ReportMetric(0, "ns/op")
}

// percentile is in milliseconds.
func percentile(d []time.Duration, p int) float64 {
	if len(d) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(d))
	return float64(sorted[min(len(sorted)*p/100, len(sorted)-1)].Microseconds()) / 1000
}

// pace is a sixtieth of a second: frames come no faster.
const pace = time.Second / 60

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

// play measures frames while all trips are played together.
func (w *bench) play(b *testing.B) {
	w.m.SetPlayback(state.PlayDay)
	from, to, _ := w.m.TimeSpan()
	var t times
	most := 0
	for i := range 300 {
		t.measure(func() {
			w.m.SetTime(from + (to-from)*int64(i)/300)
			w.frame()
		})
		most = max(most, len(w.view.Scene().Markers))
	}
	t.report(b)
	b.ReportMetric(float64(most), "vehicles")
	w.m.SetPlayback(state.PlayTrip)
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

// memory reports what the window holds against the size of its workspace.
func (w *bench) memory(b *testing.B) {
	info, err := os.Stat(w.path)
	if err != nil {
		b.Fatal(err)
	}
	held := heap()
	b.ReportMetric(float64(info.Size())/1e6, "workspace-MB")
	b.ReportMetric(held/1e6, "heap-MB")
	b.ReportMetric(held/float64(info.Size()), "heap/workspace")
	b.ReportMetric(0, "ns/op")
}

// heap is what is in use, in bytes, after what is not any more was collected.
func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// growth uses the window by a script and reports how what it holds grows.
// RETRACE_MINUTES says for how long.
func (w *bench) growth(b *testing.B) {
	minutes, err := strconv.ParseFloat(os.Getenv("RETRACE_MINUTES"), 64)
	if err != nil {
		minutes = 1
	}
	w.script() // what is made once is made
	w.script()
	before, rounds, began := heap(), 0, time.Now()
	for ; time.Since(began).Minutes() < minutes; rounds++ {
		w.script()
	}
	b.ReportMetric(float64(rounds), "rounds")
	b.ReportMetric(time.Since(began).Minutes(), "minutes")
	b.ReportMetric((heap()-before)/1e6, "growth-MB")
	b.ReportMetric(0, "ns/op")
}

// script is a round of use: looking around, selecting, colouring, playing.
func (w *bench) script() {
	var t times
	w.tour(100, &t)
	for i := range 10 {
		w.actions.Do("next")
		w.m.SetColourBy(render.ColourBy(i % render.NumColourBy))
		w.frame()
	}
	w.m.ShowLayer(render.LayerLinks, true)
	w.frame()
	w.m.ShowLayer(render.LayerLinks, false)
	w.m.SetPlayback(state.PlayAll)
	w.frame()
	w.m.SetPlayback(state.PlayTrip)
	w.m.Deselect()
	w.fitAll()
	w.settle()
}
