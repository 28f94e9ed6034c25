package ui

import (
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"retrace/mapview/render"
	"retrace/ui/state"
)

// withTown is a window on the town with n trips, not recovered.
func withTown(t *testing.T, n int) *stage {
	t.Helper()
	dir := t.TempDir()
	s := openStage(t, filepath.Join(dir, "w.retrace"), 1024, 700, 1, townExtract(t, dir), townTrips(t, dir, n))
	s.until("all trips are read", func() bool { return len(s.m.Trips()) == n })
	s.idle()
	return s
}

func recoveredTown(t *testing.T, n int) *stage {
	t.Helper()
	s := withTown(t, n)
	s.actions.Do("recoverall")
	s.until("all trips are recovered", func() bool { c := s.m.Count(); return c.Recovered+c.Outside == n }) // the last street lies at the border
	s.idle()
	return s
}

func TestFirstStartShowsTheSampleRecovered(t *testing.T) {
	s := newStage(t)
	s.until("the sample is recovered", func() bool { c := s.m.Count(); return c.All > 0 && c.Recovered == c.All })
	if !s.desk.Sample() {
		t.Error("what is shown is not the sample")
	}
	if s.m.Trips()[0].Truth == nil {
		t.Error("the sample's truth is not known")
	}
}

func TestDropImportRecoverInspect(t *testing.T) {
	s := newStage(t)
	s.until("the sample is shown", func() bool { return s.m.Network() != nil })
	s.idle()
	dir := t.TempDir()
	s.drop(townTrips(t, dir, 3), townExtract(t, dir))
	s.until("the town is shown", func() bool { return s.m.Network() != nil && s.m.Network().Info().Name == "town" })
	s.until("the trips are read", func() bool { return len(s.m.Trips()) == 3 })
	s.idle()
	if s.desk.Sample() {
		t.Error("the sample is still there beside the user's own")
	}
	if p := s.m.Problems(); len(p) == 0 || p[len(p)-1].Line != 17 {
		t.Errorf("the row that cannot be read is not among the problems: %+v", p)
	}
	if !s.actions.Do("recoverall") {
		t.Fatal("recovery cannot be asked for")
	}
	s.until("the trips are recovered", func() bool { return s.m.Count().Recovered == 3 })
	s.idle()
	f := s.m.Trip("bus 1").Facts
	if f.Ticks < 16 || f.Length < 1000 || f.Breaks != 0 {
		t.Errorf("recovered: %+v", f)
	}
}

func TestMapListAndTableShareOneSelection(t *testing.T) {
	s := recoveredTown(t, 3)
	s.m.SelectTrip("bus 2")
	s.until("the map is drawn", s.drawn)
	s.m.ShowTab(state.PointsTab)
	table := s.dock.Table(state.PointsTab)
	if got, want := table.List.Count(), s.m.Trip("bus 2").Facts.Ticks; got != want {
		t.Fatalf("%d rows of points, want %d", got, want)
	}
	tick := s.m.Trip("bus 2").Recovery().Ticks[9]
	s.tapMap(tick.Lon, tick.Lat)
	if got := s.m.Selected(); got.Kind != render.TickItem || got.Index != 9 {
		t.Fatalf("a click on the tenth point selects %+v", got)
	}
	if !table.List.Selected(9) {
		t.Error("the table does not show the row as selected")
	}
	if s.m.Clock().At != tick.Time {
		t.Error("the clock did not follow")
	}
	s.press(']')
	if got := s.m.Selected(); got.Index != 10 {
		t.Errorf("] selects %+v", got)
	}
	s.press('p')
	if s.m.Current().ID() != "bus 1" {
		t.Errorf("P leads to %s", s.m.Current().ID())
	}
}

// tapMap clicks on a place of the map.
func (s *stage) tapMap(lon, lat float64) {
	s.t.Helper()
	at := s.pixel(lon, lat)
	test.MoveMouse(s.win.Canvas(), at.SubtractXY(3, 3))
	test.MoveMouse(s.win.Canvas(), at)
	test.TapCanvas(s.win.Canvas(), at)
}

func (s *stage) press(r rune) { s.win.Canvas().OnTypedRune()(r) }

func (s *stage) key(name fyne.KeyName) { s.win.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: name}) }

func TestRemoveUndoRedo(t *testing.T) {
	s := recoveredTown(t, 3)
	s.m.SelectTrip("bus 2")
	s.key(fyne.KeyDelete)
	s.idle()
	if s.m.Trip("bus 2") != nil {
		t.Fatal("the trip is still there")
	}
	s.actions.Do("undo")
	s.idle()
	if got := s.m.Trip("bus 2"); got == nil || got.Status != state.Recovered {
		t.Fatal("undo does not bring the trip back with its recovery")
	}
	if r, err := s.desk.StoredTrips(); err != nil || len(r) != 3 {
		t.Errorf("the workspace holds %v, %v", r, err)
	}
}

