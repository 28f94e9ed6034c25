package render

import (
	"fmt"
	"image"
	"math"
	"testing"

	"pgregory.net/rapid"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// window looks at the middle of the town.
func window(zoom float64) Viewport {
	return Viewport{Center: at(15.5, 3.2), Zoom: zoom, Width: 640, Height: 360, Scale: 1}
}

func TestTownLooksAsBefore(t *testing.T) {
	s := townScene(t)
	for _, c := range []struct {
		name string
		zoom float64
		dark bool
	}{{"town-street-light", 15.5, false}, {"town-street-dark", 15.5, true}, {"town-far-light", 13.5, false}} {
		opt := DefaultOptions()
		opt.Dark = c.dark
		checkImage(t, c.name, Picture(s, window(c.zoom), opt))
	}
}

func TestTripLooksAsBefore(t *testing.T) {
	s := townScene(t)
	s.Trips = []Trip{townTrip(t)}
	s.Selection = Item{Kind: TickItem, Trip: "t1", Index: 4}
	s.Marker = &Marker{Trip: "t1", At: at(10, 4), Heading: 90}
	v := window(15.5)
	v.Width, v.Height = 900, 520
	opt := DefaultOptions()
	opt.Layers = AllLayers
	checkImage(t, "trip-deck-light", Picture(s, v, opt))
	opt.Dark, opt.ColourBy = true, BySpeed
	checkImage(t, "trip-speed-dark", Picture(s, v, opt))
	opt.ColourBy, opt.Legend = ByDeck, false
	checkImage(t, "trip-deck-dark-2x", Picture(s, v.Times(2), opt))
}

// Pins, forbidden roads, the candidate under the pointer and an area that was
// drawn.
func TestMarksLookAsBefore(t *testing.T) {
	s := townScene(t)
	trip := townTrip(t)
	n := town(t)
	trip.Pins = append(trip.Pins, Pin{Sample: 1, Segment: n.Seg("IN"), Forbidden: true, At: at(16, 3)})
	s.Trips = []Trip{trip}
	s.Selection = Item{Kind: TripItem, Trip: "t1"}
	s.Hover = Item{Kind: CandidateItem, Trip: "t1", Index: 1, Segment: n.Seg("GI"), At: at(10, 2)}
	s.Shapes = []Shape{{Points: []roadnet.Point{at(18, 1), at(22, 1.2), at(20, 2.6)}, Closed: true}}
	v := window(15.5)
	v.Width, v.Height = 900, 420
	opt := DefaultOptions()
	opt.Legend = false
	checkImage(t, "marks-light", Picture(s, v, opt))
}

// TestTilesMeet draws a part of the town at once and in tiles.
func TestTilesMeet(t *testing.T) {
	s := townScene(t)
	base := NewBase(s.Network, s.Basemap)
	p := NewTilePainter()
	for _, zoom := range []float64{13.3, 15.125, 16.5} {
		c := MercatorOf(at(15.5, 3.2))
		x, y := int32(c.X*math.Exp2(zoom)), int32(c.Y*math.Exp2(zoom))
		whole, parts := image.NewRGBA(image.Rect(0, 0, 1024, 1024)), image.NewRGBA(image.Rect(0, 0, 1024, 1024))
		k := Tile{Zoom: zoom, Scale: 1, X: x, Y: y, Layers: AllLayers}
		for i := range int32(4) {
			tile := image.NewRGBA(image.Rect(0, 0, TileSize, TileSize))
			k.X, k.Y = x+i%2, y+i/2
			p.Paint(tile, base, k)
			lay(parts, tile, image.Pt(int(i%2)*TileSize, int(i/2)*TileSize), 1)
		}
		k.X, k.Y = x, y
		v := k.view()
		world := TileSize * math.Exp2(zoom)
		v.frame = newFrame(float64(x)*TileSize, float64(y)*TileSize, world, 1024, 1024, groundMargin)
		for i := range whole.Pix {
			whole.Pix[i] = 255
		}
		land := base.Land(false)
		var painter painter
		r := newRaster(whole)
		r.fill(&lines{pts: []point{{0, 0}, {1024, 0}, {1024, 1024}, {0, 1024}}, ends: []int32{4}}, nonZero, land)
		painter.ground(r, base, v)
		worst := 0
		for i := range whole.Pix {
			worst = max(worst, int(math.Abs(float64(whole.Pix[i])-float64(parts.Pix[i]))))
		}
		if worst > 6 {
			t.Errorf("zoom %v: tiles differ from the whole by up to %d of 255", zoom, worst)
		}
	}
}

func TestLabelsKeepApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := roadnettest.Random(rapid.Uint64().Draw(t, "seed"), 40)
		v := Viewport{Width: 700, Height: 500, Scale: 1}.Fit(net.Info().Bounds, 10)
		base := NewBase(net, nil)
		out := placeLabels(newLabeler(newTypesetter()), base, nil, Item{}, v, DefaultOptions())
		for i := range out {
			for k := range i {
				if out[i].arrow == nil && out[k].arrow == nil && overlap(&out[i], &out[k]) {
					t.Fatalf("labels %d and %d overlap", i, k)
				}
			}
		}
	})
}

