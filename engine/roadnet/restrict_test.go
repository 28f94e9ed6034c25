package roadnet_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// cross is a junction of four two-way roads.
const cross = `
    N
W   X   E
    S
`

func TestRestrictionsAtAJunction(t *testing.T) {
	roads := []string{"WX", "XE", "NX", "XS"}
	for _, c := range []struct {
		restriction string
		segment     string
		want        string
		uTurn       bool
	}{
		{"no_left_turn WX X NX", "WX", "XE XS", true},
		{"no_left_turn WX X NX", "EX", "XN XS XW", true},
		{"only_straight_on WX X XE", "WX", "XE", false},
		{"only_straight_on WX X XE", "SX", "XE XN XW", true},
		{"no_u_turn WX X WX", "WX", "XE XN XS", false},
		{"no_u_turn WX X WX", "XW", "", true},
		{"only_u_turn WX X WX", "WX", "", true},
		{"no_entry WX,XE X XS", "WX", "XE XN", true},
		{"no_entry WX,XE X XS", "EX", "XN XW", true},
		{"no_entry WX,XE X XS", "NX", "XE XS XW", true},
		{"no_exit WX X XS,NX", "WX", "XE", true},
	} {
		net := roadnettest.Draw(t, 50, cross, append(slices.Clone(roads), c.restriction)...)
		if got := after(net, c.segment); got != c.want {
			t.Errorf("%s: after %s %q, want %q", c.restriction, c.segment, got, c.want)
		}
		if got := net.UTurnAllowed(net.Seg(c.segment)); got != c.uTurn {
			t.Errorf("%s: U-turn after %s: %v", c.restriction, c.segment, got)
		}
		if net.Report.Restrictions != 1 {
			t.Errorf("%s: %d applied", c.restriction, net.Report.Restrictions)
		}
	}
}

// Two only_ restrictions from one road allow what either allows.
func TestSeveralOnlyRestrictions(t *testing.T) {
	net := roadnettest.Draw(t, 50, cross, "WX", "XE", "NX", "XS",
		"only_straight_on WX X XE", "only_right_turn WX X XS")
	if got := after(net, "WX"); got != "XE XS" {
		t.Errorf("after WX %s", got)
	}
}

// A restriction holds for the segment at the junction, not for the whole way.
func TestRestrictionOfASplitWay(t *testing.T) {
	net := roadnettest.Draw(t, 50, `
	A   B   C   D
	    E   F
	`, "ABC", "CD", "BE", "CF", "no_right_turn ABC C CF")
	if got := after(net, "BC"); got != "CD" {
		t.Errorf("after BC %s", got)
	}
	if got := after(net, "AB"); got != "BC BE" {
		t.Errorf("after AB %s", got)
	}
}

func TestRestrictionsThatCannotBeApplied(t *testing.T) {
	for _, c := range []struct {
		name                  string
		restriction           string
		unresolved, ambiguous int
	}{
		{"the ways do not meet there", "no_left_turn WX S NX", 1, 0},
		{"the way is one-way, away from the junction", "no_left_turn XZ X NX", 1, 0},
		{"the way is one-way, towards the junction", "no_left_turn NX X YX", 1, 0},
		{"the way goes on behind the junction", "no_left_turn PXQ X NX", 0, 1},
		{"the ways meet, but not over the via way", "no_u_turn WX NX XE", 1, 0},
	} {
		net := roadnettest.Draw(t, 50, `
		Y N Q
		W X E
		P S Z
		`, "WX", "XE", "NX", "XS", "XZ oneway=yes", "YX oneway=yes", "PXQ", c.restriction)
		u, a := net.Report.UnresolvedRestrictions, net.Report.AmbiguousRestrictions
		if u.Count != c.unresolved || a.Count != c.ambiguous || net.Report.Restrictions != 0 {
			t.Errorf("%s: unresolved %v, ambiguous %v", c.name, u, a)
		}
		if got := after(net, "WX"); got != "XE XN XP XQ XS XZ" {
			t.Errorf("%s: after WX %s", c.name, got)
		}
	}
}

