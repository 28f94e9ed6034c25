package feature

import "retrace/engine/roadnet"

// neighbourCap is the most neighbours kept on each side of a segment. Junctions
// with more exits are as good as unknown in road networks.
const neighbourCap = 6

// Neighbours lists for every segment those that follow it and those before it
// (N_i of eq. 5, the two told apart). Where there are fewer than Cap the number
// of segments stands, which is no segment.
type Neighbours struct {
	Segments, Cap            int
	Successors, Predecessors []int32 // [Segments][Cap]
}

// NewNeighbours lists the neighbours of every segment.
func NewNeighbours(net *roadnet.Network) *Neighbours {
	n := &Neighbours{Segments: net.NumSegments(), Cap: neighbourCap}
	n.Successors = make([]int32, n.Segments*n.Cap)
	n.Predecessors = make([]int32, n.Segments*n.Cap)
	for id := range n.Segments {
		fillNeighbours(n.Successors[id*n.Cap:(id+1)*n.Cap], net.Next(roadnet.SegmentID(id)), int32(n.Segments))
		fillNeighbours(n.Predecessors[id*n.Cap:(id+1)*n.Cap], net.Prev(roadnet.SegmentID(id)), int32(n.Segments))
	}
	return n
}

func fillNeighbours(dst []int32, from []roadnet.SegmentID, nobody int32) {
	for i := range dst {
		dst[i] = nobody
		if i < len(from) {
			dst[i] = int32(from[i])
		}
	}
}
