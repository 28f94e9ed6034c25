package roadnet_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// Lengths are those of the great circle, at any latitude and for short and
// long pieces.
func TestLengthIsTheGreatCircle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		span := rapid.SampledFrom([]int32{100, 10_000, 400_000, 600_000, 3_000_000}).Draw(t, "span")
		a := roadnet.Coord{
			Lon: rapid.Int32Range(-1_700_000_000, 1_700_000_000).Draw(t, "lon"),
			Lat: rapid.Int32Range(-890_000_000, 890_000_000).Draw(t, "lat"),
		}
		b := roadnet.Coord{
			Lon: a.Lon + rapid.Int32Range(-span, span).Draw(t, "east"),
			Lat: a.Lat + rapid.Int32Range(1, span).Draw(t, "north"),
		}
		w := way(1, []int64{1, 2}, 0, 1)
		w.Coords = []roadnet.Coord{a, b}
		net := buildAll([]roadnet.Way{w}, nil)
		want := haversine(a.Point(), b.Point())
		if got := net.Length(0); abs(got-want) > 1e-4*want {
			t.Fatalf("from %v to %v: %g m, want %g m", a, b, got, want)
		}
		if got := roadnet.Distance(a.Point(), b.Point()); abs(got-want) > 1e-9*want+1e-8 {
			t.Fatalf("Distance %g, want %g", got, want)
		}
	})
}

// haversine is the distance by the angle between the two directions from the
// centre of the earth: another formula than the one under test.
func haversine(a, b roadnet.Point) float64 {
	vector := func(p roadnet.Point) [3]float64 {
		lon, lat := p.Lon*math.Pi/180, p.Lat*math.Pi/180
		return [3]float64{math.Cos(lat) * math.Cos(lon), math.Cos(lat) * math.Sin(lon), math.Sin(lat)}
	}
	u, v := vector(a), vector(b)
	chord := math.Sqrt((u[0]-v[0])*(u[0]-v[0]) + (u[1]-v[1])*(u[1]-v[1]) + (u[2]-v[2])*(u[2]-v[2]))
	return 2 * roadnet.EarthRadius * math.Asin(chord/2)
}

// bent is a segment A-B-C of 300 m east and 100 m south.
func bent(t roadnettest.TB) *roadnettest.Net {
	return roadnettest.Draw(t, 100, "A  B\n   C", "ABC")
}

func TestPositionsAlongABend(t *testing.T) {
	net := bent(t)
	for _, c := range []struct {
		segment  string
		ratio    float64
		at       roadnet.Point
		heading  float64
		from, to rune
	}{
		{"AC", 0, net.Point('A'), 90, 'A', 'B'},
		{"AC", -3, net.Point('A'), 90, 'A', 'B'},
		{"AC", math.NaN(), net.Point('A'), 90, 'A', 'B'},
		{"AC", 0.5, net.PointNear('A', 200, 0), 90, 'A', 'B'},
		{"AC", 0.875, net.PointNear('C', 0, 50), 180, 'B', 'C'},
		{"AC", 1, net.Point('C'), 180, 'B', 'C'},
		{"AC", 7, net.Point('C'), 180, 'B', 'C'},
		{"CA", 0, net.Point('C'), 0, 'C', 'B'},
		{"CA", 0.125, net.PointNear('C', 0, 50), 0, 'C', 'B'},
		{"CA", 1, net.Point('A'), 270, 'B', 'A'},
	} {
		p := net.Pos(c.segment, c.ratio)
		if d := roadnet.Distance(net.At(p), c.at); d > 0.05 {
			t.Errorf("%s %g: %g m off", c.segment, c.ratio, d)
		}
		if h := net.Heading(p); abs(h-c.heading) > 0.01 {
			t.Errorf("%s %g: heading %g, want %g", c.segment, c.ratio, h, c.heading)
		}
		if got, want := net.Piece(p), (roadnet.Piece{Way: 1, FromNode: int64(c.from), ToNode: int64(c.to)}); got != want {
			t.Errorf("%s %g: piece %v, want %v", c.segment, c.ratio, got, want)
		}
	}
}

// A position at a vertex lies on the piece that starts there.
func TestPieceAtAVertex(t *testing.T) {
	net := bent(t)
	for segment, want := range map[string]roadnet.Piece{"AC": {Way: 1, FromNode: 'B', ToNode: 'C'}, "CA": {Way: 1, FromNode: 'B', ToNode: 'A'}} {
		var atB float64
		for _, v := range net.Vertices(net.Seg(segment), nil) {
			if v.OSM == 'B' {
				atB = v.Along / net.Length(net.Seg(segment))
			}
		}
		if got := net.Piece(net.Pos(segment, atB)); got != want {
			t.Errorf("%s at B: %v, want %v", segment, got, want)
		}
	}
}

func TestProjection(t *testing.T) {
	net := bent(t)
	for _, c := range []struct {
		name            string
		point           roadnet.Point
		ratio, distance float64
		side            int8
	}{
		{"right of the first piece", net.PointNear('A', 100, -40), 0.25, 40, 1},
		{"left of the first piece", net.PointNear('A', 100, 40), 0.25, 40, -1},
		{"on the line", net.PointNear('A', 200, 0), 0.5, 0, 0},
		{"behind the start", net.PointNear('A', -30, 10), 0, math.Hypot(30, 10), -1},
		{"behind the end", net.PointNear('C', 10, -30), 1, math.Hypot(10, 30), -1},
		{"outside the corner", net.PointNear('B', 30, 30), 0.75, math.Hypot(30, 30), -1},
		{"inside the corner", net.PointNear('B', -20, -30), 0.825, 20, 1},
	} {
		hit := net.Project(c.point, net.Seg("AC"))
		if abs(hit.Ratio-c.ratio) > 1e-3 || abs(hit.Distance-c.distance) > 0.05 || hit.Side != c.side {
			t.Errorf("%s: %+v, want ratio %g, distance %g, side %d", c.name, hit, c.ratio, c.distance, c.side)
		}
		back := net.Project(c.point, net.Seg("CA"))
		if abs(back.Ratio-(1-c.ratio)) > 1e-3 || back.Side != -c.side {
			t.Errorf("%s, in reverse: %+v", c.name, back)
		}
	}
}

