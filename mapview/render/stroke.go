package render

import "math"

// The stroker covers, for every piece of a line, the pixels whose centres lie
// nearer than half the width, with a border of one pixel in which the share
// falls off evenly. Round joins and caps come of themselves, and a line thinner
// than a pixel covers just its share.

// pen is the shape of a stroke on a mask.
type pen struct {
	half  float32 // half the width
	reach float32 // half + 0.5: where coverage ends
	peak  float32 // largest coverage, under 1 for lines thinner than a pixel
}

func newPen(width float32) pen {
	half := width / 2
	return pen{half: half, reach: half + 0.5, peak: min(1, width)}
}

// line covers a polyline; butt leaves out the round caps at its two ends.
func (m *mask) line(pts []point, p pen, butt bool) {
	last := len(pts) - 1
	for i := 0; i < last; i++ {
		m.piece(pts[i], pts[i+1], p, butt && i == 0, butt && i+1 == last)
	}
}

// piece covers the straight piece between two points.
func (m *mask) piece(a, b point, p pen, buttA, buttB bool) {
	r := p.reach
	if max(a.X, b.X)+r < 0 || min(a.X, b.X)-r > float32(m.width) {
		return
	}
	top := max(int(math.Floor(float64(min(a.Y, b.Y)-r))), 0)
	bottom := min(int(math.Ceil(float64(max(a.Y, b.Y)+r))), m.height)
	if top >= bottom {
		return
	}
	s := newSegment(a, b, p)
	if buttA || buttB {
		s.buttRows(m, top, bottom, buttA, buttB)
		return
	}
	if p.half <= thin {
		s.thinRows(m, top, bottom)
		return
	}
	for y := top; y < bottom; y++ {
		s.row(m, y)
	}
}

// segment is a straight piece with what its rows have in common.
type segment struct {
	pen
	a, b         point
	u            point // direction, of length 1
	length       float32
	perX, perY   float32 // 1/u.X, 1/u.Y; 0 where the piece is level or upright
	outAcross    float32 // how far a row reaches beside the line, and past its ends
	outAlong     float32
	step, limit  int32 // perPixel point, 65280 to the pixel: 255 << 8
	level, plumb bool
}

// perPixel is what one pixel of distance counts in the inner loop, so that a shift
// by 8 gives a coverage of 0 to 255.
const perPixel = 255 << 8

func newSegment(a, b point, p pen) segment {
	d := b.minus(a)
	s := segment{pen: p, a: a, b: b, length: float32(math.Sqrt(float64(d.X*d.X + d.Y*d.Y)))}
	if s.length > 0 {
		s.u = d.times(1 / s.length)
	} else {
		s.u = point{1, 0}
	}
	const straight = 1e-4
	s.level, s.plumb = abs(s.u.Y) < straight, abs(s.u.X) < straight
	if !s.level {
		s.perY = 1 / s.u.Y
	}
	if !s.plumb {
		s.perX = 1 / s.u.X
	}
	s.outAcross, s.outAlong = s.reach*abs(s.perY), s.reach*abs(s.perX)
	s.step = int32(-s.u.Y * perPixel)
	s.limit = int32(p.peak * perPixel)
	return s
}

func abs(v float32) float32 { return max(v, -v) }

// row covers one row of pixels.
func (s *segment) row(m *mask, y int) {
	rel := float32(y) + 0.5 - s.a.Y
	bodyLo, bodyHi := s.body(rel)
	lo, hi := s.across(rel, bodyLo, bodyHi)
	lo, hi = s.cap(s.a, y, lo, hi)
	lo, hi = s.cap(s.b, y, lo, hi)
	from, to := column(lo, m.width), column(hi, m.width)
	if from >= to {
		return
	}
	m.touch(y, from, to)
	bodyFrom := max(min(column(bodyLo, m.width), to), from)
	bodyTo := max(min(column(bodyHi, m.width), to), bodyFrom)
	row := m.cov[y*m.width : (y+1)*m.width]
	first, second := s.a, s.b
	if s.u.X < 0 {
		first, second = second, first
	}
	if s.plumb { // the body holds the whole row or none of it
		first, second = s.near(rel), s.near(rel)
	}
	s.round(row[from:bodyFrom], from, y, first)
	s.straight(row, bodyFrom, bodyTo, rel, m.full)
	s.round(row[bodyTo:to], bodyTo, y, second)
}

