package work

import (
	"errors"
	"slices"
	"testing"

	"retrace/engine"
	"retrace/engine/trajectory"
	"retrace/ui/state"
)

func TestTheKeeperWritesInOrderAndTellsOfFailures(t *testing.T) {
	told := make(chan error, 10)
	k := newKeeper(func(err error) { told <- err })
	var done []int
	for i := range 100 {
		k.add(func() error {
			done = append(done, i)
			if i == 42 {
				return errors.New("the disk is full")
			}
			return nil
		})
	}
	k.wait()
	if len(done) != 100 || !slices.IsSorted(done) {
		t.Errorf("done in the order %v", done)
	}
	if len(told) != 1 {
		t.Errorf("%d failures were told", len(told))
	}
	k.add(func() error { done = nil; return nil })
	k.wait()
	if done != nil {
		t.Error("nothing is written after a rest")
	}
}

func TestHistoryIsCutAtWhatIsLost(t *testing.T) {
	var steps []*state.Step
	for n := range uint64(6) {
		steps = append(steps, &state.Step{Number: n + 1, Undone: n >= 4}) // 1 to 4 done, 5 and 6 undone
	}
	for name, c := range map[string]struct{ lost, want []uint64 }{
		"nothing":          {nil, []uint64{1, 2, 3, 4, 5, 6}},
		"an old one":       {[]uint64{2}, []uint64{3, 4, 5, 6}},
		"where it stands":  {[]uint64{4}, nil}, // it may have been done or undone
		"the first undone": {[]uint64{5}, nil},
		"the last of all":  {[]uint64{6}, []uint64{1, 2, 3, 4, 5}},
	} {
		var have []*state.Step
		for _, s := range steps {
			if !slices.Contains(c.lost, s.Number) {
				have = append(have, s)
			}
		}
		var got []uint64
		for _, s := range around(have, c.lost) {
			got = append(got, s.Number)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v are left, want %v", name, got, c.want)
		}
	}
}

// Many trips go into several transactions: each with what the step holds of its
// own trips, the count right at every time, and undone only in the last.
func TestAChangeOfManyTripsIsKeptInParts(t *testing.T) {
	m := state.New()
	d := New(m, nil, nil, nil, "test")
	var trips []*state.Trip
	for i := range editTrips + 10 {
		trips = append(trips, state.NewTrip(&trajectory.Trajectory{ID: string(rune('a'+i%26)) + string(rune('a'+i/26))}, nil, nil))
	}
	m.Do(state.ReadStep, 0, "", func() { m.AddTrips(trips) })
	edits := d.edits(m.TakeUnsaved())
	if len(edits) != 2 || len(edits[0].Trajectories) != editTrips || len(edits[1].Trajectories) != 10 {
		t.Fatalf("%d edits", len(edits))
	}
	if a, b := edits[0].Steps[0], edits[1].Steps[0]; a.Count != editTrips || len(a.Held) != editTrips || b.Count != editTrips+10 || len(b.Held) != 10 {
		t.Errorf("the step holds %d of %d, then %d of %d", len(a.Held), a.Count, len(b.Held), b.Count)
	}
	m.Undo()
	edits = d.edits(m.TakeUnsaved())
	if len(edits) != 2 || len(edits[0].Removed) != editTrips || edits[1].Steps[0].Count != editTrips+10 {
		t.Fatalf("%d edits", len(edits))
	}
	for i, e := range edits {
		step, err := parseStep(e.Steps[0])
		if err != nil || step.Undone != (i == 1) || step.Held[0].Trip == nil || !step.Held[0].After {
			t.Errorf("edit %d keeps %+v, %v", i, step, err)
		}
	}
}

func TestMarksOfTripsNotLoadedYetAreKept(t *testing.T) {
	m := state.New()
	d := New(m, nil, nil, nil, "test")
	d.unread = map[string]tripMarks{"later": {Pins: []engine.Pin{{Sample: 1}}, Name: "Line 2"}}
	m.AddTrips([]*state.Trip{state.NewTrip(&trajectory.Trajectory{ID: "here"}, nil, nil)})
	m.Do(state.RenameStep, 1, "", func() { m.SetName("here", "Line 1") })
	settings := d.tripSettings(m.TakeUnsaved())
	if got := string(settings[namesKey]); got != `{"here":"Line 1","later":"Line 2"}` {
		t.Errorf("names %s", got)
	}
	if settings[pinsKey] != nil {
		t.Error("pins did not change")
	}
}
