package city

import (
	"math"
	"slices"
)

// The raster behind all masks and fields: its reach around the origin and the
// side of its cells, metres.
const (
	reachX = 5600.0
	reachY = 4800.0
	cell   = 8.0
)

// mask is a raster of places, e.g. of those where no street may run.
type mask struct {
	w, h int
	set  []bool
}

func newMask() *mask {
	w, h := int(2*reachX/cell), int(2*reachY/cell)
	return &mask{w: w, h: h, set: make([]bool, w*h)}
}

func (m *mask) index(p vec) (int, bool) {
	i, j := int((p.x+reachX)/cell), int((p.y+reachY)/cell)
	return j*m.w + i, p.x >= -reachX && p.y >= -reachY && i < m.w && j < m.h
}

// has reports whether p is in the mask; all that lies outside the raster is.
func (m *mask) has(p vec) bool {
	i, ok := m.index(p)
	return !ok || m.set[i]
}

// centre is the middle of cell i.
func (m *mask) centre(i int) vec {
	return vec{(float64(i%m.w)+0.5)*cell - reachX, (float64(i/m.w)+0.5)*cell - reachY}
}

// disc sets or clears every cell within r metres of p.
func (m *mask) disc(p vec, r float64, to bool) {
	for y := p.y - r; y <= p.y+r+cell; y += cell {
		for x := p.x - r; x <= p.x+r+cell; x += cell {
			i, ok := m.index(vec{x, y})
			if ok && m.centre(i).dist(p) <= r {
				m.set[i] = to
			}
		}
	}
}

// along sets or clears every cell within r metres of the line.
func (m *mask) along(l line, r float64, to bool) {
	for _, p := range l.resample(cell / 2) {
		m.disc(p, r, to)
	}
}

// fill sets or clears every cell whose centre is inside the ring.
func (m *mask) fill(ring line, to bool) {
	low, high := ring.box()
	first := max(0, int((low.y+reachY)/cell))
	last := min(m.h-1, int((high.y+reachY)/cell))
	var cuts []float64
	for j := first; j <= last; j++ {
		y := (float64(j)+0.5)*cell - reachY
		cuts = ring.cuts(y, cuts[:0])
		for k := 1; k < len(cuts); k += 2 {
			from := max(0, int(math.Ceil((cuts[k-1]+reachX)/cell-0.5)))
			until := min(m.w-1, int(math.Floor((cuts[k]+reachX)/cell-0.5)))
			for i := from; i <= until; i++ {
				m.set[j*m.w+i] = to
			}
		}
	}
}

// cuts are the x at which the closed ring crosses the height y, sorted.
func (l line) cuts(y float64, out []float64) []float64 {
	for i, j := 0, len(l)-1; i < len(l); j, i = i, i+1 {
		if (l[i].y > y) != (l[j].y > y) {
			out = append(out, (l[j].x-l[i].x)*(y-l[i].y)/(l[j].y-l[i].y)+l[i].x)
		}
	}
	slices.Sort(out)
	return out
}

// box is the bounding box of the line.
func (l line) box() (low, high vec) {
	low, high = l[0], l[0]
	for _, p := range l {
		low = vec{math.Min(low.x, p.x), math.Min(low.y, p.y)}
		high = vec{math.Max(high.x, p.x), math.Max(high.y, p.y)}
	}
	return low, high
}
