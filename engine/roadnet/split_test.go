package roadnet_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// segments are the segments of a network by their letters, sorted.
func segments(net *roadnettest.Net) string {
	var words []string
	for id := range roadnet.SegmentID(net.NumSegments()) {
		words = append(words, net.Path([]roadnet.SegmentID{id}))
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// after are the segments that may follow one, by their letters, sorted.
func after(net *roadnettest.Net, letters string) string {
	words := strings.Fields(net.Path(net.Next(net.Seg(letters))))
	slices.Sort(words)
	return strings.Join(words, " ")
}

func TestSplitting(t *testing.T) {
	for _, c := range []struct {
		name, drawing string
		specs         []string
		want          string
	}{
		{"a way alone is one segment each way", "A B C", []string{"ABC"}, "ABC CBA"},
		{"a way is split where another meets it", "A B C\n  D", []string{"ABC", "BD"}, "AB BA BC BD CB DB"},
		{"and where another crosses it", "  E\nA B C\n  D", []string{"ABC", "EBD"}, "AB BA BC BD BE CB DB EB"},
		{"a one-way road has one segment", "A B", []string{"AB oneway=yes"}, "AB"},
		{"against its nodes too", "A B", []string{"AB oneway=-1"}, "BA"},
		{"a way that crosses itself is split there", "A B\nD C", []string{"ABCDB oneway=yes"}, "AB BCDB"},
		{"a ring on its own is one segment each way", "A B\nD C", []string{"ABCDA"}, "ABCDA ADCBA"},
		{"a ring is split at its end and where a road meets it", "A B E\nD C", []string{"ABCDA oneway=yes", "BE oneway=yes"}, "AB BCDA BE"},
		{"a ring that a road meets at its end is one loop", "E A B\n  D C", []string{"ABCDA oneway=yes", "AE oneway=yes"}, "ABCDA AE"},
		{"a way that turns back on itself", "A B C", []string{"ABCB oneway=yes"}, "AB BCB"},
		{"a barrier parts a road", "A B C D", []string{"ABCD", "C barrier=bollard"}, "ABC CBA CD DC"},
		{"negative ids are ids", "A B C\n  D", []string{"ABC id=-1", "BD id=-2"}, "AB BA BC BD CB DB"},
	} {
		net := roadnettest.Draw(t, 50, c.drawing, c.specs...)
		if got := segments(net); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestSegmentTellsItsRoad(t *testing.T) {
	net := roadnettest.Draw(t, 100, "A B C", "ABC highway=motorway_link name=Ponte_Nova ref=A1 lanes=3 maxspeed:forward=80 maxspeed:backward=60 toll=yes id=77")
	want := roadnet.Segment{
		ID: net.Seg("CA"), Line: 0, Reversed: true, Way: 77, From: 1, To: 0,
		Class: roadnet.Motorway, Flags: roadnet.FlagLink | roadnet.FlagToll, Lanes: 3, Limit: 60,
		Name: "Ponte Nova", Ref: "A1", StartHeading: 270, EndHeading: 270,
	}
	got := net.Segment(net.Seg("CA"))
	if got.Length < 399 || got.Length > 401 {
		t.Errorf("length %g", got.Length)
	}
	got.Length = 0
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTurnsAtAJunction(t *testing.T) {
	net := roadnettest.Draw(t, 50, `
	    E
	A   B   C
	    D
	`, "AB", "BC oneway=yes", "BD", "EB oneway=yes")
	for seg, want := range map[string]string{"AB": "BC BD", "EB": "BA BC BD", "DB": "BA BC", "BC": "", "BA": ""} {
		if got := after(net, seg); got != want {
			t.Errorf("after %s: %q, want %q", seg, got, want)
		}
	}
	for _, c := range []struct {
		from, to string
		angle    float64
	}{{"AB", "BC", 0}, {"AB", "BD", 90}, {"DB", "BA", -90}, {"AB", "BA", 180}, {"EB", "BA", 90}} {
		if got := net.TurnAngle(net.Seg(c.from), net.Seg(c.to)); abs(got-c.angle) > 0.1 {
			t.Errorf("from %s to %s: %g degrees, want %g", c.from, c.to, got, c.angle)
		}
	}
	for seg, want := range map[string]bool{"AB": false, "BA": true, "BD": true, "BC": true} {
		if got := net.DeadEnd(net.Seg(seg)); got != want {
			t.Errorf("%s is a dead end: %v", seg, got)
		}
	}
	if net.UTurnAllowed(net.Seg("BC")) || !net.UTurnAllowed(net.Seg("AB")) {
		t.Error("a car can turn back on a two-way road, and not on a one-way road")
	}
}

func TestLoops(t *testing.T) {
	net := roadnettest.Draw(t, 50, "E A B\n  D C", "ABCDA", "EA")
	if got := after(net, "EA"); got != "ABCDA ADCBA" {
		t.Errorf("into the loop: %s", got)
	}
	if got := after(net, "ABCDA"); got != "ABCDA AE" {
		t.Errorf("round again or out: %s", got)
	}
	if net.NumComponents() != 1 {
		t.Errorf("%d components", net.NumComponents())
	}
}

func TestBarriersPartRoads(t *testing.T) {
	net := roadnettest.Draw(t, 50, `
	    E
	A   B   C
	    D
	`, "ABC", "EBD", "B barrier=bollard")
	if got := segments(net); got != "AB BA BC BD BE CB DB EB" {
		t.Errorf("segments %s", got)
	}
	for _, s := range []string{"AB", "CB", "DB", "EB"} {
		if got := after(net, s); got != "" {
			t.Errorf("from %s through a barrier to %s", s, got)
		}
	}
	if net.NumNodes() != 8 {
		t.Errorf("%d nodes, want 4 ends and 4 sides of the barrier", net.NumNodes())
	}
	if diff := cmp.Diff(roadnet.Oddity{Count: 1, IDs: []int64{'B'}}, net.Report.Barriers); diff != "" {
		t.Error(diff)
	}
}

// coords are coordinates on a line to the east, by steps of about 100 m.
func coords(steps ...int32) []roadnet.Coord {
	var list []roadnet.Coord
	for _, s := range steps {
		list = append(list, roadnet.Coord{Lon: s * 12_000, Lat: 411_500_000})
	}
	return list
}

// way is a residential road over nodes at some steps.
func way(id int64, nodes []int64, steps ...int32) roadnet.Way {
	return roadnet.Way{
		ID: id, Nodes: nodes, Coords: coords(steps...), Flags: make([]roadnet.VertexFlags, len(nodes)),
		Road: roadnet.Road{Class: roadnet.Residential},
	}
}

func buildWays(t testing.TB, ways ...roadnet.Way) (*roadnet.Network, roadnet.BuildReport) {
	t.Helper()
	b := roadnet.NewBuilder()
	for _, w := range ways {
		if err := b.AddWay(w); err != nil {
			t.Fatal(err)
		}
	}
	net, report, err := b.Build(context.Background(), roadnet.Info{})
	if err != nil {
		t.Fatal(err)
	}
	return net, report
}

func TestOddWays(t *testing.T) {
	net, report := buildWays(t,
		way(1, []int64{1, 2, 2, 3}, 0, 1, 1, 2), // node 2 twice in a row
		way(2, []int64{3, 4, 5}, 2, 3, 3),       // nodes 4 and 5 at one place
		way(3, []int64{5, 6}, 3, 4),             // goes on from 5, and so from 4
		way(4, []int64{7}, 9),                   // a single node
		way(5, []int64{8, 8}, 9, 9),             // nothing left
		way(6, nil),
		way(3, []int64{1, 6}, 0, 4),                             // the id again
		way(7, []int64{9, 10}, -149_000, 149_000),               // across the 180th meridian
		way(8, []int64{11, 12, 13, 14}, 20, 20, 20, 20),         // no length at all
		way(9, []int64{21, 22, 21, 22, 23}, 30, 31, 30, 31, 32), // to and fro
	)
	want := roadnet.BuildReport{
		Ways:             5,
		DuplicateWays:    roadnet.Oddity{Count: 1, IDs: []int64{3}},
		ShortWays:        roadnet.Oddity{Count: 4, IDs: []int64{4, 5, 6, 8}},
		MeridianWays:     roadnet.Oddity{Count: 1, IDs: []int64{7}},
		DuplicateNodes:   roadnet.Oddity{Count: 2, IDs: []int64{2, 8}},
		ZeroLengthPieces: roadnet.Oddity{Count: 4, IDs: []int64{2, 8}},
	}
	if diff := cmp.Diff(want, report); diff != "" {
		t.Error(diff)
	}
	var reach []int64
	id, ok := roadnet.SegmentID(0), false
	for s := range roadnet.SegmentID(net.NumSegments()) {
		if from, _ := net.Ends(s); net.NodeOSM(from) == 1 {
			id, ok = s, true
		}
	}
	for ok {
		reach = append(reach, net.Segment(id).Way)
		if ok = len(net.Next(id)) == 1; ok {
			id = net.Next(id)[0]
		}
	}
	if !slices.Equal(reach, []int64{1, 2, 3}) {
		t.Errorf("from node 1 over ways %v, want 1, 2 and 3", reach)
	}
}

func TestWaysThatCannotBeTaken(t *testing.T) {
	for name, w := range map[string]roadnet.Way{
		"way 1: 2 nodes, 1 coordinates": {ID: 1, Nodes: []int64{1, 2}, Coords: coords(1), Flags: make([]roadnet.VertexFlags, 2)},
		"outside the earth":             {ID: 2, Nodes: []int64{1}, Coords: []roadnet.Coord{{Lat: 900_000_001}}, Flags: make([]roadnet.VertexFlags, 1)},
		"unknown class 99":              {ID: 3, Road: roadnet.Road{Class: 99}},
		"unknown direction 3":           {ID: 4, Dir: 3},
	} {
		err := roadnet.NewBuilder().AddWay(w)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %s", err, name)
		}
	}
}

// More lines at a node than any real junction has are not joined, so that
// turns cannot fill the memory.
func TestCrowdedNode(t *testing.T) {
	var ways []roadnet.Way
	for i := range int64(5000) {
		ways = append(ways, way(i+1, []int64{1, i + 2}, 0, int32(i%100)+1))
	}
	net, report := buildWays(t, ways...)
	if report.CrowdedNodes.Count != 5000-32 {
		t.Errorf("%d line ends are not joined", report.CrowdedNodes.Count)
	}
	turns := 0
	for s := range roadnet.SegmentID(net.NumSegments()) {
		turns += len(net.Next(s))
	}
	if turns != 32*31 {
		t.Errorf("%d turns", turns)
	}
}

func TestCancelledBuild(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := roadnet.NewBuilder().Build(ctx, roadnet.Info{}); err != context.Canceled {
		t.Errorf("%v", err)
	}
}

// The order in which ways and restrictions come does not matter.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64Range(0, 1000).Draw(t, "seed")
		ways, restrictions := roadnettest.RandomWays(seed, 7)
		want := buildAll(ways, restrictions)
		rng := rand.New(rand.NewPCG(seed, 1))
		rng.Shuffle(len(ways), func(i, j int) { ways[i], ways[j] = ways[j], ways[i] })
		rng.Shuffle(len(restrictions), func(i, j int) { restrictions[i], restrictions[j] = restrictions[j], restrictions[i] })
		got := buildAll(ways, restrictions)
		if diff := cmp.Diff(dump(want), dump(got)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func buildAll(ways []roadnet.Way, restrictions []roadnet.Restriction) *roadnet.Network {
	b := roadnet.NewBuilder()
	for _, w := range ways {
		if err := b.AddWay(w); err != nil {
			panic(err)
		}
	}
	for _, r := range restrictions {
		b.AddRestriction(r)
	}
	net, _, err := b.Build(context.Background(), roadnet.Info{})
	if err != nil {
		panic(err)
	}
	return net
}

// Nothing of a way is lost by splitting it, and nothing added.
func TestLengthsSumToTheWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ways, _ := roadnettest.RandomWays(rapid.Uint64Range(0, 1000).Draw(t, "seed"), 8)
		net := buildAll(ways, nil)
		want, got := make(map[int64]float64), make(map[int64]float64)
		for _, w := range ways {
			for i := 1; i < len(w.Coords); i++ {
				want[w.ID] += roadnet.Distance(w.Coords[i-1].Point(), w.Coords[i].Point())
			}
		}
		for l := range roadnet.LineID(net.NumLines()) {
			got[net.LineWay(l)] += net.LineLength(l)
		}
		for id, length := range want {
			if abs(got[id]-length) > 1e-4*length {
				t.Fatalf("way %d: %g m of %g m", id, got[id], length)
			}
		}
	})
}
