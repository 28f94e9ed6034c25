package render

import (
	"image"
	"image/color"
	"testing"
)

// Each layer that is shown adds something to the picture, and at no opacity is
// as if it were switched off.
func TestEveryLayerFades(t *testing.T) {
	s := townScene(t)
	s.Trips = []Trip{townTrip(t)}
	s.Links = townLinks(t)
	s.Selection = Item{Kind: TickItem, Trip: "t1", Index: 4}
	v := window(15.5)
	all := Options{Layers: AllLayers &^ LayerLabels} // which keep clear of what shows
	full := Picture(s, v, all)
	for i := range NumLayers {
		layer := Layers(1) << i
		if layer == LayerLabels || layer == LayerComparison {
			continue // labels have no opacity of their own; there is no comparison here
		}
		faded, off := all, all
		faded.Fades.Set(layer, 0)
		off.Layers &^= layer
		gone, without := Picture(s, v, faded), Picture(s, v, off)
		if same(full, gone, full.Rect) {
			t.Errorf("layer %d shows in full at no opacity", i)
		}
		if layer == LayerInput || layer == LayerDecks {
			continue // switched off, points take the place of input, paths that of decks
		}
		if !same(gone, without, full.Rect) {
			t.Errorf("layer %d at no opacity is not as switched off", i)
		}
	}
}

func TestFadesKeepWhatIsSet(t *testing.T) {
	var f Fades
	if f.Share(LayerRoads) != 1 {
		t.Error("the zero value is not opaque")
	}
	f.Set(LayerPath|LayerPoints, 0.35)
	if f.Share(LayerPath) != 0.35 || f.Share(LayerPoints) != 0.35 || f.Share(LayerInput) != 1 {
		t.Errorf("shares %v", f)
	}
	if got := f.Of(LayerPath); got.Share(LayerPath) != 0.35 || got.Share(LayerPoints) != 1 {
		t.Errorf("of the path alone: %v", got)
	}
	f.Set(AllLayers, 2)
	if f != (Fades{}) {
		t.Errorf("more than all is %v", f)
	}
}

// A group lays what overlaps in it once, and leaves nothing behind for the next.
func TestGroupsAreLaidOnce(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 40, 20))
	r := newRaster(img)
	black := color.NRGBA{A: 255}
	line := func(x float32) *lines { return &lines{pts: []point{{x, 0}, {x, 20}}, ends: []int32{2}} }
	for range 2 {
		clear(img.Pix)
		r.group(0.5, func(c canvas) {
			c.stroke(line(10), stroke{width: 8, color: black})
			c.stroke(line(12), stroke{width: 8, color: black})
		})
		if a := img.RGBAAt(11, 10).A; a < 126 || a > 129 {
			t.Errorf("where two lines of a group overlap the opacity is %d, want a half", a)
		}
	}
	r.group(0.5, func(c canvas) { c.stroke(line(30), stroke{width: 4, color: black}) })
	if a := img.RGBAAt(11, 10).A; a < 126 || a > 129 {
		t.Errorf("another group laid the first one again: %d", a)
	}
}
