package feature

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// A car at A has a minute to F. C lies on the way, E is a dead end far off it.
func TestMovesReachTheNextSampleInTime(t *testing.T) {
	net := roadnettest.Draw(t, 100, `
	    E-----------A---B---C---F
	`,
		"EA highway=residential oneway=yes", "AB highway=residential oneway=yes",
		"BC highway=residential oneway=yes", "CF highway=residential oneway=yes",
		"A highway=stop", "B highway=traffic_signals",
	)
	m, goal := NewMoveMaker(net.Network, DefaultTicks()), Goal{}
	last, next := net.Pos("AB", 0.5), net.Pos("CF", 0.5)
	m.Begin(&goal, net.At(last), net.At(next), []roadnet.Hit{{Position: next}}, 75)
	var moves Moves
	m.Fill(&moves, &goal, last, 60, 15)
	got := map[string]int{}
	for k, id := range moves.Segments {
		got[net.Path([]roadnet.SegmentID{roadnet.SegmentID(id)})] = k
	}
	if _, ok := got["CF"]; len(got) != 2 || !ok {
		t.Fatalf("candidates %v, want BC and CF: from AB it is too late", got)
	}
	bc := moves.Values[got["BC"]*moves.Columns:][:moves.Columns]
	rest := 0.5 * net.Length(net.Seg("AB"))
	left := 0.5 * net.Length(net.Seg("CF"))
	for name, want := range map[string]float64{
		"same_segment": 0, "distance": math.Log1p(rest/50) / 4, "signals": 0.25, "left": math.Log1p(left/100) / 4,
		"time_left": math.Log1p(1) / 4, "heading_cosine": 1,
	} {
		if v := column(t, moveColumns(), bc, name); math.Abs(float64(v)-want) > 1e-3 {
			t.Errorf("%s of BC is %v, want %v", name, v, want)
		}
	}
	if m.Fill(&moves, &goal, last, 15, 1); len(moves.Segments) != 0 {
		t.Errorf("%d candidates from where the next sample cannot be reached in a second", len(moves.Segments))
	}
}

// At a sample only its candidates count, each with its weight; the first sample
// of a trip is reached from nowhere.
func TestMovesAtASampleAreItsCandidates(t *testing.T) {
	net := roadnettest.Draw(t, 100, `
	    A---B---C---D
	        |
	        E
	`, "ABCD highway=residential oneway=yes", "BE highway=residential oneway=yes")
	m, goal := NewMoveMaker(net.Network, DefaultTicks()), Goal{}
	last := net.Pos("AB", 0.5)
	hits := []roadnet.Hit{{Position: net.Pos("BCD", 0.5), Distance: 15}, {Position: net.Pos("BE", 0.5), Distance: 30}, {Position: net.Pos("AB", 0.2), Distance: 1e3}}
	m.Begin(&goal, net.At(last), net.At(hits[0].Position), hits, 120)
	var moves Moves
	m.FillSample(&moves, &goal, last, 30)
	want := map[int32]float64{0: -1, 1: -4, 2: math.Log(1e-6)}
	if len(moves.Segments) != len(want) {
		t.Fatalf("%d moves, want one for each candidate", len(moves.Segments))
	}
	for k, c := range moves.Candidates {
		if roadnet.SegmentID(moves.Segments[k]) != hits[c].Segment || math.Abs(float64(moves.Weights[k])-want[c]) > 1e-5 {
			t.Errorf("candidate %d is segment %d with weight %v, want %v", c, moves.Segments[k], moves.Weights[k], want[c])
		}
		path := net.Path(m.Path(k, nil))
		if right := []string{"BCD", "BE", ""}[c]; path != right {
			t.Errorf("the way to candidate %d is %q, want %q", c, path, right)
		}
	}
	if math.Abs(moves.Within) > 1e-9 {
		t.Errorf("all candidates are within reach, but only exp(%v) of them", moves.Within)
	}
	m.FillSample(&moves, &goal, last, 5)
	if want := math.Log(1e-6 / (1e-6 + math.Exp(-4) + math.Exp(-1))); len(moves.Segments) != 1 || math.Abs(moves.Within-want) > 1e-5 {
		t.Errorf("after 5 s %d moves hold exp(%v) of the mask, want 1 and exp(%v)", len(moves.Segments), moves.Within, want)
	}
	m.FillFirst(&moves, hits)
	if len(moves.Segments) != 3 || len(moves.Values) != 3*moves.Columns || slices.Max(moves.Values) != 0 {
		t.Errorf("the first sample has %d moves with %v", len(moves.Segments), moves.Values)
	}
}

