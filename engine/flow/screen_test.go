package flow

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// cross finds the crossings by walking every piece of every drive in small
// steps and asking, of each, whether it changes the side of an edge.
func (p plain) cross(s Screen, ask Ask) Crossed {
	if s.Area {
		s.Line = counterclockwise(s.Line)
	}
	var all Crossed
	for _, t := range p.trips {
		if ask.Trips != nil && !slices.Contains(ask.Trips, t.ID) {
			continue
		}
		one := Ask{Trips: []string{t.ID}}
		found := false
		plain{p.net, []Trip{t}}.each(one, func(_ Trip, d drive) {
			points, ratios := drivenWay(p.net, d)
			for i := 1; i < len(points); i++ {
				s.edges(func(a, b roadnet.Point) {
					if !meet(points[i-1], points[i], a, b) {
						return
					}
					t0 := share(points[i-1], points[i], a, b)
					at, ok := d.at(ratios[i-1] + t0*(ratios[i]-ratios[i-1]))
					if !ask.When.Always() && (!ok || !plainCounts(ask.When, at)) {
						return
					}
					found = true
					all.Crossings = append(all.Crossings, Crossing{Trip: t.ID, At: int64(math.Round(at * 1000)), Segment: d.segment, LeftToRight: side(a, b, points[i-1])})
				})
				at, ok := d.at(ratios[i-1])
				if s.Area && inside(s.Line, points[i-1]) && (ask.When.Always() || ok && plainCounts(ask.When, at)) {
					found = true
				}
			}
		})
		if found {
			all.Trips = append(all.Trips, t.ID)
		}
	}
	return all
}

// drivenWay is the part of a segment that was driven, with its ratios.
func drivenWay(net *roadnet.Network, d drive) ([]roadnet.Point, []float64) {
	points := net.Geometry(d.segment, nil)
	total, along := 0.0, []float64{0}
	for i := 1; i < len(points); i++ {
		total += roadnet.Distance(points[i-1], points[i])
		along = append(along, total)
	}
	way, ratios := []roadnet.Point{net.At(roadnet.Position{Segment: d.segment, Ratio: d.from})}, []float64{d.from}
	for i, a := range along {
		if r := a / total; r > d.from && r < d.to {
			way, ratios = append(way, points[i]), append(ratios, r)
		}
	}
	return append(way, net.At(roadnet.Position{Segment: d.segment, Ratio: d.to})), append(ratios, d.to)
}

// meet reports whether two lines cross.
func meet(p, q, a, b roadnet.Point) bool {
	return side(a, b, p) != side(a, b, q) && side(p, q, a) != side(p, q, b)
}

func TestCrossingsAreThoseOfWalkingEveryTrip(t *testing.T) {
	for range 20 {
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		rng := rand.New(rand.NewPCG(seed, 2))
		net := roadnettest.Random(seed%1000, 40)
		if net.NumSegments() == 0 {
			continue
		}
		x := NewIndex(net)
		p := plain{net: net, trips: feed(x, net, rng)}
		for i, ask := range questions(t, rng, p.trips)[:7] {
			s := drawScreen(net.Info().Bounds, rng)
			if s.Area && !ask.When.Always() {
				s.Area = false // a trip within an area at no crossing has many times
			}
			got, err := x.Cross(context.Background(), s, ask, nil)
			if err != nil {
				t.Fatal(err)
			}
			sameCrossings(t, i, got, p.cross(s, ask))
		}
	}
}

// drawScreen is a line or an area of a few corners somewhere on a map.
func drawScreen(b roadnet.Bounds, rng *rand.Rand) Screen {
	s := Screen{Area: rng.IntN(2) == 0}
	for range 3 + rng.IntN(4) {
		s.Line = append(s.Line, roadnet.Point{Lon: b.MinLon + rng.Float64()*(b.MaxLon-b.MinLon), Lat: b.MinLat + rng.Float64()*(b.MaxLat-b.MinLat)})
	}
	return s
}

