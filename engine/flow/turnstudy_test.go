package flow

import (
	"fmt"
	"math"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// crossing is a junction of one node, X, and one of two, P and Q, where a street
// crosses the two carriageways of a road.
func crossing(t testing.TB) *roadnettest.Net {
	return roadnettest.Draw(t, 20, `
		            N                   U
		            |                   |
		            |                   |
		W-----------X------------------P------------E
		            |                   |
		            |                  Q------------F
		            |                   |
		            S                   D
	`, "WX", "XN", "XS", "XP", "PU", "PE oneway=-1", "PQ", "QF oneway=yes", "QD")
}

func turnsOf(net *roadnettest.Net, s Study, join float64, trips ...Trip) map[string]Count {
	study := NewTurnStudy(net.Network, s, FindJunctions(net.Network, join), nil)
	for _, t := range trips {
		study.Add(t)
	}
	got := map[string]Count{}
	for _, r := range study.Rows() {
		from, _ := net.Ends(r.Approach)
		_, to := net.Ends(r.Exit)
		got[fmt.Sprintf("%c%c at %c, %s", rune(net.NodeOSM(from)), rune(net.NodeOSM(to)), rune(r.Junction.ID), r.Turn)] = r.Count
	}
	return got
}

func TestTurnsAreCountedFromApproachToExit(t *testing.T) {
	net := crossing(t)
	trips := []Trip{
		at(net, "1", "a", start, 60, "WX", "XP"),
		at(net, "2", "b", start, 60, "WX", "XN"),
		at(net, "3", "c", start, 60, "WX", "XS").or(net, 0.75, 0.25, "WX", "XN"),
		at(net, "4", "c", start, 60, "NX", "XW"),
		at(net, "5", "d", start, 60, "SX", "XS"),
	}
	got := turnsOf(net, Study{}, 0, trips...)
	for turn, want := range map[string]float64{"WP at X, straight": 1, "WN at X, left": 1.25, "WS at X, right": 0.75, "NW at X, right": 1, "SS at X, u-turn": 1} {
		near(t, turn, got[turn].Mean, want)
	}
	if len(got) != 5 {
		t.Errorf("%v", got)
	}
	if c := got["WN at X, left"]; c.Told != 1 || c.Trips != 1 || c.Vehicles != 1 {
		t.Errorf("%+v", c)
	}
}

// P and Q are 40 m apart: joined they are one junction with five arms, of which no
// movement ends between them.
func TestNodesCloseTogetherAreOneJunction(t *testing.T) {
	net := crossing(t)
	through := at(net, "1", "a", start, 60, "XP", "PQ", "QF")
	apart := turnsOf(net, Study{}, 30, through)
	joined := turnsOf(net, Study{}, 50, through)
	if len(apart) != 2 || len(joined) != 1 || joined["XF at P, straight"].Mean != 1 && joined["XF at P, right"].Mean != 1 {
		t.Errorf("apart %v, joined %v", apart, joined)
	}
	all := FindJunctions(net.Network, 50).All()
	if len(all) != 2 {
		t.Errorf("%d junctions, want 2: %+v", len(all), all)
	}
	j := FindJunctions(net.Network, 50)
	if k := j.Nearest(net.PointNear('Q', 5, 5)); len(j.All()[k].Nodes) != 2 {
		t.Errorf("the junction at Q has the nodes %v", j.All()[k].Nodes)
	}
}

// The approach is known from before the sample at which another way begins.
func TestAnotherWayBeginsWhereTheTripCameFrom(t *testing.T) {
	net := crossing(t)
	trip := at(net, "1", "a", start, 60, "WX", "XP", "PU")
	r := trip.Recovery
	middle := r.Ticks[0]
	middle.Time, middle.Along, middle.Sample = r.Ticks[0].Time+20_000, net.Length(net.Seg("WX"))+10, 1
	r.Ticks[1].Sample = 2
	r.Ticks = append(r.Ticks[:1:1], middle, r.Ticks[1])
	trip = trip.or(net, 0.5, 0.5, "XP", "PQ", "QF")
	a := &r.Alternatives[0]
	a.FromSample, a.ToSample, a.Part.StartRatio = 1, 2, 10/net.Length(net.Seg("XP"))
	r.Doubts[0].FromSample, r.Doubts[0].ToSample = 1, 2
	got := turnsOf(net, Study{}, 50, trip)
	near(t, "into U", got["XU at P, left"].Mean, 0.5)
	near(t, "into F", got["XF at P, straight"].Mean+got["XF at P, right"].Mean, 0.5)
	near(t, "straight on before", got["WP at X, straight"].Mean, 1)
}

// Where one cell of a row is withheld, its smallest neighbour goes too: else the sum of
// the row tells it.
func TestWithheldTurnsCannotBeToldFromSums(t *testing.T) {
	cells := []struct{ row, column string }{{"a", "x"}, {"a", "y"}, {"a", "z"}, {"b", "x"}, {"b", "y"}, {"b", "z"}, {"c", "z"}}
	counts := []Count{withheld(), {Mean: 30}, {Mean: 7}, {Mean: 9}, {Mean: 20}, {Mean: 8}, {Mean: 5}}
	complement(len(cells), func(i int) (string, string) { return cells[i].row, cells[i].column }, func(i int) *Count { return &counts[i] })
	lines := map[string]int{}
	for i, c := range counts {
		if c.Withheld != math.IsNaN(c.Mean) {
			t.Errorf("%+v", c)
		}
		if c.Withheld {
			lines[cells[i].row]++
			lines[cells[i].column]++
		}
	}
	for line, n := range lines {
		if n == 1 && line != "c" {
			t.Errorf("%s has one withheld cell: %v", line, counts)
		}
	}
	if counts[1].Withheld || counts[4].Withheld {
		t.Errorf("%v: the largest need not be withheld", counts)
	}
	none := []Count{{Mean: 1}, {Mean: 2}}
	complement(2, func(i int) (roadnet.SegmentID, roadnet.SegmentID) { return 0, roadnet.SegmentID(i) }, func(i int) *Count { return &none[i] })
	if none[0].Withheld || none[1].Withheld {
		t.Error("cells are withheld for nothing")
	}
}
