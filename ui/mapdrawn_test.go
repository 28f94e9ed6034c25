package ui

import (
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/state"
)

// Opacity is set in the list of layers, shows on the map and is kept.
func TestOpacityIsSetAndKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.retrace")
	s := openStage(t, path, 1200, 900, 1, "none")
	s.idle()
	drawnTrips(s)
	s.tapButton("Opacity of Roads")
	var sliders []*kit.Slider
	for _, o := range test.LaidOutObjects(s.layers.Object) {
		if sl, ok := o.(*kit.Slider); ok && sl.Size().Width > 0 {
			sliders = append(sliders, sl)
		}
	}
	if len(sliders) != 1 {
		t.Fatalf("%d sliders show, want 1", len(sliders))
	}
	sliders[0].SetValue(40)
	if got := s.view.Look().Fades.Share(render.LayerRoads); got != 0.4 {
		t.Errorf("the map draws roads at %v, want 0.4", got)
	}
	if got := s.view.Look().Fades.Share(render.LayerInput); got != 1 {
		t.Errorf("the map draws input at %v, want 1", got)
	}
	s.m.SetLinkBy(render.LinkSpeeds)
	s.remember()
	s.end()
	again := openStage(t, path, 1200, 900, 1, "none")
	again.idle()
	if got := again.view.Look(); got.Fades.Share(render.LayerRoads) != 0.4 || got.LinkBy != render.LinkSpeeds {
		t.Errorf("after another start roads are at %v, links by %v", got.Fades.Share(render.LayerRoads), got.LinkBy)
	}
}

// What is compared shows on the map, swiped and in halves.
func TestComparisonShowsOnTheMap(t *testing.T) {
	s := openStage(t, filepath.Join(t.TempDir(), "w.retrace"), 1200, 900, 1, "none")
	s.idle()
	drawnTrips(s)
	other := *s.m.Trip("Taxi 640").Shown()
	other.Parts = append(other.Parts[:0:0], other.Parts...)
	other.Parts[0].Segments = other.Parts[0].Segments[:2]
	s.m.Compare("Taxi 640", state.Earlier, &other)
	c := s.view.Scene().Comparison
	if c == nil || c.Sides != render.Swiped || len(c.Differences) != 1 || len(c.Differences[0].A) != 1 {
		t.Fatalf("the map compares %+v", c)
	}
	s.perform("halves")
	if got := s.view.Scene().Comparison.Sides; got != render.Halves {
		t.Errorf("sides %v, want halves", got)
	}
	s.until("the map is drawn", s.drawn)
	s.shot("compare-halves")
	s.m.EndComparison()
	if s.view.Scene().Comparison != nil {
		t.Error("the map compares on")
	}
}

// All trips are played together.
func TestAllTripsArePlayedOnTheMap(t *testing.T) {
	s := openStage(t, filepath.Join(t.TempDir(), "w.retrace"), 1200, 900, 1, "none")
	s.idle()
	drawnTrips(s)
	s.m.SetPlayback(state.PlayAll)
	from, to, _ := s.m.TimeSpan()
	s.m.SetTime((from + to) / 2)
	if got := len(s.view.Scene().Markers); got != 4 {
		t.Errorf("%d vehicles on the map, want 4", got)
	}
	s.m.SetPlayback(state.PlayTrip)
	if got := len(s.view.Scene().Markers); got != 0 {
		t.Errorf("%d vehicles left, want none", got)
	}
}

// TestLayersFitWhateverIsOpen checks that the list of layers scrolls rather than
// pushes the trips out.
func TestLayersFitWhateverIsOpen(t *testing.T) {
	s := openStage(t, filepath.Join(t.TempDir(), "w.retrace"), 1024, 700, 2, "none")
	s.idle()
	drawnTrips(s)
	s.m.ShowLayer(render.LayerLinks, true)
	s.tapButton("Opacity of Recovered path")
	s.win.Canvas().Capture()
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.trips.Object)
	if at.Y+s.trips.Object.Size().Height > 700 || s.trips.Object.Size().Height < 120 {
		t.Errorf("the trips lie at %v, %v large", at, s.trips.Object.Size())
	}
	s.shot("layers-small")
}

// The roads driven come onto the map with their layer, of what the tables count.
func TestRoadsDrivenShowOnTheMap(t *testing.T) {
	s := openStage(t, filepath.Join(t.TempDir(), "w.retrace"), 1200, 900, 1, "none")
	s.idle()
	drawnTrips(s)
	if n := len(s.view.Scene().Links); n != 0 {
		t.Fatalf("%d roads before the layer is on", n)
	}
	s.perform("driven")
	s.until("three roads", func() bool { return len(s.view.Scene().Links) == 3 })
	if l := s.view.Scene().Links[0]; l.Trips != 4 || l.Speed <= 0 {
		t.Errorf("the first road is %+v, want one of four trips with a speed", l)
	}
}
