package render

import "math"

// point is a place in image pixels, or in mercator units where said so.
type point struct{ X, Y float32 }

func (p point) plus(q point) point              { return point{p.X + q.X, p.Y + q.Y} }
func (p point) minus(q point) point             { return point{p.X - q.X, p.Y - q.Y} }
func (p point) times(f float32) point           { return point{p.X * f, p.Y * f} }
func (p point) left() point                     { return point{p.Y, -p.X} } // a quarter turn, as seen on the screen
func (p point) toward(q point, f float32) point { return p.plus(q.minus(p).times(f)) }
func (p point) length() float32                 { return float32(math.Hypot(float64(p.X), float64(p.Y))) }
func (p point) unit() point {
	if l := p.length(); l > 0 {
		return p.times(1 / l)
	}
	return point{1, 0}
}

func distance(p, q point) float32 { return q.minus(p).length() }

// box is an upright rectangle in image pixels.
type box struct{ minX, minY, maxX, maxY float32 }

func (b box) meets(o box) bool {
	return b.minX <= o.maxX && o.minX <= b.maxX && b.minY <= o.maxY && o.minY <= b.maxY
}

func (b box) within(o box) bool {
	return b.minX >= o.minX && b.maxX <= o.maxX && b.minY >= o.minY && b.maxY <= o.maxY
}

func (b box) grow(by float32) box {
	return box{b.minX - by, b.minY - by, b.maxX + by, b.maxY + by}
}

// shift moves a box.
func (b box) shift(by point) box {
	return box{b.minX + by.X, b.minY + by.Y, b.maxX + by.X, b.maxY + by.Y}
}

func boxOf(pts []point) box {
	b := box{math.MaxFloat32, math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32}
	for _, p := range pts {
		b.minX, b.maxX = min(b.minX, p.X), max(b.maxX, p.X)
		b.minY, b.maxY = min(b.minY, p.Y), max(b.maxY, p.Y)
	}
	return b
}

// lines is a set of polylines or rings in one array, made to be filled, drawn
// and reset over and over.
type lines struct {
	pts  []point
	ends []int32 // of each line, in pts
}

func (l *lines) reset()       { l.pts, l.ends = l.pts[:0], l.ends[:0] }
func (l *lines) len() int     { return len(l.ends) }
func (l *lines) move(p point) { l.pts = append(l.pts, p) }

// length is that of all lines together, in pixels.
func (l *lines) length() float32 {
	var sum float32
	first := int32(0)
	for _, end := range l.ends {
		for i := first + 1; i < end; i++ {
			sum += distance(l.pts[i-1], l.pts[i])
		}
		first = end
	}
	return sum
}

func (l *lines) add(pts ...point) {
	l.pts = append(l.pts, pts...)
	l.end()
}

// end closes the line that has been appended to pts since the last end; a line
// of less than two points is dropped.
func (l *lines) end() {
	if start := l.start(len(l.ends)); len(l.pts)-start < 2 {
		l.pts = l.pts[:start]
		return
	}
	l.ends = append(l.ends, int32(len(l.pts)))
}

func (l *lines) start(i int) int {
	if i == 0 {
		return 0
	}
	return int(l.ends[i-1])
}

// at is the i-th line, a view.
func (l *lines) at(i int) []point { return l.pts[l.start(i):l.ends[i]] }

// lineLength is the length of a polyline.
func lineLength(pts []point) float32 {
	var sum float32
	for i := 1; i < len(pts); i++ {
		sum += distance(pts[i-1], pts[i])
	}
	return sum
}

// cut appends the stretch of a polyline between two lengths along it.
func cut(dst []point, pts []point, from, to float32) []point {
	var along float32
	for i := 1; i < len(pts) && along < to; i++ {
		a, b := pts[i-1], pts[i]
		d := distance(a, b)
		if along+d > from && d > 0 {
			if along <= from {
				dst = append(dst, a.toward(b, (from-along)/d))
			}
			if along+d >= to {
				dst = append(dst, a.toward(b, (to-along)/d))
			} else {
				dst = append(dst, b)
			}
		}
		along += d
	}
	return dst
}

// walker moves along a polyline by lengths.
type walker struct {
	pts   []point
	i     int     // the piece pts[i], pts[i+1]
	start float32 // length at which the piece starts
	size  float32 // of the piece
}

func newWalker(pts []point) walker {
	w := walker{pts: pts}
	if len(pts) > 1 {
		w.size = distance(pts[0], pts[1])
	}
	return w
}

// at gives the place and the direction at a length along the line. Lengths
// must not fall from call to call.
func (w *walker) at(along float32) (p, dir point) {
	for along > w.start+w.size && w.i+2 < len(w.pts) {
		w.i++
		w.start += w.size
		w.size = distance(w.pts[w.i], w.pts[w.i+1])
	}
	a, b := w.pts[w.i], w.pts[w.i+1]
	f := float32(0)
	if w.size > 0 {
		f = min((along-w.start)/w.size, 1)
	}
	return a.toward(b, f), b.minus(a).unit()
}
