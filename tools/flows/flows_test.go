package main

import (
	"math"
	"strings"
	"testing"

	"retrace/engine/flow"
	"retrace/engine/trajectory"
)

// Two of three cells that are looked at hold their mean; errors are of all cells that
// either side names.
func TestCountsAreHeldAgainstTheirMeansAndTruth(t *testing.T) {
	w := &world{whole: 100, dense: make([]*trajectory.Trajectory, 10), truth: make([]flow.Trip, 10)}
	means := map[any]flow.Count{"a": {Mean: 30}, "b": {Mean: 40}, "c": {Mean: 25}, "seldom": {Mean: 19}}
	got := map[any]flow.Count{
		"a": {Mean: 3.5, Told: 4, Interval: flow.Interval{Low: 1, High: 6}, Doubt: 0.5},
		"b": {Mean: 1, Told: 1, Interval: flow.Interval{Low: 0.1, High: 3.9}},
	}
	truth := map[any]flow.Count{"a": {Mean: 3}, "b": {Mean: 1}, "d": {Mean: 1}}
	r := result{}
	w.intervals(&r, got, means)
	if r.cells != 3 || math.Abs(r.held-1.0/3) > 1e-9 { // c is seen by nobody: at most 2.3, less than 2.5
		t.Errorf("%d cells, %v of them hold their mean, want 3 and a third", r.cells, r.held)
	}
	w.miss(&r, got, truth, means)
	if math.Abs(r.all-1.5/3) > 1e-9 || math.Abs(r.best-2.0/3) > 1e-9 || math.Abs(r.allRoot-math.Sqrt(1.25/3)) > 1e-9 || math.Abs(r.bestBusy-0.5) > 1e-9 || r.doubtful != 1 || r.heldWays != 1 {
		t.Errorf("%+v", r)
	}
	if math.Abs(r.bias+0.1) > 1e-9 {
		t.Errorf("%v more drives than there were, want -0.1", r.bias)
	}
}

func TestThePageSaysWhatWasMeasured(t *testing.T) {
	got := string(table([]result{{keep: "x8", method: "hmm", kind: "links", cells: 7, held: 0.905, all: 0.25}}))
	for _, want := range []string{"| x8 | hmm | links | 7 | 90.5 % |", "| 0.2500 |"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %s:\n%s", want, got)
		}
	}
}
