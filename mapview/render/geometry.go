package render

import (
	"math"
	"math/bits"
	"slices"

	"retrace/engine/roadnet"
)

// place is a point on the square of Web Mercator in units of its width / 2^32,
// which is under a centimetre on the ground.
type place struct{ X, Y uint32 }

const placeUnits = 1 << 32

func placeOf(c roadnet.Coord) place {
	m := MercatorOf(c.Point())
	return place{unitsOf(m.X), unitsOf(m.Y)}
}

func unitsOf(v float64) uint32 {
	return uint32(math.Max(0, math.Min(math.Round(v*placeUnits), placeUnits-1)))
}

// extent is a box of places, its border included.
type extent struct{ minX, minY, maxX, maxY uint32 }

// nowhere is the extent that widening starts from.
var nowhere = extent{minX: math.MaxUint32, minY: math.MaxUint32}

func (e extent) meets(o extent) bool {
	return e.minX <= o.maxX && o.minX <= e.maxX && e.minY <= o.maxY && o.minY <= e.maxY
}

func (e extent) with(p place) extent {
	return extent{min(e.minX, p.X), min(e.minY, p.Y), max(e.maxX, p.X), max(e.maxY, p.Y)}
}

func (e extent) union(o extent) extent {
	return extent{min(e.minX, o.minX), min(e.minY, o.minY), max(e.maxX, o.maxX), max(e.maxY, o.maxY)}
}

// size is the longer edge.
func (e extent) size() uint32 { return max(e.maxX-e.minX, e.maxY-e.minY) }

// geometry holds polylines and rings, and for each vertex how much it matters:
// the zoom from which it is worth drawing.
type geometry struct {
	places []place
	detail []uint8 // bit length of the units by which the line would miss the vertex
	ends   []uint32
}

// room makes room for so many vertices and lines, where that is known before.
func (g *geometry) room(vertices, lines int) {
	g.places, g.detail = make([]place, 0, vertices), make([]uint8, 0, vertices)
	g.ends = make([]uint32, 0, lines)
}

// clip lets go of memory that nothing was put into.
func (g *geometry) clip() {
	g.places, g.detail, g.ends = slices.Clone(g.places), slices.Clone(g.detail), slices.Clone(g.ends)
}

// add appends a polyline or, where closed, a ring.
func (g *geometry) add(coords []roadnet.Coord, closed bool) extent {
	start := len(g.places)
	box := nowhere
	for _, c := range coords {
		p := placeOf(c)
		g.places = append(g.places, p)
		box = box.with(p)
	}
	g.detail = append(g.detail, make([]uint8, len(coords))...)
	weigh(g.places[start:], g.detail[start:], closed)
	g.ends = append(g.ends, uint32(len(g.places)))
	return box
}

func (g *geometry) start(i uint32) uint32 {
	if i == 0 {
		return 0
	}
	return g.ends[i-1]
}

// always is the detail of a vertex that no zoom leaves out.
const always = 255

// longest is how many vertices are weighed together: it bounds the work on
// lines made to be hard.
const longest = 4096

// weigh sets the detail of every vertex after Douglas and Peucker.
func weigh(places []place, detail []uint8, closed bool) {
	if closed && len(places) > 3 {
		far := farthest(places)
		weigh(places[:far+1], detail[:far+1], false)
		weigh(places[far:], detail[far:], false)
		return
	}
	for n := len(places); n > 0; n = len(places) {
		part := min(n, longest)
		detail[0], detail[part-1] = always, always
		split(places[:part], detail[:part], 32)
		if part == n {
			return
		}
		places, detail = places[part-1:], detail[part-1:]
	}
}

// farthest is the vertex farthest from the first.
func farthest(places []place) int {
	best, at := -1.0, 0
	for i, p := range places {
		dx, dy := float64(p.X)-float64(places[0].X), float64(p.Y)-float64(places[0].Y)
		if d := dx*dx + dy*dy; d > best {
			best, at = d, i
		}
	}
	return at
}

// split weighs the vertices between the first and the last; none may matter
// more than the vertex that the line was split at before.
func split(places []place, detail []uint8, most uint8) {
	for len(places) > 2 {
		at, miss := widest(places)
		level := min(uint8(bits.Len32(uint32(min(miss, math.MaxUint32)))), most)
		detail[at] = level
		split(places[:at+1], detail[:at+1], level)
		places, detail, most = places[at:], detail[at:], level
	}
}

// widest is the inner vertex farthest from the straight line between the ends,
// and its distance in units.
func widest(places []place) (at int, miss float64) {
	a, b := places[0], places[len(places)-1]
	dx, dy := float64(b.X)-float64(a.X), float64(b.Y)-float64(a.Y)
	square := dx*dx + dy*dy
	best := -1.0
	for i := 1; i < len(places)-1; i++ {
		px, py := float64(places[i].X)-float64(a.X), float64(places[i].Y)-float64(a.Y)
		d := px*px + py*py
		if square > 0 {
			t := math.Max(0, math.Min(1, (px*dx+py*dy)/square))
			px, py = px-t*dx, py-t*dy
			d = px*px + py*py
		}
		if d > best {
			best, at = d, i
		}
	}
	return at, math.Sqrt(best)
}

// frame turns places into image pixels.
type frame struct {
	x, y  float64 // units at the image's top left
	scale float64 // pixels per unit
	keep  uint8   // vertices of less detail are left out
	view  extent  // what the image shows, with a margin
}

// newFrame is the frame of an image whose top left lies at x, y in world
// pixels; margin is in pixels.
func newFrame(x, y, world float64, width, height int, margin float64) frame {
	scale := world / placeUnits
	f := frame{x: x / scale, y: y / scale, scale: scale}
	f.keep = uint8(bits.Len32(uint32(math.Min(tolerance/scale, math.MaxInt32))))
	f.view = extent{
		unitsOf((x - margin) / world), unitsOf((y - margin) / world),
		unitsOf((x + float64(width) + margin) / world), unitsOf((y + float64(height) + margin) / world),
	}
	return f
}

// tolerance is by how many pixels a line may be drawn beside its true place.
const tolerance = 0.4

func (f *frame) at(p place) point {
	return point{float32((float64(p.X) - f.x) * f.scale), float32((float64(p.Y) - f.y) * f.scale)}
}

// append adds one line or ring of the geometry to dst as it shows in the frame.
func (f *frame) append(dst *lines, g *geometry, i uint32) {
	for v := g.start(i); v < g.ends[i]; v++ {
		if g.detail[v] >= f.keep {
			dst.pts = append(dst.pts, f.at(g.places[v]))
		}
	}
	dst.end()
}
