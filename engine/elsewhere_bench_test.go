package engine

import (
	"context"
	"testing"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// The ticks of a gap every second, with eight ways that may have been driven.
func BenchmarkTicksAmongOtherWays(b *testing.B) {
	net := roadnettest.Draw(b, 100, "A--B----C-D--------E---F", "AB", "BC", "CD", "DE", "EF")
	path := []roadnet.SegmentID{net.Seg("AB"), net.Seg("BC"), net.Seg("CD"), net.Seg("DE"), net.Seg("EF")}
	var others []match.Way
	for i := range 8 {
		others = append(others, match.Way{Probability: 0.1, Part: trajectory.Part{Segments: path, StartRatio: float64(i) / 10, EndRatio: 1}})
	}
	trip, res := gapOf(path, 0, 1, others...)
	lines, err := timelines(context.Background(), net.Network, DefaultPace(), trip.Samples, res)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ticks(context.Background(), net.Network, trip, 1000, lines, res.Matches); err != nil {
			b.Fatal(err)
		}
	}
}
