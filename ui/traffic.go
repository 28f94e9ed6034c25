package ui

import (
	"context"
	"time"

	"fyne.io/fyne/v2/lang"

	"retrace/engine/flow"
	"retrace/engine/roadnet"
	"retrace/internal/atomicfile"
	"retrace/mapview/render"
	"retrace/ui/keeper"
	"retrace/ui/state"
	"retrace/ui/words"
)

// traffic knows who drove where, in step with the trips.
type traffic struct {
	keeper  *keeper.Keeper
	fed     time.Time // when the keeper got the trips last
	waiting bool      // it gets them once feedEvery has passed
}

// feedEvery is how often the keeper gets the trips while they are coming in.
const feedEvery = time.Second

// newTraffic makes the keeper; watchTraffic has it follow the trips.
func (w *window) newTraffic() { w.traffic.keeper = keeper.New(w.do) }

func (w *window) watchTraffic() {
	w.m.Watch(state.Trips|state.Network, w.feedTraffic)
	w.m.Watch(state.Flows, w.syncScreen)
	w.m.Watch(state.Network, func() {
		if w.m.Network() != w.screened {
			w.screened = w.m.Network()
			w.m.SetScreen(flow.Screen{})
		}
	})
}

// feedTraffic hands the trips to the keeper, at the most once in feedEvery.
func (w *window) feedTraffic() {
	t := &w.traffic
	if t.waiting {
		return
	}
	if wait := feedEvery - time.Since(t.fed); wait > 0 {
		t.waiting = true
		time.AfterFunc(wait, func() {
			w.do(func() {
				t.waiting = false
				w.feedTraffic()
			})
		})
		return
	}
	t.fed = time.Now()
	t.keeper.Feed(w.m.Network(), w.m.Driven, func() { w.m.Touch(state.Flows) })
}

// showLinks hands the map how segments were driven.
func (w *window) showLinks(links []flow.Link) {
	shown := make([]render.Link, len(links))
	for i, l := range links {
		shown[i] = render.Link{Segment: l.Segment, Trips: l.Trips, Speed: l.Speed}
	}
	w.view.SetLinks(shown)
}

// syncScreen shows the line or area that crossings are counted of.
func (w *window) syncScreen() {
	s := w.m.Screen()
	if len(s.Line) == 0 {
		w.view.SetShapes(nil)
		return
	}
	w.view.SetShapes([]render.Shape{{Points: s.Line, Closed: s.Area}})
}

// drawScreen has the user draw a line or an area to count at.
func (w *window) drawScreen(area bool) {
	hint := lang.L("Click the corners of the line; Enter or a double click ends it, Esc leaves.")
	if area {
		hint = lang.L("Click the corners of the area; Enter or a double click ends it, Esc leaves.")
	}
	w.view.Draw(area, hint, func(points []roadnet.Point) {
		if points == nil {
			return
		}
		w.m.Change(func() {
			w.m.SetScreen(flow.Screen{Line: points, Area: area})
			w.m.ShowTab(state.CrossingsTab)
		})
	})
}

// narrowToRoads shows the trips alone that drove over roads.
func (w *window) narrowToRoads(ids []roadnet.SegmentID) {
	net := w.m.Network()
	if net == nil || len(ids) == 0 {
		return
	}
	what := lang.L("over {{.Road}}", map[string]any{"Road": words.Road(net.Segment(ids[0]))})
	if len(ids) > 1 {
		what = lang.N("over {{.N}} roads", len(ids), map[string]any{"N": words.Count(len(ids))})
	}
	ask := w.m.TrafficAsk()
	keeper.Consult(w.traffic.keeper, "narrow", func(_ context.Context, x *flow.Index) ([]string, error) { return x.TripsOn(ids, ask), nil },
		func(trips []string) { w.m.Narrow(what, trips) })
}

// bothWays are a segment and its reverse, where it has one.
func (w *window) bothWays(id roadnet.SegmentID) []roadnet.SegmentID {
	if back, ok := w.m.Network().Reverse(id); ok {
		return []roadnet.SegmentID{id, back}
	}
	return []roadnet.SegmentID{id}
}

// write asks for a file and writes a text to it.
func (w *window) write(name, text string) {
	w.saveAs(lang.L("Save as CSV"), name, func(path string) {
		if err := atomicfile.Write(withEnding(path, name), []byte(text)); err != nil {
			w.failed(lang.L("The file cannot be written."), err)
			return
		}
		w.m.Notify(state.Info, lang.L("Written."), "")
	})
}
