package roadnet

import "sync"

// derive fills in what follows from the columns, which must be sound. The
// components and stretches may still be empty.
func (n *Network) derive() {
	n.numberSegments()
	n.measure()
	n.setSpeeds()
	n.segTurns = sync.OnceValue(n.headings)
	n.nameNodes()
	var whole box
	n.index, whole = newIndex(n.boxes)
	n.info.Bounds = Bounds{}
	if len(n.boxes) > 0 {
		n.info.Bounds = whole.bounds()
	}
	n.info.Segments, n.info.Nodes = n.NumSegments(), n.NumNodes()
	n.grid = newGrid(whole)
	n.linkSegments()
	n.turns = sync.OnceValue(n.makeTurns)
	n.states = newStateGraph(n)
	n.countComponents()
	n.indexStretches()
}

// numberSegments numbers the segments along the lines, forward then backward.
func (n *Network) numberSegments() {
	n.lineSeg = make([]uint32, len(n.lineDir))
	segments := len(n.lineDir)
	for _, d := range n.lineDir {
		if Direction(d) == BothWays {
			segments++
		}
	}
	n.segLine = make([]uint32, 0, segments)
	for l, d := range n.lineDir {
		n.lineSeg[l] = uint32(len(n.segLine))
		if Direction(d) != Backward {
			n.segLine = append(n.segLine, uint32(l)<<1)
		}
		if Direction(d) != Forward {
			n.segLine = append(n.segLine, uint32(l)<<1|1)
		}
	}
}

// measure finds the lengths and boxes of the lines.
func (n *Network) measure() {
	n.along = make([]float32, len(n.coords))
	n.boxes = make([]box, len(n.lineWay))
	parallel(len(n.lineWay), func(lo, hi int) {
		for l := lo; l < hi; l++ {
			coords := n.LineCoords(LineID(l))
			n.boxes[l] = boxOf(coords)
			along := n.along[n.lineStart[l]:n.lineStart[l+1]]
			sum := 0.0
			for i := 1; i < len(coords); i++ {
				sum += metres(coords[i-1].place(), coords[i].place())
				along[i] = float32(sum)
			}
		}
	})
	n.segLength = make([]float32, len(n.segLine))
	for s, ref := range n.segLine {
		n.segLength[s] = float32(n.LineLength(LineID(ref >> 1)))
	}
}

// setSpeeds finds the free-flow speeds.
func (n *Network) setSpeeds() {
	n.segSpeed = make([]float32, len(n.segLine))
	for s, ref := range n.segLine {
		l := ref >> 1
		limit := n.limitF[l]
		if ref&1 != 0 {
			limit = n.limitB[l]
		}
		n.segSpeed[s] = freeFlow(Class(n.class[l]), Flags(n.flags[l]), limit)
	}
}

// headings finds the headings of the segments, which turns are told by.
func (n *Network) headings() []headings {
	all := make([]headings, len(n.segLine))
	parallel(len(n.segLine), func(lo, hi int) {
		for s := lo; s < hi; s++ {
			id := SegmentID(s)
			all[s] = headings{n.startHeading(id), n.endHeading(id)}
		}
	})
	return all
}

// nameNodes finds the OSM ids of the nodes.
func (n *Network) nameNodes() {
	nodes := uint32(0)
	for l := range n.lineWay {
		nodes = max(nodes, n.lineFrom[l]+1, n.lineTo[l]+1)
	}
	n.nodeOSM = make([]int64, 0, nodes)
	for l := range n.lineWay {
		n.nameNode(n.lineFrom[l], n.lineStart[l])
		n.nameNode(n.lineTo[l], n.lineStart[l+1]-1)
	}
}

// nameNode takes the OSM id of a node from a vertex. Nodes come in order of
// appearance.
func (n *Network) nameNode(node, vertex uint32) {
	if int(node) == len(n.nodeOSM) {
		n.nodeOSM = append(n.nodeOSM, n.vertOSM[vertex])
	}
}

// countComponents counts the components.
func (n *Network) countComponents() {
	n.components = 0
	for _, c := range n.component {
		n.components = max(n.components, int(c)+1)
	}
}
