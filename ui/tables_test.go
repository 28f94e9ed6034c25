package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"retrace/engine/flow"
	"retrace/engine/roadnet"
	"retrace/mapview/render"
	"retrace/ui/find"
	"retrace/ui/kit"
	"retrace/ui/state"
)

// clickRow clicks on a row of a table with keys held down.
func (s *stage) clickRow(t *kit.Table, i int, held fyne.KeyModifier) {
	s.t.Helper()
	s.win.Canvas().Capture()
	for _, o := range test.LaidOutObjects(t) {
		m, ok := o.(desktop.Mouseable)
		tap, taps := o.(fyne.Tappable)
		if !ok || !taps {
			continue
		}
		m.MouseDown(&desktop.MouseEvent{Modifier: held})
		tap.Tapped(&fyne.PointEvent{Position: fyne.NewPos(60, (float32(i)+0.5)*t.List.Height())})
		return
	}
	s.t.Fatal("the table has no rows to click on")
}

// says reports whether the tables say something.
func (s *stage) says(what string) bool {
	s.win.Canvas().Capture()
	for _, o := range test.LaidOutObjects(s.dock.Object) {
		if text, ok := o.(*kit.Text); ok && strings.Contains(text.Text(), what) {
			return true
		}
	}
	return false
}

func TestManyRowsAreSelectedAndCopied(t *testing.T) {
	s := recoveredTown(t, 6)
	table := s.dock.Table(state.TripsTab)
	table.OnSort(1, false) // by name
	s.clickRow(table, 1, 0)
	s.clickRow(table, 3, fyne.KeyModifierShift)
	if got := s.m.Marked(); len(got) != 3 || got[0].ID() != "bus 2" {
		t.Fatalf("%d trips are selected", len(got))
	}
	s.clickRow(table, 5, fyne.KeyModifierControl)
	s.clickRow(table, 2, fyne.KeyModifierControl)
	var ids []string
	for _, trip := range s.m.Marked() {
		ids = append(ids, trip.ID())
	}
	if fmt.Sprint(ids) != "[bus 2 bus 4 bus 6]" {
		t.Fatalf("%v are selected", ids)
	}
	s.tapButton("Copy as CSV")
	if lines := strings.Split(strings.TrimSpace(s.app.Clipboard().Content()), "\n"); len(lines) != 4 {
		t.Errorf("copied %q", lines)
	}
	s.actions.Do("all") // the table has the keys
	if len(s.m.Marked()) != 6 {
		t.Errorf("%d trips are selected by Ctrl+A", len(s.m.Marked()))
	}
	s.dock.Filter.SetText("name = 2 or name = 3")
	s.clickRow(table, 0, 0)
	s.actions.Do("all")
	if len(s.m.Marked()) != 2 {
		t.Errorf("%d trips are selected of the two that pass the filter", len(s.m.Marked()))
	}
}

func TestKeysOfEditingAreForTheFieldThatHasTheKeys(t *testing.T) {
	s := recoveredTown(t, 3)
	s.win.Canvas().Focus(s.dock.Filter)
	s.dock.Filter.SetText("bus")
	s.actions.Do("all")
	if got := s.dock.Filter.SelectedText(); got != "bus" || len(s.m.Marked()) > 0 {
		t.Errorf("Ctrl+A selects %q and %d trips", got, len(s.m.Marked()))
	}
	s.actions.Do("copyrows")
	if got := s.app.Clipboard().Content(); got != "bus" {
		t.Errorf("Ctrl+C copies %q", got)
	}
}

func TestRowsAreSelectedByTheKeysAlone(t *testing.T) {
	s := recoveredTown(t, 6)
	table := s.dock.Table(state.TripsTab)
	table.OnSort(1, false) // by name
	s.win.Canvas().Capture()
	table.List.Focus()
	rows := s.win.Canvas().Focused()
	press := func(name fyne.KeyName) { rows.TypedKey(&fyne.KeyEvent{Name: name}) }
	press(fyne.KeyDown)
	press(fyne.KeyDown)
	if got := s.m.Current(); got == nil || got.ID() != "bus 3" {
		t.Fatalf("Down twice leads to %v", got)
	}
	rows.(desktop.Keyable).KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	press(fyne.KeyDown)
	press(fyne.KeyDown)
	rows.(desktop.Keyable).KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	if got := s.m.Marked(); len(got) != 3 || got[2].ID() != "bus 5" {
		t.Errorf("Shift and Down twice select %d trips", len(got))
	}
	press(fyne.KeyHome)
	if s.m.Current().ID() != "bus 1" || len(s.m.Marked()) != 1 {
		t.Errorf("Home leads to %s", s.m.Current().ID())
	}
}

func TestAFilterThatIsWrongSaysWhy(t *testing.T) {
	s := recoveredTown(t, 3)
	s.dock.Filter.SetText("length > 0.5 km and name = 2")
	if n := s.dock.Table(state.TripsTab).List.Count(); n != 1 {
		t.Fatalf("%d rows", n)
	}
	s.dock.Filter.SetText("length > 0.5 parsec")
	s.dock.Filter.SetText("breadth > 5")
	if n := s.dock.Table(state.TripsTab).List.Count(); n != 0 {
		t.Errorf("%d rows: those of the last filter that was right should stand", n)
	}
	if !s.says("breadth") {
		t.Error("what is wrong is not said")
	}
	s.shot("filter-wrong")
}

