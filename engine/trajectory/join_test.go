package trajectory_test

import (
	"testing"

	"retrace/engine/trajectory"
)

// piece is a recovery of two samples with two ticks and a part.
func piece(id, whole string, begin int64) *trajectory.Recovery {
	return &trajectory.Recovery{
		Trajectory: id, Whole: whole,
		Parts:    []trajectory.Part{{EndRatio: 1}},
		Matches:  make([]trajectory.SampleMatch, 2),
		Ticks:    []trajectory.Tick{{Time: begin, Observed: true}, {Time: begin + 1000, Sample: 1, Observed: true}},
		Gaps:     []trajectory.Gap{{ToSample: 1, Why: trajectory.Turned}},
		Doubts:   []trajectory.Doubt{{ToSample: 1, Risk: 0.5}},
		Spans:    []trajectory.Span{{Enter: begin}},
		Warnings: []string{"odd"},
		Risk:     trajectory.Risk{Wrong: 0.5, Error: 10},
	}
}

func TestPiecesAreJoinedUnderTheIdOfTheirTrip(t *testing.T) {
	got := trajectory.Join([]*trajectory.Recovery{piece("A/1", "A", 0), piece("A/2", "A", 9_000_000)})
	if got.Trajectory != "A" || got.Whole != "" || len(got.Parts) != 2 || len(got.Matches) != 4 {
		t.Fatalf("%+v", got)
	}
	if last := got.Ticks[3]; last.Part != 1 || last.Sample != 3 || got.Spans[1].Part != 1 {
		t.Errorf("the last tick is %+v, the last span %+v", last, got.Spans[1])
	}
	want := []trajectory.Gap{{FromSample: 0, ToSample: 1, Why: trajectory.Turned}, {FromSample: 1, ToSample: 2, Why: trajectory.Cut, Broken: true},
		{FromSample: 2, ToSample: 3, Why: trajectory.Turned}}
	for i := range want {
		if got.Gaps[i] != want[i] {
			t.Errorf("gap %d is %+v, want %+v", i, got.Gaps[i], want[i])
		}
	}
	if d := got.Doubts[1]; d.FromSample != 1 || d.ToSample != 2 || d.Risk != 1 {
		t.Errorf("the doubt of the cut is %+v", d)
	}
	if d := got.Doubts[2]; d.FromSample != 2 || d.ToSample != 3 {
		t.Errorf("the last doubt is %+v", d)
	}
	if got.Risk != (trajectory.Risk{Wrong: 0.75, Error: 10}) {
		t.Errorf("risk %+v", got.Risk)
	}
	if got.Warnings[1] != "piece 2: odd" {
		t.Errorf("warnings %q", got.Warnings)
	}
}

func TestWhatWasNotCutIsNotJoined(t *testing.T) {
	whole := piece("B", "", 0)
	if got := trajectory.Join([]*trajectory.Recovery{whole}); got != whole {
		t.Errorf("%+v", got)
	}
}
