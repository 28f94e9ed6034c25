package render

import (
	"image"
	"math"

	"retrace/engine/basemap"
)

// Labels are placed for a whole region at once, apart from tiles: no label is
// cut at a seam, and none hides another. Where a label may stand depends on
// what it names and on the zoom, not on the region, so that labels stay while
// the map is moved.

// label is one placed label: a text, or the arrow of a one-way road.
type label struct {
	arrow *arrow
	text  *text
	size  float32 // image pixels
	spots []spot  // in pixels of the region
	ink   textInk
	plate *plate
}

// plate is the sign that a road number stands on.
type plate struct {
	box  box
	fill textInk // color: fill, halo: edge
}

// labeler places labels. It keeps what it needs from one region to the next.
type labeler struct {
	ts    *typesetter
	space space
	seen  map[string][]point // where each name stands already
	line  lines
	path  []point
	spots []spot
	out   []label
}

func newLabeler(ts *typesetter) *labeler {
	return &labeler{ts: ts, seen: map[string][]point{}}
}

// labels places the labels of a region of some size in image pixels. Nothing
// is put on the obstacles, if it can be helped.
func (lb *labeler) labels(b *Base, v groundView, width, height int, obstacles *lines, reach float32) []label {
	lb.space.reset(width, height)
	clear(lb.seen)
	lb.out = nil
	for i := range obstacles.len() {
		lb.space.block(obstacles.at(i), reach)
	}
	if v.layers.Has(LayerLabels | LayerBackground) {
		lb.places(&b.areas[basemap.Place], v)
		lb.waterNames(b, v)
	}
	if v.layers.Has(LayerLabels | LayerRoads) {
		lb.shields(&b.numbers, v)
		lb.streetNames(&b.streets, v, b.lift)
		lb.arrows(b, v)
	}
	return lb.out
}

// space knows which parts of a region are taken.
type space struct {
	columns, rows int
	cells         [][]box
	all           box
}

const spaceCell = 48

func (s *space) reset(width, height int) {
	s.columns, s.rows = width/spaceCell+1, height/spaceCell+1
	if n := s.columns * s.rows; n > len(s.cells) {
		s.cells = make([][]box, n)
	}
	for i := range s.cells {
		s.cells[i] = s.cells[i][:0]
	}
	s.all = box{0, 0, float32(width), float32(height)}
}

// each calls f with every cell that a box meets.
func (s *space) each(b box, f func(cell *[]box) bool) bool {
	x0, x1 := clampCell(b.minX, s.columns), clampCell(b.maxX, s.columns)
	y0, y1 := clampCell(b.minY, s.rows), clampCell(b.maxY, s.rows)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			if !f(&s.cells[y*s.columns+x]) {
				return false
			}
		}
	}
	return true
}

func clampCell(v float32, n int) int { return min(max(int(v)/spaceCell, 0), n-1) }

// free reports whether nothing stands in any of the boxes.
func (s *space) free(boxes []box) bool {
	for _, b := range boxes {
		ok := s.each(b, func(cell *[]box) bool {
			for _, o := range *cell {
				if o.meets(b) {
					return false
				}
			}
			return true
		})
		if !ok {
			return false
		}
	}
	return true
}

func (s *space) take(boxes []box) {
	for _, b := range boxes {
		s.each(b, func(cell *[]box) bool {
			*cell = append(*cell, b)
			return true
		})
	}
}

// block takes the space along a line.
func (s *space) block(pts []point, reach float32) {
	total := lineLength(pts)
	if len(pts) < 2 {
		return
	}
	w := newWalker(pts)
	for along := float32(0); along <= total; along += 2 * reach {
		at, _ := w.at(along)
		s.take([]box{{at.X - reach, at.Y - reach, at.X + reach, at.Y + reach}})
	}
}

// repeated reports whether a name stands nearer than some pixels to a place.
func (lb *labeler) repeated(name string, at point, nearer float32) bool {
	for _, p := range lb.seen[name] {
		if distance(p, at) < nearer {
			return true
		}
	}
	return false
}

// draw paints a placed label.
func (l *label) draw(c canvas, buf *lines) {
	if l.arrow != nil {
		l.arrow.draw(c, buf)
		return
	}
	if l.plate != nil {
		l.plate.draw(c, buf)
	}
	drawText(c, buf, l.text, l.size, l.spots, l.ink)
}

func (p *plate) draw(c canvas, buf *lines) {
	edge := p.fill.width
	buf.reset()
	roundRect(buf, p.box, 2.4*edge)
	c.fill(buf, nonZero, p.fill.color)
	buf.pts = append(buf.pts, buf.pts[0])
	buf.ends[0]++
	c.stroke(buf, stroke{width: edge, color: p.fill.halo})
}

// roundRect appends a rectangle with round corners as a ring.
func roundRect(dst *lines, b box, r float32) {
	corners := [4]point{{b.maxX - r, b.minY + r}, {b.maxX - r, b.maxY - r}, {b.minX + r, b.maxY - r}, {b.minX + r, b.minY + r}}
	const steps = 6
	for i, c := range corners {
		for k := range steps + 1 {
			a := (float64(i-1) + float64(k)/steps) * math.Pi / 2
			dst.move(point{c.X + r*float32(math.Cos(a)), c.Y + r*float32(math.Sin(a))})
		}
	}
	dst.end()
}

// move shifts a label.
func (l *label) move(by point) {
	for i := range l.spots {
		l.spots[i].at = l.spots[i].at.plus(by)
	}
	if l.plate != nil {
		l.plate.box = l.plate.box.shift(by)
	}
	if l.arrow != nil {
		l.arrow.at = l.arrow.at.plus(by)
	}
}

// bounds is the box of all that a label paints.
func (l *label) bounds() image.Rectangle {
	b := box{math.MaxFloat32, math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32}
	for i, s := range l.spots {
		w := l.text.glyphs[i].advance*l.size + l.size
		b = box{min(b.minX, s.at.X-w), min(b.minY, s.at.Y-w), max(b.maxX, s.at.X+w), max(b.maxY, s.at.Y+w)}
	}
	if l.plate != nil {
		p := l.plate.box.grow(l.plate.fill.width + 1)
		b = box{min(b.minX, p.minX), min(b.minY, p.minY), max(b.maxX, p.maxX), max(b.maxY, p.maxY)}
	}
	if l.arrow != nil {
		b = l.arrow.bounds()
	}
	b = b.grow(l.ink.width + 1)
	return image.Rect(int(math.Floor(float64(b.minX))), int(math.Floor(float64(b.minY))),
		int(math.Ceil(float64(b.maxX))), int(math.Ceil(float64(b.maxY))))
}
