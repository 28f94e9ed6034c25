package ui

import (
	"testing"

	"retrace/ui/state"
)

func TestClockMovesMapTableAndStrip(t *testing.T) {
	s := recoveredTown(t, 3)
	s.m.SelectTrip("bus 2")
	s.m.ShowTab(state.PointsTab)
	table := s.dock.Table(state.PointsTab)
	ticks := s.m.Trip("bus 2").Recovery().Ticks
	s.m.SetTime(ticks[7].Time + 400)
	if !table.List.Selected(7) || table.List.Selected(6) {
		t.Error("the table does not follow the clock")
	}
	if marker := s.view.Scene().Marker; marker == nil || marker.Trip != "bus 2" {
		t.Error("the map shows no marker")
	}
	s.clickRow(table, 3, 0)
	if s.m.Clock().At != ticks[3].Time {
		t.Error("the clock does not follow the table")
	}
}

func TestAllTripsPlayTogether(t *testing.T) {
	s := recoveredTown(t, 5)
	s.m.SetPlayback(state.PlayAll)
	s.m.SetTime(s.m.Trip("bus 5").Facts.Start + 30_000)
	s.until("the map is drawn", s.drawn)
	s.shot("play-all")
	if n := len(s.view.Scene().Markers); n != 4 { // the first has arrived
		t.Errorf("%d trips are under way on the map", n)
	}
	if !s.actions.Do("play") || !s.m.Clock().Playing {
		t.Fatal("without a trip selected all cannot be played")
	}
	before := s.m.Clock().At
	s.until("the clock runs", func() bool { return s.m.Clock().At > before })
	s.m.Play(false)
}

func TestManyTripsAtOnce(t *testing.T) {
	s := recoveredTown(t, 6)
	s.m.Mark([]string{"bus 2", "bus 3", "bus 5"})
	s.until("the map is drawn", s.drawn)
	s.shot("bulk")
	s.tapButton("Hide or show the selected trips (H)")
	if s.m.Visible(s.m.Trip("bus 3")) || !s.m.Visible(s.m.Trip("bus 1")) {
		t.Error("the selected trips are not hidden, or others are")
	}
	s.actions.Do("undo")
	s.tapButton("Show only the selected trips (S)")
	if len(s.m.Found()) != 3 || s.m.Visible(s.m.Trip("bus 1")) {
		t.Errorf("%d trips are left in the list", len(s.m.Found()))
	}
	s.tapButton("Show all trips again (Esc)")
	s.m.Mark([]string{"bus 2", "bus 3", "bus 5"})
	s.tapButton("Remove the selected trips (Del)")
	s.idle()
	if len(s.m.Trips()) != 3 {
		t.Fatalf("%d trips are left", len(s.m.Trips()))
	}
	s.actions.Do("undo")
	s.idle()
	if len(s.m.Trips()) != 6 {
		t.Errorf("%d trips after undo", len(s.m.Trips()))
	}
}
