package ui

import (
	"image"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"retrace/engine/trajectory"
	"retrace/mapview/render"
	"retrace/ui/layers"
	"retrace/ui/look"
	"retrace/ui/state"
)

// corner is what the map shows in its lower right corner.
func (s *stage) corner(width, height int) image.Image {
	s.t.Helper()
	s.until("the map is drawn", s.drawn)
	img := s.win.Canvas().Capture().(interface {
		SubImage(image.Rectangle) image.Image
	})
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.view)
	right, bottom := int(at.X+s.view.Size().Width), int(at.Y+s.view.Size().Height)
	return img.SubImage(image.Rect(right-width, bottom-height, right, bottom))
}

// differ is the share of the pixels in which two pictures of one size differ.
func differ(a, b image.Image) float64 {
	n := 0
	r := a.Bounds()
	shift := b.Bounds().Min.Sub(r.Min)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if a.At(x, y) != b.At(x+shift.X, y+shift.Y) {
				n++
			}
		}
	}
	return float64(n) / float64(r.Dx()*r.Dy())
}

func TestLegendFoldsByAClick(t *testing.T) {
	s := openStage(t, t.TempDir()+"/w.retrace", 1440, 900, 1, "none")
	s.idle()
	s.dismissAll()
	drawnTrips(s)
	s.m.SelectTrip("Taxi 640")
	s.fitAll()
	open := s.corner(220, 240)
	up := float32(0)
	for ; up < 400; up += 4 {
		if _, head := s.legendAt(100, up); head {
			break
		}
	}
	selected := s.m.Selected()
	s.tapLegend(100, up)
	if !s.m.LegendFolded() || !s.view.Look().Folded {
		t.Fatal("a click on its title does not fold the legend")
	}
	if folded := s.corner(220, 240); differ(open, folded) < 0.2 {
		t.Error("the legend looks as before")
	}
	if s.m.Selected() != selected {
		t.Errorf("the click selects %+v below the legend", s.m.Selected())
	}
	s.actions.Do("legend")
	if s.m.LegendFolded() {
		t.Error("the menu does not open the legend")
	}
	s.until("the map is drawn", s.drawn)
	s.tapLegend(100, up-60)
	if s.m.Selected() != selected {
		t.Errorf("a click on the open legend selects %+v below it", s.m.Selected())
	}
}

// legendAt says whether the legend, and its title, is at a place from the lower right
// corner of the map.
func (s *stage) legendAt(left, up float32) (on, head bool) {
	size := s.view.Size()
	return s.view.OnLegend(fyne.NewPos(size.Width-left, size.Height-up))
}

func (s *stage) tapLegend(left, up float32) {
	size := s.view.Size()
	test.TapCanvas(s.win.Canvas(), fyne.CurrentApp().Driver().AbsolutePositionForObject(s.view).AddXY(size.Width-left, size.Height-up))
}

// The attribution stays in its corner when panels fold and the window changes its size.
func TestAttributionStaysInView(t *testing.T) {
	s := recoveredTown(t, 2)
	s.m.SetLegendFolded(true)
	s.m.Deselect()
	name := func() image.Image { return s.corner(170, 34) }
	before := name()
	for what, change := range map[string]func(){
		"the inspector folds": func() { s.m.TogglePanel(state.InspectorPanel) },
		"the window narrows":  func() { s.win.Resize(fyne.NewSize(900, 700)) },
		"all fold":            func() { s.m.TogglePanel(state.LeftPanel) },
	} {
		change()
		if d := differ(before, name()); d > 0.25 { // the map behind it is another
			t.Errorf("when %s, the attribution is gone: %.2f of its corner differ", what, d)
		}
	}
}

// Roads that were ruled out are named, and what a comparison with the truth shows.
func TestLegendNamesWhatTheMapShows(t *testing.T) {
	s := recoveredTown(t, 3)
	s.m.SelectTrip("bus 2")
	r := s.m.Trip("bus 2").Recovery()
	plain := s.legendRows()
	s.desk.Pin(s.m.Trip("bus 2"), 1, r.Matches[1].At.Segment, true)
	s.idle()
	if got := s.legendRows(); got != plain+1 {
		t.Errorf("with a road ruled out the legend has %d rows, before it had %d", got, plain)
	}
	other := *s.m.Trip("bus 3").Recovery()
	other.Parts = append([]trajectory.Part(nil), other.Parts...)
	if !s.m.Compare("bus 2", state.TrueWay, &other) {
		t.Fatal("nothing is compared")
	}
	if got := s.legendRows(); got < plain+3 {
		t.Errorf("with a comparison the legend has %d rows", got)
	}
}

// legendRows is how many things the legend names.
func (s *stage) legendRows() int {
	return render.LegendRows(s.view.Scene(), s.view.Look())
}

func TestAtFirstSightAreSevenLayers(t *testing.T) {
	s := withTown(t, 1)
	height := func() float32 { return s.layers.Object.MinSize().Height }
	first := height()
	row := theme.Size(look.SizeRow)
	if most := (layers.AtFirst + 6) * row; first > most { // with the header, the button and the choice of colours
		t.Errorf("at first sight the panel is %.0f high, more than %.0f", first, most)
	}
	s.tapButton("4 more layers")
	if got := height(); got < first+4*row {
		t.Errorf("with all layers the panel is %.0f high, with seven %.0f", got, first)
	}
	s.tapButton("Fewer layers")
	if got := height(); got != first {
		t.Errorf("folded again the panel is %.0f high, before it was %.0f", got, first)
	}
}
