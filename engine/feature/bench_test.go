package feature

import (
	"fmt"
	"slices"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/internal/cputime"
)

// drivenTrip is a trip across the middle of a city with a sample every two minutes.
func drivenTrip(net *roadnet.Network) []trajectory.Sample {
	c := net.Info().Bounds.Center()
	var samples []trajectory.Sample
	for i := range 6 {
		samples = append(samples, trajectory.Sample{Time: int64(i) * 120_000,
			Lon: c.Lon + 0.00007 + (float64(i)-2.5)*0.006, Lat: c.Lat + 0.00005 + float64(i%3-1)*0.004})
	}
	return samples
}

// costs is what making one kind of features takes: the work, how many units it
// makes, and the bytes of their features.
type costs struct {
	name, unit string
	work       func()
	units      func() int
	bytes      func() int
}

// drivenWays are the first routes of each gap.
func drivenWays(t *Trip, gaps int) []Way {
	ways := make([]Way, gaps)
	for i := range ways {
		o := t.OptionsOf(i)[0]
		ways[i] = Way{o.Segments, t.CandidatesOf(i)[o.From].Position, t.CandidatesOf(i + 1)[o.To].Position}
	}
	return ways
}

// kinds are all features of a trip, and those of segments.
func kinds(tb testing.TB, net *roadnet.Network) []costs {
	tb.Helper()
	samples := drivenTrip(net)
	points, err := NewPointMaker(net, DefaultSettings())
	if err != nil {
		tb.Fatal(err)
	}
	var (
		trips, places = NewTripMaker(net, DefaultRoutes()), NewTripMaker(net, DefaultRoutes())
		p             Points
		trip, near    Trip
		pieces        GapPieces
		parts         = NewPartMaker(net)
		part          Part
		environment   = NewEnvironment("Europe/Lisbon")
		hours         = make([]float32, len(environmentColumns()))
		first         = roadnet.SegmentID(net.NumSegments() / 2)
	)
	trips.Fill(&trip, samples, nil)
	way := drivenWays(&trip, len(samples)-1)
	const whole = 256
	return append([]costs{
		{"points", "point", func() { points.Fill(&p, samples) }, func() int { return p.Samples },
			func() int {
				return 4 * (len(p.Values) + len(p.Segments) + len(p.Weights) + len(p.Pairs) + len(p.SubSuccessors) + len(p.SubPredecessors))
			}},
		{"candidates", "point", func() { places.FillCandidates(&near, samples, nil) }, func() int { return len(samples) },
			func() int { return 4 * len(near.CandidateValues) }},
		{"routes", "trip", func() { trips.Fill(&trip, samples, nil) }, func() int { return 1 },
			func() int { return 4 * (len(trip.CandidateValues) + len(trip.RouteValues)) }},
		{"pieces", "piece", func() { trips.Drive(samples, way); trips.FillPieces(&pieces, 1) }, func() int { return len(pieces.Pieces) },
			func() int { return 4 * len(pieces.Values) }},
		{"environment", "trip", func() { environment.Fill(hours, samples[0].Time) }, func() int { return 1 },
			func() int { return 4 * len(hours) }},
		{"segments", "segment", func() { parts.Fill(&part, first, first+whole, 2) }, func() int { return len(part.Segments) },
			func() int {
				return 4 * (len(part.Roads) + len(part.Cells) + len(part.CellCounts) + len(part.Successors) + len(part.Predecessors))
			}},
	}, tickKinds(net, slices.Clone(trip.CandidatesOf(0)), slices.Clone(trip.CandidatesOf(1)), samples)...)
}

// tickKinds are the features of ticks.
func tickKinds(net *roadnet.Network, from, to []roadnet.Hit, samples []trajectory.Sample) []costs {
	begun, filled := NewMoveMaker(net, DefaultTicks()), NewMoveMaker(net, DefaultTicks())
	var goal Goal
	begin := func(m *MoveMaker) { m.Begin(&goal, pointOf(samples[0]), pointOf(samples[1]), to, 120) }
	begin(filled)
	all := make([]Moves, len(from)) // a tick from each candidate, since what lies around them differs
	fill := func() {
		for i, h := range from {
			filled.Fill(&all[i], &goal, h.Position, 15, 105)
		}
	}
	bytes := func() (n int) {
		for _, moves := range all {
			n += 4 * (len(moves.Values) + len(moves.Segments) + len(moves.Candidates) + len(moves.Weights))
		}
		return n
	}
	return []costs{
		{"gap of ticks", "gap", func() { begin(begun) }, func() int { return 1 }, func() int { return 0 }},
		{"moves", "tick", fill, func() int { return len(from) }, bytes},
	}
}

// BenchmarkFeatures makes each kind of features on a town and on a network of
// 600,000 segments: what a unit takes must not grow with the network.
func BenchmarkFeatures(b *testing.B) {
	for _, size := range []int{48, 388} { // so that main roads lie alike around the middle
		net := roadnettest.GridCity(size)
		for _, kind := range kinds(b, net) {
			b.Run(fmt.Sprintf("%s/%dk", kind.name, (net.NumSegments()+500)/1000), func(b *testing.B) {
				b.ReportAllocs()
				kind.work()
				start := cputime.Used()
				for b.Loop() {
					kind.work()
				}
				units := float64(kind.units())
				b.ReportMetric(float64((cputime.Used()-start).Nanoseconds())/1000/units/float64(b.N), "us/"+kind.unit)
				b.ReportMetric(float64(kind.bytes())/units, "bytes/"+kind.unit)
			})
		}
	}
}

// TestMemoryIsUsedAgain checks that what is made a second time allocates next to
// nothing, however many candidates, routes and pieces it holds.
func TestMemoryIsUsedAgain(t *testing.T) {
	for _, kind := range kinds(t, roadnettest.GridCity(30)) {
		kind.work()
		if n := testing.AllocsPerRun(2, kind.work); n > 8 {
			t.Errorf("%s: %v allocations a time", kind.name, n)
		}
	}
}