// near is the end of an upright piece that a row outside its body is nearest to.
func (s *segment) near(rel float32) point {
	if rel*s.u.Y < 0 {
		return s.a
	}
	return s.b
}

// column is the first column whose centre lies at or right of x.
func column(x float32, width int) int {
	if x <= 0 {
		return 0
	}
	if x >= float32(width) {
		return width
	}
	c := int(x)
	if float32(c)+0.5 < x {
		c++
	}
	return c
}

const wide = 1e9 // beyond any column

// body is the range of x in which a row lies beside the piece, between its ends.
func (s *segment) body(rel float32) (lo, hi float32) {
	if s.plumb {
		if t := rel * s.u.Y; t >= 0 && t <= s.length {
			return -wide, wide
		}
		return 0, 0
	}
	lo = s.a.X - rel*s.u.Y*s.perX
	hi = lo + s.length*s.perX
	if lo > hi {
		return hi, lo
	}
	return lo, hi
}

// across narrows the body's range to what lies within reach of the line.
func (s *segment) across(rel, lo, hi float32) (float32, float32) {
	if lo >= hi {
		return wide, -wide
	}
	if s.level {
		if abs(rel) >= s.reach {
			return wide, -wide
		}
		return lo, hi
	}
	mid := s.a.X + rel*s.u.X*s.perY
	out := s.reach * abs(s.perY)
	lo, hi = max(lo, mid-out), min(hi, mid+out)
	if lo >= hi {
		return wide, -wide
	}
	return lo, hi
}

// cap widens a range by the round cap around an end.
func (s *segment) cap(end point, y int, lo, hi float32) (float32, float32) {
	d := float32(y) + 0.5 - end.Y
	h := s.reach*s.reach - d*d
	if h <= 0 {
		return lo, hi
	}
	r := float32(math.Sqrt(float64(h)))
	return min(lo, end.X-r), max(hi, end.X+r)
}

// straight covers columns beside the piece, where the distance grows evenly.
func (s *segment) straight(row []uint8, from, to int, rel float32, full []uint8) {
	if from >= to {
		return
	}
	if s.half > 1.5 && s.peak == 1 {
		a, b := s.inside(from, to, rel)
		s.slope(row[from:a], from, rel)
		copy(row[a:b], full)
		s.slope(row[b:to], b, rel)
		return
	}
	s.slope(row[from:to], from, rel)
}

// inside is the range of columns that the line covers whole.
func (s *segment) inside(from, to int, rel float32) (int, int) {
	in := s.half - 0.5
	if s.level {
		if abs(rel) < in {
			return from, to
		}
		return from, from
	}
	mid := s.a.X + rel*s.u.X*s.perY
	out := in * abs(s.perY)
	a := max(min(column(mid-out, to), to), from)
	return a, max(min(column(mid+out, to), to), a)
}

// slope is the inner loop: the distance from the line changes by one step from
// pixel to pixel.
func (s *segment) slope(row []uint8, from int, rel float32) {
	d := int32(((float32(from)+0.5-s.a.X)*-s.u.Y + rel*s.u.X) * perPixel)
	reach := int32(s.reach * perPixel)
	for i := range row {
		sign := d >> 31
		c := min(reach-((d^sign)-sign), s.limit) >> 8
		d += s.step
		if c > int32(row[i]) {
			row[i] = uint8(c)
		}
	}
}

// round covers columns around an end.
func (s *segment) round(row []uint8, from, y int, end point) {
	dy := float32(y) + 0.5 - end.Y
	dx := float32(from) + 0.5 - end.X
	for i := range row {
		d := float32(math.Sqrt(float64(dx*dx + dy*dy)))
		dx++
		c := int32(min(s.reach-d, s.peak) * 255)
		if c > int32(row[i]) {
			row[i] = uint8(c)
		}
	}
}
