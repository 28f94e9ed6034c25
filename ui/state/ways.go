package state

import (
	"cmp"
	"slices"

	"retrace/engine/roadnet"
)

// ways are the lines of a network by their OSM way.
type ways struct {
	net   *roadnet.Network
	lines []roadnet.LineID // by rising way, then line
}

func waysOf(net *roadnet.Network) ways {
	w := ways{net: net, lines: make([]roadnet.LineID, net.NumLines())}
	for l := range w.lines {
		w.lines[l] = roadnet.LineID(l)
	}
	slices.SortFunc(w.lines, func(a, b roadnet.LineID) int {
		return cmp.Or(cmp.Compare(net.LineWay(a), net.LineWay(b)), cmp.Compare(a, b))
	})
	return w
}

// SegmentOfWay is a segment of an OSM way; false where the network has none.
func (m *Model) SegmentOfWay(way int64) (roadnet.SegmentID, bool) {
	if m.net == nil {
		return 0, false
	}
	if m.ways.net != m.net {
		m.ways = waysOf(m.net)
	}
	i, ok := slices.BinarySearchFunc(m.ways.lines, way, func(l roadnet.LineID, way int64) int { return cmp.Compare(m.net.LineWay(l), way) })
	if !ok {
		return 0, false
	}
	f, b, hasForward, _ := m.net.LineSegments(m.ways.lines[i])
	if hasForward {
		return f, true
	}
	return b, true
}
