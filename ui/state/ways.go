package state

import "retrace/engine/roadnet"

// SegmentOfWay is a segment of an OSM way; false where the network has none.
func (m *Model) SegmentOfWay(way int64) (roadnet.SegmentID, bool) {
	if m.net == nil {
		return 0, false
	}
	if m.ways == nil || m.waysOf != m.net {
		m.ways, m.waysOf = make(map[int64]roadnet.LineID, m.net.NumLines()), m.net
		for l := range m.net.NumLines() {
			way := m.net.LineWay(roadnet.LineID(l))
			if _, there := m.ways[way]; !there {
				m.ways[way] = roadnet.LineID(l)
			}
		}
	}
	l, ok := m.ways[way]
	if !ok {
		return 0, false
	}
	f, b, hasForward, _ := m.net.LineSegments(l)
	if hasForward {
		return f, true
	}
	return b, true
}
