package ui

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"retrace/engine/trajectory"
	"retrace/mapview/render"
	"retrace/ui/action"
	"retrace/ui/kit"
	"retrace/ui/state"
	"retrace/ui/words"
	"retrace/ui/work"
)

// denseTrips writes the trips that are shown with a point every few seconds, as
// they were recovered, and one that is not there.
func denseTrips(t *testing.T, s *stage) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("trip,time,lon,lat\n")
	row := func(id string, k trajectory.Tick) {
		fmt.Fprintf(&b, "%s,%s,%.7f,%.7f\n", id, time.UnixMilli(k.Time).UTC().Format(time.RFC3339), k.Lon, k.Lat)
	}
	for _, trip := range s.m.Trips() {
		for _, k := range trip.Recovery().Ticks {
			row(trip.ID(), k)
		}
	}
	for _, k := range s.m.Trips()[0].Recovery().Ticks {
		row("nobody", k)
	}
	return write(t, filepath.Join(t.TempDir(), "dense.csv"), b.String())
}

func (s *stage) inspectorSays(text string) bool {
	s.win.Canvas().Capture()
	for _, x := range below[*kit.Text](s.inspector.Object) {
		if strings.Contains(x.Text(), text) {
			return true
		}
	}
	return false
}

// Denser versions of trips that are there are offered as their truth, beside
// which recoveries are compared and measured, also after a restart.
func TestDenserTripsAreUsedAsTruth(t *testing.T) {
	s := recoveredTown(t, 2)
	s.dismissAll()
	s.drop(denseTrips(t, s))
	s.until("the dense trips are read", func() bool { return len(s.m.Trips()) == 5 })
	s.idle()
	s.tapButton("Use them as truth")
	s.idle()
	if len(s.m.Trips()) != 3 { // the one of no other stays
		t.Fatalf("%d trips are there", len(s.m.Trips()))
	}
	trip := s.m.Trip("bus 1")
	m, ok := s.desk.Measure(trip)
	if !ok || m.Points == 0 || m.Right < 0.95 || m.Distance > 15 || m.Alike < 0.99 {
		t.Errorf("the recovery is measured: %v, %+v; told %s", ok, m, s.told())
	}
	s.m.SelectTrip("bus 1")
	if !s.inspectorSays("AGAINST THE TRUTH") || !s.inspectorSays("100 %") {
		t.Error("the inspector does not say what the recovery is worth")
	}
	s.desk.Pin(trip, 1, otherCandidate(t, trip, 1).Segment, false)
	s.idle()
	if after, _ := s.desk.Measure(trip); after.Right >= m.Right || after.Alike >= m.Alike {
		t.Errorf("after a wrong pin %+v, before %+v", after, m)
	}
	s.actions.Do("comparetruth")
	if c, ok := s.m.Comparison(); !ok || c.Against != state.TrueWay || len(c.Differences) == 0 {
		t.Errorf("compared: %v, %+v", ok, c)
	}
	s.end()

	again := openStage(t, s.path, 1024, 700, 1)
	again.until("the trips are back", func() bool { return len(again.m.Trips()) == 3 })
	again.idle()
	if _, ok := again.desk.Measure(again.m.Trip("bus 2")); !ok {
		t.Error("after a restart the truth is not known")
	}
	again.actions.Do("forgettruth")
	if _, ok := again.desk.Measure(again.m.Trip("bus 2")); ok || again.hasTruth() {
		t.Error("the truth is not forgotten")
	}
}

