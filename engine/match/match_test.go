package match_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// at is a sample some metres east and north of a letter, seconds after the start.
func at(n *roadnettest.Net, second int64, letter rune, east, north float64) trajectory.Sample {
	p := n.PointNear(letter, east, north)
	return trajectory.Sample{Time: 1_700_000_000_000 + second*1000, Lon: p.Lon, Lat: p.Lat}
}

func settings() match.Settings { return match.DefaultSettings() }

func run(t *testing.T, n *roadnettest.Net, s match.Settings, pins []match.Pin, samples ...trajectory.Sample) *match.Result {
	t.Helper()
	return matched(t, n.Network, s, pins, samples)
}

func matched(t roadnettest.TB, net *roadnet.Network, s match.Settings, pins []match.Pin, samples []trajectory.Sample) *match.Result {
	t.Helper()
	m, err := match.New(net, s)
	if err != nil {
		t.Fatalf("%v", err)
	}
	res, err := m.Match(context.Background(), samples, pins)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return res
}

// path is the whole driven path by letters, with a bar where it breaks.
func path(n *roadnettest.Net, res *match.Result) string {
	var parts []string
	var current []roadnet.SegmentID
	for _, l := range res.Legs {
		if l.Broken {
			parts, current = append(parts, n.Path(current)), nil
			continue
		}
		from := l.Path
		if len(current) > 0 {
			from = from[1:]
		}
		current = append(current, from...)
	}
	return strings.Join(append(parts, n.Path(current)), " | ")
}

func wantPath(t *testing.T, n *roadnettest.Net, res *match.Result, want string) {
	t.Helper()
	if got := path(n, res); got != want {
		t.Errorf("path is %q, want %q", got, want)
	}
}

func wantStates(t *testing.T, res *match.Result, want ...trajectory.SampleState) {
	t.Helper()
	for i, w := range want {
		if got := res.Matches[i].State; got != w {
			t.Errorf("point %d is %d, want %d", i, got, w)
		}
	}
}

const (
	ok        = trajectory.Matched
	offRoad   = trajectory.OffRoad
	outlier   = trajectory.Outlier
	duplicate = trajectory.Duplicate
)

func TestOneNoisyPointDoesNotChangeTheRoad(t *testing.T) {
	n := roadnettest.Draw(t, 10, `
1----------------------------------------2------------------------------------------3


A----------------------------------------B------------------------------------------C`,
		"AB highway=secondary", "BC highway=secondary", "12 highway=secondary", "23 highway=secondary")
	res := run(t, n, settings(), nil,
		at(n, 0, 'A', 50, 2), at(n, 15, 'A', 200, -3),
		at(n, 30, 'B', -60, 20), // nearer to the other road, which is never joined
		at(n, 45, 'B', 100, 3), at(n, 60, 'B', 250, -2))
	wantPath(t, n, res, "AB BC")
	wantStates(t, res, ok, ok, ok, ok, ok)
	m := res.Matches[2]
	if m.At.Segment != n.Seg("AB") || m.Candidates[0].Position != m.At || m.Candidates[0].Probability < 0.9 {
		t.Errorf("the noisy point is at %v, its candidates %v", m.At, m.Candidates)
	}
}

func TestPathKeepsTurnRestrictions(t *testing.T) {
	drawing := `
A----B----C
     |    |
     D----E
     |
     F`
	ways := []string{"AB", "BC", "BD", "CE", "ED", "DF"}
	samples := func(n *roadnettest.Net) []trajectory.Sample {
		return []trajectory.Sample{at(n, 0, 'A', 100, 0), at(n, 120, 'F', 0, 40)}
	}
	free := roadnettest.Draw(t, 50, drawing, ways...)
	wantPath(t, free, run(t, free, settings(), nil, samples(free)...), "AB BD DF")
	n := roadnettest.Draw(t, 50, drawing, append(ways, "no_right_turn AB B BD")...)
	wantPath(t, n, run(t, n, settings(), nil, samples(n)...), "AB BC CE ED DF")
}

func TestVehicleTurnsBackWhereThereIsNoTimeToGoRound(t *testing.T) {
	n := roadnettest.Draw(t, 50, `
A-------------B----C
|                  |
|                  |
|                  |
|                  |
D------------------E`,
		"AB", "BC", "CE", "ED", "DA")
	out, back := at(n, 0, 'A', 100, 3), at(n, 30, 'B', -100, 3)
	res := run(t, n, settings(), nil, out, back, at(n, 60, 'A', 300, 3), at(n, 70, 'A', 200, 3))
	wantPath(t, n, res, "AB BA")
}

