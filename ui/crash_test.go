package ui

import (
	"encoding/json"
	"testing"

	"fyne.io/fyne/v2"

	"retrace/ui/look"
	"retrace/ui/state"
)

// The window may change its size when the tour was walked to its end.
func TestTheWindowResizesAfterTheTour(t *testing.T) {
	s := recoveredTown(t, 2)
	s.actions.Do("tour")
	for range 20 {
		if s.tour.Shown() {
			s.typed(fyne.KeyReturn)
		}
	}
	if s.tour.Shown() {
		t.Fatal("the tour does not end")
	}
	s.win.Resize(fyne.NewSize(1500, 950))
	s.win.Canvas().Capture()
	s.win.Resize(fyne.NewSize(900, 600))
	s.win.Canvas().Capture()
}

// Tables that are hidden hold no rows of trips that are not selected any more,
// whatever has them drawn anew.
func TestHiddenTablesOutliveTheSelection(t *testing.T) {
	s := recoveredTown(t, 2)
	s.m.SelectTrip("bus 1")
	s.m.ShowTab(state.PointsTab)
	s.win.Canvas().Capture()
	s.m.ShowTab(state.TripsTab)
	for range 4 {
		s.key(fyne.KeyEscape)
	}
	if s.m.Current() != nil {
		t.Fatal("Esc does not leave the trip")
	}
	for _, size := range []float32{1300, 1024} {
		s.app.Settings().SetTheme(look.NewTheme(look.Dark, 1.3))
		s.win.Resize(fyne.NewSize(size, 800))
		for tab := range state.Tab(state.NumTabs) {
			s.m.ShowTab(tab)
			s.win.Canvas().Capture()
		}
	}
}

// What the user sets is kept as it is set: a crash loses none of it.
func TestSettingsAreKeptAsTheyAreMade(t *testing.T) {
	s := recoveredTown(t, 1)
	s.m.TogglePanel(state.InspectorPanel)
	s.m.ShowTab(state.LinksTab)
	s.until("it is kept", func() bool {
		data, ok := s.desk.Setting(settingsKey)
		var l left
		return ok && json.Unmarshal(data, &l) == nil && l.Panels == s.m.PanelSet()
	})
	if o := s.m.Options(); o.Theme == "dark" {
		t.Fatal("it is dark before")
	}
	s.actions.Do("dark")
	s.until("the colours are kept", func() bool {
		data, _ := s.desk.Setting(settingsKey)
		var l left
		return json.Unmarshal(data, &l) == nil && l.Options.Theme == "dark"
	})
}
