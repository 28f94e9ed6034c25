package ui

import (
	"path/filepath"
	"testing"

	"retrace/ui/state"
)

// TestPorto imports a real city, reads 400 real trips and recovers them.
func TestPorto(t *testing.T) {
	extract, trips := data(t, "osm/porto.osm.pbf"), data(t, "porto_sparse/x8/input.csv")
	s := openStage(t, filepath.Join(t.TempDir(), "w.retrace"), 1600, 1000, 1, extract, trips)
	s.until("the trips are read", func() bool { return len(s.m.Trips()) == 400 })
	s.idle()
	s.win.Canvas().Capture()
	s.actions.Do("recoverall")
	s.idle()
	for _, n := range s.m.Notices() {
		if n.Level == state.Fault {
			t.Errorf("%s %s", n.Text, n.Detail)
		}
	}
	if c := s.m.Count(); c.Recovered < 398 {
		t.Errorf("%+v", c)
	}
	s.m.SelectTrip(s.m.Trips()[0].ID())
	s.until("the map is drawn", s.drawn)
	s.shot("porto")
}
