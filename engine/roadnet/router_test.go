package roadnet_test

import (
	"math"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// near is a search that finds everything on a drawn network.
func near() roadnet.Search { return roadnet.Search{UTurn: 100, Back: 10, Bound: 1e6} }

// route is the route between two positions, its path by letters.
func route(n *roadnettest.Net, from, to roadnet.Position, s roadnet.Search) (roadnet.Leg, string) {
	r := roadnet.NewRouter(n.Network)
	leg := r.Routes(from, []roadnet.Position{to}, s)[0]
	return leg, n.Path(r.Path(0, nil))
}

func wantRoute(t *testing.T, n *roadnettest.Net, from, to roadnet.Position, s roadnet.Search, path string, length float64) {
	t.Helper()
	leg, got := route(n, from, to, s)
	if !leg.Found || got != path || math.Abs(leg.Length-length) > 1 {
		t.Errorf("route is %q, %.1f m (found %v), want %q, %.1f m", got, leg.Length, leg.Found, path, length)
	}
}

func TestRouteOnOneSegment(t *testing.T) {
	n := roadnettest.Draw(t, 100, `
A---------B
|         |
D---------C`, "ABCDA oneway=yes")
	at := func(ratio float64) roadnet.Position { return n.Pos("ABCDA", ratio) }
	n2 := roadnettest.Draw(t, 100, "A---------B", "AB")
	wantRoute(t, n2, n2.Pos("AB", 0.2), n2.Pos("AB", 0.7), near(), "AB", 500)
	wantRoute(t, n2, n2.Pos("AB", 0.5), n2.Pos("AB", 0.5), near(), "AB", 0)
	wantRoute(t, n2, n2.Pos("AB", 0.5), n2.Pos("AB", 0.495), near(), "AB", 0) // a small step backwards
	wantRoute(t, n2, n2.Pos("AB", 0.5), n2.Pos("AB", 0.4), near(), "AB BA AB", 500+1000+400)
	wantRoute(t, n, at(0.5), at(0.4), near(), "ABCDA ABCDA", 0.9*2400) // round the loop
}

func TestRouteTurnsBackOnlyAtAPrice(t *testing.T) {
	n := roadnettest.Draw(t, 100, `
A---B---C
    |   |
    D---E`, "AB", "BC", "CEDB oneway=yes")
	s := near()
	wantRoute(t, n, n.Pos("AB", 0.5), n.Pos("BA", 0.5), s, "AB BA", 400)
	s.UTurn = 5000 // dearer than the way round
	wantRoute(t, n, n.Pos("AB", 0.5), n.Pos("BA", 0.5), s, "AB BC CEDB BA", 200+400+800+200)
}

func TestRouteTakesTheFastRoadByTime(t *testing.T) {
	n := roadnettest.Draw(t, 100, `
    C-------D
    |       |
A---B-------E---F`,
		"AB highway=primary maxspeed=50", "EF highway=primary maxspeed=50",
		"BE highway=residential maxspeed=20", "BCDE highway=primary maxspeed=100")
	s := near()
	wantRoute(t, n, n.Pos("AB", 0), n.Pos("EF", 1), s, "AB BE EF", 1600)
	s.TimeShare, s.Speed = 1, 10
	wantRoute(t, n, n.Pos("AB", 0), n.Pos("EF", 1), s, "AB BCDE EF", 2000)
	leg, _ := route(n, n.Pos("AB", 0), n.Pos("EF", 1), s)
	if want := 800/(50/3.6) + 1200/(100/3.6); math.Abs(leg.Time-want) > 0.2 || math.Abs(leg.Cost-10*leg.Time) > 1e-6 {
		t.Errorf("time %.2f s, cost %.2f, want %.2f s and ten times that", leg.Time, leg.Cost, want)
	}
}

func TestRouteAvoidsTurnsAtAPrice(t *testing.T) {
	n := roadnettest.Draw(t, 100, `
    X-------Y
    |       |
    |       |
A---B       C---D
    |       |
5---1-------2---6`, "AB", "BXYC", "B1", "12", "2C", "CD", "51", "26")
	s := near()
	wantRoute(t, n, n.Pos("AB", 0), n.Pos("CD", 1), s, "AB B1 12 2C CD", 2000)
	s.Turn = 150 // four right angles there, two here: the bends of a way are none
	wantRoute(t, n, n.Pos("AB", 0), n.Pos("CD", 1), s, "AB BXYC CD", 2200)
}

func TestRouteKeepsTurnRestrictions(t *testing.T) {
	drawing := `
A---B---C
    |   |
    D---E
    |
    F`
	ways := []string{"AB", "BC", "BD", "CE", "ED", "DF"}
	s := near()
	s.UTurn = 1e5
	free := roadnettest.Draw(t, 100, drawing, ways...)
	wantRoute(t, free, free.Pos("AB", 0), free.Pos("DF", 1), s, "AB BD DF", 800)
	n := roadnettest.Draw(t, 100, drawing, append(ways, "no_right_turn AB B BD")...)
	wantRoute(t, n, n.Pos("AB", 0), n.Pos("DF", 1), s, "AB BC CE ED DF", 1600)
	s.UTurn = 1
	wantRoute(t, n, n.Pos("AB", 0), n.Pos("BD", 0.5), s, "AB BC CB BD", 400+800+100)
}

func TestRouteKeepsRestrictionsOverAWay(t *testing.T) {
	drawing := `
A---B---C---D
    |   |
    F   G`
	ways := []string{"AB", "FB", "BC", "CD", "CG"}
	s := near()
	free := roadnettest.Draw(t, 100, drawing, ways...)
	wantRoute(t, free, free.Pos("AB", 0), free.Pos("CG", 1), s, "AB BC CG", 1000)
	n := roadnettest.Draw(t, 100, drawing, append(ways, "no_right_turn AB BC CG")...)
	wantRoute(t, n, n.Pos("FB", 0), n.Pos("CG", 1), s, "FB BC CG", 800)
	wantRoute(t, n, n.Pos("AB", 0), n.Pos("CG", 1), s, "AB BF FB BC CG", 1400)
}

func TestRouteEndsAtTheBound(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A---B---C", "AB", "BC")
	s := near()
	s.Bound = 799
	if leg, path := route(n, n.Pos("AB", 0), n.Pos("BC", 1), s); leg.Found || path != "" {
		t.Errorf("found %q at cost %.0f beyond the bound", path, leg.Cost)
	}
	s.Bound = 801
	wantRoute(t, n, n.Pos("AB", 0), n.Pos("BC", 1), s, "AB BC", 800)
}

func TestRouteForgetsWhatIsMuchDearer(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A---B---C---D---E", "AB", "BC", "CD", "DE")
	s := near()
	s.Spread = 500
	to := []roadnet.Position{n.Pos("DE", 0.5), n.Pos("AB", 0.5), n.Pos("BC", 0)}
	legs := roadnet.NewRouter(n.Network).Routes(n.Pos("AB", 0), to, s)
	if legs[0].Found || !legs[1].Found || !legs[2].Found {
		t.Errorf("found %v, want only those within 500 m of the nearest", legs)
	}
}

func TestRouteWithoutAnyWay(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A---B   C---D", "AB oneway=yes", "CD")
	if leg, path := route(n, n.Pos("AB", 0.5), n.Pos("CD", 0.5), near()); leg.Found || path != "" {
		t.Errorf("found %q between roads that do not meet", path)
	}
}

func TestSearchEndsWhenDone(t *testing.T) {
	net := roadnettest.GridCity(60)
	b := net.Info().Bounds
	from := net.Near(roadnet.Point{Lon: b.MinLon, Lat: b.MinLat}, 200, nil)[0].Position
	to := []roadnet.Position{net.Near(roadnet.Point{Lon: b.MaxLon, Lat: b.MaxLat}, 200, nil)[0].Position}
	done := make(chan struct{})
	s := roadnet.Search{UTurn: 100, Bound: 1e9}
	r := roadnet.NewRouter(net)
	r.Done = done
	if !r.Routes(from, to, s)[0].Found {
		t.Fatal("no route through the city")
	}
	close(done)
	if r.Routes(from, to, s)[0].Found {
		t.Error("the search went on to its end")
	}
}

func TestTableHoldsEveryPair(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A---B---C", "AB", "BC")
	from := []roadnet.Position{n.Pos("AB", 0.5), n.Pos("BA", 0.5)}
	to := []roadnet.Position{n.Pos("BC", 0.5), n.Pos("CB", 0.5), n.Pos("AB", 0.5)}
	var table roadnet.Table
	for range 2 { // filled anew it must be the same
		table.ManyToMany(roadnet.NewRouter(n.Network), from, to, near())
		for i, row := range [][]string{{"AB BC", "AB BC CB", "AB"}, {"BA AB BC", "BA AB BC CB", "BA AB"}} {
			for j, want := range row {
				if got := n.Path(table.Path(i, j)); got != want || !table.Leg(i, j).Found {
					t.Errorf("path %d, %d is %q, want %q", i, j, got, want)
				}
			}
		}
	}
	table.Reset()
	if table.Found() {
		t.Error("an empty table has a route")
	}
}

func TestSearchAllocatesNothing(t *testing.T) {
	net := roadnettest.GridCity(20)
	r := roadnet.NewRouter(net)
	to := []roadnet.Position{{Segment: 100, Ratio: 0.5}, {Segment: 700, Ratio: 0.1}, {Segment: 1400, Ratio: 0.9}}
	s := roadnet.Search{TimeShare: 0.5, Speed: 10, Turn: 50, UTurn: 100, Bound: 1e5}
	var path []roadnet.SegmentID
	search := func() {
		r.Routes(roadnet.Position{Segment: 5, Ratio: 0.3}, to, s)
		path = r.Path(2, path[:0])
	}
	search()
	if n := testing.AllocsPerRun(20, search); n != 0 {
		t.Errorf("%v allocations a search", n)
	}
}