func TestVehicleGoesRoundALoop(t *testing.T) {
	n := roadnettest.Draw(t, 50, `
A------B
|      |
|      |
D------C----E`, "ABCD oneway=yes", "DA oneway=yes", "CE")
	res := run(t, n, settings(), nil, at(n, 0, 'A', 300, 0), at(n, 90, 'A', 100, 0), at(n, 120, 'E', -50, 0))
	wantPath(t, n, res, "ABC CD DA ABC CE")
}

func TestStandingVehicleStands(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A--------------------B", "AB oneway=yes")
	res := run(t, n, settings(), nil,
		at(n, 0, 'A', 500, 2), at(n, 120, 'A', 495, -3), at(n, 240, 'A', 488, 1), at(n, 300, 'A', 900, 0))
	wantStates(t, res, ok, ok, ok, ok)
	wantPath(t, n, res, "AB")
}

func TestPointsFarFromRoadsAreLeftOut(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A--------------------B", "AB")
	res := run(t, n, settings(), nil,
		at(n, 0, 'A', 100, 0), at(n, 60, 'A', 400, 2000), at(n, 120, 'A', 900, 0), at(n, 180, 'A', 1300, 5000))
	wantStates(t, res, ok, offRoad, ok, offRoad)
	wantPath(t, n, res, "AB")
	nothing := run(t, n, settings(), nil, at(n, 0, 'A', 0, 5000))
	wantStates(t, nothing, offRoad)
	if len(nothing.Legs) != 0 {
		t.Errorf("legs without a match: %v", nothing.Legs)
	}
}

func TestRadiusGrowsUntilThereIsARoad(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A--------------------B", "AB")
	res := run(t, n, settings(), nil, at(n, 0, 'A', 100, 0), at(n, 60, 'A', 400, 200), at(n, 120, 'A', 900, 0))
	wantStates(t, res, ok, ok, ok)
	if d := res.Matches[1].Distance; math.Abs(float64(d)-200) > 1 {
		t.Errorf("matched at %.1f m, want 200 m", d)
	}
}

func TestOutliersAreLeftOut(t *testing.T) {
	n := roadnettest.Draw(t, 100, `
A--------------------------------B
|                                |
|                                |
|                                |
C--------------------------------D`, "AB", "AC", "BD", "CD")
	for name, far := range map[string]int{"first": 0, "inside": 2, "last": 4} {
		var samples []trajectory.Sample
		var want []trajectory.SampleState
		for i := range 5 {
			s, state := at(n, int64(15*i), 'A', 100+150*float64(i), 3), ok
			if i == far {
				s, state = at(n, int64(15*i), 'D', -100, 3), outlier
			}
			samples, want = append(samples, s), append(want, state)
		}
		res := run(t, n, settings(), nil, samples...)
		t.Log(name)
		wantStates(t, res, want...)
		wantPath(t, n, res, "AB")
	}
}

func TestAWrongClockDoesNotBreakThePath(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A-------------------B-------------------C", "AB highway=residential", "BC highway=secondary")
	res := run(t, n, settings(), nil,
		at(n, 0, 'A', 100, 0), at(n, 15, 'A', 250, 0), at(n, 30, 'A', 400, 0), at(n, 45, 'A', 550, 0),
		at(n, 60, 'B', 1000, 0), at(n, 75, 'B', 1150, 0), at(n, 90, 'B', 1300, 0), at(n, 105, 'B', 1450, 0))
	wantPath(t, n, res, "AB BC")
	if res.Legs[3].Why != trajectory.TooFar {
		t.Error("2.4 km in 15 s are not said to be too fast")
	}
}

func TestPathBreaksOnlyWhereThereIsNoWay(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A--------B    C--------D", "AB", "CD")
	res := run(t, n, settings(), nil,
		at(n, 0, 'A', 100, 0), at(n, 60, 'A', 500, 0), at(n, 90, 'B', -100, 0),
		at(n, 150, 'C', 200, 0), at(n, 200, 'C', 500, 0), at(n, 230, 'D', -100, 0))
	wantPath(t, n, res, "AB | CD")
	wantStates(t, res, ok, ok, ok, ok, ok, ok)
}

