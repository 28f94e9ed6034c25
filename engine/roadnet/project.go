package roadnet

import "math"

// frame measures around a place as if the earth were flat there. Lines that
// are straight in degrees are straight in it.
type frame struct {
	at     place
	kx, ky float64 // metres in 1e-7 degrees east and north
}

func frameAt(p place) frame {
	const ky = EarthRadius * unit
	return frame{at: p, kx: ky * math.Cos(p.lat*unit), ky: ky}
}

// xy is a coordinate in metres east and north of the frame's place.
func (f frame) xy(c Coord) (x, y float64) {
	return (float64(c.Lon) - f.at.lon) * f.kx, (float64(c.Lat) - f.at.lat) * f.ky
}

// foot is the nearest place on a line.
type foot struct {
	vertex uint32  // the first of its piece
	t      float64 // ratio on the piece
	square float64 // of the distance in the frame
}

// foot finds the nearest place on a line to the frame's place.
func (n *Network) foot(f frame, l LineID) foot {
	lo, hi := n.lineStart[l], n.lineStart[l+1]
	best := foot{vertex: lo, square: math.Inf(1)}
	ax, ay := f.xy(n.coords[lo])
	for i := lo + 1; i < hi; i++ {
		bx, by := f.xy(n.coords[i])
		dx, dy := bx-ax, by-ay
		t := clamp01(-(ax*dx + ay*dy) / (dx*dx + dy*dy))
		cx, cy := ax+t*dx, ay+t*dy
		if d := cx*cx + cy*cy; d < best.square {
			best = foot{i - 1, t, d}
		}
		ax, ay = bx, by
	}
	return best
}

// ratio is how far along its line a foot lies, 0 to 1.
func (n *Network) ratio(l LineID, ft foot) float64 {
	from, to := float64(n.along[ft.vertex]), float64(n.along[ft.vertex+1])
	return clamp01((from + ft.t*(to-from)) / n.LineLength(l))
}

// distance is the great-circle distance from the frame's place to a foot.
func (n *Network) distance(f frame, ft foot) float64 {
	return metres(f.at, between(n.coords[ft.vertex], n.coords[ft.vertex+1], ft.t))
}

// side tells on which side of the line, in the order of its vertices, the
// frame's place lies: +1 right, -1 left. At a corner the two pieces that meet
// there decide together.
func (n *Network) side(f frame, l LineID, ft foot) int8 {
	dx, dy := n.direction(f, ft.vertex)
	corner := ft.vertex
	if ft.t == 1 {
		corner++
	}
	atVertex := ft.t == 0 || ft.t == 1
	if atVertex && corner > n.lineStart[l] && corner < n.lineStart[l+1]-1 {
		bx, by := n.direction(f, corner-1)
		cx, cy := n.direction(f, corner)
		dx, dy = bx+cx, by+cy
	}
	ax, ay := f.xy(n.coords[corner])
	if dx*-ay-dy*-ax > 0 {
		return -1
	}
	return 1
}

// direction is the direction of the piece that starts at a vertex, of length 1.
func (n *Network) direction(f frame, vertex uint32) (dx, dy float64) {
	ax, ay := f.xy(n.coords[vertex])
	bx, by := f.xy(n.coords[vertex+1])
	length := math.Hypot(bx-ax, by-ay)
	return (bx - ax) / length, (by - ay) / length
}

// onLine is the distance in metres within which a point counts as on a line:
// the resolution of coordinates.
const onLine = 0.01

// lineHit is the foot on a line as a position on the line's forward side.
func (n *Network) lineHit(f frame, l LineID, ft foot, distance float64) Hit {
	h := Hit{Distance: distance}
	h.Ratio = n.ratio(l, ft)
	if distance > onLine {
		h.Side = n.side(f, l, ft)
	}
	return h
}

// reverseHit is a hit as seen by who drives against the line.
func reverseHit(h Hit) Hit {
	h.Ratio = 1 - h.Ratio
	h.Side = -h.Side
	return h
}

// Project is the position on a segment nearest to a point.
func (n *Network) Project(p Point, id SegmentID) Hit {
	line, reversed := n.LineOf(id)
	f := frameAt(placeOf(p))
	ft := n.foot(f, line)
	h := n.lineHit(f, line, ft, n.distance(f, ft))
	if reversed {
		h = reverseHit(h)
	}
	h.Segment = id
	return h
}
