package roadnet_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// relax finds the cheapest cost to the beginning of every state by relaxing
// all moves until nothing changes: slow, and too simple to be wrong.
func relax(n *roadnet.Network, from roadnet.Position, s roadnet.Search) []float64 {
	costs := make([]float64, n.NumStates())
	for i := range costs {
		costs[i] = math.Inf(1)
	}
	leave := func(state roadnet.State, at float64) (changed bool) {
		id := n.StateSegment(state)
		move := func(to roadnet.State, cost float64) {
			if cost < costs[to]-1e-9 {
				costs[to], changed = cost, true
			}
		}
		next := n.NextStates(state)
		for _, to := range next {
			turn := 0.0
			if len(next) > 1 {
				turn = s.Turn * (1 - math.Cos(n.TurnAngle(id, n.StateSegment(to))*math.Pi/180))
			}
			move(to, at+turn)
		}
		if n.UTurnAllowed(id) {
			back, _ := n.Reverse(id)
			move(roadnet.State(back), at+s.UTurn)
		}
		return changed
	}
	leave(roadnet.State(from.Segment), (1-from.Ratio)*perMetre(n, from.Segment, s)*n.Length(from.Segment))
	for changed := true; changed; {
		changed = false
		for i, cost := range costs {
			if id := n.StateSegment(roadnet.State(i)); !math.IsInf(cost, 1) {
				changed = leave(roadnet.State(i), cost+perMetre(n, id, s)*n.Length(id)) || changed
			}
		}
	}
	return costs
}

func perMetre(n *roadnet.Network, id roadnet.SegmentID, s roadnet.Search) float64 {
	return 1 - s.TimeShare + s.TimeShare*s.Speed/n.FreeFlow(id)
}

// cheapest is the cost to a target by brute force.
func cheapest(n *roadnet.Network, costs []float64, from, to roadnet.Position, s roadnet.Search) float64 {
	best := math.Inf(1)
	for i, cost := range costs {
		if n.StateSegment(roadnet.State(i)) == to.Segment {
			best = min(best, cost+to.Ratio*perMetre(n, to.Segment, s)*n.Length(to.Segment))
		}
	}
	ahead := (to.Ratio - from.Ratio) * n.Length(from.Segment)
	if from.Segment == to.Segment && ahead >= -s.Back {
		best = min(best, max(0, ahead)*perMetre(n, from.Segment, s))
	}
	return best
}

func TestRoutesAreTheCheapest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := roadnettest.Random(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(3, 8).Draw(t, "size"))
		r := roadnet.NewRouter(n)
		position := func(name string) roadnet.Position {
			return roadnet.Position{
				Segment: roadnet.SegmentID(rapid.IntRange(0, n.NumSegments()-1).Draw(t, name)),
				Ratio:   rapid.Float64Range(0, 1).Draw(t, name+" ratio"),
			}
		}
		s := roadnet.Search{
			TimeShare: rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "time share"),
			Speed:     rapid.Float64Range(1, 30).Draw(t, "speed"),
			Turn:      rapid.SampledFrom([]float64{0, 80}).Draw(t, "turn"),
			UTurn:     rapid.Float64Range(0, 1000).Draw(t, "u-turn"),
			Back:      rapid.Float64Range(0, 50).Draw(t, "back"),
			Bound:     rapid.SampledFrom([]float64{300, 1000, 1e9}).Draw(t, "bound"),
		}
		for range rapid.IntRange(1, 3).Draw(t, "searches") { // one after another on the same arrays
			from := position("from")
			to := []roadnet.Position{position("a"), position("b"), position("c")}
			costs := relax(n, from, s)
			for i, leg := range r.Routes(from, to, s) {
				want := cheapest(n, costs, from, to[i], s)
				if leg.Found != (want <= s.Bound) && math.Abs(want-s.Bound) > 0.01 || leg.Found && math.Abs(leg.Cost-want) > 0.01 {
					t.Fatalf("target %d: found %v at %.6f, want %.6f within %.0f", i, leg.Found, leg.Cost, want, s.Bound)
				}
				if leg.Found {
					checkPath(t, n, r.Path(i, nil), from, to[i], s, leg)
				}
			}
		}
	})
}

// checkPath checks that a path can be driven and has the length, time and cost
// of its leg.
func checkPath(t *rapid.T, n *roadnet.Network, path []roadnet.SegmentID, from, to roadnet.Position, s roadnet.Search, leg roadnet.Leg) {
	if path[0] != from.Segment || path[len(path)-1] != to.Segment {
		t.Fatalf("path %v leads not from %d to %d", path, from.Segment, to.Segment)
	}
	state := roadnet.State(path[0])
	length, time, cost := 0.0, 0.0, 0.0
	drive := func(id roadnet.SegmentID, a, b float64) {
		metres := max(0, b-a) * n.Length(id)
		length, time, cost = length+metres, time+metres/n.FreeFlow(id), cost+metres*perMetre(n, id, s)
	}
	for i, id := range path {
		a, b := 0.0, 1.0
		if i == 0 {
			a = from.Ratio
		}
		if i == len(path)-1 {
			b = to.Ratio
		} else {
			var turn float64
			state, turn = follow(t, n, state, path[i+1], s)
			cost += turn
		}
		drive(id, a, b)
	}
	if math.Abs(length-leg.Length) > 1e-3 || math.Abs(time-leg.Time) > 1e-3 || math.Abs(cost-leg.Cost) > 0.01 {
		t.Fatalf("path has %.4f m, %.4f s, cost %.4f, its leg says %v", length, time, cost, leg)
	}
}

// follow is the state after driving from a state onto a segment, and what the
// turn costs.
func follow(t *rapid.T, n *roadnet.Network, state roadnet.State, to roadnet.SegmentID, s roadnet.Search) (roadnet.State, float64) {
	from := n.StateSegment(state)
	next := n.NextStates(state)
	for _, x := range next {
		if n.StateSegment(x) != to {
			continue
		}
		if len(next) == 1 {
			return x, 0
		}
		return x, s.Turn * (1 - math.Cos(n.TurnAngle(from, to)*math.Pi/180))
	}
	if back, ok := n.Reverse(from); !ok || back != to || !n.UTurnAllowed(from) {
		t.Fatalf("no way from segment %d to %d", from, to)
	}
	return roadnet.State(to), s.UTurn
}
