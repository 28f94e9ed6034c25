package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/kit"
	"retrace/ui/state"
	"retrace/ui/words"
)

// follow has the stage stand for whatever window takes the place of the one before.
func (s *stage) follow() {
	s.onReplaced = func(next *window) { s.window, s.path = next, next.desk.Path() }
}

// A colleague opens a copy of a study in a program of their own and sees the same: the
// network, the trips with pins and names, the place on the map, what the import found.
func TestAStudyIsSeenElsewhereAsItWasLeft(t *testing.T) {
	s := recoveredTown(t, 3)
	trip := s.m.Trip("bus 2")
	s.m.SelectTrip("bus 2")
	s.desk.Rename(trip, "The late bus")
	s.desk.Pin(trip, 1, trip.Recovery().Matches[1].At.Segment, false)
	s.idle()
	s.view.GoTo(s.m.Network().Info().Bounds.Center(), 17)
	view, problems := s.view.View(), s.m.Problems()
	s.remember()
	copied := filepath.Join(t.TempDir(), "for you.retrace")
	s.desk.SaveCopy(copied)
	s.idle()
	s.end()

	other := openStage(t, filepath.Join(t.TempDir(), "mine.retrace"), 1024, 700, 1, "none")
	other.follow()
	other.idle()
	o := other.m.Options()
	o.Theme = "dark"
	other.m.SetOptions(o)
	other.drop(copied)
	other.until("the copy is open", func() bool { return sameFile(other.desk.Path(), copied) })
	other.until("its trips are there", func() bool { return other.m.Count().Recovered == 3 })
	other.idle()
	got := other.m.Trip("bus 2")
	if got.Title() != "The late bus" || len(got.Pins) != 1 || other.m.Current() != got {
		t.Errorf("the trip is %q with the pins %+v, current %v", got.Title(), got.Pins, other.m.Current())
	}
	if v := other.view.View(); v.Center != view.Center || v.Zoom != view.Zoom {
		t.Errorf("the map is at %+v, was left at %+v", v, view)
	}
	if n := imported(other.m.Problems()); n != imported(problems) {
		t.Errorf("the import had found %d things, now %d", imported(problems), n)
	}
	if other.m.Options().Theme != "dark" {
		t.Error("the colours are the colleague's")
	}
	if title := other.win.Title(); !strings.Contains(title, "for you") {
		t.Errorf("the title is %q", title)
	}
	other.win.Canvas().Capture()
	other.press('t') // the keys are the new window's
	if other.m.PanelSet().Open[state.DockPanel] == s.m.PanelSet().Open[state.DockPanel] {
		t.Error("T does not fold the tables of the study that was opened")
	}
}

func imported(all []state.Problem) int {
	n := 0
	for _, p := range all {
		if p.Source == state.ImportSource {
			n += int(p.Count)
		}
	}
	return n
}

// What the import found is said once: by its message, the tab and the button of all;
// and again after a restart.
func TestWhatAnImportFoundSurvivesARestart(t *testing.T) {
	dir := t.TempDir()
	odd := strings.Replace(contentOf(t, townExtract(t, dir)), "</osm>",
		`<way id="999" version="1"><nd ref="1"/><nd ref="77777"/><nd ref="2"/><tag k="highway" v="residential"/></way></osm>`, 1)
	file := write(t, filepath.Join(dir, "odd.osm"), odd)
	path := filepath.Join(dir, "w.retrace")
	first := openStage(t, path, 1024, 700, 1, file)
	first.idle()
	before := imported(first.m.Problems())
	if before == 0 {
		t.Fatal("nothing is odd")
	}
	if told := first.told(); !strings.Contains(told, " "+words.Count(before)+" thing") {
		t.Errorf("%d things were found; told %s", before, told)
	}
	first.m.ShowTab(state.ProblemsTab)
	if !says(first.dock.Object, words.Count(before)) {
		t.Errorf("the tables do not say %d", before)
	}
	first.end()
	second := openStage(t, path, 1024, 700, 1)
	second.until("the network is back", func() bool { return second.m.Network() != nil })
	second.idle()
	if after := imported(second.m.Problems()); after != before {
		t.Errorf("%d things after a restart, %d before", after, before)
	}
}

func contentOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A new study is empty, and the one before is listed to go back to.
func TestANewStudyIsEmptyAndTheOneBeforeIsListed(t *testing.T) {
	s := recoveredTown(t, 2)
	s.follow()
	before := s.desk.Path()
	fresh := filepath.Join(t.TempDir(), "fresh.retrace")
	s.openStudy(fresh, nil)
	s.until("it is open", func() bool { return sameFile(s.desk.Path(), fresh) })
	s.idle()
	if s.m.Network() != nil || len(s.m.Trips()) > 0 || s.desk.Sample() {
		t.Errorf("a new study shows %v and %d trips", s.m.Network(), len(s.m.Trips()))
	}
	s.actions.Do("recent")
	s.tapButton("Open")
	s.until("the one before is open", func() bool { return sameFile(s.desk.Path(), before) })
	s.until("its trips are there", func() bool { return s.m.Count().Recovered == 2 })
	s.idle()
}

// A study that cannot be opened leaves the window as it is.
func TestAStudyThatCannotBeOpenedChangesNothing(t *testing.T) {
	s := recoveredTown(t, 1)
	s.follow()
	held := openStage(t, filepath.Join(t.TempDir(), "held.retrace"), 800, 600, 1, "none")
	held.idle()
	path := s.desk.Path()
	s.openStudy(held.desk.Path(), nil)
	s.idle()
	if s.desk.Path() != path || len(s.m.Trips()) != 1 {
		t.Errorf("%s with %d trips is shown", s.desk.Path(), len(s.m.Trips()))
	}
	if told := s.told(); !strings.Contains(told, "cannot be opened") {
		t.Errorf("told %s", told)
	}
}

// Extracts that are dropped together become one network or one each, as the user says.
func TestSeveralExtractsAskForOneNetworkOrSeveral(t *testing.T) {
	for _, c := range []struct {
		answer string
		want   int
	}{{"A network each", 2}, {"One network", 1}, {"Cancel", 0}} {
		s := openStage(t, filepath.Join(t.TempDir(), "w.retrace"), 1024, 700, 1, "none")
		s.idle()
		dir := t.TempDir()
		near := townExtract(t, dir)
		if err := os.Rename(near, filepath.Join(dir, "near.osm")); err != nil {
			t.Fatal(err)
		}
		far := townAt(t, dir, townLon+30, townLat)
		s.drop(filepath.Join(dir, "near.osm"), far)
		s.until("it asks", func() bool { return s.win.Canvas().Overlays().Top() != nil })
		s.tapButton(c.answer)
		s.idle()
		if n := len(s.m.Networks()); n != c.want {
			t.Errorf("%s: %d networks, want %d", c.answer, n, c.want)
		}
		s.end()
	}
}

// A network is told from others and renamed; its trips stay recovered.
func TestANetworkIsRenamed(t *testing.T) {
	s := recoveredTown(t, 2)
	s.actions.Do("networks")
	top := s.win.Canvas().Overlays().Top()
	about := ""
	for _, text := range below[*widget.RichText](top) {
		about += text.String()
	}
	if !strings.Contains(about, "town.osm") || !strings.Contains(about, " km × ") {
		t.Errorf("the list says of the network %q", about)
	}
	s.tapButton("Rename…")
	below[*kit.Entry](s.win.Canvas().Overlays().Top())[0].SetText("Old town")
	s.key(fyne.KeyReturn)
	s.idle()
	if name := s.m.Network().Info().Name; name != "Old town" || s.m.Networks()[0].Name != name {
		t.Errorf("the network is called %q", name)
	}
	if c := s.m.Count(); c.Recovered != 2 {
		t.Errorf("after that %+v", c)
	}
	s.end()
	again := openStage(t, s.path, 1024, 700, 1)
	again.until("the trips are back", func() bool { return again.m.Count().Recovered == 2 })
	if name := again.m.Network().Info().Name; name != "Old town" {
		t.Errorf("after a restart it is called %q", name)
	}
}
