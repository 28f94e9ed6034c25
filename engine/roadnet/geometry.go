package roadnet

// Vertex is a point of a segment's geometry.
type Vertex struct {
	OSM   int64
	Coord Coord
	Flags VertexFlags // those that hold in the driving direction, without VertexForward and VertexBackward
	Along float64     // metres from the start of the segment
}

// Piece names the stretch between two consecutive vertices by its OSM way and
// node ids, in driving direction.
type Piece struct{ Way, FromNode, ToNode int64 }

// headingReach is how far from its end the heading of a segment is taken, in
// metres: far enough to look past the kinks that junctions are drawn with.
const headingReach = 15

// Geometry appends the points of a segment in driving direction.
func (n *Network) Geometry(id SegmentID, buf []Point) []Point {
	line, reversed := n.LineOf(id)
	coords := n.LineCoords(line)
	for i := range coords {
		if reversed {
			i = len(coords) - 1 - i
		}
		buf = append(buf, coords[i].Point())
	}
	return buf
}

// Vertices appends the vertices of a segment in driving direction.
func (n *Network) Vertices(id SegmentID, buf []Vertex) []Vertex {
	line, reversed := n.LineOf(id)
	lo, hi := n.lineStart[line], n.lineStart[line+1]
	for i := lo; i < hi; i++ {
		v, along := i, float64(n.along[i])
		if reversed {
			v = hi - 1 - (i - lo)
			along = n.LineLength(line) - float64(n.along[v])
		}
		flags := facing(VertexFlags(n.vertFlg[v]), reversed)
		buf = append(buf, Vertex{OSM: n.vertOSM[v], Coord: n.coords[v], Flags: flags, Along: along})
	}
	return buf
}

// directed are the flags that may hold for one driving direction only.
const directed = VertexSignal | VertexStop | VertexGiveWay

// facing are the flags that a driver meets, given the direction of driving.
func facing(f VertexFlags, reversed bool) VertexFlags {
	const both = VertexForward | VertexBackward
	mine := VertexForward
	if reversed {
		mine = VertexBackward
	}
	if f&both != 0 && f&mine == 0 {
		f &^= directed
	}
	return f &^ both
}

// At is the point at a position. A ratio outside 0 to 1 is taken as the nearer end.
func (n *Network) At(p Position) Point {
	i, t := n.locate(p)
	return between(n.coords[i], n.coords[i+1], t).point()
}

// Heading is the driving direction at a position, in degrees clockwise from north, 0 to 360.
func (n *Network) Heading(p Position) float64 {
	i, _ := n.locate(p)
	a, b := n.coords[i].place(), n.coords[i+1].place()
	if n.segLine[p.Segment]&1 != 0 {
		a, b = b, a
	}
	return heading(a, b)
}

// Piece is the piece that a position lies on. A position at a vertex lies on
// the piece that starts there, the end of a segment on its last piece.
func (n *Network) Piece(p Position) Piece {
	i, _ := n.locate(p)
	line, reversed := n.LineOf(p.Segment)
	piece := Piece{n.lineWay[line], n.vertOSM[i], n.vertOSM[i+1]}
	if reversed {
		piece.FromNode, piece.ToNode = piece.ToNode, piece.FromNode
	}
	return piece
}

// locate finds the first vertex of the piece that a position lies on, in the
// order of the line, and the ratio from there to the next vertex.
func (n *Network) locate(p Position) (vertex uint32, t float64) {
	line, reversed := n.LineOf(p.Segment)
	lo, last := n.lineStart[line], n.lineStart[line+1]-1
	length := float64(n.along[last])
	target := clamp01(p.Ratio) * length
	if reversed {
		target = length - target
	}
	// The piece is the last that starts at or before the target; driven in
	// reverse, the last that starts before it.
	hi := last
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		at := float64(n.along[mid])
		if at < target || (at == target && !reversed) {
			lo = mid
		} else {
			hi = mid
		}
	}
	from, to := float64(n.along[lo]), float64(n.along[lo+1])
	if to > from {
		t = clamp01((target - from) / (to - from))
	}
	return lo, t
}

// clamp01 is the nearest number from 0 to 1; 0 for NaN.
func clamp01(x float64) float64 {
	if x >= 1 {
		return 1
	}
	if x > 0 {
		return x
	}
	return 0
}

// headings are the directions in which a segment sets out and arrives, degrees
// clockwise from north.
type headings struct{ start, end float64 }

// startHeading is the direction in which a segment sets out.
func (n *Network) startHeading(id SegmentID) float64 {
	reach := n.reach(id)
	return heading(placeOf(n.At(Position{id, 0})), placeOf(n.At(Position{id, reach})))
}

// endHeading is the direction in which a segment arrives.
func (n *Network) endHeading(id SegmentID) float64 {
	reach := n.reach(id)
	return heading(placeOf(n.At(Position{id, 1 - reach})), placeOf(n.At(Position{id, 1})))
}

// reach is the share of a segment over which its headings are taken.
func (n *Network) reach(id SegmentID) float64 {
	return min(headingReach/n.Length(id), 0.5)
}
