package flow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// halves are two zones of the block: west of the middle of BC, and east of it, up to D.
func halves(net *roadnettest.Net) Zones {
	box := func(a, b roadnet.Point) [][]roadnet.Point {
		return [][]roadnet.Point{{a, {Lon: b.Lon, Lat: a.Lat}, b, {Lon: a.Lon, Lat: b.Lat}}}
	}
	return NewAreas([]Zone{
		{ID: "west", Rings: box(net.PointNear('A', -50, 500), net.PointNear('B', 200, -500))},
		{ID: "east", Rings: box(net.PointNear('B', 200, 500), net.PointNear('D', -100, -500))},
	})
}

func odOf(net *roadnettest.Net, s Study, passing bool, trips ...Trip) (map[string]Count, map[string]Count) {
	study := NewODStudy(net.Network, s, halves(net), passing)
	for _, t := range trips {
		study.Add(t)
	}
	name := func(z int) string { return map[int]string{Outside: "out", 0: "west", 1: "east"}[z] }
	cells, sums := map[string]Count{}, map[string]Count{}
	for _, r := range study.Rows() {
		cells[name(r.From)+" to "+name(r.To)] = r.Count
	}
	for _, r := range study.Sums() {
		sums[fmt.Sprintf("%s %d", name(r.Zone), r.Sum)] = r.Count
	}
	return cells, sums
}

// placed gives the ticks of a trip their places, and candidates to its last.
func placed(net *roadnettest.Net, t Trip, candidates ...trajectory.Candidate) Trip {
	r := t.Recovery
	p := r.Parts[0].Segments
	for i, at := range []roadnet.Position{{Segment: p[0]}, {Segment: p[len(p)-1], Ratio: 1}} {
		place := net.At(at)
		r.Ticks[i].Lon, r.Ticks[i].Lat, r.Ticks[i].At = place.Lon, place.Lat, at
	}
	if len(candidates) > 0 {
		r.Matches = []trajectory.SampleMatch{{}, {Candidates: candidates}}
	}
	return t
}

func TestTripsAreCountedFromZoneToZone(t *testing.T) {
	net := block(t)
	trips := []Trip{
		placed(net, at(net, "1", "a", start, 60, "AB", "BC")),       // to C, in the east
		placed(net, at(net, "2", "b", start, 60, "AB", "BC", "CD")), // to D, outside
		placed(net, at(net, "3", "c", start, 60, "AB")),
		placed(net, at(net, "4", "c", start, 60, "AB", "BC"),
			trajectory.Candidate{Position: roadnet.Position{Segment: net.Seg("BC"), Ratio: 1}, Probability: 0.75},
			trajectory.Candidate{Position: roadnet.Position{Segment: net.Seg("BE"), Ratio: 0.5}, Probability: 0.25}),
	}
	cells, sums := odOf(net, Study{}, false, trips...)
	for cell, want := range map[string]float64{"west to east": 1.75, "west to out": 1, "west to west": 1.25} {
		near(t, cell, cells[cell].Mean, want)
	}
	for sum, want := range map[string]float64{"west 0": 4, "west 1": 1.25, "west 2": 1.25, "east 1": 1.75, "out 1": 1} {
		near(t, sum, sums[sum].Mean, want)
	}
	if len(cells) != 3 || len(sums) != 5 {
		t.Errorf("cells %v, sums %v", cells, sums)
	}
	// From where it enters the zones to where it leaves them, the second trip ends in the east.
	cells, _ = odOf(net, Study{}, true, trips...)
	near(t, "through, west to east", cells["west to east"].Mean, 3)
	// Without its first and last 450 m, the second trip is from B on to C on: 450 of 1200 m
	// lies in the west, 750 m in the east; the first is gone.
	cells, _ = odOf(net, Study{Trim: 450}, false, trips[:2]...)
	if len(cells) != 1 || cells["west to east"].Mean != 1 {
		t.Errorf("trimmed: %v", cells)
	}
}

// Nobody can tell the withheld cells by the sums of rows and columns.
func TestFewVehiclesAreWithheldInMatrices(t *testing.T) {
	net := block(t)
	var trips []Trip
	add := func(n int, from string) {
		for range n {
			id := fmt.Sprint(len(trips))
			way := map[string][]string{"ww": {"AB"}, "we": {"AB", "BC"}, "wo": {"AB", "BC", "CD"}, "ew": {"CB", "BA"}, "ee": {"CF"}}[from]
			trips = append(trips, placed(net, at(net, id, id, start, 60, way...)))
		}
	}
	add(9, "ww")
	add(2, "we")
	add(7, "ew")
	add(8, "ee")
	cells, sums := odOf(net, Study{MinVehicles: 3}, false, trips...)
	for cell, withheld := range map[string]bool{"west to west": true, "west to east": true, "east to west": true, "east to east": true} {
		if cells[cell].Withheld != withheld {
			t.Errorf("%s: %+v", cell, cells[cell])
		}
	}
	if sums["west 0"].Withheld || !sums["west 2"].Withheld {
		t.Errorf("sums %v: those of rows are told, those within zones are cells", sums)
	}
}

// Each place lies in the cell whose centre is nearest, and cells are as large as asked for.
func TestGridsCoverTheEarthWithEqualCells(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, hexagon := range []bool{false, true} {
		g := NewGrid(roadnet.Point{Lon: -8.6, Lat: 41.1}, 500, hexagon)
		hits := map[int]int{}
		const places = 20000
		for range places {
			p := roadnet.Point{Lon: -8.6 + rng.Float64()*0.1, Lat: 41.1 + rng.Float64()*0.1}
			n := g.At(p)
			hits[n]++
			z := g.Zone(n)
			if !inside(z.Rings[0], p) {
				t.Fatalf("%v lies in cell %s, which is %v", p, z.ID, z.Rings[0])
			}
			if g.At(z.Centre) != n {
				t.Fatalf("the centre of cell %s lies in another", z.ID)
			}
		}
		east, north := 0.1*roadnet.Degree*math.Cos(41.1*math.Pi/180), 0.1*roadnet.Degree
		area := 500.0 * 500
		if hexagon {
			area *= math.Sqrt(3) / 2
		}
		if want := east * north / area; math.Abs(float64(len(hits))-want) > 0.2*want {
			t.Errorf("hexagons %v: %d cells, want about %.0f", hexagon, len(hits), want)
		}
	}
}

func TestZonesHaveHolesAndOrder(t *testing.T) {
	square := func(x, y, size float64) []roadnet.Point {
		return []roadnet.Point{{Lon: x, Lat: y}, {Lon: x + size, Lat: y}, {Lon: x + size, Lat: y + size}, {Lon: x, Lat: y + size}}
	}
	z := NewAreas([]Zone{{ID: "ring", Rings: [][]roadnet.Point{square(0, 0, 4), square(1, 1, 1)}}, {ID: "over", Rings: [][]roadnet.Point{square(0, 0, 2)}}, {ID: "empty"}})
	for p, want := range map[roadnet.Point]int{{Lon: 3, Lat: 3}: 0, {Lon: 0.5, Lat: 0.5}: 0, {Lon: 1.5, Lat: 1.5}: 1, {Lon: 5, Lat: 5}: Outside} {
		if got := z.At(p); got != want {
			t.Errorf("%v lies in %d, want %d", p, got, want)
		}
	}
	if c := z.Zone(0).Centre; c.Lon != 2 || c.Lat != 2 {
		t.Errorf("the centre is %v", c)
	}
}
