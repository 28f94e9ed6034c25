package roadnet_test

import (
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

func TestUntaggedKeepsWaysAndForgetsTags(t *testing.T) {
	for seed := range uint64(5) {
		net := roadnettest.Random(seed, 10)
		u := net.Untagged()
		if u.NumSegments() != net.NumSegments() || u.NumNodes() != net.NumNodes() || u.Info().Fingerprint == net.Info().Fingerprint {
			t.Fatalf("seed %d: %d segments, %d nodes, fingerprint %s", seed, u.NumSegments(), u.NumNodes(), u.Info().Fingerprint)
		}
		for id := range roadnet.SegmentID(net.NumSegments()) {
			a, b := net.Segment(id), u.Segment(id)
			if a.From != b.From || a.To != b.To || a.Length != b.Length || a.OneWay != b.OneWay || len(net.Next(id)) != len(u.Next(id)) {
				t.Fatalf("seed %d: segment %d is %+v, was %+v", seed, id, b, a)
			}
			if b.Class != roadnet.ClassUnknown || b.Flags != 0 || b.Layer != 0 || b.Lanes != 0 || b.Limit != roadnet.LimitUnknown || b.Name != "" {
				t.Fatalf("seed %d: segment %d still has tags: %+v", seed, id, b)
			}
			if on, atEnd := u.ControlCounts(id); on != (roadnet.Controls{}) || atEnd != (roadnet.Controls{}) {
				t.Fatalf("seed %d: segment %d still has controls", seed, id)
			}
		}
		if _, err := roadnet.FromColumns(u.Info(), u.Columns()); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}
