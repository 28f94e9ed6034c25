package ui

import (
	"path/filepath"
	"testing"

	"retrace/engine"
	"retrace/engine/enginetest"
	"retrace/mapview/render"
	"retrace/ui/state"
)

// withDoubts is a window with four trips drawn by hand, in which a span and some
// points are in doubt.
func withDoubts(t *testing.T) *stage {
	t.Helper()
	s := openStage(t, filepath.Join(t.TempDir(), "w.retrace"), 1200, 900, 1, "none")
	s.idle()
	drawnTrips(s)
	return s
}

func TestDoubtsAreSteppedThroughByKeys(t *testing.T) {
	s := withDoubts(t)
	left, all := s.m.DoubtsLeft()
	if left < 3 {
		t.Fatalf("only %d of %d places are in doubt", left, all)
	}
	list := s.m.Doubts()
	s.press('d')
	if s.m.Selected() != list[0].Item || s.m.Current().ID() != list[0].Item.Trip {
		t.Fatalf("d leads to %+v, want %+v", s.m.Selected(), list[0].Item)
	}
	if at, ok := s.placeOf(list[0].Item); !ok || !s.view.View().Bounds().Contains(at) {
		t.Error("the map did not follow")
	}
	s.press('b')
	table := s.dock.Table(state.DoubtsTab)
	if s.m.PanelSet().Tab != state.DoubtsTab || table.List.Count() != len(list) || !table.List.Selected(0) {
		t.Errorf("B shows table %d with %d rows, want the %d places in doubt", s.m.PanelSet().Tab, table.List.Count(), len(list))
	}
	s.press('d')
	if !table.List.Selected(1) || table.List.Selected(0) {
		t.Error("the table does not follow to the next doubt")
	}
	s.press('D')
	if s.m.Selected() != list[0].Item {
		t.Errorf("Shift+D leads to %+v", s.m.Selected())
	}
	s.press('c')
	if !s.m.Checked(list[0].Item) || s.m.Selected() != list[1].Item {
		t.Errorf("after C %+v is selected", s.m.Selected())
	}
	if now, _ := s.m.DoubtsLeft(); now != left-1 {
		t.Errorf("%d places are left of %d", now, left)
	}
	s.actions.Do("undo")
	if now, _ := s.m.DoubtsLeft(); now != left || s.m.Checked(list[0].Item) {
		t.Error("undo does not take the mark away")
	}
	for range left {
		s.m.Select(render.Item{})
		s.press('d')
		s.press('c')
	}
	if now, _ := s.m.DoubtsLeft(); now != 0 {
		t.Errorf("%d places are left", now)
	}
	s.press('d')
	if n := s.m.Notices(); len(n) == 0 || n[len(n)-1].Text != "Every place in doubt is checked." {
		t.Errorf("told %+v", n)
	}
}

func TestBeforeAndAfterAPinAreCompared(t *testing.T) {
	s := recoveredTown(t, 2)
	trip := s.m.Trip("bus 1")
	s.m.SelectTrip("bus 1")
	if a, _ := s.actions.Find("compare"); a.Can() {
		t.Fatal("the first recovery has nothing before it to be compared with")
	}
	pin := otherCandidate(t, trip, 1)
	s.desk.Pin(trip, 1, pin.Segment, false)
	s.idle()
	s.press('v')
	s.idle()
	c, ok := s.m.Comparison()
	if !ok || c.Trip != "bus 1" || len(c.Differences) == 0 {
		t.Fatalf("compared: %v, %+v", ok, c)
	}
	s.press('g')
	if c, _ = s.m.Comparison(); c.At != 0 {
		t.Errorf("looking at %d", c.At)
	}
	s.press('G')
	if c, _ = s.m.Comparison(); c.At != len(c.Differences)-1 {
		t.Errorf("looking at %d of %d", c.At, len(c.Differences))
	}
	s.clickDifference(c)
	s.actions.Do("undo")
	s.idle()
	if c, ok = s.m.Comparison(); ok && len(c.Differences) != 0 {
		t.Error("after undo both are the same")
	}
	s.actions.Do("leave")
	s.actions.Do("leave")
	if _, ok := s.m.Comparison(); ok {
		t.Error("Esc does not leave the comparison")
	}
}

// clickDifference clicks on the way of the first place that differs, which is
// then looked at, and the map stays where it is.
func (s *stage) clickDifference(c state.Comparison) {
	s.t.Helper()
	s.m.ShowDifference(len(c.Differences) - 1)
	s.m.ShowLayer(render.LayerInput|render.LayerPoints, false) // which come first
	s.fitSelection()
	s.until("the map is drawn", s.drawn)
	way := c.Differences[0].Ours
	if way.Length == 0 {
		way = c.Differences[0].Other
	}
	before := s.view.View()
	s.tapMap(way.At.Lon, way.At.Lat)
	if now, _ := s.m.Comparison(); now.At != 0 {
		s.t.Errorf("a click on the first difference shows %d of %d", now.At, len(c.Differences))
	}
	if s.view.View() != before {
		s.t.Error("the map went elsewhere")
	}
	s.m.ShowLayer(render.LayerInput|render.LayerPoints, true)
}

