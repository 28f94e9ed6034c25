package ui

import (
	"fmt"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"retrace/engine/trajectory"
	"retrace/mapview/render"
	"retrace/ui/state"
)

// rows are the rows of the inspector that answer to the pointer, from the top.
func (s *stage) rows() []inspectorRow {
	s.t.Helper()
	s.win.Canvas().Capture()
	var rows []inspectorRow
	for _, o := range test.LaidOutObjects(s.inspector.Object) {
		if fmt.Sprintf("%T", o) == "*kit.Live" {
			rows = append(rows, o.(inspectorRow))
		}
	}
	return rows
}

type inspectorRow interface {
	fyne.Tappable
	desktop.Hoverable
}

func TestACandidateIsShownByThePointerAndPinnedByAClick(t *testing.T) {
	s := recoveredTown(t, 2)
	trip := s.m.Trip("bus 1")
	s.m.Select(render.Item{Kind: render.SampleItem, Trip: "bus 1", Index: 1})
	m := trip.Recovery().Matches[1]
	other := slices.IndexFunc(m.Candidates, func(c trajectory.Candidate) bool { return c.Segment != m.At.Segment })
	row := s.rows()[other]
	row.MouseIn(&desktop.MouseEvent{})
	if h := s.m.Hovered(); h.Kind != render.CandidateItem || h.Segment != m.Candidates[other].Segment {
		t.Errorf("the pointer shows %+v", h)
	}
	row.Tapped(&fyne.PointEvent{})
	s.idle()
	if got := trip.Recovery().Matches[1].At.Segment; got != m.Candidates[other].Segment {
		t.Errorf("the input lies on %d, want %d", got, m.Candidates[other].Segment)
	}
	if len(s.view.Scene().Trips[0].Pins) != 1 {
		t.Error("the map shows no pin")
	}
	s.tapButton("Take the pin away")
	s.idle()
	if len(trip.Pins) != 0 || trip.Recovery().Matches[1].At.Segment != m.At.Segment {
		t.Errorf("without the pin the input lies on %d, want %d", trip.Recovery().Matches[1].At.Segment, m.At.Segment)
	}
	s.press('x')
	s.idle()
	if got := trip.Recovery().Matches[1].At.Segment; got == m.At.Segment {
		t.Error("the input lies on a road that is forbidden")
	}
}

func TestAnotherWayIsTakenByAClick(t *testing.T) {
	s := recoveredTown(t, 2)
	trip := s.m.Trip("bus 1")
	r := trip.Recovery()
	if len(r.Alternatives) == 0 {
		t.Fatal("there is no other way")
	}
	a := r.Alternatives[0]
	s.desk.TakeWay(trip, int(a.FromSample), int(a.ToSample), a.Part.Segments)
	s.idle()
	before, _ := state.DrivenBetween(s.m.Network(), r, int(a.FromSample), int(a.ToSample))
	after, ok := state.DrivenBetween(s.m.Network(), trip.Recovery(), int(a.FromSample), int(a.ToSample))
	if !ok || slices.Equal(before.Segments, after.Segments) {
		t.Errorf("the trip drives as before: %v", after.Segments)
	}
	s.actions.Do("undo")
	if trip.Recovery() != r || len(trip.Pins) != 0 {
		t.Error("undo does not take the way back")
	}
}

func TestARenamedTripIsCalledSoEverywhere(t *testing.T) {
	s := recoveredTown(t, 2)
	s.m.SelectTrip("bus 1")
	s.desk.Rename(s.m.Trip("bus 1"), "Line 7")
	s.dock.Filter.SetText("name = line")
	if n := s.dock.Table(state.TripsTab).List.Count(); n != 1 {
		t.Errorf("%d rows have the name", n)
	}
	if got := s.view.Scene().Trips[0].Name; got != "Line 7" {
		t.Errorf("the map calls the trip %q", got)
	}
}