func sameCrossings(t *testing.T, question int, got, want Crossed) {
	t.Helper()
	if !slices.Equal(got.Trips, want.Trips) {
		t.Errorf("question %d: trips %v, want %v", question, got.Trips, want.Trips)
	}
	if len(got.Crossings) != len(want.Crossings) {
		t.Fatalf("question %d: %d crossings, want %d", question, len(got.Crossings), len(want.Crossings))
	}
	order := func(a, b Crossing) int { return int(a.At - b.At) }
	slices.SortStableFunc(got.Crossings, order)
	slices.SortStableFunc(want.Crossings, order)
	for i, g := range got.Crossings {
		w := want.Crossings[i]
		if g.Trip != w.Trip || g.Segment != w.Segment || g.LeftToRight != w.LeftToRight || max(g.At-w.At, w.At-g.At) > 50 {
			t.Errorf("question %d: crossing %+v, want %+v", question, g, w)
		}
	}
}

// street is a street from A to D with a trip each way.
func street(t *testing.T) (*roadnettest.Net, *Index) {
	net := roadnettest.Draw(t, 100, `
		A---B---C---D
		    |   |
		    E   F
	`, "ABCD name=Long_Street", "BE", "CF")
	x := NewIndex(net.Network)
	x.Put([]Trip{
		{ID: "east", Recovery: straight(net, start, "AB", "BC", "CD")},
		{ID: "west", Recovery: straight(net, start+7200, "DC", "CB", "BA")},
	})
	return net, x
}

// straight is a trip of 1200 m in 120 s.
func straight(net *roadnettest.Net, from int64, segments ...string) *trajectory.Recovery {
	p := trajectory.Part{EndRatio: 1}
	for _, s := range segments {
		p.Segments = append(p.Segments, net.Seg(s))
	}
	return &trajectory.Recovery{Parts: []trajectory.Part{p},
		Ticks: []trajectory.Tick{{Time: from * 1000}, {Time: (from + 120) * 1000, Along: 1200}}}
}

func TestAScreenLineTellsDirectionsAndHours(t *testing.T) {
	net, x := street(t)
	north, south := net.PointNear('B', 0, 50), net.PointNear('B', 0, -50) // through a junction
	got, err := x.Cross(context.Background(), Screen{Line: []roadnet.Point{north, south}}, Ask{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Crossings) != 2 || !slices.Equal(got.Trips, []string{"east", "west"}) {
		t.Fatalf("%+v: in a junction each trip crosses once", got)
	}
	for _, c := range got.Crossings {
		// Southwards, the east lies on the left.
		if want := c.Trip == "west"; c.LeftToRight != want {
			t.Errorf("%s drives from left to right: %v", c.Trip, c.LeftToRight)
		}
	}
	if at := got.Crossings[0].At - start*1000; at < 39_900 || at > 40_100 {
		t.Errorf("crossed after %d ms, want 40 s", at)
	}
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	hours := got.Hours(lisbon)
	if hours[17] != [2]int{0, 1} || hours[19] != [2]int{1, 0} { // summer time
		t.Errorf("by hour %v", hours)
	}
}

func TestAnAreaTellsInFromOut(t *testing.T) {
	net, x := street(t)
	box := []roadnet.Point{net.PointNear('B', -50, 50), net.PointNear('B', 50, 50), net.PointNear('B', 50, -50), net.PointNear('B', -50, -50)}
	for _, line := range [][]roadnet.Point{box, {box[3], box[2], box[1], box[0]}} { // whichever way it is drawn
		got, err := x.Cross(context.Background(), Screen{Line: line, Area: true}, Ask{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		out := 0
		for _, c := range got.Crossings {
			if c.LeftToRight {
				out++
			}
		}
		if len(got.Crossings) != 4 || out != 2 {
			t.Errorf("%d crossings, %d of them out", len(got.Crossings), out)
		}
	}
	all := Screen{Line: []roadnet.Point{net.PointNear('A', -50, 50), net.PointNear('D', 50, 50), net.PointNear('D', 50, -50), net.PointNear('A', -50, -50)}, Area: true}
	got, err := x.Cross(context.Background(), all, Ask{}, nil)
	if err != nil || len(got.Trips) != 2 || len(got.Crossings) != 0 {
		t.Errorf("%+v, %v: trips that stay within an area belong to it", got, err)
	}
}