// What was recovered before is there after a restart too.
func TestBeforeIsComparedAfterARestart(t *testing.T) {
	s := recoveredTown(t, 2)
	trip := s.m.Trip("bus 1")
	s.desk.Pin(trip, 1, otherCandidate(t, trip, 1).Segment, false)
	s.idle()
	s.end()
	again := openStage(t, s.path, 1024, 700, 1)
	again.until("the trips are back", func() bool { return again.m.Count().Recovered == 2 })
	again.idle()
	again.m.SelectTrip("bus 1")
	again.press('v')
	again.idle()
	if c, ok := again.m.Comparison(); !ok || len(c.Differences) == 0 || c.Against != state.Earlier {
		t.Errorf("compared: %v, %+v; told %s", ok, c, again.told())
	}
}

func TestTheOtherMethodIsCompared(t *testing.T) {
	s := withModels(t, &enginetest.Models{}, filepath.Join(t.TempDir(), "w.retrace"))
	trip := s.m.Trips()[0]
	s.m.SelectTrip(trip.ID())
	before := trip.Recovery()
	if !s.actions.Do("comparemethod") {
		t.Fatal("there is no other method")
	}
	s.idle()
	c, ok := s.m.Comparison()
	if !ok || c.Against != state.OtherWay || c.Other.Provenance.Method != engine.MethodHMM || trip.Recovery() != before {
		t.Errorf("compared: %v with %+v; told %s", ok, c.Other, s.told())
	}
}

func TestTheTruthIsCompared(t *testing.T) {
	s := newStage(t)
	s.until("the sample is recovered", func() bool { c := s.m.Count(); return c.All > 0 && c.Recovered == c.All })
	s.idle()
	for _, trip := range s.m.Trips() {
		s.m.SelectTrip(trip.ID())
		if !s.actions.Do("comparetruth") {
			t.Fatal("the truth is not known")
		}
		c, ok := s.m.Comparison()
		if !ok || c.Against != state.TrueWay {
			t.Fatalf("%+v", c)
		}
		for _, d := range c.Differences {
			if d.Ours.Length+d.Other.Length < 5 || d.Ours.At.Lon == 0 {
				t.Errorf("difference %+v", d)
			}
		}
	}
}

func TestClosingWhileWorkRunsAsksOnceAndLosesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		all    bool
	}{"when it is done": {"Close when it is done", true}, "at once": {"Stop it and close", false}} {
		t.Run(name, func(t *testing.T) {
			s := withTown(t, 60)
			left := false
			s.leave = func() { left = true }
			s.actions.Do("recoverall")
			s.close()
			s.tapButton(c.answer)
			s.until("the window is left", func() bool { return left })
			shown := s.m.Count().Recovered
			if c.all && s.m.Count().Pending > 0 {
				t.Errorf("not all work was done: %+v", s.m.Count())
			}
			s.end()
			again := openStage(t, s.path, 1024, 700, 1)
			again.until("the trips are back", func() bool { return len(again.m.Trips()) == 60 })
			again.idle()
			if got := again.m.Count().Recovered; got != shown {
				t.Errorf("%d recoveries were shown, %d are kept", shown, got)
			}
		})
	}
}

func TestGoingOnWorkingKeepsTheWindow(t *testing.T) {
	s := withTown(t, 3)
	left := false
	s.leave = func() { left = true }
	s.actions.Do("recoverall")
	s.close()
	s.tapButton("Go on working")
	s.idle()
	if left || s.m.Count().Recovered != 3 {
		t.Error("the window is left, or its work was stopped")
	}
	s.close()
	if !left {
		t.Error("without work the window closes at once")
	}
}

// The keys of the interface are those of the table, and no two actions have one.
func TestKeysOfTheTable(t *testing.T) {
	s := withDoubts(t)
	seen := map[string]string{}
	for _, a := range s.actions {
		if a.Key.None() {
			continue
		}
		if other := seen[a.Key.String()]; other != "" {
			t.Errorf("%s is the key of %s and of %s", a.Key, other, a.ID)
		}
		seen[a.Key.String()] = string(a.ID)
	}
	for key, id := range map[string]string{
		"Ctrl+O": "open", "Ctrl+S": "copy", "Ctrl+Z": "undo", "Ctrl+Shift+Z": "redo", "Ctrl+R": "recover",
		"Ctrl+Shift+R": "recoverall", "Ctrl+E": "export", "Ctrl+F": "find", "F": "fit", "S": "solo", "H": "hide",
		"N": "next", "P": "previous", "]": "nextpoint", "[": "previouspoint", "Space": "play", "Left": "back", "Right": "on",
		"L": "layers", "I": "inspector", "T": "table", "E": "elevated", "Esc": "leave", "?": "keys",
		"D": "nextdoubt", "Shift+D": "previousdoubt", "C": "check", "G": "nextdifference", "Shift+G": "previousdifference", "V": "compare",
	} {
		if seen[key] != id {
			t.Errorf("%s is the key of %q, want %q", key, seen[key], id)
		}
	}
	system := newMenus(s.window) // as a Mac has them
	for _, a := range s.actions {
		if item := system.items[a.ID]; item == nil || item.Label != a.Name() {
			t.Errorf("%s is in no menu", a.ID)
		}
	}
}
