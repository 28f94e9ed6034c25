package roadnet_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"retrace/engine/roadnet"
)

// A road across the 180th meridian is driven from one side to the other, wherever
// its nodes lie; no piece of it lies across the map, and its length is the true one.
func TestRoadsAcrossTheMeridian(t *testing.T) {
	const half = 1_800_000_000
	for name, lons := range map[string][]int32{
		"eastward":             {half - 30_000, half - 10_000, -half + 20_000, -half + 40_000},
		"westward":             {-half + 40_000, -half + 20_000, half - 10_000, half - 30_000},
		"a node at 180":        {half - 30_000, half, -half + 20_000, -half + 40_000},
		"a node at -180":       {half - 30_000, -half, -half + 20_000, -half + 40_000},
		"it begins at 180":     {half, -half + 20_000, -half + 40_000, -half + 60_000},
		"it ends at -180":      {half - 60_000, half - 40_000, half - 20_000, -half},
		"to and fro":           {half - 30_000, -half + 20_000, half - 10_000, -half + 20_000 + 1},
		"westward from -180":   {-half, half - 20_000, half - 40_000, half - 60_000},
		"eastward, far nodes":  {half - 900_000, half - 800_000, -half + 100_000, -half + 900_000},
		"at a crossing of 180": {half - 1, -half + 1, -half + 40_000, -half + 60_000},
	} {
		w := roadnet.Way{ID: 5, Nodes: []int64{1, 2, 3, 4}, Flags: make([]roadnet.VertexFlags, 4), Road: roadnet.Road{Class: roadnet.Primary}}
		want := 0.0
		for i, lon := range lons {
			w.Coords = append(w.Coords, roadnet.Coord{Lon: lon, Lat: int32(-160_000_000 + i*5000)})
			if i > 0 {
				want += roadnet.Distance(w.Coords[i-1].Point(), w.Coords[i].Point())
			}
		}
		east := roadnet.Way{ID: 6, Nodes: []int64{4, 7}, Flags: make([]roadnet.VertexFlags, 2), Road: w.Road,
			Coords: []roadnet.Coord{w.Coords[3], {Lon: w.Coords[3].Lon, Lat: w.Coords[3].Lat + 30_000}}}
		net, report := buildWays(t, w, east)
		if report.MeridianWays.Count > 1 || report.Ways != 2 || net.NumComponents() != 1 {
			t.Errorf("%s: %+v in %d parts", name, report, net.NumComponents())
		}
		sum := 0.0
		var from, to roadnet.SegmentID
		for id := range roadnet.SegmentID(net.NumSegments()) {
			line, reversed := net.LineOf(id)
			if net.LineWay(line) == 5 && !reversed {
				sum += net.Length(id)
			}
			for i, c := range net.LineCoords(line)[1:] {
				if d := int64(c.Lon) - int64(net.LineCoords(line)[i].Lon); d > half || d < -half {
					t.Errorf("%s: a piece lies across the map", name)
				}
			}
			if a, _ := net.Ends(id); net.NodeOSM(a) == 1 {
				from = id
			}
			if _, b := net.Ends(id); net.NodeOSM(b) == 7 {
				to = id
			}
		}
		if math.Abs(sum-want) > 0.05 {
			t.Errorf("%s: %.2f m, want %.2f", name, sum, want)
		}
		leg := roadnet.NewRouter(net).Routes(roadnet.Position{Segment: from}, []roadnet.Position{{Segment: to, Ratio: 1}}, roadnet.Search{Bound: 1e6})[0]
		if !leg.Found || math.Abs(leg.Length-want-roadnet.Distance(east.Coords[0].Point(), east.Coords[1].Point())) > 0.1 {
			t.Errorf("%s: the route is %+v, want %.1f m", name, leg, want)
		}
		for _, lon := range []float64{179.99999, -179.99999} {
			if hits := net.Near(roadnet.Point{Lon: lon, Lat: -16 + 0.0005}, 200, nil); len(hits) < 2 {
				t.Errorf("%s: %d segments are near %g", name, len(hits), lon)
			}
		}
	}
}

// The network that is kept is the same one when it is read again.
func TestAcrossTheMeridianTwice(t *testing.T) {
	build := func(ways ...roadnet.Way) string {
		b := roadnet.NewBuilder()
		for _, w := range ways {
			if err := b.AddWay(w); err != nil {
				t.Fatal(err)
			}
		}
		net, _, err := b.Build(context.Background(), roadnet.Info{})
		if err != nil {
			t.Fatal(err)
		}
		return net.Info().Fingerprint
	}
	ways := []roadnet.Way{way(1, []int64{1, 2}, -149_000, 149_000), way(2, []int64{3, 4, 1}, 149_100, -149_050, -149_000), way(3, []int64{5, 6}, 1, 2)}
	want := build(ways...)
	slices.Reverse(ways)
	if got := build(ways...); got != want {
		t.Error("the order of the ways changes the network")
	}
}
