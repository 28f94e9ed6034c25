package engine

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"retrace/engine/metrics"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// What goes wrong where points come each second, each cause on a network of its own.

// leg is a straight drive between two places, metres east and north of a letter.
type leg struct {
	letter   rune
	x, y     float64
	toX, toY float64
	seconds  int
}

// each second of some drives a sample comes, off by a receiver's noise of so many metres.
func drives(n *roadnettest.Net, noise float64, legs ...leg) []trajectory.Sample {
	rng := rand.New(rand.NewPCG(1, 2))
	var all []trajectory.Sample
	now := int64(0)
	for _, l := range legs {
		for i := range l.seconds {
			u := float64(i) / float64(l.seconds)
			all = append(all, at(n, now, l.letter, l.x+u*(l.toX-l.x)+noise*rng.NormFloat64(), l.y+u*(l.toY-l.y)+noise*rng.NormFloat64()))
			now++
		}
	}
	return all
}

// wantDriven recovers samples and wants a path of one part, as letters, without an
// impossible hop, and every sample placed.
func wantDriven(t *testing.T, n *roadnettest.Net, want string, samples []trajectory.Sample) *trajectory.Recovery {
	t.Helper()
	rec := recovered(t, n, samples...)
	if len(rec.Parts) != 1 {
		t.Fatalf("%d parts: %q", len(rec.Parts), rec.Warnings)
	}
	if got := n.Path(rec.Parts[0].Segments); got != want {
		t.Errorf("driven is %s, want %s", got, want)
	}
	if _, untold := metrics.Hops(&trajectory.Trajectory{Samples: samples}, rec); untold > 0 {
		t.Errorf("%d impossible hops", untold)
	}
	for i, m := range rec.Matches {
		if !m.State.Placed() {
			t.Errorf("sample %d is in state %d", i, m.State)
		}
	}
	return rec
}

const crossing = `
          N
          |
          |
          |
A---------B---------C
          |
          |
          |
          S`

func TestStandingAtACrossingIsNoDrive(t *testing.T) {
	n := roadnettest.Draw(t, 20, crossing, "AB", "BC", "NB", "BS")
	rec := wantDriven(t, n, "AB BC", drives(n, 6,
		leg{'A', 20, 0, 190, 0, 15}, leg{'B', -5, 0, -5, 0, 90}, leg{'B', 0, 0, 180, 0, 15}))
	for _, k := range rec.Ticks {
		if s := (k.Time - start) / 1000; s >= 20 && s <= 100 && (k.Along < 130 || k.Along > 210) {
			t.Errorf("after %d s, when the vehicle stands, it is at %.0f m", s, k.Along)
		}
	}
	passed := 0
	for _, m := range rec.Matches {
		if m.State == trajectory.Passed {
			passed++
		}
	}
	if passed < 60 {
		t.Errorf("only %d samples tell nothing new", passed)
	}
}

func TestNoiseBesideASideStreetIsNoSpur(t *testing.T) {
	n := roadnettest.Draw(t, 20, crossing, "AB", "BC", "NB", "BS")
	samples := drives(n, 3, leg{'A', 20, 0, 380, 0, 36})
	k := n.PointNear('B', 0, 18) // as if it were in the side street
	samples[18].Lon, samples[18].Lat = k.Lon, k.Lat
	wantDriven(t, n, "AB BC", samples)
}

func TestAReversalAtADeadEndIsDriven(t *testing.T) {
	n := roadnettest.Draw(t, 20, `
A---------B---------C
          |
          |
          |
          S`, "AB", "BC", "BS")
	wantDriven(t, n, "AB BS SB BC", drives(n, 3,
		leg{'A', 20, 0, 200, 0, 18}, leg{'B', 0, 0, 0, -80, 10}, leg{'S', 0, 0, 0, 0, 20}, leg{'S', 0, 0, 0, 80, 10}, leg{'B', 0, 0, 180, 0, 18}))
}

func TestAReversalWithinABlockIsDriven(t *testing.T) {
	n := roadnettest.Draw(t, 20, crossing, "AB", "BC", "NB", "BS")
	rec := wantDriven(t, n, "NB BA AB BS", drives(n, 3,
		leg{'N', 0, -10, 0, -80, 8}, leg{'B', 0, 0, -120, 0, 14}, leg{'B', -120, 0, 0, 0, 14}, leg{'B', 0, 0, 0, -60, 8}))
	if len(rec.Gaps) != 1 || rec.Gaps[0].Why != trajectory.Turned || rec.Gaps[0].Broken {
		t.Errorf("the turn is told as %+v", rec.Gaps)
	}
}

func TestParallelCarriagewaysAreNotChanged(t *testing.T) {
	n := roadnettest.Draw(t, 10, `
A----------------------------------------B
|                                        |
C----------------------------------------D`, "BA oneway=yes", "CD oneway=yes", "AC", "BD")
	wantDriven(t, n, "CD", drives(n, 6, leg{'C', 20, 0, 390, 0, 37}))
	wantDriven(t, n, "BA", drives(n, 6, leg{'B', -20, 0, -390, 0, 37}))
}

