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
func (n *Network) Vertices(id SegmentID, buf []Vertex) []Vertex { return buf }

// At is the point at a position. A ratio outside 0 to 1 is taken as the nearer end.
func (n *Network) At(p Position) Point { return Point{} }

// Heading is the driving direction at a position, in degrees clockwise from north, 0 to 360.
func (n *Network) Heading(p Position) float64 { return 0 }

// Piece is the piece that a position lies on. A position at a vertex lies on
// the piece that starts there, the end of a segment on its last piece.
func (n *Network) Piece(p Position) Piece { return Piece{} }

// Project is the position on a segment nearest to a point.
func (n *Network) Project(p Point, id SegmentID) Hit { return Hit{} }

func (n *Network) startHeading(id SegmentID) float64 { return 0 }
func (n *Network) endHeading(id SegmentID) float64   { return 0 }

// Distance is the great-circle distance between two points in metres, on a
// sphere of radius [EarthRadius].
func Distance(a, b Point) float64 { return 0 }

// EarthRadius is the mean radius of the earth in metres.
const EarthRadius = 6371008.8
