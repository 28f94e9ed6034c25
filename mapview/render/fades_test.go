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
			continue // see below; there is no comparison here
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

// Names fade in pictures and on the map, which lays them over its tiles.
func TestNamesFade(t *testing.T) {
	s, v := townScene(t), window(15.5)
	full := Options{Layers: AllLayers}
	half, gone, off := full, full, full
	half.Fades.Set(LayerLabels, 0.5)
	gone.Fades.Set(LayerLabels, 0)
	off.Layers &^= LayerLabels
	named, faded, none, without := Picture(s, v, full), Picture(s, v, half), Picture(s, v, gone), Picture(s, v, off)
	if same(named, faded, named.Rect) || same(faded, without, named.Rect) {
		t.Error("names at half their opacity look as in full, or as switched off")
	}
	if !same(none, without, none.Rect) {
		t.Error("names at no opacity are not as switched off")
	}
	labels := NewLabelPainter().Place(NewBase(s.Network, s.Basemap), NewTracks(s.Network, nil), Item{}, v.Around(LabelMargin), full)
	for _, share := range []float64{0, 0.5, 1} {
		img := image.NewRGBA(image.Rect(0, 0, v.Width, v.Height))
		labels.Draw(img, v, share)
		most := uint8(0)
		for i := 3; i < len(img.Pix); i += 4 {
			most = max(most, img.Pix[i])
		}
		if want := 255 * share; float64(most) < want-3 || float64(most) > want+3 {
			t.Errorf("names at %v are laid at %d of 255", share, most)
		}
	}
}

// A trip that has changed is prepared anew and no other; what stands behind it
// is then as before.
func TestOnlyChangedTripsArePreparedAnew(t *testing.T) {
	s := townScene(t)
	a, b := townTrip(t), townTrip(t)
	other := *b.Trajectory
	other.ID = "t2"
	b.Trajectory = &other
	before := NewTracks(s.Network, []Trip{a, b})
	recovery := *a.Recovery
	a.Recovery = &recovery
	after := before.Renew(s.Network, []Trip{a, b}, 1)
	if &after.tracks[1].ticks[0] != &before.tracks[1].ticks[0] || &after.tracks[0].ticks[0] == &before.tracks[0].ticks[0] {
		t.Error("not the trip that changed is prepared anew")
	}
	if after.Behind("t1") != before.Behind("t1") {
		t.Error("what stands behind the trip that changed counts as changed")
	}
	if after.Behind("t2") == before.Behind("t2") || after.Behind("") == before.Behind("") {
		t.Error("what stands behind another trip counts as unchanged")
	}
	if hidden := after.Renew(s.Network, []Trip{a}, 2); hidden.Behind("") == after.Behind("") {
		t.Error("a trip that is not shown any more counts as shown")
	}
	if elsewhere := after.Renew(townScene(t).Network, []Trip{a, b}, 3); elsewhere.Behind("") == after.Behind("") {
		t.Error("another network counts as the same")
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
