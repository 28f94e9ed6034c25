package state

import (
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

func TestSegmentOfWayIsOfThatWay(t *testing.T) {
	m := New()
	if _, ok := m.SegmentOfWay(1); ok {
		t.Error("a way is found without a network")
	}
	for _, net := range []*roadnet.Network{roadnettest.GridCity(8), roadnettest.GridCity(5)} {
		m.SetNetwork(net, nil)
		highest := int64(0)
		for l := range net.NumLines() {
			way := net.LineWay(roadnet.LineID(l))
			highest = max(highest, way)
			if s, ok := m.SegmentOfWay(way); !ok || net.Segment(s).Way != way {
				t.Fatalf("of way %d: segment %d, %v", way, s, ok)
			}
		}
		if _, ok := m.SegmentOfWay(highest + 1); ok {
			t.Errorf("a way is found that the network has not")
		}
	}
}
