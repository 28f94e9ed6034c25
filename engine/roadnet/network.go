package roadnet

// Network is an immutable road network. Its methods may be called from any
// number of goroutines at once; the ids given to them must be of this network.
type Network struct {
	info Info
	columns

	// What follows is derived from the columns when the network is built or
	// opened.
	segLine    []uint32  // segment: line<<1, plus 1 if driven against its vertices
	lineSeg    []uint32  // line: its first segment
	segLength  []float32 // segment: metres
	segSpeed   []float32 // segment: free-flow speed, m/s
	along      []float32 // vertex: metres from the start of its line
	boxes      []box     // line
	nodeOSM    []int64   // node
	next, prev adjacency // segment: the segments that may follow, may precede
	noUTurn    []bool    // segment: turning back at its end is forbidden; nil where nowhere
	states     stateGraph
	above      stretchIndex // deck segment: where it runs above a lower road
	below      stretchIndex // ground segment: where it runs under a deck
	components int
	index      index
	grid       grid

	// What follows takes megabytes and serves searches and turns only: it is made
	// when it is first wanted, so that a network that is looked at goes without.
	turns    func() *turns
	segTurns func() []headings // segment: where it sets out to and arrives from
}

// Info is what a workspace shows of the network.
func (n *Network) Info() Info { return n.info }

// NumSegments is the number of directed segments; ids run from 0.
func (n *Network) NumSegments() int { return len(n.segLine) }

// NumNodes is the number of nodes; ids run from 0.
func (n *Network) NumNodes() int { return len(n.nodeOSM) }

// NumLines is the number of lines; ids run from 0.
func (n *Network) NumLines() int { return len(n.lineWay) }

// NumComponents is the number of strongly connected components of segments.
func (n *Network) NumComponents() int { return n.components }

// Segment is all that is known of a segment.
func (n *Network) Segment(id SegmentID) Segment {
	line, reversed := n.LineOf(id)
	road := n.LineRoad(line)
	limit := road.LimitForward
	if reversed {
		limit = road.LimitBackward
	}
	from, to := n.Ends(id)
	return Segment{
		ID:           id,
		Line:         line,
		Reversed:     reversed,
		Way:          n.lineWay[line],
		From:         from,
		To:           to,
		Length:       n.Length(id),
		Class:        road.Class,
		Flags:        road.Flags,
		Layer:        road.Layer,
		Lanes:        road.Lanes,
		Limit:        limit,
		OneWay:       Direction(n.lineDir[line]) != BothWays,
		Name:         road.Name,
		Ref:          road.Ref,
		StartHeading: n.startHeading(id),
		EndHeading:   n.endHeading(id),
		Component:    n.component[id],
	}
}

// Length is the length of a segment in metres.
func (n *Network) Length(id SegmentID) float64 { return float64(n.segLength[id]) }

// Class is the class of a segment.
func (n *Network) Class(id SegmentID) Class { return Class(n.class[n.segLine[id]>>1]) }

// Flags is what else is known of a segment.
func (n *Network) Flags(id SegmentID) Flags { return Flags(n.flags[n.segLine[id]>>1]) }

// Layer is the layer of a segment, 0 on the ground.
func (n *Network) Layer(id SegmentID) int8 { return n.layer[n.segLine[id]>>1] }

// FreeFlow is the speed of a segment without traffic in m/s, from its limit
// and class.
func (n *Network) FreeFlow(id SegmentID) float64 { return float64(n.segSpeed[id]) }

// Component is the strongly connected component of a segment: the set of
// segments that can all be reached from one another by allowed turns and
// U-turns. Components are numbered by falling size; 0 is the largest.
func (n *Network) Component(id SegmentID) uint32 { return n.component[id] }

// Ends are the nodes where a segment starts and ends.
func (n *Network) Ends(id SegmentID) (from, to NodeID) {
	line, reversed := n.LineOf(id)
	if reversed {
		return NodeID(n.lineTo[line]), NodeID(n.lineFrom[line])
	}
	return NodeID(n.lineFrom[line]), NodeID(n.lineTo[line])
}

// NodeOSM is the OSM id of a node. Nodes on the sides of a barrier share it.
func (n *Network) NodeOSM(id NodeID) int64 { return n.nodeOSM[id] }

// LineOf is the line of a segment, and whether the segment is driven against
// the order of the line's vertices.
func (n *Network) LineOf(id SegmentID) (line LineID, reversed bool) {
	return LineID(n.segLine[id] >> 1), n.segLine[id]&1 != 0
}

// LineSegments are the segments of a line. A one-way road has only one.
func (n *Network) LineSegments(l LineID) (forward, backward SegmentID, hasForward, hasBackward bool) {
	first := SegmentID(n.lineSeg[l])
	switch Direction(n.lineDir[l]) {
	case Forward:
		return first, 0, true, false
	case Backward:
		return 0, first, false, true
	}
	return first, first + 1, true, true
}

// LineCoords are the vertices of a line in the order of its way: a view, not
// to be modified.
func (n *Network) LineCoords(l LineID) []Coord {
	return n.coords[n.lineStart[l]:n.lineStart[l+1]:n.lineStart[l+1]]
}

// LineWay is the id of the OSM way that a line is a piece of.
func (n *Network) LineWay(l LineID) int64 { return n.lineWay[l] }

// LineLength is the length of a line in metres.
func (n *Network) LineLength(l LineID) float64 { return float64(n.along[n.lineStart[l+1]-1]) }

// LineBounds is the box around a line.
func (n *Network) LineBounds(l LineID) Bounds { return n.boxes[l].bounds() }

// LineRoad is what the tags of a line's way say.
func (n *Network) LineRoad(l LineID) Road {
	return Road{
		Class:         Class(n.class[l]),
		Flags:         Flags(n.flags[l]),
		Layer:         n.layer[l],
		Lanes:         n.lanes[l],
		LimitForward:  n.limitF[l],
		LimitBackward: n.limitB[l],
		Name:          n.textAt(n.name[l]),
		Ref:           n.textAt(n.ref[l]),
	}
}

// textAt is a text of the table of names and refs.
func (n *Network) textAt(i uint32) string { return n.text[n.textStart[i]:n.textStart[i+1]] }

// Info is what a workspace shows of a network without loading it.
type Info struct {
	Name        string
	Source      string // file names it was made from
	Attribution string // e.g. "© OpenStreetMap contributors (ODbL)"
	TimeZone    string // IANA name of the place, e.g. "Europe/Lisbon"
	DataDate    string // date of the data if the extract states it, ISO 8601
	Bounds      Bounds // of the segments
	Segments    int    // directed
	Nodes       int
	Fingerprint string // hex, over content (not over Name, Source)
}

// Segment is one segment of a network with all that is known of it.
type Segment struct {
	ID                       SegmentID
	Line                     LineID
	Reversed                 bool // driven against the order of the line's vertices
	Way                      int64
	From, To                 NodeID
	Length                   float64 // metres
	Class                    Class
	Flags                    Flags
	Layer                    int8
	Lanes                    uint8 // 0: unknown
	Limit                    uint8 // km/h in this direction, LimitUnknown, LimitNone
	OneWay                   bool
	Name, Ref                string
	StartHeading, EndHeading float64 // degrees clockwise from north
	Component                uint32  // strongly connected component; 0 is the largest
}
