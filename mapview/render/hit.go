package render

import (
	"math"
	"sort"

	"retrace/engine/roadnet"
)

// How near, in logical pixels, the pointer must come to things.
const (
	pointReach = 9.0
	pathReach  = 6.0
	roadReach  = 6.0
	bandReach  = 9.0
)

// hit is a thing near the pointer.
type hit struct {
	Item
	rank     int // points before paths before roads
	distance float64
}

// Hit lists what lies under an image pixel of a viewport, the nearest and
// topmost first: input points, recovered points, elevated spans, paths, roads.
// Only what the layers show is found.
func Hit(b *Base, ts *Tracks, v Viewport, layers Layers, selected Item, x, y float64) []Item {
	h := hitter{v: v.ground(Options{Layers: layers}), at: point{float32(x), float32(y)}, layers: layers, place: v.Point(x, y)}
	if ts != nil {
		front := ts.front(selected)
		for i := range ts.tracks {
			h.track(&ts.tracks[i], &ts.tracks[i] == front)
		}
		if front != nil && ts.held(front.id) == nil {
			h.track(front, true)
		}
		h.farTracks(ts, front)
	}
	if b != nil && b.net != nil && layers.Has(LayerRoads) {
		h.roads(b, v)
	}
	sort.SliceStable(h.hits, func(i, j int) bool {
		a, b := h.hits[i], h.hits[j]
		return a.rank < b.rank || a.rank == b.rank && a.distance < b.distance
	})
	items := make([]Item, len(h.hits))
	for i := range h.hits {
		items[i] = h.hits[i].Item
	}
	return items
}

type hitter struct {
	v      groundView
	at     point
	place  roadnet.Point
	layers Layers
	hits   []hit
}

func (h *hitter) add(it Item, rank int, distance float64) {
	it.At = h.place
	h.hits = append(h.hits, hit{it, rank, distance})
}

// track finds what of a trip lies near; the front trip goes before the others.
func (h *hitter) track(t *track, front bool) {
	reach := float64(h.v.px(pointReach))
	units := uint32(reach / h.v.frame.scale)
	at := placeOf(roadnet.CoordOf(h.place))
	if !t.box.grown(units).meets(extent{at.X, at.Y, at.X, at.Y}) {
		return
	}
	rank := 10
	if front {
		rank = 0
	}
	if h.layers.Has(LayerInput) {
		h.points(t.samples, Item{Kind: SampleItem, Trip: t.id}, rank, reach)
	}
	if h.layers.Has(LayerPoints) {
		h.points(t.ticks, Item{Kind: TickItem, Trip: t.id}, rank+1, reach)
	}
	if h.layers.Has(LayerPath) && t.Recovery != nil {
		h.path(t, rank+2)
	}
}

// points finds the nearest of some points.
func (h *hitter) points(places []place, it Item, rank int, reach float64) {
	best := reach
	for i, p := range places {
		if d := float64(distance(h.v.at(p), h.at)); d < best {
			best, it.Index = d, i
		}
	}
	if best < reach {
		h.add(it, rank, best)
	}
}

// path finds the path, and the elevated span on it.
func (h *hitter) path(t *track, rank int) {
	reach := float64(h.v.px(pathReach))
	best, part, along := reach, -1, 0.0
	at := placeOf(roadnet.CoordOf(h.place))
	near := extent{at.X, at.Y, at.X, at.Y}.grown(uint32(reach / h.v.frame.scale))
	for i := range t.parts {
		p := &t.parts[i]
		p.eachNear(near, func(k int) {
			d, f := nearOn(h.v.at(p.places[k-1]), h.v.at(p.places[k]), h.at)
			if d < best {
				best, part = d, i
				along = float64(p.along[k-1]) + f*float64(p.along[k]-p.along[k-1])
			}
		})
	}
	if part < 0 {
		return
	}
	for i, s := range t.Recovery.Spans {
		if h.layers.Has(LayerDecks) && int(s.Part) == part && s.From <= along && along <= s.To {
			h.add(Item{Kind: SpanItem, Trip: t.id, Index: i}, rank, best)
		}
	}
	h.add(Item{Kind: TripItem, Trip: t.id}, rank+1, best)
}

// HitDifference is where the versions of a comparison differ under an image pixel
// of a pane, on either version's way; false where nothing does. It is of what was
// painted last.
func (f *FrontPainter) HitDifference(v Viewport, layers Layers, x, y float64) (Item, bool) {
	if f.versus == nil || !layers.Has(LayerComparison) {
		return Item{}, false
	}
	h := hitter{v: v.ground(Options{}), at: point{float32(x), float32(y)}, place: v.Point(x, y)}
	best, found := float64(h.v.px(bandReach)), -1
	for i := range f.versus.Differences {
		for side := range f.versus.sides {
			for _, s := range f.versus.Differences[i].stretches(side) {
				if d := h.stretch(f.versus.sides[side].parts, s); d < best {
					best, found = d, i
				}
			}
		}
	}
	return Item{Kind: DifferenceItem, Trip: f.versus.Trip, Index: found, At: h.place}, found >= 0
}

// stretch is the distance of a stretch, in image pixels.
func (h *hitter) stretch(parts []trackPart, s Stretch) float64 {
	best := math.Inf(1)
	if s.Part < 0 || s.Part >= len(parts) {
		return best
	}
	at := placeOf(roadnet.CoordOf(h.place))
	p := &parts[s.Part]
	p.eachNear(extent{at.X, at.Y, at.X, at.Y}.grown(uint32(float64(h.v.px(bandReach))/h.v.frame.scale)), func(k int) {
		if float64(p.along[k]) <= s.From || float64(p.along[k-1]) >= s.To {
			return
		}
		d, _ := nearOn(h.v.at(p.places[k-1]), h.v.at(p.places[k]), h.at)
		best = math.Min(best, d)
	})
	return best
}

// nearOn is the distance of a point from a straight piece, and where on it the
// nearest place lies, 0 to 1.
func nearOn(a, b, p point) (d, f float64) {
	ab, ap := b.minus(a), p.minus(a)
	square := float64(ab.X*ab.X + ab.Y*ab.Y)
	if square > 0 {
		f = math.Max(0, math.Min(1, float64(ab.X*ap.X+ab.Y*ap.Y)/square))
	}
	return float64(distance(p, a.toward(b, float32(f)))), f
}

// roads finds the segments near the pointer that the zoom shows.
func (h *hitter) roads(b *Base, v Viewport) {
	radius := roadReach * v.MetresPerPixel()
	const far = 400 // metres: at small scales only a click right on a road counts
	styles := roadStyles(v.Zoom, v.Scale, b.lift)
	for _, n := range b.net.Near(h.place, math.Min(radius, far), nil) {
		if styles[lookOf(b.net.Class(n.Segment), b.net.Flags(n.Segment))].fill > 0 {
			h.add(Item{Kind: RoadItem, Segment: n.Segment}, 30, n.Distance)
		}
	}
}

// grown is the extent with a border on every side.
func (e extent) grown(by uint32) extent {
	sub := func(v uint32) uint32 { return v - min(v, by) }
	sum := func(v uint32) uint32 { return v + min(math.MaxUint32-v, by) }
	return extent{sub(e.minX), sub(e.minY), sum(e.maxX), sum(e.maxY)}
}
