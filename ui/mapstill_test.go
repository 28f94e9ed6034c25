package ui

import (
	"testing"
	"time"

	"retrace/engine/roadnet"
	"retrace/mapview/render"
	"retrace/ui/action"
	"retrace/ui/kit"
	"retrace/ui/state"
)

// centre is where the map stands.
func (s *stage) centre() (roadnet.Point, float64) {
	v := s.view.View()
	return v.Center, v.Zoom
}

// away moves the map so far off that nothing of the town shows.
func (s *stage) away() {
	s.view.GoTo(roadnet.Point{Lon: townLon + 1, Lat: townLat + 1}, 17)
}

// shows reports whether a place lies in view.
func (s *stage) shows(at roadnet.Point) bool { return s.view.View().Bounds().Contains(at) }

func TestTheMapStaysWhereItIsClicked(t *testing.T) {
	s := recoveredTown(t, 3)
	s.m.Deselect()
	tick := s.m.Trip("bus 2").Recovery().Ticks[9]
	at := roadnet.Point{Lon: tick.Lon, Lat: tick.Lat}
	s.view.GoTo(at, 17)
	s.until("the map is drawn", s.drawn)
	centre, zoom := s.centre()
	for click := range 4 { // the point, its trip, the road: whatever lies there
		s.tapMap(tick.Lon, tick.Lat)
		if c, z := s.centre(); c != centre || z != zoom {
			t.Fatalf("click %d, which selects %+v, moves the map from %v to %v", click+1, s.m.Selected(), centre, c)
		}
		time.Sleep(400 * time.Millisecond) // or the map takes it for a double click
	}
	s.onSelect(render.Item{Kind: render.TripItem, Trip: "bus 3", At: at})
	if c, z := s.centre(); c != centre || z != zoom {
		t.Error("a click on the path of a trip moves the map")
	}
}

// A click on a row brings its place into view, each time; a double click fits it.
func TestRowsBringTheirPlaceIntoView(t *testing.T) {
	s := recoveredTown(t, 9)
	s.m.SelectTrip("bus 2")
	for name, tab := range map[string]state.Tab{"points": state.PointsTab, "links": state.LinksTab, "trips": state.TripsTab, "doubts": state.DoubtsTab} {
		s.m.ShowTab(tab)
		table := s.dock.Table(tab)
		if tab == state.LinksTab {
			s.until("the links are counted", func() bool { return table.List.Count() > 40 })
		}
		if table.List.Count() == 0 {
			t.Logf("%s has no row here", name)
			continue
		}
		for click := range 2 {
			s.away()
			s.clickRow(table, 0, 0)
			at, ok := s.placeOf(s.m.Selected())
			if s.m.Selected().Kind == render.TripItem {
				b, found := state.Bounds(s.m.Marked())
				at, ok = b.Center(), found
			}
			if !ok || !s.shows(at) {
				t.Errorf("click %d on a row of %s selects %+v, which is not in view", click+1, name, s.m.Selected())
			}
			time.Sleep(450 * time.Millisecond) // no double click
		}
		_, before := s.centre()
		s.doubleClickRow(table, 0)
		v := s.view.View()
		if name != "trips" && v.Zoom < placeZoom-1 {
			t.Errorf("a double click on a row of %s leaves the map at zoom %.1f, from %.1f", name, v.Zoom, before)
		}
	}
}

// doubleClickRow clicks twice on a row.
func (s *stage) doubleClickRow(t *kit.Table, i int) {
	s.t.Helper()
	s.clickRow(t, i, 0)
	s.clickRow(t, i, 0)
}

func TestTheInspectorCountsTheHoursChosen(t *testing.T) {
	s := recoveredTown(t, 9)
	s.m.ShowTab(state.LinksTab)
	table := s.dock.Table(state.LinksTab)
	s.until("the links are counted", func() bool { return table.List.Count() > 40 })
	s.clickRow(table, 0, 0)
	said := func(what string) func() bool {
		return func() bool { s.win.Canvas().Capture(); return says(s.inspector.Object, what) }
	}
	s.until("the trips of the road are listed", said("bus 1"))
	s.m.SetTraffic(state.Traffic{Hours: 1 << 3}) // nobody drove at night
	s.until("the night is counted", said("No recovered trip drove here."))
	s.until("it is said that hours are chosen", said("chosen in LINKS"))
	if says(s.inspector.Object, "bus 1") {
		t.Error("a trip of another hour is listed")
	}
}

func TestRecoveringComesFirstInItsMenu(t *testing.T) {
	s := withTown(t, 1)
	groups := s.actions.Groups(action.Recover)
	if groups[0][0].ID != actRecover {
		t.Errorf("the menu begins with %s", groups[0][0].ID)
	}
}