// truths is what the window knows of how trips were driven, a line a trip by
// their ids: trips that came back stand last after a restart.
func (s *stage) truths() string {
	var lines []string
	for _, t := range s.m.Trips() {
		line := t.ID() + ":"
		if way := s.m.TruthOf(t); way != nil {
			line += fmt.Sprintf(" %v %d ticks to %.9f, %d parts drawn", way.Parts, len(way.Ticks), way.Ticks[len(way.Ticks)-1].Lon, len(t.Truth))
		}
		lines = append(lines, line+"\n")
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// Using a truth, removing a trip that has one and forgetting all are undone step
// by step after a restart, and done again after another one.
func TestTruthIsUndoneAcrossRestarts(t *testing.T) {
	s := recoveredTown(t, 2)
	s.drop(denseTrips(t, s))
	s.until("the dense trips are read", func() bool { return len(s.m.Trips()) == 5 })
	s.idle()
	names := []string{"Use the truth of 2 trips", "Remove bus 1", "Forget the truth of bus 2"}
	states := []string{s.truths()}
	for _, what := range []func(){
		func() { s.tapButton("Use them as truth") },
		func() { s.m.SelectTrip("bus 1"); s.actions.Do("remove") },
		func() { s.actions.Do("forgettruth") },
	} {
		what()
		s.idle()
		if name := words.Step(s.m.ToUndo()); name != names[len(states)-1] {
			t.Fatalf("the step is called %q, want %q", name, names[len(states)-1])
		}
		states = append(states, s.truths())
	}
	for i, known := range []int{0, 2, 1, 0} {
		if n := strings.Count(states[i], "ticks"); n != known {
			t.Fatalf("%d truths are known after %d steps, want %d", n, i, known)
		}
	}
	travel := func(does action.ID, order []int) {
		t.Helper()
		s.end()
		s = openStage(t, s.path, 1024, 700, 1)
		s.until("the trips are back", func() bool { return len(s.m.Trips()) == strings.Count(states[order[0]], "\n") })
		s.idle()
		for n, i := range order {
			if n > 0 {
				s.actions.Do(does)
				s.idle()
			}
			if got := s.truths(); got != states[i] {
				t.Errorf("%s to %d gives\n%s\nwant\n%s", does, i, got, states[i])
			}
		}
	}
	travel("undo", []int{3, 2, 1, 0})
	travel("redo", []int{0, 1, 2, 3})
	travel("undo", []int{3, 2})
	travel("undo", []int{2, 1})
}

// What Retrace has written tells how trips were driven, too.
func TestRecoveriesAreOpenedAsTruth(t *testing.T) {
	s := recoveredTown(t, 2)
	trip := s.m.Trip("bus 1")
	before := trip.Recovery()
	path := filepath.Join(t.TempDir(), "before.geojson")
	s.desk.Export(path, work.Formats()[1], s.m.Trips())
	s.idle()
	s.desk.Pin(trip, 1, otherCandidate(t, trip, 1).Segment, false)
	s.idle()
	s.desk.OpenTruth([]string{path})
	s.idle()
	truth := s.m.TruthOf(trip)
	if truth == nil || len(truth.Parts) != len(before.Parts) || truth.Parts[0].Segments[0] != before.Parts[0].Segments[0] {
		t.Fatalf("the truth is %+v; told %s", truth, s.told())
	}
	s.desk.CompareTruth(trip)
	if c, ok := s.m.Comparison(); !ok || len(c.Differences) == 0 {
		t.Errorf("compared: %v, %+v", ok, c)
	}
	s.m.EndComparison()
	s.desk.OpenTruth([]string{write(t, filepath.Join(t.TempDir(), "other.csv"), "trip,time,lon,lat\nx,2024-05-06T10:00:00Z,-20,30\nx,2024-05-06T10:00:15Z,-20,30.001\n")})
	s.idle()
	if told := s.told(); !strings.Contains(told, "must be the same") {
		t.Errorf("of a file of other trips is told %s", told)
	}
}

// A truth that tells nothing between the input points measures nothing, however
// often it is asked.
func TestATruthOfTheInputPointsAloneMeasuresNothing(t *testing.T) {
	s := recoveredTown(t, 1)
	trip := s.m.Trip("bus 1")
	way := *trip.Recovery()
	way.Ticks = slices.DeleteFunc(slices.Clone(way.Ticks), func(k trajectory.Tick) bool { return !k.Observed })
	s.m.SetTruths(map[string]state.Truth{"bus 1": {Way: &way}})
	for range 2 {
		if m, ok := s.desk.Measure(trip); ok {
			t.Errorf("measured as %+v", m)
		}
	}
}

// On another network nothing is compared with the truth of the one before.
func TestTruthOfAnotherNetworkIsNone(t *testing.T) {
	s := recoveredTown(t, 1)
	trip := s.m.Trip("bus 1")
	s.m.SetTruths(map[string]state.Truth{"bus 1": {Way: trip.Recovery()}})
	if s.m.TruthOf(trip) == nil {
		t.Fatal("the truth is not known")
	}
	drawnTrips(s)
	if s.m.TruthOf(trip) != nil {
		t.Error("the truth is said to be of another network")
	}
	if s.m.Compare("bus 1", state.TrueWay, trip.True) {
		t.Error("it is compared with")
	}
	s.m.Select(render.Item{})
}
