package render

import (
	"image"
	"image/color"
	"math"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// townComparison is the town's trip as recovered, and by another way.
func townComparison(tb testing.TB) *Scene {
	s := townScene(tb)
	trip := townTrip(tb)
	trip.Truth, trip.Pins = nil, nil
	s.Trips = []Trip{trip}
	n := town(tb)
	other := *trip.Recovery
	other.Spans, other.Alternatives = nil, nil
	other.Parts = []trajectory.Part{{
		Segments:   []roadnet.SegmentID{n.Seg("FG"), n.Seg("GI"), n.Seg("IN"), n.Seg("NO"), n.Seg("OP"), n.Seg("PU"), n.Seg("UV")},
		StartRatio: 0.1, EndRatio: 0.6,
	}}
	start := 0.9 * n.Length(n.Seg("FG"))
	s.Comparison = &Comparison{
		Trip: "t1", A: Version{Name: "Model", Recovery: trip.Recovery}, B: Version{Name: "Map matching", Recovery: &other},
		Differences: []Difference{{
			A:  []Stretch{{From: start, To: start + n.Length(n.Seg("GM")) + n.Length(n.Seg("MN"))}},
			B:  []Stretch{{From: start, To: start + n.Length(n.Seg("GI")) + n.Length(n.Seg("IN"))}},
			At: at(12, 3),
		}},
		Chosen: -1, Divider: 0.45,
	}
	return s
}

func comparisonView() Viewport {
	v := window(15.3)
	v.Width, v.Height = 900, 420
	return v
}

func TestComparisonLooksAsBefore(t *testing.T) {
	s := townComparison(t)
	opt := DefaultOptions()
	opt.Legend = false
	checkImage(t, "compare-swiped-light", Picture(s, comparisonView(), opt))
	s.Comparison.Sides, s.Comparison.Chosen, opt.Dark = Halves, 0, true
	checkImage(t, "compare-halves-dark", Picture(s, comparisonView(), opt))
}

// A difference is found on the way of either version, and nowhere else.
func TestDifferencesAreFound(t *testing.T) {
	s, v := townComparison(t), comparisonView()
	f := NewFrontPainter()
	ts := NewTracks(s.Network, s.Trips)
	img := image.NewRGBA(image.Rect(0, 0, v.Width, v.Height))
	f.Paint(img, ts, s, Panes(s, v)[0], DefaultOptions())
	n := town(t)
	for name, want := range map[string]bool{"GM": true, "GI": true, "IN": true, "OP": false, "FG": false} {
		p := n.At(roadnet.Position{Segment: n.Seg(name), Ratio: 0.5})
		x, y := v.Pixel(p)
		item, ok := f.HitDifference(v, AllLayers, x, y)
		if ok != want || ok && (item.Kind != DifferenceItem || item.Index != 0 || item.Trip != "t1") {
			t.Errorf("on %s: %v %+v, want %v", name, ok, item, want)
		}
		if _, ok := f.HitDifference(v, AllLayers&^LayerComparison, x, y); ok {
			t.Errorf("on %s a layer is found that is switched off", name)
		}
	}
}

// Left of the divider all is as if the divider stood at the right edge, and the
// other way round.
func TestDividerPartsTheVersions(t *testing.T) {
	s := townComparison(t)
	v, opt := comparisonView(), Options{Layers: BasicLayers}
	with := func(divider float64) *image.RGBA {
		c := *s.Comparison
		c.Divider = divider
		shown := *s
		shown.Comparison = &c
		return Picture(&shown, v, opt)
	}
	a, b := with(1), with(0)
	if same(a, b, image.Rect(300, 100, 600, 300)) {
		t.Fatal("the two versions look the same")
	}
	for _, divider := range []float64{0.2, 0.5, 0.77} {
		got, x := with(divider), int(divider*float64(v.Width))
		if !same(got, a, image.Rect(0, 60, x-40, v.Height)) {
			t.Errorf("divider %v: left of it there is not the first version alone", divider)
		}
		if !same(got, b, image.Rect(x+40, 60, v.Width, v.Height)) {
			t.Errorf("divider %v: right of it there is not the second version alone", divider)
		}
	}
}

// Each half shows what a map of its width shows with the divider at an edge.
func TestHalvesShowTheSamePlace(t *testing.T) {
	s := townComparison(t)
	opt := Options{Layers: BasicLayers}
	s.Comparison.Sides = Halves
	got := Picture(s, comparisonView(), opt)
	half := comparisonView()
	half.Width /= 2
	for side := range 2 {
		c := *s.Comparison
		c.Sides, c.Divider = Swiped, float64(1-side)
		alone := *s
		alone.Comparison = &c
		want := Picture(&alone, half, opt)
		for y := 60; y < half.Height; y++ {
			for x := 40; x < half.Width-40; x++ {
				if apartBy(got.RGBAAt(x+side*half.Width, y), want.RGBAAt(x, y)) > 24 {
					t.Fatalf("side %d differs at %d, %d", side, x, y)
				}
			}
		}
	}
}

func same(a, b *image.RGBA, r image.Rectangle) bool {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if apartBy(a.RGBAAt(x, y), b.RGBAAt(x, y)) > 2 {
				return false
			}
		}
	}
	return true
}

func apartBy(p, q color.RGBA) float64 {
	return max(math.Abs(float64(p.R)-float64(q.R)), math.Abs(float64(p.G)-float64(q.G)), math.Abs(float64(p.B)-float64(q.B)))
}

// A path that is known without a recovery, as truth is, is drawn as one.
func TestVersionMayBeABarePath(t *testing.T) {
	s := townComparison(t)
	s.Comparison.B = Version{Name: "Truth", Path: [][]roadnet.Point{{at(0, 2.2), at(7, 2.2), at(7, 4.2), at(24, 4.2)}}}
	s.Comparison.Differences = nil
	s.Comparison.Divider = 0
	img := Picture(s, comparisonView(), Options{Layers: BasicLayers})
	blue := 0
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			if img.RGBAAt(x, y) == (color.RGBA{0, 0x72, 0xB2, 255}) {
				blue++
			}
		}
	}
	if blue < 500 {
		t.Errorf("%d pixels in the path's colour", blue)
	}
}