func TestLinksAreCountedAndLeadToTrips(t *testing.T) {
	s := recoveredTown(t, 9) // the first street has two, the last lies at the border
	s.m.ShowTab(state.LinksTab)
	table := s.dock.Table(state.LinksTab)
	s.until("the links are counted", func() bool { return table.List.Count() > 40 })
	s.m.SetTraffic(state.Traffic{Hours: 1 << 3}) // nobody drove at night
	s.until("the night is counted", func() bool { return table.List.Count() == 0 })
	s.m.SetTraffic(state.Traffic{})
	s.until("all is counted", func() bool { return table.List.Count() > 40 })
	s.clickRow(table, 0, 0)
	if s.m.Selected().Kind != render.RoadItem {
		t.Fatalf("a click on a link selects %+v", s.m.Selected())
	}
	s.tapButton("Show the trips")
	s.until("the lists are narrowed", func() bool { _, n, ok := s.m.Narrowed(); return ok && n == 2 })
	s.shot("links")
	if len(s.m.Found()) != 2 || s.dock.Table(state.TripsTab).List.Count() == 0 {
		t.Errorf("%d trips are listed", len(s.m.Found()))
	}
	s.m.Deselect()
	s.unfocus()
	s.key(fyne.KeyEscape)
	if _, _, ok := s.m.Narrowed(); ok {
		t.Error("Escape does not lead back to all trips")
	}
}

func TestALineCountsWhoCrossesIt(t *testing.T) {
	s := recoveredTown(t, 7)
	s.until("the map is drawn", s.drawn)
	s.m.SetScreen(flow.Screen{Line: []roadnet.Point{
		{Lon: townLon + 2.5*townStep, Lat: townLat - townStep}, {Lon: townLon + 2.5*townStep, Lat: townLat + townSide*townStep}}})
	s.m.ShowTab(state.CrossingsTab)
	table := s.dock.Table(state.CrossingsTab)
	s.until("the crossings are counted", func() bool { return s.says("7 trips, 7 crossings") })
	if table.List.Count() != 24 {
		t.Errorf("%d hours", table.List.Count())
	}
	s.shot("crossings")
	s.tapButton("Copy as CSV")
	text := s.app.Clipboard().Content()
	if !strings.HasPrefix(text, "Hour,eastward,westward,Both ways\n") || !strings.Contains(text, ",7,0,7\n") {
		t.Errorf("counted:\n%s", text)
	}
	s.tapButton("Show these trips")
	if _, n, ok := s.m.Narrowed(); !ok || n != 7 {
		t.Errorf("narrowed to %d trips", n)
	}
}

func TestFindLeadsThere(t *testing.T) {
	s := recoveredTown(t, 3)
	type wanted struct {
		kind find.Kind
		sel  render.ItemKind
	}
	for text, want := range map[string]wanted{
		"bus 2":            {find.Trip, render.TripItem},
		"street 3":         {find.Street, render.RoadItem},
		"way 203":          {find.Way, render.RoadItem},
		"segment 5":        {find.Segment, render.RoadItem},
		"30.004, -19.996":  {find.Place, render.PlaceItem},
		`30°0'14"N 20°0'W`: {find.Place, render.PlaceItem},
	} {
		s.actions.Do("find")
		s.finder.Field().SetText(text)
		s.until(text+" is found", func() bool { r := s.finder.Results(); return len(r) > 0 && r[0].Kind == want.kind })
		if text == "street 3" {
			s.shot("find")
		}
		s.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		if got := s.m.Selected().Kind; got != want.sel {
			t.Errorf("%s selects %v", text, got)
		}
		if s.finder.Shown() {
			t.Error("the field is still open")
		}
	}
	s.actions.Do("find")
	s.finder.Field().SetText("> recover problems")
	s.until("a command is found", func() bool { r := s.finder.Results(); return len(r) > 0 && r[0].Kind == find.Command })
	s.shot("find-command")
	s.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if s.m.PanelSet().Tab != state.ProblemsTab {
		t.Error("the command was not done")
	}
	s.actions.Do("find")
	s.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if s.finder.Shown() || s.win.Canvas().Focused() != nil {
		t.Error("Escape does not leave the field")
	}
}

// TestShotsOfTheTables shows every table in light and dark, at the smallest
// window; RETRACE_SHOTS says where the pictures go.
func TestShotsOfTheTables(t *testing.T) {
	if os.Getenv("RETRACE_SHOTS") == "" {
		t.Skip("RETRACE_SHOTS is not set")
	}
	dir := t.TempDir()
	for name, size := range map[string][3]float32{"small": {1024, 700, 1}, "large": {1440, 900, 2}} {
		s := openStage(t, filepath.Join(dir, name), size[0], size[1], size[2], townExtract(t, dir), townTrips(t, dir, 30))
		s.until("all trips are read", func() bool { return len(s.m.Trips()) == 30 })
		s.idle()
		s.actions.Do("recoverall")
		s.until("all trips are recovered", func() bool { c := s.m.Count(); return c.Recovered+c.Outside == 30 })
		s.idle()
		for _, theme := range []string{"light", "dark"} {
			o := s.m.Options()
			o.Theme = theme
			if name == "large" {
				o.TextScale = 1.3
			}
			s.m.SetOptions(o)
			s.m.SelectTrip("bus 2")
			for tab := range state.Tab(state.NumTabs) {
				s.m.ShowTab(tab)
				s.until("the map is drawn", s.drawn)
				s.shot(fmt.Sprintf("%s-%s-%d", name, theme, tab))
			}
		}
		s.end()
	}
}
