package roadnet_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

func choice(bound float64) roadnet.Choice {
	return roadnet.Choice{
		Search: roadnet.Search{TimeShare: 0.5, Speed: 12, Turn: 20, UTurn: 150, Bound: bound},
		Count:  8, Apart: 20, Plateau: 0.8, Examined: 200,
	}
}

// between finds the routes from one position to another.
func between(net *roadnet.Network, from, to roadnet.Position, c roadnet.Choice) []roadnet.Route {
	a := roadnet.NewAlternatives(net)
	a.Prepare([]roadnet.Position{from}, []roadnet.Position{to}, c)
	return a.Between(0, 0, c, nil)
}

func TestAlternativesGoBothWaysRoundABlock(t *testing.T) {
	net := roadnettest.Draw(t, 100, `
	    A---B---C---D
	        |   |
	        E---F
	`,
		"ABCD highway=residential", "BEFC highway=residential",
	)
	routes := between(net.Network, net.Pos("AB", 0.5), net.Pos("CD", 0.5), choice(5000))
	got := map[string]bool{}
	for _, r := range routes {
		got[net.Path(r.Segments)] = true
		driven := map[roadnet.SegmentID]bool{}
		for _, id := range r.Segments {
			if driven[id] {
				t.Errorf("%s drives %s twice", net.Path(r.Segments), net.Path([]roadnet.SegmentID{id}))
			}
			driven[id] = true
		}
	}
	if len(routes) < 2 || net.Path(routes[0].Segments) != "AB BC CD" || !got["AB BEFC CD"] {
		t.Errorf("routes %v, want AB BC CD first and AB BEFC CD among them", got)
	}
	if want := 200 + 400 + 200.0; math.Abs(routes[0].Length-want) > 1 {
		t.Errorf("the straight route has %v m, want %v", routes[0].Length, want)
	}
}

func TestAlternativesKeepTurnRestrictions(t *testing.T) {
	net := roadnettest.Draw(t, 100, `
	    A---B---C---D
	        |   |
	        E---F
	`,
		"AB highway=residential", "BC highway=residential", "CD highway=residential", "BEFC highway=residential",
		"no_straight_on AB B BC",
	)
	for _, r := range between(net.Network, net.Pos("AB", 0.5), net.Pos("CD", 0.5), choice(5000)) {
		if path := net.Path(r.Segments); path == "AB BC CD" {
			t.Errorf("the forbidden route %s was found", path)
		}
	}
}

func TestALoopLeadsBehindTheStart(t *testing.T) {
	net := roadnettest.Draw(t, 100, `
	    A---B
	    |   |
	    C---D
	`,
		"ABD highway=residential oneway=yes", "DCA highway=residential oneway=yes",
	)
	routes := between(net.Network, net.Pos("ABD", 0.6), net.Pos("ABD", 0.4), choice(5000))
	if len(routes) == 0 {
		t.Fatal("no way round")
	}
	if want := 0.8*net.Length(net.Seg("ABD")) + net.Length(net.Seg("DCA")); math.Abs(routes[0].Length-want) > 1 {
		t.Errorf("the loop has %v m, want %v", routes[0].Length, want)
	}
}

// The cheapest alternative costs what the router's route costs, every route is
// one that a car may drive, and none costs more than the bound.
func TestAlternativesAgreeWithTheRouter(t *testing.T) {
	for seed := range uint64(20) {
		net := roadnettest.Random(seed, 8)
		rng := rand.New(rand.NewPCG(seed, 1))
		router := roadnet.NewRouter(net)
		c := choice(4000)
		for range 20 {
			from, to := anywhere(rng, net), anywhere(rng, net)
			routes := between(net, from, to, c)
			leg := router.Routes(from, []roadnet.Position{to}, c.Search)[0]
			if len(routes) == 0 {
				if leg.Found && from.Segment != to.Segment && !restricted(net) {
					t.Fatalf("seed %d: no alternative from %v to %v, the router found %v m", seed, from, to, leg.Cost)
				}
				continue
			}
			checkRoutes(t, seed, net, routes, c)
			if from.Segment != to.Segment && !restricted(net) && math.Abs(routes[0].Cost-leg.Cost) > 1e-6*leg.Cost {
				t.Fatalf("seed %d: cheapest alternative costs %v, the router's route %v", seed, routes[0].Cost, leg.Cost)
			}
		}
	}
}