// reach is where a car can be after some drives, all restrictions kept: the
// segments that may follow the last one, sorted.
func reach(net *roadnettest.Net, path ...string) string {
	states := []roadnet.State{net.Seg(path[0])}
	for _, letters := range path[1:] {
		var next []roadnet.State
		for _, s := range states {
			for _, after := range net.NextStates(s) {
				if net.StateSegment(after) == net.Seg(letters) {
					next = append(next, after)
				}
			}
		}
		states = next
	}
	var words []string
	for _, s := range states {
		for _, after := range net.NextStates(s) {
			words = append(words, net.Path([]roadnet.SegmentID{net.StateSegment(after)}))
		}
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// dual is a dual carriageway, A-B-C-D one way and H-G-F-E the other, with
// links B-G and C-F between.
const dual = `
E   F   G   H


A   C   B   D
`

func dualRoads(restrictions ...string) []string {
	return append([]string{
		"AC oneway=yes", "CB oneway=yes", "BD oneway=yes",
		"HG oneway=yes", "GF oneway=yes", "FE oneway=yes", "BG", "CF",
	}, restrictions...)
}

func TestNoUTurnOverALink(t *testing.T) {
	net := roadnettest.Draw(t, 50, dual, dualRoads("no_u_turn CB BG GF")...)
	if got := reach(net, "CB", "BG"); got != "" {
		t.Errorf("from CB over BG to %s", got)
	}
	if got := reach(net, "BG"); got != "GF" {
		t.Errorf("having started on BG to %s", got)
	}
	if got := reach(net, "AC", "CB"); got != "BD BG" {
		t.Errorf("after CB: %s", got)
	}
	if net.NumStates() != net.NumSegments()+1 {
		t.Errorf("%d states for %d segments", net.NumStates(), net.NumSegments())
	}
	if got := after(net, "BG"); got != "GF" {
		t.Errorf("Next of BG: %s", got)
	}
}

func TestOnlyOverAWay(t *testing.T) {
	net := roadnettest.Draw(t, 50, dual, dualRoads("only_straight_on AC CB BD")...)
	if got := reach(net, "AC"); got != "CB" {
		t.Errorf("after AC: %s", got)
	}
	if got := reach(net, "AC", "CB"); got != "BD" {
		t.Errorf("from AC over CB: %s", got)
	}
	if got := reach(net, "CB"); got != "BD BG" {
		t.Errorf("from CB: %s", got)
	}
	if got := reach(net, "FC", "CB"); got != "BD BG" {
		t.Errorf("from FC over CB: %s", got)
	}
}

func TestRestrictionOverSeveralWays(t *testing.T) {
	net := roadnettest.Draw(t, 50, dual, dualRoads("no_u_turn AC CB,BG GF")...)
	if got := reach(net, "AC", "CB", "BG"); got != "" {
		t.Errorf("from AC over CB and BG to %s", got)
	}
	if got := reach(net, "FC", "CB", "BG"); got != "GF" {
		t.Errorf("from FC over CB and BG to %s", got)
	}
	if net.NumStates() != net.NumSegments()+2 {
		t.Errorf("%d states for %d segments", net.NumStates(), net.NumSegments())
	}
}

// The via way is one way on the map but three segments between its ends.
func TestRestrictionOverASplitWay(t *testing.T) {
	net := roadnettest.Draw(t, 50, `
	    P   Q
	A   B   C   D   E
	            Z
	`, "AB", "BCD", "DE", "DZ", "BP", "CQ", "no_right_turn AB BCD DZ")
	if got := reach(net, "AB", "BC", "CD"); got != "DE" {
		t.Errorf("from AB over BCD to %s", got)
	}
	if got := reach(net, "PB", "BC", "CD"); got != "DE DZ" {
		t.Errorf("from PB over BCD to %s", got)
	}
	if got := reach(net, "QC", "CD"); got != "DE DZ" {
		t.Errorf("from QC over CD to %s", got)
	}
}

// Every drive of a few segments is possible exactly if no restriction forbids
// a path in it.
func TestStatesAgreeWithTheRestrictions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ways, restrictions := singleSegmentCity(t)
		net := buildAll(ways, restrictions)
		for s := range roadnet.SegmentID(net.NumSegments()) {
			drive(t, net, restrictions, []roadnet.SegmentID{s}, s)
		}
	})
}

