package metrics

import (
	"math"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// ladder is two streets with a way around, and a street on its own.
func ladder(t *testing.T) *roadnettest.Net {
	return roadnettest.Draw(t, 25, `
		        X
		        |
		A---B---C---D
		    |       |
		    E-------F    G---H
	`, "ABCD highway=primary", "BEFD", "CX", "GH highway=tertiary")
}

// drive is a recovery with a tick every 15 s.
func drive(net *roadnettest.Net, at ...roadnet.Position) *trajectory.Recovery {
	rec := &trajectory.Recovery{Trajectory: "trip"}
	for i, p := range at {
		point := net.At(p)
		rec.Ticks = append(rec.Ticks, trajectory.Tick{Time: int64(15000 * i), Lon: point.Lon, Lat: point.Lat, At: p})
	}
	return rec
}

// sparse is a trajectory with samples at some of a truth's ticks.
func sparse(truth *trajectory.Recovery, kept ...int) *trajectory.Trajectory {
	t := &trajectory.Trajectory{ID: truth.Trajectory}
	for _, i := range kept {
		t.Samples = append(t.Samples, trajectory.Sample{Time: truth.Ticks[i].Time})
	}
	return t
}

// checkFigures compares what Summarize says of scores with what is wanted.
func checkFigures(t *testing.T, want map[[2]string]float64, scores ...*Score) {
	t.Helper()
	r := Summarize("m", "k", scores, 20, 1)
	for key, v := range want {
		f, ok := r.Figure(key[0], key[1])
		if !ok {
			t.Errorf("%s %s is not there", key[0], key[1])
			continue
		}
		tolerance := 1e-9
		if f.Unit == unitMetres {
			tolerance = 0.05 // lengths are rounded to 1 cm
		}
		if math.Abs(f.Value-v) > tolerance {
			t.Errorf("%s %s is %.6f, want %.6f", key[0], key[1], f.Value, v)
		}
	}
}

func TestFiguresWorkedOutByHand(t *testing.T) {
	net := ladder(t)
	truth := drive(net, net.Pos("AB", 0.5), net.Pos("BC", 0.5), net.Pos("CD", 0.5), net.Pos("CD", 1))
	got := drive(net, net.Pos("AB", 0.5), net.Pos("BEFD", 0.5), net.Pos("CD", 0.3), net.Pos("CD", 1))
	// From the middle of BC to the middle of BEFD: 50 m to C, back to B 100 m,
	// 150 m on: 300 m. The other way round it is 400 m.
	errors := []float64{0, 300, 20, 0}
	rmse := math.Sqrt((300*300 + 20*20) / 4.)
	// As the crow flies it is 50 m east and 50 m south.
	crow := 50 * math.Sqrt2
	score := NewScorer(net.Network).Score(truth, sparse(truth, 0, 3), got)
	for i, p := range score.Points {
		if math.Abs(p.Network-errors[i]) > 0.1 {
			t.Errorf("tick %d is %.1f m off, want %.1f", i, p.Network, errors[i])
		}
	}
	checkFigures(t, map[[2]string]float64{
		{SectionPaper, "recall"}:               2. / 3,
		{SectionPaper, "precision"}:            2. / 3,
		{SectionPaper, "F1"}:                   2. / 3,
		{SectionPaper, "accuracy"}:             3. / 4,
		{SectionPaper, "MAE"}:                  320. / 4,
		{SectionPaper, "RMSE"}:                 rmse,
		{SectionCode, "F1"}:                    2. / 3,
		{SectionCode, "MAE"}:                   320. / 4,
		{SectionCode, "great-circle MAE"}:      (crow + 20) / 4,
		{SectionCode, "great-circle RMSE"}:     math.Sqrt((crow*crow + 20*20) / 4),
		{SectionHidden, "accuracy"}:            1. / 2,
		{SectionHidden, "MAE"}:                 320. / 2,
		{SectionHidden, "great-circle MAE"}:    (crow + 20) / 2,
		{SectionHidden, "within 25 m"}:         1. / 2,
		{SectionHidden, "within 100 m"}:        1,
		{SectionHidden, "missing"}:             0,
		{SectionObserved, "accuracy"}:          1,
		{SectionObserved, "MAE"}:               0,
		{SectionGap, "up to 60 s MAE"}:         320. / 2,
		{SectionSince, "up to 15 s MAE"}:       300,
		{SectionSince, "up to 30 s MAE"}:       20,
		{SectionClass, "primary accuracy"}:     3. / 4,
		{SectionClass, "primary MAE"}:          320. / 4,
		{SectionSince, "up to 30 s accuracy"}:  1,
		{SectionSince, "up to 15 s accuracy"}:  0,
		{SectionObserved, "great-circle RMSE"}: 0,
		{SectionObserved, "great-circle MAE"}:  0,
		{SectionHidden, "great-circle RMSE"}:   math.Sqrt((crow*crow + 20*20) / 2),
		{SectionGap, "up to 60 s accuracy"}:    1. / 2,
		{SectionCode, "recall"}:                2. / 3,
		{SectionCode, "precision"}:             2. / 3,
		{SectionCode, "accuracy"}:              3. / 4,
		{SectionCode, "RMSE"}:                  rmse,
		{SectionHidden, "within 50 m"}:         1. / 2,
		{SectionObserved, "within 25 m"}:       1,
		{SectionObserved, "missing"}:           0,
		{SectionObserved, "within 50 m"}:       1,
		{SectionObserved, "within 100 m"}:      1,
	}, score)
}

func TestReadingsDifferInOrderAndRepeats(t *testing.T) {
	net := ladder(t)
	truth := drive(net, net.Pos("AB", 0), net.Pos("BC", 0), net.Pos("BC", 0.5), net.Pos("CB", 0), net.Pos("BA", 0))
	got := drive(net, net.Pos("BA", 0), net.Pos("CB", 0), net.Pos("BC", 0), net.Pos("AB", 0), net.Pos("AB", 0))
	// The same four segments; in order only one of them is common.
	checkFigures(t, map[[2]string]float64{
		{SectionPaper, "recall"}:    1,
		{SectionPaper, "precision"}: 1,
		{SectionPaper, "F1"}:        1,
		{SectionCode, "recall"}:     1. / 4,
		{SectionCode, "precision"}:  1. / 4,
		{SectionCode, "F1"}:         1. / 4,
	}, NewScorer(net.Network).Score(truth, sparse(truth, 0, 4), got))
}

func TestNoWayCountsAsFar(t *testing.T) {
	net := ladder(t)
	truth := drive(net, net.Pos("AB", 0), net.Pos("AB", 1))
	got := drive(net, net.Pos("AB", 0), net.Pos("GH", 0))
	checkFigures(t, map[[2]string]float64{
		{SectionPaper, "MAE"}: farthest / 2,
		{SectionCode, "MAE"}:  codeCap / 2,
	}, NewScorer(net.Network).Score(truth, sparse(truth, 0, 1), got))
}

func TestMissingTicksCountAsWrong(t *testing.T) {
	net := ladder(t)
	truth := drive(net, net.Pos("AB", 0), net.Pos("BC", 0), net.Pos("CD", 0), net.Pos("CD", 1))
	got := drive(net, net.Pos("AB", 0), net.Pos("BC", 0))
	score := NewScorer(net.Network).Score(truth, sparse(truth, 0, 3), got)
	checkFigures(t, map[[2]string]float64{
		{SectionPaper, "recall"}:          2. / 3,
		{SectionPaper, "precision"}:       1,
		{SectionPaper, "F1"}:              4. / 5,
		{SectionPaper, "accuracy"}:        1. / 2,
		{SectionPaper, "MAE"}:             2 * codeCap / 4,
		{SectionCode, "great-circle MAE"}: 2 * missingGreat / 4,
		{SectionHidden, "missing"}:        1. / 2,
		{SectionObserved, "missing"}:      1. / 2,
		{SectionHidden, "within 100 m"}:   1. / 2,
		{SectionObserved, "within 100 m"}: 1. / 2,
	}, score)
	none := NewScorer(net.Network).Score(truth, sparse(truth, 0, 3), nil)
	checkFigures(t, map[[2]string]float64{{SectionPaper, "F1"}: 0, {SectionPaper, "MAE"}: codeCap, {SectionHidden, "missing"}: 1}, none)
}

func TestTicksOfOneInstantMayDifferByASecond(t *testing.T) {
	net := ladder(t)
	truth := drive(net, net.Pos("AB", 0), net.Pos("BC", 0))
	for off, missing := range map[int64]bool{0: false, 1000: false, -1000: false, 1001: true} {
		got := drive(net, net.Pos("AB", 0), net.Pos("BC", 0))
		got.Ticks[1].Time += off
		if p := NewScorer(net.Network).Score(truth, sparse(truth, 0), got).Points[1]; p.Missing != missing {
			t.Errorf("a tick %d ms off counts as missing: %v, want %v", off, p.Missing, missing)
		}
	}
}

func TestMeansAreOverTrips(t *testing.T) {
	net := ladder(t)
	s := NewScorer(net.Network)
	short := drive(net, net.Pos("AB", 0), net.Pos("AB", 1))
	long := drive(net, net.Pos("AB", 0), net.Pos("AB", 0.5), net.Pos("AB", 1), net.Pos("BC", 1))
	late := drive(net, net.Pos("AB", 0), net.Pos("AB", 0.5), net.Pos("AB", 1), net.Pos("BC", 0.6))
	a, b := s.Score(short, sparse(short, 0, 1), short), s.Score(long, sparse(long, 0, 3), late)
	checkFigures(t, map[[2]string]float64{
		{SectionPaper, "MAE"}:         (0 + 40./4) / 2, // of trips
		{SectionClass, "primary MAE"}: 40. / 6,         // of ticks
	}, a, b)
}

func TestSRCountsStretchesByElevatedRoads(t *testing.T) {
	net := roadnettest.Draw(t, 50, `
		A-------B-------C-------D



		E-------F-------G-------H
	`,
		"AB highway=motorway bridge=yes layer=1", "BC highway=motorway bridge=yes layer=1", "CD highway=motorway bridge=yes layer=1",
		"EF highway=primary", "FG highway=primary", "GH highway=primary")
	deck := []roadnet.Position{net.Pos("AB", 0.1), net.Pos("AB", 0.6), net.Pos("BC", 0.1), net.Pos("BC", 0.6), net.Pos("CD", 0.1)}
	truth := drive(net, deck...)
	half := drive(net, append(deck[:2:2], net.Pos("EF", 0.1), net.Pos("EF", 0.6), net.Pos("GH", 0.1))...)
	ground := drive(net, net.Pos("EF", 0), net.Pos("FG", 0), net.Pos("FG", 0.5), net.Pos("GH", 0), net.Pos("GH", 0.5))
	s := NewScorer(net.Network)
	// Two of the true three and of the recovered three segments agree: F1 is a third.
	partly := s.Score(truth, sparse(truth, 0, 4), half)
	exact := s.Score(truth, sparse(truth, 0, 4), truth)
	away := s.Score(ground, sparse(ground, 0, 4), ground)
	want := map[[2]string]float64{}
	for _, k := range []string{"SR%50", "SR%60", "SR%70", "SR%80", "SR%90"} {
		want[[2]string{SectionElevated, k}] = 1. / 2
	}
	checkFigures(t, want, exact, partly, away)
	if f, _ := func() (Figure, bool) {
		r := Summarize("m", "k", []*Score{exact, partly, away}, 5, 1)
		return r.Figure(SectionElevated, "SR%50")
	}(); f.N != 2 {
		t.Errorf("%.0f stretches are on or near elevated roads, want 2", f.N)
	}
}

// Of the five ticks on a bridge over a road, one is told to be below it, two to be
// on the ground before they come there: an error in time, not of the deck.
func TestTheDeckIsToldFromWhatIsBelow(t *testing.T) {
	net := roadnettest.Draw(t, 50, `
		A-------B-------C
	`, "AB highway=motorway bridge=yes layer=1", "BC highway=motorway bridge=yes layer=1")
	ticks := []float64{0, 0.2, 0.4, 0.6, 0.8}
	var at []roadnet.Position
	for _, ratio := range ticks {
		at = append(at, net.Pos("AB", ratio))
	}
	truth, got := drive(net, at...), drive(net, at...)
	for i, deck := range []trajectory.Deck{trajectory.Ground, trajectory.Ground, trajectory.Below, trajectory.OnDeck, trajectory.OnDeck} {
		truth.Ticks[i].Deck, got.Ticks[i].Deck, got.Ticks[i].Margin = trajectory.OnDeck, deck, 0.1
	}
	got.Ticks[3].Margin = 0.9
	scored := NewScorer(net.Network).Score(truth, sparse(truth, 0, 4), got)
	checkFigures(t, map[[2]string]float64{
		{SectionElevated, "deck right"}:                                    2. / 5,
		{SectionElevated, "deck right, not below, or below, not the deck"}: 2. / 3,
		{SectionElevated, "the same where the margin is 0.2 or more"}:      1,
		{SectionElevated, "deck right where the margin is 0.2 or more"}:    1,
		{SectionElevated, "margin 0.2 or more"}:                            1. / 5,
	}, scored)
}

func TestStretchesBridgeShortHoles(t *testing.T) {
	line := func(pattern string) (out []Point) {
		for _, r := range pattern {
			out = append(out, Point{Near: r == 'n'})
		}
		return out
	}
	for pattern, want := range map[string][]int{
		"nnn":           nil,
		"nnnn":          {4},
		"..nnnn..":      {4},
		"nn..nn":        {6},
		"nn...nn":       nil,
		"nnnn...nnnnn.": {4, 5},
	} {
		var got []int
		for _, s := range stretches(line(pattern)) {
			got = append(got, len(s))
		}
		if len(got) != len(want) {
			t.Errorf("%s: stretches of %v, want %v", pattern, got, want)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: stretches of %v, want %v", pattern, got, want)
			}
		}
	}
}
