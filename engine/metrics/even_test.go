package metrics

import (
	"context"
	"math"
	"testing"

	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// Between 0 and 200 m, and between 200 and 600 m, the vehicle stands first and hurries
// then: at an even pace it is 50, 133 and 100 m ahead of where it was.
func TestTheTruthAtAnEvenPaceIsOffInTimeAlone(t *testing.T) {
	net := roadnettest.Draw(t, 25, `
		A---B-------C-------D---E
	`, "ABCDE")
	truth := driving(net, []float64{0, 50, 200, 200, 366.6666, 600}, "AE")
	dense := &trajectory.Trajectory{ID: truth.Trajectory}
	for _, k := range truth.Ticks {
		dense.Samples = append(dense.Samples, trajectory.Sample{Time: k.Time})
	}
	thinned := *dense
	thinned.Samples = []trajectory.Sample{dense.Samples[0], dense.Samples[2], dense.Samples[5]}
	m := EvenTruth(net.Network, []Case{{dense, truth}})
	got, err := m.Recover(context.Background(), &thinned)
	if err != nil {
		t.Fatal(err)
	}
	score := NewScorer(net.Network).Score(truth, &thinned, got)
	for i, want := range []float64{0, 50, 0, 133.3333, 100, 0} {
		if off := score.Points[i].Network; math.Abs(off-want) > 0.05 { // lengths are rounded to 1 cm
			t.Errorf("tick %d is %.2f m off, want %.2f m", i, off, want)
		}
	}
	thinned.ID = "another"
	if _, err := m.Recover(context.Background(), &thinned); err == nil {
		t.Error("a trip that has no truth was recovered")
	}
	report, err := Evaluate(context.Background(), net.Network, []Case{{dense, truth}},
		[]Method{m, {Name: "right", Recover: answer(truth, nil)}}, Options{Keep: []Keep{{Ratio: 1. / 8}}, Seed: 1, Draws: 5, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	_, ofPlaces := report.Results[0].Figure(SectionPaper, "MAE")
	_, ofDecks := report.Results[0].Figure(SectionElevated, "deck right")
	_, ofProbabilities := report.Differences[0].Figure(SectionCalibration, "hidden ECE")
	if !ofPlaces || ofDecks || ofProbabilities {
		t.Errorf("places, decks, probabilities are measured: %t, %t, %t", ofPlaces, ofDecks, ofProbabilities)
	}
}

func TestOverABreakOfTheTruthNothingIsMoved(t *testing.T) {
	net := flyover(t)
	truth := driving(net, []float64{0, 50, 100}, "AB", "BC")
	truth.Ticks[2].Part = 1
	truth.Parts = append(truth.Parts, truth.Parts[0])
	got := evenly(net.Network, truth, sparse(truth, 0, 2))
	if len(got.Ticks) != 2 {
		t.Errorf("%d ticks, want the two of samples", len(got.Ticks))
	}
}

// A vehicle is off the road at first and at last.
func TestTheTruthAtAnEvenPaceIsWholeWhereSamplesHaveNoTick(t *testing.T) {
	net := flyover(t)
	truth := driving(net, []float64{0, 60, 100}, "AB")
	thinned := sparse(truth, 0)
	thinned.Samples[0].Time = -15000
	thinned.Samples = append(thinned.Samples, trajectory.Sample{Time: 45000})
	got := evenly(net.Network, truth, thinned)
	if len(got.Ticks) != 3 || math.Abs(got.Ticks[1].Along-50) > 1e-9 {
		t.Errorf("ticks %+v, want three, the second at 50 m", got.Ticks)
	}
}
