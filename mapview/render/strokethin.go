package render

import "math"

// thin is half the width up to which lines are drawn pixel by pixel: what rows
// of wide ones gain by being told apart in parts costs more than it saves.
const thin = 1.6

// thinRows covers a thin piece.
func (s *segment) thinRows(m *mask, top, bottom int) {
	for y := top; y < bottom; y++ {
		rel := float32(y) + 0.5 - s.a.Y
		if from, to := s.columns(rel, m.width); from < to {
			m.touch(y, from, to)
			s.thinRow(m.cov[y*m.width+from:y*m.width+to], float32(from)+0.5-s.a.X, rel)
		}
	}
}

// columns are those of a row that may lie within reach of the piece.
func (s *segment) columns(rel float32, width int) (from, to int) {
	lo, hi := float32(0), float32(width)
	if !s.level {
		mid := s.a.X + rel*s.u.X*s.perY
		lo, hi = max(lo, mid-s.outAcross), min(hi, mid+s.outAcross)
	}
	if !s.plumb {
		start := s.a.X - rel*s.u.Y*s.perX
		end := start + s.length*s.perX
		lo, hi = max(lo, min(start, end)-s.outAlong), min(hi, max(start, end)+s.outAlong)
	}
	return int(lo), min(int(hi)+1, width)
}

// thinRow covers pixels from rx right and rel below the piece's start.
func (s *segment) thinRow(row []uint8, rx, rel float32) {
	along := rx*s.u.X + rel*s.u.Y
	off := rel*s.u.X - rx*s.u.Y
	for i := range row {
		d := max(off, -off)
		if along < 0 {
			d = float32(math.Sqrt(float64(along*along + off*off)))
		} else if over := along - s.length; over > 0 {
			d = float32(math.Sqrt(float64(over*over + off*off)))
		}
		c := int32(min(s.reach-d, s.peak) * 255)
		if c > int32(row[i]) {
			row[i] = uint8(c)
		}
		along += s.u.X
		off -= s.u.Y
	}
}

// buttRows covers a piece with one or both ends cut straight across.
func (s *segment) buttRows(m *mask, top, bottom int, buttA, buttB bool) {
	for y := top; y < bottom; y++ {
		ry := float32(y) + 0.5 - s.a.Y
		from, to := s.columns(ry, m.width)
		if from >= to {
			continue
		}
		m.touch(y, from, to)
		row := m.cov[y*m.width+from : y*m.width+to]
		for i := range row {
			rx := float32(from+i) + 0.5 - s.a.X
			c := int32(s.buttShare(rx*s.u.X+ry*s.u.Y, ry*s.u.X-rx*s.u.Y, buttA, buttB) * 255)
			if c > int32(row[i]) {
				row[i] = uint8(c)
			}
		}
	}
}

// buttShare is the coverage at a length along the piece and a distance from it.
func (s *segment) buttShare(along, off float32, buttA, buttB bool) float32 {
	share := min(s.reach-abs(off), s.peak)
	switch {
	case along < 0 && !buttA:
		return min(s.reach-float32(math.Hypot(float64(along), float64(off))), s.peak)
	case along > s.length && !buttB:
		return min(s.reach-float32(math.Hypot(float64(along-s.length), float64(off))), s.peak)
	}
	if buttA {
		share = min(share, along+0.5)
	}
	if buttB {
		share = min(share, s.length-along+0.5)
	}
	return share
}