func TestOnePointOnAnIslandDoesNotBreakThePath(t *testing.T) {
	n := roadnettest.Draw(t, 100, `
   1---2


A--------B--------C`, "AB", "BC", "12")
	res := run(t, n, settings(), nil, at(n, 0, 'A', 100, 0), at(n, 60, '1', 200, 0), at(n, 120, 'C', -100, 0))
	wantStates(t, res, ok, outlier, ok)
	wantPath(t, n, res, "AB BC")
}

func TestADetourBeyondTheFirstSearchIsFound(t *testing.T) {
	n := roadnettest.Draw(t, 1000, `
A--B C--D
|       |
|       |
|       |
|       |
E-------F`, "BA", "CD", "AE", "EF", "FD")
	res := run(t, n, settings(), nil, at(n, 0, 'B', -500, 0), at(n, 3600, 'C', 500, 0))
	wantPath(t, n, res, "BA AE EF FD DC")
}

func TestInstantsThatDoNotAdvanceAreDuplicates(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A--------------------B", "AB")
	res := run(t, n, settings(), nil,
		at(n, 10, 'A', 100, 0), at(n, 10, 'A', 900, 0), at(n, 5, 'A', 50, 0), at(n, 60, 'A', 500, 0))
	wantStates(t, res, ok, duplicate, duplicate, ok)
}

func TestPinsAreHard(t *testing.T) {
	n := roadnettest.Draw(t, 10, `
     1----------------------2
    /                        \
A--B------------X-------------C--D`,
		"AB", "BXC highway=secondary", "B12C", "CD")
	samples := []trajectory.Sample{at(n, 0, 'A', 10, 0), at(n, 30, '1', 120, -10), at(n, 60, 'D', -10, 0)}
	wantPath(t, n, run(t, n, settings(), nil, samples...), "AB BXC CD")
	pin := []match.Pin{{Sample: 1, Segment: n.Seg("B12C")}}
	wantPath(t, n, run(t, n, settings(), pin, samples...), "AB B12C CD")
	not := []match.Pin{{Sample: 1, Segment: n.Seg("BXC"), Forbid: true}, {Sample: 1, Segment: n.Seg("CXB"), Forbid: true}}
	wantPath(t, n, run(t, n, settings(), not, samples...), "AB B12C CD")
}

func TestAPinnedPointIsNeverLeftOut(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A--------B    C--------D", "AB", "CD")
	samples := []trajectory.Sample{at(n, 0, 'A', 100, 0), at(n, 30, 'A', 300, 0), at(n, 60, 'A', 500, 0)}
	res := run(t, n, settings(), []match.Pin{{Sample: 1, Segment: n.Seg("CD")}}, samples...)
	wantStates(t, res, ok, ok, ok)
	wantPath(t, n, res, " |  | ")
	if res.Matches[1].At.Segment != n.Seg("CD") {
		t.Errorf("the pinned point is on %s", n.Path([]roadnet.SegmentID{res.Matches[1].At.Segment}))
	}
}

func TestPinsThatFitNothingAreRefused(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A--------B", "AB")
	m, err := match.New(n.Network, settings())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []match.Pin{{Sample: 1}, {Sample: -1}, {Segment: 99}} {
		if _, err := m.Match(context.Background(), []trajectory.Sample{at(n, 0, 'A', 0, 0)}, []match.Pin{p}); err == nil {
			t.Errorf("pin %v was taken", p)
		}
	}
}

func TestAlternativesAreOtherRoutes(t *testing.T) {
	n := roadnettest.Draw(t, 10, `
A----------------------------------------B
|                                        |
1----------------------------------------2
|                                        |
C----------------------------------------D`, "AB", "12", "A1", "1C", "B2", "2D", "CD")
	s := settings()
	s.Alternatives = 3
	res := run(t, n, s, nil, at(n, 0, 'A', 20, -9), at(n, 60, 'B', -20, -9))
	if len(res.Alternatives) == 0 {
		t.Fatal("no alternative between two roads that are equally near")
	}
	last := float32(1)
	for _, a := range res.Alternatives {
		if a.FromSample != 0 || a.ToSample != 1 || a.Probability > last || a.Probability <= 0 {
			t.Errorf("alternative %+v after one of %.3f", a, last)
		}
		if n.Path(a.Part.Segments) == path(n, res) {
			t.Error("an alternative is the path itself")
		}
		last = a.Probability
	}
}