func TestTheFirstAndTheLastSampleLieOnTheWay(t *testing.T) {
	n := roadnettest.Draw(t, 20, crossing, "AB", "BC", "NB", "BS")
	samples := drives(n, 2, leg{'B', 8, 0, 180, 0, 18})
	for i, p := range map[int][2]float64{0: {2, 9}} { // nearer to another road than to its own
		k := n.PointNear('B', p[0], p[1])
		samples[i].Lon, samples[i].Lat = k.Lon, k.Lat
	}
	rec := recovered(t, n, samples...)
	if got := n.Path(rec.Parts[0].Segments); !strings.HasSuffix(got, "BC") || strings.Contains(got, "CB") || strings.Contains(got, "NB BS") {
		t.Errorf("driven is %s", got)
	}
	if metres := rec.Ticks[len(rec.Ticks)-1].Along; metres > 200 {
		t.Errorf("the way of 170 m is %.0f m long", metres)
	}
}

func TestMixedRatesWithinATripAreOnePath(t *testing.T) {
	n := roadnettest.Draw(t, 20, `
A---------B---------C---------D---------E
          |         |
          S         T`, "AB", "BC", "CD", "DE", "BS", "CT")
	var samples []trajectory.Sample
	for i, s := range drives(n, 4, leg{'A', 10, 0, 790, 0, 240}) {
		if i < 80 || i >= 140 && i%5 == 0 || i == 239 {
			samples = append(samples, s)
		}
	}
	wantDriven(t, n, "AB BC CD DE", samples)
}

func TestASpeedThatNoRoadAllowsIsTold(t *testing.T) {
	n := roadnettest.Draw(t, 100, `
A------------------B
                   |
                   |
                   |
                   |
                   |
                   |
                   |
C   E--------------F
|   |
|   |
D---G`, "AB oneway=yes", "BF oneway=yes", "FE oneway=yes", "EG oneway=yes", "GD oneway=yes", "DC oneway=yes")
	rec := recovered(t, n, at(n, 0, 'A', 100, 0), at(n, 10, 'A', 200, 0), at(n, 20, 'A', 300, 0),
		at(n, 40, 'D', 0, 50), at(n, 50, 'D', 0, 150), at(n, 60, 'D', 0, 190))
	if len(rec.Parts) != 2 || len(rec.Gaps) != 1 {
		t.Fatalf("%d parts, gaps %+v, warnings %q", len(rec.Parts), rec.Gaps, rec.Warnings)
	}
	g := rec.Gaps[0]
	if g.FromSample != 2 || g.ToSample != 3 || g.Why != trajectory.TooFast || !g.Broken || g.Speed < 50 {
		t.Errorf("the gap is told as %+v", g)
	}
	if !strings.Contains(strings.Join(rec.Warnings, "\n"), "from point 3 to point 4") {
		t.Errorf("warnings %q", rec.Warnings)
	}
}

func TestSamplesThatTellNothingNewArePassedWhateverTheMethodIsToldOfThem(t *testing.T) {
	n := roadnettest.Draw(t, 20, crossing, "AB", "BC", "NB", "BS")
	samples := drives(n, 1, leg{'A', 20, 0, 380, 0, 72})
	rec, err := recoverer(t, n.Network, nil).Recover(context.Background(), &trajectory.Trajectory{Samples: samples}, []Pin{{Sample: 7, Segment: n.Seg("AB")}})
	if err != nil {
		t.Fatal(err)
	}
	if rec.Matches[7].State != trajectory.Matched {
		t.Error("a sample that a person knows of is passed")
	}
	if rec.Matches[9].State != trajectory.Passed || rec.Matches[9].Distance > 5 {
		t.Errorf("a sample soon after it is %+v", rec.Matches[9])
	}
}

func TestWhereTheVehicleLeftTheNetworkIsTold(t *testing.T) {
	n := roadnettest.Draw(t, 100, `
A--------------------B--------------------C
|                                         |
|                                         |
|                                         |
|                                         |
|                                         |
|                                         |
|                                         |
|                                         |
|                                         |
|                                         |
|                                         |
D-----------------------------------------E`, "AB", "BC", "AD", "CE", "DE")
	way := func(off ...[2]float64) []trajectory.Sample {
		all := []trajectory.Sample{at(n, 0, 'B', -400, 0), at(n, 30, 'B', -100, 0)}
		for i, p := range off {
			all = append(all, at(n, 60+30*int64(i), 'B', p[0], p[1]))
		}
		end := 60 + 30*int64(len(off))
		return append(all, at(n, end, 'B', 100, 0), at(n, end+30, 'B', 400, 0))
	}
	for name, c := range map[string]struct {
		samples []trajectory.Sample
		want    trajectory.Why
	}{
		"a yard":             {way([2]float64{0, -500}, [2]float64{30, -520}, [2]float64{0, -540}, [2]float64{0, -500}), trajectory.CarPark},
		"a road not there":   {way([2]float64{0, -400}, [2]float64{100, -700}, [2]float64{300, -700}, [2]float64{300, -400}), trajectory.NewRoad},
		"beyond the network": {way([2]float64{0, 400}, [2]float64{0, 900}, [2]float64{0, 400}), trajectory.Outside},
		"one bad sample":     {way([2]float64{0, -500}), 0},
	} {
		rec := recovered(t, n, c.samples...)
		if c.want == 0 {
			if len(rec.Gaps) > 0 || len(rec.Parts) != 1 {
				t.Errorf("%s: gaps %+v", name, rec.Gaps)
			}
			continue
		}
		if len(rec.Gaps) != 1 || rec.Gaps[0].Why != c.want || !rec.Gaps[0].Broken || len(rec.Parts) != 2 {
			t.Errorf("%s: %d parts, gaps %+v", name, len(rec.Parts), rec.Gaps)
		}
	}
}
