package feature

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// told is a trip along AB and BC that takes so many seconds for each.
func told(net *roadnettest.Net, number int, first, second float64) ([]trajectory.Sample, []Way, []float64) {
	samples := samplesAt(net.At(net.Pos("AB", 0)), net.At(net.Pos("AB", 1)), net.At(net.Pos("BC", 1)))
	for i := range samples {
		samples[i].Time += int64(number) * 3_600_000
	}
	ways := []Way{
		{[]roadnet.SegmentID{net.Seg("AB")}, net.Pos("AB", 0), net.Pos("AB", 1)},
		{[]roadnet.SegmentID{net.Seg("BC")}, net.Pos("BC", 0), net.Pos("BC", 1)},
	}
	return samples, ways, []float64{first, second}
}

func TestTrafficTellsHowManyDroveAndHowFast(t *testing.T) {
	net := crossroads(t)
	free := net.Length(net.Seg("AB")) / net.FreeFlow(net.Seg("AB"))
	all := NewTraffic(net.Network)
	for i := range 20 {
		all.Add(told(net, i, 2*free, free))
	}
	o := all.without(samplesAt(net.At(net.Pos("BD", 0))))
	slow, quick, none := o.of(net.Seg("AB")), o.of(net.Seg("BC")), o.of(net.Seg("BD"))
	if slow.trips != 20 || quick.trips != 20 || none.trips != 0 {
		t.Errorf("%d, %d and %d trips, want 20, 20 and 0", slow.trips, quick.trips, none.trips)
	}
	if got := slow.pace(); math.Abs(got-math.Ln2) > 0.03 {
		t.Errorf("pace %v, want nearly ln 2", got)
	}
	if got := quick.pace(); math.Abs(got) > 0.01 {
		t.Errorf("pace %v where all drove at free flow", got)
	}
	if o.busy(none) >= o.busy(slow) || math.Abs(o.busy(slow)) > 0.02 {
		t.Errorf("a segment that nobody drove is as busy as a typical one: %v, %v", o.busy(none), o.busy(slow))
	}
}

// What a trip is described with does not depend on what it told itself.
func TestATripLearnsNothingFromItself(t *testing.T) {
	net := crossroads(t)
	with, alone := NewTraffic(net.Network), NewTraffic(net.Network)
	for i := range 5 {
		with.Add(told(net, i, 40, 50))
		alone.Add(told(net, i, 40, 50))
	}
	samples, ways, seconds := told(net, 9, 400, 20)
	with.Add(samples, ways, seconds)
	maker := func(traffic *Traffic) *Trip {
		m := NewTripMaker(net.Network, DefaultRoutes())
		m.Traffic = traffic
		var trip Trip
		m.Fill(&trip, samples[1:], nil) // a part of a trip is known as well
		return &trip
	}
	got, want := maker(with).RouteValues, maker(alone).RouteValues
	busy := len(routeColumns()) - 2 // the typical trips still count all
	for i := range want {
		if i%len(routeColumns()) != busy && got[i] != want[i] {
			t.Fatalf("column %s is %v, want %v", routeColumns()[i%len(routeColumns())].Name, got[i], want[i])
		}
	}
}

func TestTrafficIsTheSameInAnyOrderAndATripCountsOnce(t *testing.T) {
	const seed = 5
	rng := rand.New(rand.NewPCG(seed, 0))
	net := crossroads(t)
	first, second := NewTraffic(net.Network), NewTraffic(net.Network)
	order := rng.Perm(30)
	for i := range 30 {
		first.Add(told(net, i, 20+float64(i), 50))
		first.Add(told(net, i, 30+float64(i), 40)) // recovered again
		second.Add(told(net, order[i], 30+float64(order[i]), 40))
	}
	if !reflect.DeepEqual(first.sums, second.sums) || first.squares != second.squares || first.Trips() != 30 || second.Trips() != 30 {
		t.Errorf("seed %d: %d and %d trips tell %v and %v", seed, first.Trips(), second.Trips(), first.sums, second.sums)
	}
}

func TestWithoutTrafficItsColumnsAreUnknown(t *testing.T) {
	net := crossroads(t)
	m := NewTripMaker(net.Network, DefaultRoutes())
	var trip Trip
	m.Fill(&trip, samplesAt(net.PointNear('A', 200, 5), net.PointNear('C', -200, 5)), nil)
	for name, cols := range map[string][]Column{"candidates": candidateColumns(), "routes": routeColumns()} {
		values := trip.CandidateValues
		if name == "routes" {
			values = trip.RouteValues
		}
		for i, v := range values {
			if c := cols[i%len(cols)]; c.Group == Gathered && v != c.Unknown {
				t.Errorf("%s: column %s is %v, want %v", name, c.Name, v, c.Unknown)
			}
		}
	}
}

// A vehicle that stands is seen a few metres behind where it was seen before:
// that it stands is among the ways it may have gone.
func TestAVehicleMayStandThoughItsPointsGoBack(t *testing.T) {
	net := crossroads(t)
	m := NewTripMaker(net.Network, DefaultRoutes())
	stands := func(back float64) bool {
		var trip Trip
		m.Fill(&trip, samplesAt(net.PointNear('A', 200, 2), net.PointNear('A', 200-back, 2)), nil)
		for _, o := range trip.OptionsOf(0) {
			if net.Path(o.Segments) == "AB" && o.Length == 0 {
				return true
			}
		}
		return false
	}
	if !stands(12) {
		t.Error("12 m back is no way to stand")
	}
	if stands(60) {
		t.Error("60 m back counts as standing")
	}
}