// singleSegmentCity is a small crooked grid of one-way ways, each a single
// segment, with no_ restrictions over paths of ways.
func singleSegmentCity(t *rapid.T) ([]roadnet.Way, []roadnet.Restriction) {
	const size = 3
	node := func(x, y int) int64 { return int64(y*size + x + 1) }
	var ways []roadnet.Way
	add := func(x, y, toX, toY int) {
		for _, ends := range [][4]int{{x, y, toX, toY}, {toX, toY, x, y}} {
			ways = append(ways, roadnet.Way{
				ID: int64(len(ways) + 1), Dir: roadnet.Forward,
				Nodes:  []int64{node(ends[0], ends[1]), node(ends[2], ends[3])},
				Coords: []roadnet.Coord{{Lon: int32(ends[0]) * 10000, Lat: int32(ends[1]) * 10000}, {Lon: int32(ends[2]) * 10000, Lat: int32(ends[3]) * 10000}},
				Flags:  make([]roadnet.VertexFlags, 2),
				Road:   roadnet.Road{Class: roadnet.Residential},
			})
		}
	}
	for i := range size {
		for j := range size - 1 {
			add(i, j, i, j+1)
			add(j, i, j+1, i)
		}
	}
	var restrictions []roadnet.Restriction
	for range rapid.IntRange(1, 12).Draw(t, "restrictions") {
		path := []int64{rapid.Int64Range(1, int64(len(ways))).Draw(t, "from")}
		for range rapid.IntRange(2, 4).Draw(t, "length") {
			end := ways[path[len(path)-1]-1].Nodes[1]
			var next []int64
			for _, w := range ways {
				if w.Nodes[0] == end && !slices.Contains(path, w.ID) {
					next = append(next, w.ID)
				}
			}
			if len(next) > 0 {
				path = append(path, rapid.SampledFrom(next).Draw(t, "next"))
			}
		}
		if len(path) < 3 {
			continue
		}
		restrictions = append(restrictions, roadnet.Restriction{
			ID: int64(len(restrictions) + 1), From: path[:1], ViaWays: path[1 : len(path)-1], To: path[len(path)-1:],
		})
	}
	return ways, restrictions
}

// drive goes on from a path in all ways, up to five segments, and checks that
// exactly the drives without a forbidden path in them are possible.
func drive(t *rapid.T, net *roadnet.Network, restrictions []roadnet.Restriction, path []roadnet.SegmentID, at roadnet.State) {
	if len(path) == 5 {
		return
	}
	after := make(map[roadnet.SegmentID]roadnet.State)
	for _, s := range net.NextStates(at) {
		after[net.StateSegment(s)] = s
	}
	for _, next := range net.Next(path[len(path)-1]) {
		longer := append(slices.Clone(path), next)
		state, possible := after[next]
		if allowed := !endsForbidden(net, restrictions, longer); allowed != possible {
			t.Fatalf("%v: allowed %v, possible %v", longer, allowed, possible)
		}
		if possible {
			drive(t, net, restrictions, longer, state)
		}
	}
}

// endsForbidden reports whether a path ends with one that is forbidden.
func endsForbidden(net *roadnet.Network, restrictions []roadnet.Restriction, path []roadnet.SegmentID) bool {
	var ways []int64
	for _, s := range path {
		ways = append(ways, net.Segment(s).Way)
	}
	return slices.ContainsFunc(restrictions, func(r roadnet.Restriction) bool {
		forbidden := slices.Concat(r.From, r.ViaWays, r.To)
		return len(ways) >= len(forbidden) && slices.Equal(ways[len(ways)-len(forbidden):], forbidden)
	})
}

// A restriction with more members than any real one has is left out.
func TestHostileRestriction(t *testing.T) {
	b := roadnet.NewBuilder()
	if err := b.AddWay(way(1, []int64{1, 2}, 0, 1)); err != nil {
		t.Fatal(err)
	}
	many := make([]int64, 30_000)
	for i := range many {
		many[i] = 1
	}
	b.AddRestriction(roadnet.Restriction{ID: 7, From: many, To: many, ViaWays: many})
	_, report, err := b.Build(context.Background(), roadnet.Info{})
	if err != nil || report.UnresolvedRestrictions.Count != 1 {
		t.Errorf("%v, %+v", err, report)
	}
}