func TestSecondStartShowsWhatWasLeft(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "w.retrace")
	first := openStage(t, path, 1024, 700, 1, townExtract(t, dir), townTrips(t, dir, 4))
	first.until("all trips are read", func() bool { return len(first.m.Trips()) == 4 })
	first.idle()
	first.actions.Do("recoverall")
	first.until("recovered", func() bool { return first.m.Count().Recovered == 4 })
	first.idle()
	first.m.TogglePanel(state.InspectorPanel)
	first.m.ShowLayer(render.LayerLabels, false)
	first.remember()
	first.end()

	second := openStage(t, path, 1024, 700, 1)
	second.until("the trips are back", func() bool { return second.m.Count().Recovered == 4 })
	if second.m.Network().Info().Name != "town" {
		t.Errorf("network %s", second.m.Network().Info().Name)
	}
	if second.m.PanelSet().Open[state.InspectorPanel] || second.m.ShownLayers().Has(render.LayerLabels) {
		t.Error("the panels are not as they were left")
	}
}

func TestSecondWindowOnTheSameWorkspace(t *testing.T) {
	s := withTown(t, 1)
	other := openStage(t, s.path, 1000, 700, 1)
	notices := other.m.Notices()
	if len(notices) == 0 || notices[0].Level != state.Fault || !strings.Contains(notices[0].Detail, "held by") {
		t.Errorf("the second window says %+v", notices)
	}
	if other.desk.Kept() {
		t.Error("the second window believes that it keeps what is done")
	}
}

func TestFilesThatCannotBeOpened(t *testing.T) {
	s := withTown(t, 1)
	dir := t.TempDir()
	s.drop(write(t, filepath.Join(dir, "letter.txt"), "Dear planner,\n"), filepath.Join(dir, "gone.csv"))
	s.idle()
	n := s.m.Notices()
	if len(n) == 0 || n[len(n)-1].Level != state.Fault {
		t.Errorf("notices %+v", n)
	}
	broken := write(t, filepath.Join(dir, "broken.osm"), `<?xml version="1.0"?><osm version="0.6"><node id="1" lat="1" lon`)
	before := s.m.Network()
	s.drop(broken)
	s.idle()
	n = s.m.Notices()
	if last := n[len(n)-1]; last.Level != state.Fault || !strings.Contains(last.Detail, "broken.osm") {
		t.Errorf("a broken extract gives %+v", last)
	}
	if s.m.Network() != before {
		t.Error("the network before is gone")
	}
}

func TestSameExtractAgainAsks(t *testing.T) {
	s := withTown(t, 1)
	s.drop(townExtract(t, t.TempDir()))
	s.idle()
	if s.win.Canvas().Overlays().Top() == nil {
		t.Fatal("nothing is asked")
	}
	s.tapButton("Keep both")
	s.idle()
	if len(s.m.Networks()) != 2 || s.m.Network().Info().Name != "town 2" {
		t.Errorf("%d networks, %s shown", len(s.m.Networks()), s.m.Network().Info().Name)
	}
}

func TestCancelRecovery(t *testing.T) {
	s := withTown(t, 400)
	s.actions.Do("recoverall")
	s.actions.Do("cancel")
	s.idle()
	c := s.m.Count()
	if c.Recovered == 400 {
		t.Skip("the recovery was faster than the cancel")
	}
	for _, trip := range s.m.Trips() {
		if trip.Status == state.Queued {
			t.Fatal("a cancelled trip still waits")
		}
	}
}

// TestEveryActionRuns does everything in the table once, with a trip selected
// and with nothing at all.
func TestEveryActionRuns(t *testing.T) {
	for name, s := range map[string]*stage{"trips": recoveredTown(t, 2), "empty": withNothing(t)} {
		t.Run(name, func(t *testing.T) {
			if len(s.m.Trips()) > 0 {
				s.m.SelectTrip("bus 1")
			}
			for _, a := range s.actions {
				if a.ID == "quit" {
					continue
				}
				s.actions.Do(a.ID)
				s.idle()
				if s.win.Canvas().Overlays().Top() != nil {
					s.win.Canvas().Capture()
				}
				for s.win.Canvas().Overlays().Top() != nil {
					s.win.Canvas().Overlays().Remove(s.win.Canvas().Overlays().Top())
				}
			}
		})
	}
}

// withNothing is a window without network and trips.
func withNothing(t *testing.T) *stage {
	t.Helper()
	s := withTown(t, 1)
	s.desk.Remove(s.m.Trips())
	s.desk.RemoveNetwork("town")
	s.until("the network is gone", func() bool { return s.m.Network() == nil })
	return s
}
