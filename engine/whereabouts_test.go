package engine

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// anyTimes draws when the places of a path are reached, and the doubt about it.
func anyTimes(t *rapid.T, path []roadnet.SegmentID) []match.Time {
	var times []match.Time
	for step := range path {
		n := rapid.IntRange(0, 4).Draw(t, "pieces")
		if step == len(path)-1 {
			n = max(n, 1)
		}
		for k := range n {
			times = append(times, match.Time{Step: step, To: float64(k+1) / float64(n),
				Share:  rapid.Float64Range(0, 1).Draw(t, "share"),
				Spread: rapid.Float64Range(0, 0.5).Draw(t, "spread")})
		}
	}
	shares := make([]float64, len(times))
	for i := range times {
		shares[i] = times[i].Share
	}
	slices.Sort(shares)
	for i := range times {
		times[i].Share = shares[i]
	}
	times[len(times)-1].Share = 1
	return times
}

// Whatever a model says of time, ticks go forward along the path and each has a
// probability.
func TestTicksDoNotGoBackWhateverTheTimes(t *testing.T) {
	net := roadnettest.Draw(t, 100, "A--B----C-D--------E---F", "AB", "BC", "CD", "DE", "EF")
	path := []roadnet.SegmentID{net.Seg("AB"), net.Seg("BC"), net.Seg("CD"), net.Seg("DE"), net.Seg("EF")}
	rapid.Check(t, func(t *rapid.T) {
		trip, res := gapOf(path, 0, 1, anyWays(t, path)...)
		leg := &res.Legs[0]
		leg.Times = anyTimes(t, path)
		for i := range leg.Shares {
			leg.Shares[i].Probability = rapid.Float32Range(0, 1).Draw(t, "share")
		}
		pace := DefaultPace()
		pace.Away = rapid.SampledFrom([]float64{0, 0.001, 1}).Draw(t, "away")
		lines, err := timelines(context.Background(), net.Network, pace, trip.Samples, res)
		if err != nil {
			t.Fatal(err)
		}
		all, err := ticks(context.Background(), net.Network, trip, 3000, lines, res.Matches)
		if err != nil {
			t.Fatal(err)
		}
		checkForward(t, all)
		checkSure(t, lines[0], float64(start+rapid.IntRange(1, 99_999).Draw(t, "instant")))
	})
}

func checkForward(t *rapid.T, ticks []trajectory.Tick) {
	for i := 1; i < len(ticks); i++ {
		if ticks[i].Along < ticks[i-1].Along-1e-9 || ticks[i].Probability < 0 || ticks[i].Probability > 1 {
			t.Fatalf("tick %+v after %+v", ticks[i], ticks[i-1])
		}
	}
}

// checkSure checks that the vehicle is somewhere on its path.
func checkSure(t *rapid.T, line *timeline, time float64) {
	var w whereabouts
	w.fill(line, 0, time)
	sum := 0.0
	for _, v := range w.visits {
		sum += v.probability
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Fatalf("the segments have probability %v together", sum)
	}
}

// A tick that falls on a short segment between long ones is told to be on a
// long one, at its end.
func TestATickIsOnTheMostProbableSegment(t *testing.T) {
	n := roadnettest.Draw(t, 10, "A--------------------BC--------------------D", "AB", "BC", "CD")
	rec := recovered(t, n, at(n, 0, 'A', 1, 0), at(n, 240, 'D', -1, 0))
	short := 0
	for _, k := range rec.Ticks {
		short += btoi(k.At.Segment == n.Seg("BC"))
		if k.Time == start+120_000 && (k.At.Segment == n.Seg("BC") || math.Abs(k.Along-209) > 6) {
			t.Errorf("in the middle of the time the vehicle is at %+v, %v m", k.At, k.Along)
		}
	}
	if short > 0 {
		t.Errorf("%d ticks are on the short segment", short)
	}
}
