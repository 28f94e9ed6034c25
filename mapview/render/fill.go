package render

import (
	"encoding/binary"
	"image"
	"image/color"
	"math"
)

// area fills polygons. Every edge adds to each pixel of its rows the signed
// share of the pixel that lies right of it; summed along a row this is the
// coverage, exact to the last bit of an edge's slope.
type area struct {
	width, height int
	acc           []float32 // rows of width+1 from row first on, all zero between uses
	first         int       // see open
	from, to      []int32
	top, bottom   int
}

func newArea(width, height int) *area {
	a := &area{
		width: width, height: height,
		from: make([]int32, height),
		to:   make([]int32, height),
	}
	for y := range a.from {
		a.from[y] = int32(width)
	}
	a.top, a.bottom = height, 0
	return a
}

// open makes room for the rows that rings touch: mostly a few of many.
func (a *area) open(rings *lines) {
	top, bottom := float32(a.height), float32(0)
	for _, p := range rings.pts {
		top, bottom = min(top, p.Y), max(bottom, p.Y)
	}
	a.first = int(max(top, 0))
	rows := int(min(bottom, float32(a.height-1))) + 1 - a.first
	if n := rows * (a.width + 1); n > len(a.acc) {
		a.acc = make([]float32, n)
	}
}

// row is what was added to a row.
func (a *area) row(y int) []float32 {
	return a.acc[(y-a.first)*(a.width+1) : (y-a.first+1)*(a.width+1)]
}

// rule says what lies inside of rings that overlap.
type rule uint8

const (
	evenOdd rule = iota // for areas with holes
	nonZero             // for glyphs, all outlines of which turn one way
)

// ring adds a closed ring of those that the area is open for; the first point need not be repeated.
func (a *area) ring(pts []point) {
	if len(pts) < 3 {
		return
	}
	prev := pts[len(pts)-1]
	for _, p := range pts {
		a.edge(prev, p)
		prev = p
	}
}

func (a *area) edge(p, q point) {
	if p.Y == q.Y {
		return
	}
	sign := float32(1)
	if p.Y > q.Y {
		p, q, sign = q, p, -1
	}
	h := float32(a.height)
	if q.Y <= 0 || p.Y >= h {
		return
	}
	slope := (q.X - p.X) / (q.Y - p.Y)
	if p.Y < 0 {
		p = point{p.X - p.Y*slope, 0}
	}
	if q.Y > h {
		q = point{q.X - (q.Y-h)*slope, h}
	}
	x := p.X
	for y := int(p.Y); y < a.height && float32(y) < q.Y; y++ {
		dy := min(float32(y+1), q.Y) - max(float32(y), p.Y)
		next := x + slope*dy
		a.share(y, min(x, next), max(x, next), sign*dy)
		x = next
	}
	a.top = min(a.top, max(int(p.Y), 0))
	a.bottom = max(a.bottom, min(int(math.Ceil(float64(q.Y))), a.height))
}

// share adds d to a row, spread evenly over the columns from x0 to x1.
func (a *area) share(y int, x0, x1, d float32) {
	w := float32(a.width)
	if x0 >= w {
		return
	}
	row := a.row(y)
	if x1 <= 0 {
		row[0] += d
		a.from[y], a.to[y] = 0, max(a.to[y], 1)
		return
	}
	if x0 < 0 {
		left := d * -x0 / (x1 - x0)
		row[0] += left
		d -= left
		x0 = 0
	}
	if x1 > w {
		d *= (w - x0) / (x1 - x0)
		x1 = w
	}
	i, j := int(x0), int(x1)
	a.from[y] = min(a.from[y], int32(i))
	a.to[y] = max(a.to[y], int32(min(j+2, a.width)))
	spread(row, i, j, x0, x1, d)
}

// spread adds the share of an edge that crosses columns i to j in one row.
func spread(row []float32, i, j int, x0, x1, d float32) {
	if i == j {
		right := d * ((x0+x1)/2 - float32(i))
		row[i] += d - right
		if i+1 < len(row) {
			row[i+1] += right
		}
		return
	}
	per := d / (x1 - x0)
	first := float32(i+1) - x0
	area := per * first * first / 2
	row[i] += area
	carry := per*first - area
	for c := i + 1; c < j; c++ {
		row[c] += carry + per/2
		carry = per / 2
	}
	last := x1 - float32(j)
	inner := per * last * (1 - last/2)
	if j < len(row) {
		row[j] += carry + inner
	}
	if j+1 < len(row) {
		row[j+1] += per*last - inner
	}
}

// flush lays a colour over the image where the rings cover it, inside a box
// only, and clears. It returns the box around what it painted.
func (a *area) flush(img *image.RGBA, c color.NRGBA, r rule, within image.Rectangle) image.Rectangle {
	k := newInk(c)
	painted := image.Rectangle{Min: image.Pt(a.width, a.top), Max: image.Pt(0, a.bottom)}
	for y := a.top; y < a.bottom; y++ {
		row := within
		if y < within.Min.Y || y >= within.Max.Y {
			row = image.Rectangle{}
		}
		painted.Min.X = min(painted.Min.X, int(a.from[y]))
		painted.Max.X = max(painted.Max.X, a.flushRow(img.Pix[y*img.Stride:y*img.Stride+a.width*4], y, k, r, row))
		a.from[y], a.to[y] = int32(a.width), 0
	}
	a.top, a.bottom = a.height, 0
	return painted.Intersect(within)
}

// flushRow lays one row, of which it paints the columns of a box, and returns
// the column after the last that it painted.
func (a *area) flushRow(pix []uint8, y int, k ink, r rule, within image.Rectangle) int {
	row := a.row(y)
	var sum float32
	var share uint32
	to := int(a.to[y])
	end := to
	for x := int(a.from[y]); x < a.width; x++ {
		if x >= to {
			if from := max(x, within.Min.X); share != 0 && from < within.Max.X {
				k.run(pix[from*4:within.Max.X*4], share)
				end = within.Max.X
			}
			break
		}
		if row[x] != 0 {
			sum += row[x]
			row[x] = 0
			share = shareOf(sum, r)
		}
		if share != 0 && x >= within.Min.X && x < within.Max.X {
			k.blend(pix[x*4:x*4+4], share)
		}
	}
	row[a.width] = 0
	return end
}

// run lays the ink evenly over what is left of a row.
func (k ink) run(pix []uint8, share uint32) {
	if share == 0 {
		return
	}
	if k.alpha*share>>8 < 256 {
		for i := 0; i+4 <= len(pix); i += 4 {
			k.blend(pix[i:i+4], share)
		}
		return
	}
	for i := 0; i+4 <= len(pix); i += 4 {
		binary.LittleEndian.PutUint32(pix[i:], k.pixel)
	}
}

// shareOf turns a winding sum into a share of 0 to 256.
func shareOf(sum float32, r rule) uint32 {
	s := abs(sum)
	if r == evenOdd && s > 1 {
		s -= 2 * float32(int(s/2))
		if s > 1 {
			s = 2 - s
		}
	}
	return uint32(min(s, 1)*256 + 0.5)
}
