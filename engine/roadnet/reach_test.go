package roadnet_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// What is reached forward costs what the router's route there costs, and the
// way back from there to the start is found by the backward search.
func TestReachAgreesWithTheRouter(t *testing.T) {
	search := roadnet.Search{TimeShare: 1, Speed: 1, UTurn: 30, Bound: 120}
	for seed := range uint64(10) {
		net := roadnettest.Random(seed, 8)
		rng := rand.New(rand.NewPCG(seed, 2))
		router := roadnet.NewRouter(net)
		forward, backward := roadnet.NewReach(net, false), roadnet.NewReach(net, true)
		for range 10 {
			from := anywhere(rng, net)
			forward.Grow([]roadnet.Position{from}, search)
			for i := range forward.Len() {
				checkReached(t, seed, net, router, backward, from, forward.At(i), search)
			}
		}
	}
}

func checkReached(t *testing.T, seed uint64, net *roadnet.Network, router *roadnet.Router, backward *roadnet.Reach, from roadnet.Position, r roadnet.Reached, s roadnet.Search) {
	t.Helper()
	if r.Segment == from.Segment || restricted(net) {
		return
	}
	start := roadnet.Position{Segment: r.Segment}
	leg := router.Routes(from, []roadnet.Position{start}, s)[0]
	if !leg.Found || math.Abs(leg.Cost-r.Cost) > 1e-6 || math.Abs(leg.Length-r.Length) > 1 {
		t.Fatalf("seed %d: segment %d reached at %v s, %v m; the router's route is %+v", seed, r.Segment, r.Cost, r.Length, leg)
	}
	s.Bound += 60
	backward.Grow([]roadnet.Position{start}, s)
	b, ok := backward.Find(from.Segment)
	if !ok {
		t.Fatalf("seed %d: no way back from %v to %v", seed, start, from)
	}
	rest := (1 - from.Ratio) * net.Length(from.Segment) / net.FreeFlow(from.Segment)
	if math.Abs(b.Cost+rest-r.Cost) > 1e-6 {
		t.Fatalf("seed %d: %v s forward, %v s backward", seed, r.Cost, b.Cost+rest)
	}
}