func TestProbabilitiesAddUp(t *testing.T) {
	n := roadnettest.Draw(t, 10, `
A----------------------------------------B
|                                        |
C----------------------------------------D`, "AB", "AC", "BD", "CD")
	res := run(t, n, settings(), nil, at(n, 0, 'A', 100, -9), at(n, 30, 'A', 200, -9), at(n, 60, 'B', -100, -9))
	for i, m := range res.Matches {
		sum := float32(0)
		for _, c := range m.Candidates {
			sum += c.Probability
		}
		if math.Abs(float64(sum)-1) > 1e-3 {
			t.Errorf("candidates of point %d add up to %.4f", i, sum)
		}
	}
	for i, l := range res.Legs {
		own := float32(1)
		for _, w := range l.Others {
			own -= w.Probability
		}
		for _, s := range l.Shares {
			sum := float32(0) // of the ways that drive the segment
			if slices.Contains(l.Path, s.Segment) {
				sum = own
			}
			for _, w := range l.Others {
				if slices.Contains(w.Part.Segments, s.Segment) {
					sum += w.Probability
				}
			}
			if s.Probability < 0 || s.Probability > 1.0001 || math.Abs(float64(s.Probability-sum)) > 0.05 {
				t.Errorf("leg %d: share %v, of the ways that drive it %v", i, s, sum)
			}
		}
		for _, id := range l.Path {
			if l.ShareOf(id) <= 0.1 {
				t.Errorf("leg %d: the chosen segment has a share of %.3f", i, l.ShareOf(id))
			}
		}
	}
}

func TestMatchStopsWhenCancelled(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A--------B", "AB")
	m, err := match.New(n.Network, settings())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Match(ctx, []trajectory.Sample{at(n, 0, 'A', 0, 0), at(n, 9, 'B', 0, 0)}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

func TestSettingsOutOfRangeAreNamed(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A--------B", "AB")
	for name, change := range map[string]func(*match.Settings){
		"Sigma":         func(s *match.Settings) { s.Sigma = 0 },
		"Radius":        func(s *match.Settings) { s.Radius = 2 * s.MaxRadius },
		"TimeShare":     func(s *match.Settings) { s.TimeShare = math.NaN() },
		"MaxCandidates": func(s *match.Settings) { s.MaxCandidates = 0 },
	} {
		s := settings()
		change(&s)
		if _, err := match.New(n.Network, s); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
}

// A segment that a sample does not lie on is not driven around it, though it is
// the shortest way; elsewhere it may be.
func TestAForbiddenSegmentIsNotDriven(t *testing.T) {
	n := roadnettest.Draw(t, 100, `
		A---B-X-C---D---E
		    |   |
		    F---G
	`, "AB", "BXC", "CD", "DE", "BFGC")
	samples := []trajectory.Sample{
		at(n, 0, 'A', 100, 0), at(n, 60, 'C', 200, 0), at(n, 120, 'D', 200, 0),
	}
	m, err := match.New(n.Network, settings())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		pins []match.Pin
		want string
	}{
		{nil, "AB BXC CD"},
		{[]match.Pin{{Sample: 1, Segment: n.Seg("BXC"), Forbid: true}}, "AB BFGC CD"},
		{[]match.Pin{{Sample: 0, Segment: n.Seg("BXC"), Forbid: true}}, "AB BFGC CD"},
		{[]match.Pin{{Sample: 2, Segment: n.Seg("BXC"), Forbid: true}}, "AB BXC CD"},
	} {
		res, err := m.Match(context.Background(), samples, c.pins)
		if err != nil {
			t.Fatal(err)
		}
		if got := n.Path(res.Legs[0].Path); got != c.want {
			t.Errorf("with %v the way is %s, want %s", c.pins, got, c.want)
		}
	}
}

// Where a forbidden segment is the only way, the path breaks rather than drive it.
func TestAForbiddenBridgeBreaksThePath(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A---B---C---D", "AB", "BC", "CD")
	m, err := match.New(n.Network, settings())
	if err != nil {
		t.Fatal(err)
	}
	pins := []match.Pin{{Sample: 0, Segment: n.Seg("AB")}, {Sample: 1, Segment: n.Seg("CD")}, {Sample: 1, Segment: n.Seg("BC"), Forbid: true}}
	res, err := m.Match(context.Background(), []trajectory.Sample{at(n, 0, 'A', 100, 0), at(n, 60, 'C', 200, 0)}, pins)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Legs) != 1 || !res.Legs[0].Broken {
		t.Errorf("legs %+v", res.Legs)
	}
}
