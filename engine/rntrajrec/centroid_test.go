package rntrajrec

import (
	"context"
	"math"
	"testing"

	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// Of three routes the straight one is the most probable, but the two others have most of
// their way in common, which was therefore driven more probably than not.
func TestThePathAgreesWithMostOfThem(t *testing.T) {
	net := roadnettest.Draw(t, 100, `
	    A---B-------C---D
	        |      /|
	        |     / |
	        E----K--F---G
	`, "ABCD highway=primary", "BEK highway=residential", "KC highway=residential", "KFC highway=residential", "FG highway=residential")
	trip := feature.Trip{
		Candidates: make([]roadnet.Hit, 2), CandidateStart: []int32{0, 1, 2}, OptionStart: []int32{0, 3},
		Options: []feature.Option{
			{Route: route(net, "AB", "BC", "CD")},
			{Route: route(net, "AB", "BEK", "KC", "CD")},
			{Route: route(net, "AB", "BEK", "KF", "FC", "CD")},
		},
	}
	log := func(p float64) float32 { return float32(math.Log(p)) }
	j := &job{trip: trip, legs: make([]match.Leg, 1)}
	j.chain = chain{trip: &j.trip, u: []float32{0, 0}, v: []float32{log(0.4), log(0.35), log(0.25)}}
	if ok, err := j.chain.solve(context.Background()); !ok || err != nil {
		t.Fatal("no way through")
	}
	for worth, want := range map[float64]int{0: 0, 0.5: 1} {
		if err := j.settle(context.Background(), worth); err != nil || j.path[0] != want {
			t.Errorf("where %v is worth driving option %d is driven, want %d", worth, j.path[0], want)
		}
	}
}

// A sample lies on the street AC, whose two directions are about as probable and lead
// different ways to C: none of their segments is worth a half. But that the drive began
// at C is next to improbable.
func TestThePathBeginsWhereTheSampleIsBelieved(t *testing.T) {
	net := roadnettest.Draw(t, 100, `
	    E---A---C---D
	        |   |
	    H---F---G
	`, "EACD highway=residential", "AF highway=residential", "HFGC highway=residential")
	trip := feature.Trip{
		Candidates: make([]roadnet.Hit, 4), CandidateStart: []int32{0, 3, 4}, OptionStart: []int32{0, 3},
		Options: []feature.Option{
			{From: 0, Route: route(net, "AC", "CD")},
			{From: 1, Route: route(net, "CA", "AF", "FGC", "CD")},
			{From: 2, Route: route(net, "CD")},
		},
	}
	log := func(p float64) float32 { return float32(math.Log(p)) }
	j := &job{trip: trip, legs: make([]match.Leg, 1)}
	j.chain = chain{trip: &j.trip, u: []float32{log(0.47), log(0.47), log(0.06), 0}, v: []float32{0, 0, 0}}
	if ok, err := j.chain.solve(context.Background()); !ok || err != nil {
		t.Fatal("no way through")
	}
	if err := j.settle(context.Background(), 0.5); err != nil || j.path[0] != 0 {
		t.Errorf("option %d is driven, want 0", j.path[0])
	}
}

// No other path through a trip agrees better than the one settled on: every one is tried.
func TestNoPathAgreesBetter(t *testing.T) {
	net := block(t)
	j := &job{legs: make([]match.Leg, 2)}
	feature.NewTripMaker(net.Network, feature.DefaultRoutes()).Fill(&j.trip, drive(net), nil)
	j.chain.trip = &j.trip
	j.chain.u, j.chain.v, _ = nearest{}.Routes(&RouteInput{Candidates: j.trip.CandidateValues, Options: j.trip.RouteValues})
	for i := range j.chain.v { // so that little is certain
		j.chain.v[i] *= 0.03
	}
	for i := range j.chain.u {
		j.chain.u[i] *= 0.1
	}
	if ok, err := j.chain.solve(context.Background()); !ok || err != nil {
		t.Fatal("no way through")
	}
	if err := j.settle(context.Background(), 0.5); err != nil {
		t.Fatal(err)
	}
	sum := func(path ...int) (sum float64) {
		for gap, k := range path {
			from, to := j.chain.ends(gap, k)
			if gap == 0 {
				sum += 0.5 * j.chain.candidate(from)
			}
			sum += match.Centroid(j.trip.Options[k].Segments, j.shares[gap], 0.5) + 0.5*j.chain.candidate(to)
		}
		return sum
	}
	best, others := sum(j.path...), 0
	first, middle := j.chain.options(0)
	_, last := j.chain.options(1)
	for a := first; a < middle; a++ {
		for b := middle; b < last; b++ {
			_, to := j.chain.ends(0, a)
			from, _ := j.chain.ends(1, b)
			if to != from || j.chain.option(0, a) < negligible || j.chain.option(1, b) < negligible {
				continue
			}
			if others++; sum(a, b) > best+1e-6 {
				t.Errorf("options %d and %d agree by %v, the path %v by %v", a, b, sum(a, b), j.path, best)
			}
		}
	}
	if others < 4 {
		t.Fatalf("only %d paths were tried", others)
	}
	_, to := j.chain.ends(0, j.path[0])
	if from, _ := j.chain.ends(1, j.path[1]); from != to {
		t.Errorf("the path %v is not connected", j.path)
	}
}

// route is one of an option, by the letters of its segments.
func route(net *roadnettest.Net, segments ...string) roadnet.Route {
	var r roadnet.Route
	for _, name := range segments {
		r.Segments = append(r.Segments, net.Seg(name))
	}
	return r
}
