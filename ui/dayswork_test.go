package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"retrace/engine/roadnet"
)

func TestNewTripsShowWhileOneIsShownAlone(t *testing.T) {
	for name, alone := range map[string]func(*stage){
		"solo":   func(s *stage) { s.m.SetSolo("bus 2") },
		"narrow": func(s *stage) { s.m.Narrow("selected", []string{"bus 2"}) },
	} {
		t.Run(name, func(t *testing.T) {
			s := recoveredTown(t, 3)
			alone(s)
			s.drop(townTrips(t, t.TempDir(), 5))
			s.until("the trips are read", func() bool { return len(s.m.Trips()) > 3 })
			s.idle()
			for _, trip := range s.m.Trips() {
				if !s.m.Visible(trip) {
					t.Errorf("%s does not show", trip.ID())
				}
			}
			if !strings.Contains(s.told(), "shows all trips again") {
				t.Errorf("it is not said that all show again: %s", s.told())
			}
		})
	}
}

func TestWhatIsRemovedOffersUndo(t *testing.T) {
	s := recoveredTown(t, 3)
	s.m.SelectTrip("bus 2")
	s.key(fyne.KeyDelete)
	s.idle()
	s.tapButton("Undo")
	s.idle()
	if s.m.Trip("bus 2") == nil {
		t.Error("the trip is not back")
	}
	s.desk.RemoveNetwork("town")
	s.until("the network is gone", func() bool { return s.m.Network() == nil })
	s.idle()
	s.tapButton("Undo")
	s.until("the network is back", func() bool { return s.m.Network() != nil })
	s.idle()
	if s.m.Count().Recovered != 3 || len(s.m.Networks()) != 1 {
		t.Errorf("of 3 trips %d are recovered, there are %d networks", s.m.Count().Recovered, len(s.m.Networks()))
	}
}

func TestLeavingThePreviewRestoresTheView(t *testing.T) {
	s := withPreview(t)
	s.until("the map is drawn", s.drawn)
	s.view.GoTo(roadnet.Point{Lon: townLon + 0.3, Lat: townLat + 0.2}, 15)
	centre, zoom := s.centre()
	s.drop(townTrips(t, t.TempDir(), 3))
	s.looked()
	if c, _ := s.centre(); c == centre {
		t.Fatal("the preview does not show where the points fall")
	}
	s.tapButton("Leave them")
	s.idle()
	if c, z := s.centre(); c != centre || z != zoom {
		t.Errorf("the map stands at %v, zoom %.2f, and stood at %v, %.2f", c, z, centre, zoom)
	}
}
