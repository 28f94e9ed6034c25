package render

import (
	"math"
	"sort"
	"strings"
	"unicode"

	"retrace/engine/basemap"
)

// placeStyle is how places of one rank are written.
type placeStyle struct {
	from, to, size float64 // zooms, logical pixels
	weight         weight
	capitals       bool
	spacing        float32
}

func placeStyleOf(rank uint8) (placeStyle, bool) {
	switch rank {
	case basemap.RankCity:
		return placeStyle{3, 13.2, 17, mediumWeight, false, 0.01}, true
	case basemap.RankTown:
		return placeStyle{8, 14.4, 14.5, mediumWeight, false, 0.01}, true
	case basemap.RankSuburb:
		return placeStyle{11.5, 16, 12.5, regularWeight, true, 0.16}, true
	case basemap.RankVillage:
		return placeStyle{11.2, 16.5, 13, regularWeight, false, 0.02}, true
	case basemap.RankQuarter:
		return placeStyle{13.6, 17.5, 11.5, regularWeight, true, 0.14}, true
	case basemap.RankLocality:
		return placeStyle{14.4, 18, 11, regularWeight, false, 0.02}, true
	}
	return placeStyle{}, false
}

// places writes the names of places, the more important ones first.
func (lb *labeler) places(fs *features, v groundView) {
	var shown []uint32
	visit(fs.blocks, v.view, func(k block) {
		for i := k.from; i < k.to; i++ {
			if fs.boxes[i].meets(v.view) {
				shown = append(shown, i)
			}
		}
	})
	sort.SliceStable(shown, func(i, j int) bool { return fs.ranks[shown[i]] < fs.ranks[shown[j]] })
	for _, i := range shown {
		st, ok := placeStyleOf(fs.ranks[i])
		if ok && v.zoom >= st.from && v.zoom <= st.to {
			lb.place(fs, i, st, v)
		}
	}
}

func (lb *labeler) place(fs *features, i uint32, st placeStyle, v groundView) {
	name := fs.names[i]
	if st.capitals {
		name = strings.ToUpper(name)
	}
	box := fs.boxes[i]
	ink := textInk{color: v.theme.Place, halo: fade(v.theme.PlaceHalo, 0.85), width: v.px(1.8)}
	lb.level(name, v.at(place{box.minX, box.minY}), v.tx(st.size), st.weight, spacingOf(name, st.spacing), ink, v.px(80))
}

// spacingOf is the room between letters, for scripts whose letters stand apart.
func spacingOf(s string, spacing float32) float32 {
	for _, r := range s {
		if unicode.In(r, unicode.Arabic, unicode.Devanagari, unicode.Thai, unicode.Hebrew) {
			return 0
		}
	}
	return spacing
}

// level writes a text on a level line around a place, if there is room.
func (lb *labeler) level(s string, at point, size float32, w weight, spacing float32, ink textInk, apart float32) bool {
	t := lb.ts.set(s, w, spacing)
	if t == nil || lb.repeated(s, at, apart) {
		return false
	}
	half := t.width * size / 2
	h := size * capHeight / 2
	b := box{at.X - half, at.Y - h, at.X + half, at.Y + h}.grow(size * 0.3)
	if !b.meets(lb.space.all) || !lb.space.free([]box{b}) {
		return false
	}
	lb.space.take([]box{b})
	lb.seen[s] = append(lb.seen[s], at)
	lb.out = append(lb.out, label{
		text: t, size: size, ink: ink,
		spots: t.straight(point{at.X - half, at.Y + h}, size, nil),
	})
	return true
}

// waterNames writes the names of lakes and wide rivers inside them, those of
// narrow ones along them.
func (lb *labeler) waterNames(b *Base, v groundView) {
	ink := textInk{color: v.theme.WaterName, halo: fade(v.theme.WaterHalo, 0.7), width: v.px(1.4)}
	for _, s := range b.waterSpots {
		at := v.at(s.at)
		size := v.tx(math.Max(11, math.Min(16, 8+float64(s.width)*v.frame.scale/v.scale/60)))
		t := lb.ts.set(s.name, italicWeight, spacingOf(s.name, 0.12))
		if t == nil || float64(t.width*size)*1.1 > float64(s.width)*v.frame.scale {
			continue
		}
		lb.level(s.name, at, size, italicWeight, spacingOf(s.name, 0.12), ink, v.px(300))
	}
	if v.zoom >= 12.5 {
		lb.alongWater(&b.areas[basemap.Waterway], v, ink)
	}
}

func (lb *labeler) alongWater(fs *features, v groundView, ink textInk) {
	size := v.tx(11.5)
	visit(fs.blocks, v.view, func(k block) {
		for i := k.from; i < k.to; i++ {
			if fs.names[i] == "" || !fs.boxes[i].meets(v.view) {
				continue
			}
			t := lb.ts.set(fs.names[i], italicWeight, spacingOf(fs.names[i], 0.05))
			lb.line.reset()
			v.append(&lb.line, &fs.geometry, fs.rings[i])
			if t == nil || lb.line.len() == 0 {
				continue
			}
			pts := lb.line.at(0)
			if total := lineLength(pts); total > t.width*size*1.1 {
				lb.nearby(t, size, pts, total/2, total, fs.names[i], v.px(500), ink)
			}
		}
	})
}

// waterSpot is where the name of a water area stands best.
type waterSpot struct {
	name  string
	at    place
	width uint32 // of the water there, from bank to bank
}

// newWaterSpots finds for every named water its widest level stretch.
func newWaterSpots(fs *features) []waterSpot {
	var spots []waterSpot
	for i, name := range fs.names {
		if name == "" {
			continue
		}
		if s, ok := fs.widest(uint32(i)); ok {
			s.name = name
			spots = append(spots, s)
		}
	}
	sort.SliceStable(spots, func(i, j int) bool { return spots[i].width > spots[j].width })
	return spots
}

// widest tries level lines through an area.
func (fs *features) widest(i uint32) (best waterSpot, ok bool) {
	const tries = 15
	b := fs.boxes[i]
	var xs []float64
	var most float64
	for k := 1; k < tries; k++ {
		y := b.minY + uint32(float64(b.maxY-b.minY)*float64(k)/tries)
		xs = fs.crossings(xs[:0], i, y)
		inner := 1 - 0.5*math.Abs(float64(k)/tries-0.5) // the middle is better
		for n := 0; n+1 < len(xs); n += 2 {
			w := xs[n+1] - xs[n]
			if w*inner > most {
				most, ok = w*inner, true
				best = waterSpot{at: place{uint32((xs[n] + xs[n+1]) / 2), y}, width: uint32(w)}
			}
		}
	}
	return best, ok
}

// crossings are where the level line at y meets the rings of an area.
func (fs *features) crossings(xs []float64, i uint32, y uint32) []float64 {
	for r := fs.rings[i]; r < fs.rings[i+1]; r++ {
		ring := fs.places[fs.start(r):fs.ends[r]]
		if len(ring) == 0 {
			continue
		}
		prev := ring[len(ring)-1]
		for _, p := range ring {
			if (p.Y > y) != (prev.Y > y) {
				t := (float64(y) - float64(prev.Y)) / (float64(p.Y) - float64(prev.Y))
				xs = append(xs, float64(prev.X)+t*(float64(p.X)-float64(prev.X)))
			}
			prev = p
		}
	}
	sort.Float64s(xs)
	return xs
}