// restricted networks have turns that depend on more than one segment, where
// the trees may miss a route.
func restricted(net *roadnet.Network) bool { return net.NumStates() > net.NumSegments() }

func anywhere(rng *rand.Rand, net *roadnet.Network) roadnet.Position {
	return roadnet.Position{Segment: roadnet.SegmentID(rng.IntN(net.NumSegments())), Ratio: rng.Float64()}
}

func checkRoutes(t *testing.T, seed uint64, net *roadnet.Network, routes []roadnet.Route, c roadnet.Choice) {
	t.Helper()
	if len(routes) > c.Count {
		t.Fatalf("seed %d: %d routes", seed, len(routes))
	}
	for i, r := range routes {
		if !net.Drivable(r.Segments) {
			t.Fatalf("seed %d: route %v cannot be driven", seed, r.Segments)
		}
		if r.Cost > c.Bound || i > 0 && r.Cost < routes[i-1].Cost {
			t.Fatalf("seed %d: route %d costs %v", seed, i, r.Cost)
		}
	}
}

func BenchmarkAlternatives(b *testing.B) {
	for _, size := range []int{30, 120} {
		net := roadnettest.GridCity(size)
		a := roadnet.NewAlternatives(net)
		center := net.Info().Bounds.Center()
		from := net.Near(center, 150, nil)
		to := net.Near(roadnet.Point{Lon: center.Lon + 0.008, Lat: center.Lat + 0.004}, 150, nil)
		starts, ends := positions(from, 8), positions(to, 8)
		c := choice(2500)
		var routes []roadnet.Route
		b.Run("", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a.Prepare(starts, ends, c)
				routes = routes[:0]
				for i := range starts {
					for j := range ends {
						routes = a.Between(i, j, c, routes)
					}
				}
			}
			b.ReportMetric(float64(net.NumSegments()), "segments")
			b.ReportMetric(float64(len(routes)), "routes")
		})
	}
}

func positions(hits []roadnet.Hit, most int) []roadnet.Position {
	var out []roadnet.Position
	for _, h := range hits[:min(len(hits), most)] {
		out = append(out, h.Position)
	}
	return out
}

// The routes found in the region where they all lie are those found over the whole
// network, one by one, segment by segment and cost by cost.
func TestAlternativesAreThoseOfTheWholeNetwork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := anyNetwork(t)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "places"), 2))
		c := choice(rapid.SampledFrom([]float64{300, 1000, 2500, 6000}).Draw(t, "bound"))
		c.TimeShare = rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "time share")
		c.Turn = rapid.SampledFrom([]float64{0, 20}).Draw(t, "turn")
		c.Plateau = rapid.SampledFrom([]float64{0, 0.8, 1}).Draw(t, "plateau")
		c.Examined = rapid.SampledFrom([]int{3, 200}).Draw(t, "examined")
		fast, plain := roadnet.NewAlternatives(net), roadnet.NewWholeAlternatives(net)
		for range 2 { // the second time memory is used again
			var from, to []roadnet.Position
			for range 1 + rng.IntN(4) {
				from, to = append(from, anywhere(rng, net)), append(to, anywhere(rng, net))
			}
			to = append(to, from[0], roadnet.Position{Segment: from[0].Segment, Ratio: from[0].Ratio / 2})
			fast.Avoid = nil
			for range rng.IntN(3) {
				fast.Avoid = append(fast.Avoid, anywhere(rng, net).Segment)
			}
			plain.Avoid = fast.Avoid
			fast.Prepare(from, to, c)
			for i := range from {
				for j := range to {
					sameRoutes(t, fast.Between(i, j, c, nil), plain.Between(from[i], to[j], c))
				}
			}
		}
	})
}

func anyNetwork(t *rapid.T) *roadnet.Network {
	if rapid.Bool().Draw(t, "grid") { // where many routes cost the same
		return roadnettest.GridCity(rapid.IntRange(3, 7).Draw(t, "size"))
	}
	return roadnettest.Random(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(3, 8).Draw(t, "size"))
}

func sameRoutes(t *rapid.T, got, want []roadnet.Route) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d routes, %d over the whole network", len(got), len(want))
	}
	for k, r := range got {
		w := want[k]
		if !slices.Equal(r.Segments, w.Segments) || r.Cost != w.Cost || math.Abs(r.Length-w.Length) > 1e-6 || math.Abs(r.Time-w.Time) > 1e-6 {
			t.Fatalf("route %d is %+v, over the whole network %+v", k, r, w)
		}
	}
}