// A drive at free flow is never outside the mask, on any network.
func TestADriveAtFreeFlowIsAmongTheMoves(t *testing.T) {
	for seed := range uint64(10) {
		net := roadnettest.Random(seed, 10)
		rng := rand.New(rand.NewPCG(seed, 3))
		m, router := NewMoveMaker(net, DefaultTicks()), roadnet.NewRouter(net)
		for range 20 {
			from := roadnet.Position{Segment: roadnet.SegmentID(rng.IntN(net.NumSegments())), Ratio: rng.Float64()}
			to := roadnet.Position{Segment: roadnet.SegmentID(rng.IntN(net.NumSegments())), Ratio: rng.Float64()}
			leg := router.Routes(from, []roadnet.Position{to}, roadnet.Search{TimeShare: 1, Speed: 1, UTurn: 10, Bound: 300})[0]
			if leg.Found && leg.Time > 30 && net.NumStates() == net.NumSegments() {
				follow(t, seed, net, m, router.Path(0, nil), from, to, leg.Cost)
			}
		}
	}
}

// Where no tag says that a road is a motorway, vehicles drive far faster than it
// is thought to be driven; the samples tell so.
func TestAVehicleFasterThanItsRoadIsAmongTheMoves(t *testing.T) {
	net := roadnettest.Draw(t, 500, `
	    A---B---C---D---E---F---G
	`, "AB highway=residential", "BC highway=residential", "CD highway=residential",
		"DE highway=residential", "EF highway=residential", "FG highway=residential")
	m, goal := NewMoveMaker(net.Network, DefaultTicks()), Goal{}
	from, to := net.Pos("AB", 0.1), net.Pos("FG", 0.9)
	path := []roadnet.SegmentID{net.Seg("AB"), net.Seg("BC"), net.Seg("CD"), net.Seg("DE"), net.Seg("EF"), net.Seg("FG")}
	metres := 0.0
	for _, p := range Pieces(net.Network, path, from, to, nil) {
		metres += p.Length
	}
	seconds := metres / (4 * net.FreeFlow(net.Seg("AB")))
	m.Begin(&goal, net.At(from), net.At(to), []roadnet.Hit{{Position: to}}, seconds)
	var moves Moves
	m.Fill(&moves, &goal, from, seconds/2, seconds/2)
	if !slices.Contains(moves.Segments, int32(net.Seg("CD"))) {
		t.Errorf("after half the time the middle is not among the %d moves", len(moves.Segments))
	}
}

func follow(t *testing.T, seed uint64, net *roadnet.Network, m *MoveMaker, path []roadnet.SegmentID, from, to roadnet.Position, total float64) {
	t.Helper()
	const tick = 15
	var goal Goal
	m.Begin(&goal, net.At(from), net.At(to), []roadnet.Hit{{Position: to}}, total)
	var moves Moves
	last, now := from, 0.0
	for _, p := range Pieces(net, path, from, to, nil) {
		now += p.Length / net.FreeFlow(p.Segment)
		if now < tick {
			continue
		}
		m.Fill(&moves, &goal, last, tick, total-tick)
		within(t, seed, "moves", moves.Values, moveColumns())
		for _, id := range moves.Segments {
			if roadnet.SegmentID(id) == p.Segment {
				return
			}
		}
		t.Fatalf("seed %d: segment %d, reached after %v s, is not among %d candidates", seed, p.Segment, now, len(moves.Segments))
	}
}
