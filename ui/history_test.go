package ui

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrace/engine"
	"retrace/mapview/render"
	"retrace/ui/state"
	"retrace/ui/words"
)

// otherCandidate is a road that an input point may lie on but does not.
func otherCandidate(t *testing.T, trip *state.Trip, sample int) engine.Pin {
	t.Helper()
	m := trip.Recovery().Matches[sample]
	for _, c := range m.Candidates {
		if c.Segment != m.At.Segment {
			return engine.Pin{Sample: sample, Segment: c.Segment}
		}
	}
	t.Fatal("there is no other candidate")
	return engine.Pin{}
}

// all is what the window shows of its trips, as far as history brings it back.
func (s *stage) all() string {
	var b strings.Builder
	for _, t := range s.m.Trips() {
		fmt.Fprintf(&b, "%s %s %v %v %d", t.ID(), t.Title(), t.Pins, t.Hidden, len(t.Checked))
		if r := t.Shown(); r != nil {
			for _, m := range r.Matches {
				fmt.Fprintf(&b, " %d", m.At.Segment)
			}
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "every %d s", s.m.Options().Tick)
	return b.String()
}

// What is done in one run of the program is undone in the next, step by step, to
// the beginning, and done again in the one after that.
func TestHistorySurvivesRestarts(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "w.retrace")
	s := openStage(t, path, 1024, 700, 1, townExtract(t, dir), townTrips(t, dir, 3))
	s.until("all trips are read", func() bool { return len(s.m.Trips()) == 3 })
	s.idle()
	start := len(s.m.Steps())
	states := []string{s.all()}
	do := func(what func()) {
		what()
		s.idle()
		states = append(states, s.all())
	}
	do(func() { s.actions.Do("recoverall") })
	trip := s.m.Trip("bus 1")
	pin := otherCandidate(t, trip, 1)
	do(func() { s.desk.Pin(trip, 1, pin.Segment, false) })
	do(func() { s.desk.Rename(trip, "Line 1") })
	do(func() { s.setChecked(render.Item{Kind: render.TickItem, Trip: "bus 1", Index: 2}, true) })
	do(func() { s.m.Hide([]*state.Trip{s.m.Trip("bus 2")}, true) })
	do(func() { s.m.SelectTrip("bus 3"); s.actions.Do("remove") })
	do(func() { o := s.m.Options(); o.Tick = 5; s.desk.SetOptions(o) })
	if n := len(s.m.Steps()) - start; n != len(states)-1 {
		t.Fatalf("%d steps for %d changes", n, len(states)-1)
	}
	s.end()

	s = openStage(t, path, 1024, 700, 1)
	s.until("the trips are back", func() bool { return len(s.m.Trips()) == 2 })
	s.idle()
	if got := s.all(); got != states[len(states)-1] {
		t.Fatalf("after a restart\n%s\nwant\n%s", got, states[len(states)-1])
	}
	for i := len(states) - 2; i >= 0; i-- {
		name := words.Step(s.m.ToUndo())
		s.actions.Do("undo")
		s.idle()
		if got := s.all(); got != states[i] {
			t.Errorf("undo %q gives\n%s\nwant\n%s", name, got, states[i])
		}
	}
	s.end()

	s = openStage(t, path, 1024, 700, 1)
	s.until("the trips are back", func() bool { return len(s.m.Trips()) == 3 })
	s.idle()
	for i := 1; i < len(states); i++ {
		s.actions.Do("redo")
		s.idle()
		if got := s.all(); got != states[i] {
			t.Errorf("redo %d gives\n%s\nwant\n%s", i, got, states[i])
		}
	}
}

// Undo of a pin does not wait for a recovery, and what was recovered with the
// pin that is gone is not shown.
func TestUndoOvertakesARecovery(t *testing.T) {
	s := recoveredTown(t, 2)
	before := s.all()
	trip := s.m.Trip("bus 1")
	pin := otherCandidate(t, trip, 1)
	s.desk.Pin(trip, 1, pin.Segment, false)
	s.actions.Do("undo")
	if got := s.all(); strings.Contains(got, fmt.Sprint(pin)) {
		t.Errorf("the pin is still there: %s", got)
	}
	s.idle()
	if got := s.all(); got != before {
		t.Errorf("after undo\n%s\nwant\n%s", got, before)
	}
	s.actions.Do("redo")
	s.idle()
	if got := trip.Recovery().Matches[1].At.Segment; got != pin.Segment {
		t.Errorf("after redo the input lies on %d, want %d", got, pin.Segment)
	}
}

// A history that is damaged costs what it could undo, and no trip.
func TestDamagedHistoryCostsNoTrip(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "w.retrace")
	s := openStage(t, path, 1024, 700, 1, townExtract(t, dir), townTrips(t, dir, 3))
	s.until("all trips are read", func() bool { return len(s.m.Trips()) == 3 })
	s.idle()
	s.actions.Do("recoverall")
	s.idle()
	s.desk.Rename(s.m.Trip("bus 1"), "Line 1")
	s.desk.Rename(s.m.Trip("bus 1"), "Line 2")
	want := s.all()
	s.end()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	broken := bytes.ReplaceAll(file, []byte(`"Kind":"recover"`), []byte(`"Kind":"recoven"`))
	if bytes.Equal(file, broken) {
		t.Fatal("the step is not in the file")
	}
	if err := os.WriteFile(path, broken, 0o644); err != nil {
		t.Fatal(err)
	}

	s = openStage(t, path, 1024, 700, 1)
	s.until("the trips are back", func() bool { return len(s.m.Trips()) == 3 })
	s.idle()
	if got := s.all(); got != want {
		t.Errorf("the trips are\n%s\nwant\n%s", got, want)
	}
	if !s.desk.Kept() {
		t.Error("nothing is kept any more")
	}
	if told := s.told(); !strings.Contains(told, "The history is damaged") {
		t.Errorf("told %s", told)
	}
	if n := len(s.m.Steps()); n != 2 {
		t.Errorf("%d steps are left, want the two after the broken one", n)
	}
	s.actions.Do("undo")
	s.actions.Do("undo")
	s.idle()
	if got := s.m.Trip("bus 1").Title(); got != "bus 1" {
		t.Errorf("the trip is called %s", got)
	}
}

func TestReadingTripsCanBeUndone(t *testing.T) {
	s := withTown(t, 3)
	if step := s.m.ToUndo(); step == nil || words.Step(step) != "Read 3 trips" {
		t.Fatalf("to undo is %+v", step)
	}
	s.actions.Do("undo")
	s.idle()
	if len(s.m.Trips()) != 0 {
		t.Errorf("%d trips are left", len(s.m.Trips()))
	}
	if ids, err := s.desk.StoredTrips(); err != nil || len(ids) != 0 {
		t.Errorf("the workspace holds %v, %v", ids, err)
	}
	s.actions.Do("redo")
	s.idle()
	if ids, err := s.desk.StoredTrips(); err != nil || len(ids) != 3 || len(s.m.Trips()) != 3 {
		t.Errorf("the workspace holds %v, %v", ids, err)
	}
}
