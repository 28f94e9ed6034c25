package feature

import (
	"math"
	"slices"
	"testing"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// crossroads: a primary road from A to C with a signal at B, where a one-way
// residential street leaves.
func crossroads(t testing.TB) *roadnettest.Net {
	return roadnettest.Draw(t, 100, `
	    A---B---C
	        |
	        D
	`,
		"ABC highway=primary lanes=2 maxspeed=50",
		"BD highway=residential oneway=yes",
		"B highway=traffic_signals",
	)
}

// column finds a value by the name of its column.
func column(t testing.TB, cols []Column, row []float32, name string) float32 {
	t.Helper()
	for i, c := range cols {
		if c.Name == name {
			return row[i]
		}
	}
	t.Fatalf("no column %q", name)
	return 0
}

func TestStaticFeaturesOfASegment(t *testing.T) {
	net := crossroads(t)
	roads := NewRoads(net.Network)
	of := func(letters, name string) float32 {
		id := int(net.Seg(letters))
		return column(t, roadColumns(), roads.Values[id*roads.Columns:(id+1)*roads.Columns], name)
	}
	length := net.Length(net.Seg("AB"))
	for _, want := range []struct {
		letters, name string
		value         float64
	}{
		{"AB", "class_primary", 1}, {"AB", "class_unknown", 0}, {"AB", "length", math.Log1p(length / 100)},
		{"AB", "out_degree", 0.5}, {"AB", "in_degree", 0}, {"CB", "out_degree", 0.5},
		{"AB", "lanes_unknown", 0}, {"BD", "lanes_unknown", 1},
		{"AB", "limit", 0.5}, {"BD", "limit_unknown", 1},
		{"BD", "one_way", 1}, {"AB", "one_way", 0}, {"BD", "dead_end", 1},
		{"AB", "signals_at_end", 0.25}, {"BA", "signals_at_end", 0}, {"BD", "signals_on", 0},
	} {
		if got := of(want.letters, want.name); math.Abs(float64(got)-want.value) > 1e-5 {
			t.Errorf("%s of %s is %v, want %v", want.name, want.letters, got, want.value)
		}
	}
}

func TestCellsFollowTheSegment(t *testing.T) {
	net := crossroads(t)
	cells := NewCells(net.Network)
	id := int(net.Seg("AB"))
	n := int(cells.Counts[id])
	// 400 m in cells of 50 m; the last touches one more by its end.
	if passed := len(net.Cells(net.Seg("AB"), nil)); n != 8 || passed-n > 1 {
		t.Fatalf("%d cells described, the segment passes %d", n, passed)
	}
	sum := 0.0
	for i := range n {
		row := cells.Values[(id*cells.Cap+i)*cells.Columns:][:cells.Columns]
		sum += 50 * float64(column(t, cellColumns(), row, "length"))
		if east := column(t, cellColumns(), row, "heading_east"); east < 0.99 {
			t.Errorf("cell %d: a road to the east heads %v east", i, east)
		}
	}
	if length := net.Length(net.Seg("AB")); math.Abs(sum-length) > 0.1 {
		t.Errorf("the cells hold %v m of a segment of %v m", sum, length)
	}
}

func TestCellsKeepTheirNumbers(t *testing.T) {
	net := crossroads(t)
	cells := NewCells(net.Network)
	numbers := func(letters string) []int32 {
		id := int(net.Seg(letters))
		return cells.Numbers[id*cells.Cap:][:cells.Counts[id]]
	}
	there, back := numbers("AB"), slices.Clone(numbers("BA"))
	slices.Reverse(back)
	if shared := len(there) - 1; !slices.Equal(there[:shared], back[:shared]) && !slices.Equal(there[1:], back[1:]) {
		t.Errorf("there the cells are %v, back %v", there, back)
	}
	if slices.Contains(numbers("BD"), there[0]) {
		t.Error("two cells 300 m apart have the same number")
	}
}

func TestNeighboursAreThoseOfTheNetwork(t *testing.T) {
	net := crossroads(t)
	n := NewNeighbours(net.Network)
	id := int(net.Seg("AB"))
	got := map[int32]bool{}
	for _, s := range n.Successors[id*n.Cap : (id+1)*n.Cap] {
		got[s] = true
	}
	want := map[int32]bool{int32(net.Seg("BC")): true, int32(net.Seg("BD")): true, int32(net.NumSegments()): true}
	if len(got) != len(want) {
		t.Fatalf("successors %v, want %v", got, want)
	}
	for s := range want {
		if !got[s] {
			t.Errorf("successor %d is missing", s)
		}
	}
}

// samplesAt makes a trajectory of one sample a minute.
func samplesAt(points ...roadnet.Point) []trajectory.Sample {
	samples := make([]trajectory.Sample, len(points))
	for i, p := range points {
		samples[i] = trajectory.Sample{Time: int64(i) * 60_000, Lon: p.Lon, Lat: p.Lat}
	}
	return samples
}

func TestSubGraphsHoldTheNearestSegments(t *testing.T) {
	net := crossroads(t)
	m, err := NewPointMaker(net.Network, DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	var p Points
	m.Fill(&p, samplesAt(net.PointNear('B', -50, 10), net.Point('C')))
	if roadnet.SegmentID(p.Segments[0]) != net.Seg("AB") && roadnet.SegmentID(p.Segments[0]) != net.Seg("BA") {
		t.Errorf("the nearest segment is %d", p.Segments[0])
	}
	if want := math.Exp(-10.0 * 10 / 900); math.Abs(float64(p.Weights[0])-want) > 1e-3 {
		t.Errorf("weight %v at 10 m, want %v", p.Weights[0], want)
	}
	seen := 0
	for j := range p.Sub {
		if int(p.Segments[j]) < net.NumSegments() {
			seen++
		} else if p.Weights[j] != 0 {
			t.Errorf("weight %v of no segment", p.Weights[j])
		}
	}
	if seen != net.NumSegments() {
		t.Errorf("%d segments in the sub-graph, %d lie within 400 m", seen, net.NumSegments())
	}
	for j := range seen {
		checkSubEdges(t, net, &p, j)
	}
}

// checkSubEdges compares the connections in a sub-graph with the network's.
func checkSubEdges(t *testing.T, net *roadnettest.Net, p *Points, j int) {
	t.Helper()
	count := 0
	for _, k := range p.SubSuccessors[j*p.Neighbours : (j+1)*p.Neighbours] {
		if int(k) == p.Sub {
			continue
		}
		count++
		found := false
		for _, id := range net.Next(roadnet.SegmentID(p.Segments[j])) {
			found = found || int32(id) == p.Segments[k]
		}
		if !found {
			t.Errorf("segment %d does not lead to %d", p.Segments[j], p.Segments[k])
		}
	}
	if want := len(net.Next(roadnet.SegmentID(p.Segments[j]))); count != want {
		t.Errorf("%d successors of segment %d in the sub-graph, want %d", count, p.Segments[j], want)
	}
}

func TestASampleDoesNotSeeWhereItIs(t *testing.T) {
	net := crossroads(t)
	m, _ := NewPointMaker(net.Network, DefaultSettings())
	var p Points
	m.Fill(&p, samplesAt(net.Point('A'), net.Point('C')))
	first := p.Values[:p.Columns]
	if got := column(t, pointColumns(), first, "no_previous"); got != 1 {
		t.Error("the first sample has no previous one")
	}
	if got := column(t, pointColumns(), first, "next_east"); math.Abs(float64(got)-1) > 1e-3 {
		t.Errorf("the way to the next sample heads %v east", got)
	}
	if got, want := column(t, pointColumns(), first, "next_gap"), math.Log1p(4)/4; math.Abs(float64(got)-want) > 1e-5 {
		t.Errorf("gap %v, want %v", got, want)
	}
}

func TestEveryValueIsInTheRangeOfItsColumn(t *testing.T) {
	for seed := range uint64(8) {
		net := roadnettest.Random(seed, 12)
		roads, cells := NewRoads(net), NewCells(net)
		within(t, seed, "roads", roads.Values, roadColumns())
		within(t, seed, "cells", cells.Values, cellColumns())
		m, _ := NewPointMaker(net, DefaultSettings())
		var p Points
		b := net.Info().Bounds
		m.Fill(&p, samplesAt(b.Center(), roadnet.Point{Lon: b.MinLon, Lat: b.MaxLat}, b.Center(), roadnet.Point{Lon: b.MaxLon, Lat: b.MinLat}))
		within(t, seed, "points", p.Values, pointColumns())
		within(t, seed, "pairs", p.Pairs, pairColumns())
	}
}

func within(t *testing.T, seed uint64, tensor string, values []float32, cols []Column) {
	t.Helper()
	for i, v := range values {
		if c := cols[i%len(cols)]; !(v >= c.Min && v <= c.Max) {
			t.Fatalf("seed %d: %s.%s is %v, outside %v..%v", seed, tensor, c.Name, v, c.Min, c.Max)
		}
	}
}

func TestEnvironmentIsInThePlacesOwnTime(t *testing.T) {
	lisbon := NewEnvironment("Europe/Lisbon")
	values := make([]float32, len(environmentColumns()))
	at := func(s string) {
		when, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		lisbon.Fill(values, when.UnixMilli())
	}
	at("2013-07-01T08:30:00Z") // summer time: nine o'clock in Porto, a Monday
	if column(t, environmentColumns(), values, "hour_09") != 1 {
		t.Error("half past eight UTC in July is not nine o'clock in Lisbon's time")
	}
	if column(t, environmentColumns(), values, "holiday") != 0 {
		t.Error("1 July is no holiday")
	}
	at("2013-04-25T12:00:00Z")
	if column(t, environmentColumns(), values, "holiday") != 1 {
		t.Error("25 April is a holiday in Portugal")
	}
	NewEnvironment("").Fill(values, 0)
	for _, name := range []string{"hour_unknown", "holiday_unknown"} {
		if column(t, environmentColumns(), values, name) != 1 {
			t.Errorf("%s of a place without a time zone", name)
		}
	}
}

func TestAnotherSchemaIsRefused(t *testing.T) {
	s := CurrentSchema()
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	other := CurrentSchema()
	other.Tensors[0].Columns[3].Max = 7
	if err := other.Check(); err == nil {
		t.Error("another range of a column passed")
	}
	other = CurrentSchema()
	other.Tensors[2].Name = "something"
	if err := other.Check(); err == nil {
		t.Error("an unknown tensor passed")
	}
	other = CurrentSchema()
	other.Tensors = other.Tensors[4:]
	if err := other.Check(); err != nil {
		t.Errorf("a model that needs fewer tensors is refused: %v", err)
	}
}
