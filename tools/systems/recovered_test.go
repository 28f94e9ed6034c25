package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

func recoveryAt(times ...int64) *trajectory.Recovery {
	r := &trajectory.Recovery{}
	for i, t := range times {
		r.Ticks = append(r.Ticks, trajectory.Tick{Time: t, At: roadnet.Position{Segment: roadnet.SegmentID(i), Ratio: 0.5}})
	}
	return r
}

func TestATickThatWasNotRecoveredIsTold(t *testing.T) {
	segments, ratios := atTicks(recoveryAt(0, 15_000, 30_000, 45_000), recoveryAt(100, 15_000, 44_000))
	if want := []int32{0, 1, -1, -1}; !slices.Equal(segments, want) || ratios[1] != 0.5 {
		t.Errorf("segments %v, want %v; ratios %v", segments, want, ratios)
	}
}

func TestPlacesThatTheNetworkDoesNotHaveAreRefused(t *testing.T) {
	net, dir := roadnettest.GridCity(3), t.TempDir()
	trips := []trip{{&trajectory.Trajectory{}, recoveryAt(0, 15_000)}}
	for _, c := range []struct {
		segments []int32
		says     string
	}{
		{[]int32{0, -1}, ""},
		{[]int32{0}, "1 segments"},
		{[]int32{0, int32(net.NumSegments())}, "tick 1"},
	} {
		for name, values := range map[string]any{"segment": c.segments, "ratio": make([]float32, len(c.segments))} {
			if err := writeArray(filepath.Join(dir, name+".npy"), values); err != nil {
				t.Fatal(err)
			}
		}
		got, err := recovered(dir, net, trips)
		if c.says == "" && (err != nil || len(got[0].Ticks) != 1) {
			t.Errorf("%v: %v, %v", c.segments, got, err)
		}
		if c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%v: %v, want %q", c.segments, err, c.says)
		}
	}
}
