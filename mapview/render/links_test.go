package render

import (
	"image"
	"testing"

	"pgregory.net/rapid"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// townLinks are drives over the town, more on the main roads, one way unlike the
// other.
func townLinks(tb testing.TB) []Link {
	n := town(tb)
	var links []Link
	add := func(way string, trips int, speed float64) {
		for i := 1; i < len(way); i++ {
			links = append(links, Link{n.Seg(way[i-1 : i+1]), trips, speed})
		}
	}
	add("ABCDE", 240, 9)
	add("EDCBA", 30, 3)
	add("FGIJK", 60, 6)
	add("KJIGF", 4, 12)
	add("LMNOPQ", 900, 25)
	add("RSTUV", 1, 0)
	add("AFLR", 12, 2)
	return links
}

func TestLinksLookAsBefore(t *testing.T) {
	s := townScene(t)
	s.Links = townLinks(t)
	v := window(15.3)
	v.Width, v.Height = 900, 420
	opt := DefaultOptions()
	opt.Layers |= LayerLinks
	checkImage(t, "links-counts-light", Picture(s, v, opt))
	opt.Dark, opt.LinkBy = true, LinkSpeeds
	checkImage(t, "links-speeds-dark", Picture(s, v, opt))
}

func TestClassesOfCountsHoldEveryCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 1_000_000).Draw(t, "most")
		m := &LinkMap{limits: countLimits(most)}
		if n := len(m.limits); n > numCounts || m.limits[0] != 1 || m.limits[n-1] > most {
			t.Fatalf("classes %v up to %d", m.limits, most)
		}
		for i := 1; i < len(m.limits); i++ {
			if m.limits[i] <= m.limits[i-1] {
				t.Fatalf("classes %v do not rise", m.limits)
			}
		}
		trips := rapid.IntRange(1, most).Draw(t, "trips")
		c := m.countClass(trips)
		if trips < m.limits[c] || c+1 < len(m.limits) && trips >= m.limits[c+1] {
			t.Errorf("%d trips are in class %d of %v", trips, c, m.limits)
		}
	})
}

func TestSpeedsAreInTheirClass(t *testing.T) {
	m := &LinkMap{speeds: [2][]float64{{10 / 3.6, 20 / 3.6, 30 / 3.6, 50 / 3.6, 80 / 3.6}, nil}}
	for kmh, want := range map[float64]int{0: 6, 9.9: 0, 10.1: 1, 29: 2, 49: 3, 79: 4, 200: 5} {
		if got := m.speedClass(kmh/3.6, false); got != want {
			t.Errorf("%v km/h is in class %d, want %d", kmh, got, want)
		}
	}
}

// Only what shows is looked at: over a large network a view of one place asks
// for a small share of the links.
func TestLinksOutOfSightCostNothing(t *testing.T) {
	net := roadnettest.GridCity(60)
	links := make([]Link, net.NumSegments())
	for i := range links {
		links[i] = Link{roadnet.SegmentID(i), i%50 + 1, 8}
	}
	m := NewLinkMap(net, links)
	b := net.Info().Bounds
	v := Viewport{Width: 200, Height: 200, Scale: 1}.Fit(b, 0)
	v.Zoom += 4
	seen, all := 0, 0
	visit(m.blocks, v.ground(Options{}).view, func(k block) { seen += int(k.to - k.from) })
	for _, k := range m.blocks {
		all += int(k.to - k.from)
	}
	if all != m.Len() || seen == 0 || seen > all/8 {
		t.Errorf("%d of %d links are looked at for a 256th of the area", seen, all)
	}
}

// The two directions of a road lie apart where the zoom leaves room, and each on
// its right.
func TestDirectionsLieApart(t *testing.T) {
	pts := beside(nil, []point{{0, 0}, {10, 0}, {10, 10}}, 2)
	want := []point{{0, 2}, {10 - 1.4142, 1.4142}, {8, 10}}
	for i := range want {
		if distance(pts[i], want[i]) > 0.01 {
			t.Errorf("vertex %d lies at %v, want %v", i, pts[i], want[i])
		}
	}
}

func TestVehiclesAreSeenWhereTheyAre(t *testing.T) {
	s := townScene(t)
	v := window(15)
	plain := Picture(s, v, DefaultOptions())
	s.Markers = []Marker{{At: at(15.5, 3.2), Heading: 77}, {At: at(-900, 0), Heading: -400}}
	got := Picture(s, v, DefaultOptions())
	b := image.Rectangle{}
	for y := range v.Height {
		for x := range v.Width {
			if got.RGBAAt(x, y) != plain.RGBAAt(x, y) {
				b = b.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if mid := b.Min.Add(b.Max).Div(2); b.Empty() || mid.Sub(image.Pt(320, 180)).X > 3 || mid.Sub(image.Pt(320, 180)).Y > 3 || b.Dx() > 24 {
		t.Errorf("the vehicle is drawn at %v, want around 320, 180", b)
	}
}

// BenchmarkVehicles draws the vehicles of thousands of trips, as each frame of
// playback does.
func BenchmarkVehicles(b *testing.B) {
	s := townScene(b)
	v := Viewport{Center: at(15, 3), Zoom: 14, Width: 1600, Height: 1000, Scale: 1}
	for i := range 5000 {
		s.Markers = append(s.Markers, Marker{At: at(float64(i%97)/3, float64(i%41)/5), Heading: float64(i * 7 % 360)})
	}
	img := image.NewRGBA(image.Rect(0, 0, v.Width, v.Height))
	p := newTripPainter(newRaster(img), NewTracks(s.Network, nil), newTypesetter(), tripView{groundView: v.ground(DefaultOptions()), words: English()})
	var stamps vehicles
	for b.Loop() {
		p.vehicles(s.Markers, &stamps)
	}
}