// Outside a sharp corner the pieces disagree on the side; the corner decides.
func TestSideAtASharpCorner(t *testing.T) {
	net := roadnettest.Draw(t, 10, "A         B\nC", "ABC")
	for _, north := range []float64{-4, -2, 0, 2} {
		p := net.PointNear('B', 20, north)
		if hit := net.Project(p, net.Seg("AC")); hit.Side != -1 {
			t.Errorf("%g m north of beyond B: side %d, want left", north, hit.Side)
		}
		if hit := net.Project(p, net.Seg("CA")); hit.Side != 1 {
			t.Errorf("%g m north of beyond B, in reverse: side %d, want right", north, hit.Side)
		}
	}
}

// Projecting the point at a position gives the position again.
func TestProjectionOfAPosition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := roadnettest.Random(rapid.Uint64Range(0, 50).Draw(t, "seed"), 6)
		id := roadnet.SegmentID(rapid.IntRange(0, net.NumSegments()-1).Draw(t, "segment"))
		p := roadnet.Position{Segment: id, Ratio: rapid.Float64Range(0, 1).Draw(t, "ratio")}
		hit := net.Project(net.At(p), id)
		if hit.Distance > 0.01 {
			t.Fatalf("%g m from the segment", hit.Distance)
		}
		// A segment may cross or touch itself: compare places, not ratios.
		if d := roadnet.Distance(net.At(hit.Position), net.At(p)); d > 0.02 {
			t.Fatalf("%g m away", d)
		}
	})
}

func TestVerticesMeetTheDriver(t *testing.T) {
	net := roadnettest.Draw(t, 100, "A B C D E", "ABCDE",
		"A highway=stop", "B highway=stop direction=forward", "C highway=traffic_signals direction=backward",
		"D highway=crossing", "E highway=give_way direction=backward")
	type met struct {
		osm   rune
		flags roadnet.VertexFlags
	}
	vertices := func(letters string) (all []met) {
		for _, v := range net.Vertices(net.Seg(letters), nil) {
			all = append(all, met{rune(v.OSM), v.Flags})
		}
		return all
	}
	forward := []met{{'A', roadnet.VertexStop}, {'B', roadnet.VertexStop}, {'C', 0}, {'D', roadnet.VertexCrossing}, {'E', 0}}
	if diff := cmp.Diff(forward, vertices("AE"), cmp.AllowUnexported(met{})); diff != "" {
		t.Error(diff)
	}
	backward := []met{{'E', roadnet.VertexGiveWay}, {'D', roadnet.VertexCrossing}, {'C', roadnet.VertexSignal}, {'B', 0}, {'A', roadnet.VertexStop}}
	if diff := cmp.Diff(backward, vertices("EA"), cmp.AllowUnexported(met{})); diff != "" {
		t.Error(diff)
	}
	on, atEnd := net.ControlCounts(net.Seg("AE"))
	if diff := cmp.Diff([]roadnet.Controls{{Stops: 1, Crossings: 1}, {}}, []roadnet.Controls{on, atEnd}); diff != "" {
		t.Error(diff)
	}
	on, atEnd = net.ControlCounts(net.Seg("EA"))
	if diff := cmp.Diff([]roadnet.Controls{{Signals: 1, Crossings: 1}, {Stops: 1}}, []roadnet.Controls{on, atEnd}); diff != "" {
		t.Error(diff)
	}
}

func TestFreeFlow(t *testing.T) {
	for _, c := range []struct {
		tags string
		kmh  float64
	}{
		{"highway=motorway maxspeed=none", 130},
		{"highway=primary maxspeed=50", 50},
		{"highway=residential maxspeed=5", 5},
		{"highway=primary junction=roundabout maxspeed=50", 30},
		{"highway=service service=driveway maxspeed=50", 10},
	} {
		net := roadnettest.Draw(t, 100, "A B", "AB "+c.tags)
		if got := net.FreeFlow(net.Seg("AB")) * 3.6; abs(got-c.kmh) > 1e-3 {
			t.Errorf("%s: %g km/h, want %g", c.tags, got, c.kmh)
		}
	}
	speed := func(tags string) float64 {
		net := roadnettest.Draw(t, 100, "A B", "AB "+tags)
		return net.FreeFlow(net.Seg("AB"))
	}
	for _, c := range [][2]string{
		{"highway=motorway", "highway=motorway_link"},
		{"highway=motorway", "highway=trunk"},
		{"highway=trunk", "highway=primary"},
		{"highway=residential", "highway=living_street"},
		{"highway=residential", "highway=service"},
		{"highway=tertiary", "highway=tertiary surface=unpaved"},
		{"highway=unclassified", "highway=unclassified access=private"},
	} {
		if speed(c[0]) <= speed(c[1]) {
			t.Errorf("%s is not faster than %s", c[0], c[1])
		}
	}
}