// overlap reports whether letters of two labels stand on one another.
func overlap(a, b *label) bool {
	for i, s := range a.spots {
		for k, o := range b.spots {
			near := (a.text.glyphs[i].advance*a.size + b.text.glyphs[k].advance*b.size) / 4
			if distance(s.at, o.at) < near {
				return true
			}
		}
	}
	return false
}

func TestStreetNamesStandUpright(t *testing.T) {
	base := NewBase(town(t).Network, nil)
	out := placeLabels(newLabeler(newTypesetter()), base, nil, Item{}, window(16), DefaultOptions())
	names := 0
	for _, l := range out {
		if l.arrow != nil || len(l.spots) == 0 {
			continue
		}
		names++
		if first, last := l.spots[0].at, l.spots[len(l.spots)-1].at; last.X < first.X-1 {
			t.Errorf("a name of %d letters reads from right to left", len(l.spots))
		}
	}
	if names < 3 {
		t.Errorf("%d names on the map, want those of the larger streets", names)
	}
}

func TestLabelsStayWhenTheMapMoves(t *testing.T) {
	base := NewBase(town(t).Network, nil)
	v := window(15.5)
	first := placed(base, v.Snap(), 60)
	moved := placed(base, v.Pan(-37, 21).Snap(), 0)
	for at := range first {
		if !moved[[2]int{at[0] - 37, at[1] + 21}] {
			t.Errorf("the label at %v went away", at)
		}
	}
}

// placed are the middles of the labels some pixels inside a viewport.
func placed(b *Base, v Viewport, inset int) map[[2]int]bool {
	out := map[[2]int]bool{}
	for _, l := range placeLabels(newLabeler(newTypesetter()), b, nil, Item{}, v.Around(LabelMargin), DefaultOptions()) {
		r := l.bounds()
		x, y := (r.Min.X+r.Max.X)/2-LabelMargin, (r.Min.Y+r.Max.Y)/2-LabelMargin
		if x > inset && y > inset && x < v.Width-inset && y < v.Height-inset {
			out[[2]int{x, y}] = true
		}
	}
	return out
}

func TestNameWithoutGlyphIsLeftOut(t *testing.T) {
	ts := newTypesetter()
	if ts.set("Rua \U000F1234", regularWeight, 0) != nil {
		t.Error("a letter that no font knows was set")
	}
	for _, s := range []string{"Praça", "Москва", "شارع", "台北市"} {
		if ts.set(s, regularWeight, 0) == nil {
			t.Errorf("%s: no font", s)
		}
	}
}

func TestViewportThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := Viewport{
			Center: roadnet.Point{Lon: rapid.Float64Range(-120, 120).Draw(t, "lon"), Lat: rapid.Float64Range(-60, 60).Draw(t, "lat")},
			Zoom:   rapid.Float64Range(6, 20).Draw(t, "zoom"), Width: 800, Height: 600, Scale: rapid.Float64Range(1, 4).Draw(t, "scale"),
		}
		x, y := rapid.Float64Range(0, 800).Draw(t, "x"), rapid.Float64Range(0, 600).Draw(t, "y")
		gx, gy := v.Pixel(v.Point(x, y))
		if math.Hypot(gx-x, gy-y) > 1e-3 {
			t.Fatalf("%v, %v came back as %v, %v", x, y, gx, gy)
		}
		z := v.ZoomAt(rapid.Float64Range(6, 20).Draw(t, "to"), x, y)
		if gx, gy := z.Pixel(v.Point(x, y)); math.Hypot(gx-x, gy-y) > 0.5 {
			t.Fatalf("zooming at %v, %v moved it to %v, %v", x, y, gx, gy)
		}
	})
}

func TestFitShowsTheWholeBox(t *testing.T) {
	b := roadnet.Bounds{MinLon: -8.7, MinLat: 41.1, MaxLon: -8.5, MaxLat: 41.2}
	v := Viewport{Width: 800, Height: 600, Scale: 2}.Fit(b, 20)
	x0, y0 := v.Pixel(roadnet.Point{Lon: b.MinLon, Lat: b.MaxLat})
	x1, y1 := v.Pixel(roadnet.Point{Lon: b.MaxLon, Lat: b.MinLat})
	if x0 < 39 || y0 < 39 || x1 > 761 || y1 > 561 {
		t.Errorf("the box shows at %v, %v to %v, %v", x0, y0, x1, y1)
	}
}

func TestHitFindsTheNearestThingFirst(t *testing.T) {
	n := town(t)
	trip := townTrip(t)
	base, ts := NewBase(n.Network, nil), NewTracks(n.Network, []Trip{trip})
	v := window(16)
	tick := trip.Recovery.Ticks[4]
	x, y := v.Pixel(roadnet.Point{Lon: tick.Lon, Lat: tick.Lat})
	hits := Hit(base, ts, v, AllLayers, Item{}, x+2, y-1)
	kinds := ""
	for _, h := range hits {
		kinds += fmt.Sprint(h.Kind, " ")
	}
	if len(hits) < 3 || hits[0].Kind != TickItem || hits[0].Index != 4 {
		t.Fatalf("kinds %s, want the recovered point 4 first", kinds)
	}
	if last := hits[len(hits)-1]; last.Kind != RoadItem {
		t.Errorf("kinds %s, want the road last", kinds)
	}
	for _, h := range Hit(base, ts, v, LayerRoads, Item{}, x, y) {
		if h.Kind != RoadItem {
			t.Errorf("found a %d though its layer is hidden", h.Kind)
		}
	}
}

func TestPathIsAsLongAsItsSegments(t *testing.T) {
	n := town(t)
	r := townTrip(t).Recovery
	part := partOf(n.Network, r.Parts[0])
	var want float64
	for i, id := range r.Parts[0].Segments {
		share := 1.0
		if i == 0 {
			share -= r.Parts[0].StartRatio
		}
		if i == len(r.Parts[0].Segments)-1 {
			share -= 1 - r.Parts[0].EndRatio
		}
		want += share * n.Length(id)
	}
	if math.Abs(part.length()-want) > 0.01 {
		t.Errorf("%.3f m long, its segments %.3f m", part.length(), want)
	}
}

func TestSelectionFadesAllElse(t *testing.T) {
	s := fadedScene(t)
	ts := NewTracks(s.Network, s.Trips)
	for _, c := range []struct {
		selected Item
		want     float64
	}{{Item{}, 1}, {Item{Kind: TripItem, Trip: "t1"}, fadedShare}, {Item{Kind: RoadItem, Segment: 3}, fadedShare}, {Item{Kind: TripItem, Trip: "gone"}, 1}} {
		s.Selection = c.selected
		if got := ts.Faded(s); got != c.want {
			t.Errorf("with %+v selected other trips show at %v, want %v", c.selected, got, c.want)
		}
	}
}
