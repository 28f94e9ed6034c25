package main

import (
	"testing"

	"retrace/engine/trajectory"
)

func TestPointsAreKeptARateApart(t *testing.T) {
	var dense trajectory.Trajectory
	for i := range 1000 {
		dense.Samples = append(dense.Samples, trajectory.Sample{Time: int64(i) * 1000})
	}
	for rate, want := range map[string]int{"1s": 1000, "15s": 68, "240s": 6} { // the last is kept too
		got, err := thin(&dense, rate)
		if err != nil || len(got.Samples) != want || got.Samples[len(got.Samples)-1] != dense.Samples[999] {
			t.Errorf("%s: %d points, want %d; %v", rate, len(got.Samples), want, err)
		}
	}
	mixed, err := thin(&dense, "mixed")
	if n := len(mixed.Samples); err != nil || n < 180+180/60+180/5+1 || n > 500 {
		t.Errorf("mixed: %d points, %v", n, err)
	}
	if _, err := thin(&dense, "often"); err == nil {
		t.Error("a rate that is none was taken")
	}
}
