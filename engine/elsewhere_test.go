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

// gapOf is a gap of 100 s whose way told is a path, driven at an even pace, and which
// may have been driven otherwise.
func gapOf(path []roadnet.SegmentID, from, to float64, others ...match.Way) (*trajectory.Trajectory, *match.Result) {
	leg := match.Leg{From: 0, To: 1, Path: path, Others: others}
	for _, id := range path {
		leg.Shares = append(leg.Shares, match.Share{Segment: id, Probability: 0.5})
	}
	slices.SortFunc(leg.Shares, func(a, b match.Share) int { return int(a.Segment) - int(b.Segment) })
	first, last := roadnet.Position{Segment: path[0], Ratio: from}, roadnet.Position{Segment: path[len(path)-1], Ratio: to}
	trip := &trajectory.Trajectory{Samples: []trajectory.Sample{{Time: start}, {Time: start + 100_000}}}
	return trip, &match.Result{Matches: []trajectory.SampleMatch{{At: first}, {At: last}}, Legs: []match.Leg{leg}}
}

// told are the ticks of a gap every 25 s.
func told(t *testing.T, net *roadnet.Network, trip *trajectory.Trajectory, res *match.Result, others float64) []trajectory.Tick {
	t.Helper()
	pace := EvenPace()
	pace.Others, pace.Doubt = others, 0.02
	lines, err := timelines(context.Background(), net, pace, trip.Samples, res)
	if err != nil {
		t.Fatal(err)
	}
	all, err := ticks(context.Background(), net, trip, 25_000, lines, res.Matches)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Both ways lead along the street, but the other, which is the more probable, began
// farther on: in the middle of the time the vehicle is where that has it then.
func TestATickIsDrawnToWhereOtherWaysHaveTheVehicle(t *testing.T) {
	net := roadnettest.Draw(t, 100, "A---------B", "AB oneway=yes")
	path := []roadnet.SegmentID{net.Seg("AB")}
	later := func(p float32) match.Way {
		return match.Way{Part: trajectory.Part{Segments: path, StartRatio: 0.4, EndRatio: 1}, Probability: p}
	}
	for _, c := range []struct {
		probability float32
		others      float64
		want        float64 // metres along the street after half of the time
	}{
		{0.7, 1, 700},
		{0.7, 0, 500},   // other ways do not count
		{0.7, 0.5, 500}, // they count for less than the way told
		{0.3, 1, 500},
	} {
		trip, res := gapOf(path, 0, 1, later(c.probability))
		middle := told(t, net.Network, trip, res, c.others)[2]
		if math.Abs(middle.At.Ratio*1000-c.want) > 25 {
			t.Errorf("another way of probability %v, which counts %v times: the tick is at %v, want %v m",
				c.probability, c.others, middle.At.Ratio*1000, c.want)
		}
	}
}

// Where other ways lead elsewhere altogether the tick stays on the way told, and the
// samples stay where they are matched.
func TestATickStaysOnTheWayTold(t *testing.T) {
	net := roadnettest.Draw(t, 100, `
	    A---------B
	    |         |
	    C---------D
	`, "AB oneway=yes", "AC oneway=yes", "CD oneway=yes", "DB oneway=yes")
	round := match.Way{Probability: 0.9, Part: trajectory.Part{
		Segments: []roadnet.SegmentID{net.Seg("AC"), net.Seg("CD"), net.Seg("DB")}, EndRatio: 1}}
	trip, res := gapOf([]roadnet.SegmentID{net.Seg("AB")}, 0, 1, round)
	all := told(t, net.Network, trip, res, 1)
	for _, k := range all {
		if k.At.Segment != net.Seg("AB") {
			t.Errorf("the tick is on another way: %+v", k)
		}
	}
	if first, last := all[0], all[len(all)-1]; first.At.Ratio != 0 || last.At.Ratio != 1 {
		t.Errorf("the samples are at %+v and %+v", first, last)
	}
}

// No spot of the way told, tried every 5 m, is nearer to where the vehicle is expected
// by more than the steps of the search explain, if the search began near it.
func TestATickIsWhereTheLeastErrorIsExpected(t *testing.T) {
	net := roadnettest.Draw(t, 100, "A--B----C-D--------E---F", "AB", "BC", "CD", "DE", "EF")
	path := []roadnet.SegmentID{net.Seg("AB"), net.Seg("BC"), net.Seg("CD"), net.Seg("DE"), net.Seg("EF")}
	rapid.Check(t, func(t *rapid.T) {
		trip, res := gapOf(path, 0, 1, anyWays(t, path)...)
		lines, err := timelines(context.Background(), net.Network, DefaultPace(), trip.Samples, res)
		if err != nil {
			t.Fatal(err)
		}
		line := lines[0]
		s := line.at(float64(start) + 100_000*rapid.Float64Range(0.01, 1).Draw(t, "share"))
		var e elsewhere
		drawn := e.draw(net.Network, line, s, 0)
		least := e.expected(net.Network, drawn)
		first, end := line.gapPieces(0)
		for along := 0.0; along <= line.edge(end-1, true).along; along += 5 {
			// A way in one street: the expected distance has no valleys but one.
			if d := e.expected(net.Network, line.spotAt(along, first, end)); d < least-nearestStep {
				t.Fatalf("at %v m it is expected to be %v m away, at %v m, which is told, %v", along, d, drawn.along, least)
			}
		}
	})
}

// anyWays draws other ways along a path, less probable than 1 together.
func anyWays(t *rapid.T, path []roadnet.SegmentID) []match.Way {
	var all []match.Way
	for range rapid.IntRange(0, 4).Draw(t, "ways") {
		first := rapid.IntRange(0, len(path)-1).Draw(t, "first")
		last := rapid.IntRange(first, len(path)-1).Draw(t, "last")
		all = append(all, match.Way{Probability: rapid.Float32Range(0, 0.25).Draw(t, "probability"), Part: trajectory.Part{
			Segments:   path[first : last+1],
			StartRatio: rapid.Float64Range(0, 1).Draw(t, "from"), EndRatio: rapid.Float64Range(0, 1).Draw(t, "to"),
		}})
	}
	return all
}
