package mapview

import (
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"retrace/engine/roadnet"
	"retrace/mapview/render"
)

// comparing is a host that compares the trip with a bare path.
func comparing(t *testing.T, sides render.Sides) *host {
	h, n := crossHost(t)
	_, trip := cross(t)
	h.SetComparison(&render.Comparison{
		Trip: "one", A: render.Version{Name: "a", Recovery: trip.Recovery},
		B: render.Version{Name: "b", Path: [][]roadnet.Point{{n.Point('D'), n.Point('F')}}}, Sides: sides, Divider: 0.5, Chosen: -1,
	})
	h.settle(t)
	return h
}

func TestDividerIsDragged(t *testing.T) {
	h := comparing(t, render.Swiped)
	before := h.Scene().Comparison
	view := h.View()
	test.Drag(h.window.Canvas(), fyne.NewPos(320, 240), 128, 0)
	if got := h.Scene().Comparison.Divider; math.Abs(got-0.7) > 0.01 {
		t.Errorf("the divider stands at %v, want 0.7", got)
	}
	if before.Divider != 0.5 {
		t.Error("what the host handed over was changed")
	}
	if h.View() != view {
		t.Error("the map moved with the divider")
	}
}

func TestDividerIsMovedByKeys(t *testing.T) {
	h := comparing(t, render.Swiped)
	h.window.Canvas().Focus(h.divider)
	for _, c := range []struct {
		key  fyne.KeyName
		want float64
	}{{fyne.KeyRight, 0.55}, {fyne.KeyLeft, 0.5}, {fyne.KeyEnd, 1}, {fyne.KeyHome, 0}} {
		h.divider.TypedKey(&fyne.KeyEvent{Name: c.key})
		if got := h.Scene().Comparison.Divider; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("after %s the divider stands at %v, want %v", c.key, got, c.want)
		}
	}
}

func TestHalvesAreReadyAndAnswer(t *testing.T) {
	h := comparing(t, render.Halves)
	if h.divider.Visible() {
		t.Error("halves have a divider to drag")
	}
	for _, x := range []float32{160, 480} { // the middle of each half
		p := h.placeAt(fyne.NewPos(x, 240))
		if d := roadnet.Distance(p, h.View().Center); d > 3 {
			t.Errorf("the middle of the half at %v lies %v m off the view's centre", x, d)
		}
	}
	got, want := h.settle(t), render.Picture(h.Scene(), h.View(), h.Look())
	sum := 0.0
	for i := range got.Pix {
		sum += math.Abs(float64(got.Pix[i]) - float64(want.Pix[i]))
	}
	if mean := sum / float64(len(got.Pix)); mean > 0.3 {
		t.Errorf("map and picture differ by %.3f on average", mean)
	}
}
