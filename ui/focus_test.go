package ui

import (
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/test"

	"retrace/ui/action"
	"retrace/ui/state"
)

// paintedOnly is a driver that knows the canvas of what has been painted only, as
// that of a real window does.
type paintedOnly struct {
	fyne.App
	driver fyne.Driver
}

func (p paintedOnly) Driver() fyne.Driver { return p.driver }

type knowsPainted struct {
	fyne.Driver
	painted map[fyne.CanvasObject]bool
}

func (d knowsPainted) CanvasForObject(o fyne.CanvasObject) fyne.Canvas {
	if !d.painted[o] {
		return nil
	}
	return d.Driver.CanvasForObject(o)
}

// asPainted runs f while the canvas of what is not on the screen is not known.
func (s *stage) asPainted(f func()) {
	app := fyne.CurrentApp()
	d := knowsPainted{app.Driver(), map[fyne.CanvasObject]bool{}}
	for _, o := range test.LaidOutObjects(s.root) {
		d.painted[o] = true
	}
	fyne.SetCurrentApp(paintedOnly{app, d})
	defer fyne.SetCurrentApp(app)
	f()
}

// TestFindHasTheKeysOnItsFirstOpening opens it in a window that never painted it.
func TestFindHasTheKeysOnItsFirstOpening(t *testing.T) {
	s := recoveredTown(t, 2)
	s.asPainted(func() { s.perform("find") })
	if s.win.Canvas().Focused() != fyne.Focusable(s.finder.Field()) {
		t.Fatalf("the keys are with %T", s.win.Canvas().Focused())
	}
	for _, r := range "bus 2" {
		s.win.Canvas().Focused().TypedRune(r)
	}
	if text := s.finder.Field().Text; text != "bus 2" {
		t.Errorf("the field holds %q", text)
	}
	s.typed(fyne.KeyEscape)
	if s.finder.Shown() || s.win.Canvas().Focused() != nil {
		t.Errorf("after Esc the field is shown: %t, the keys are with %T", s.finder.Shown(), s.win.Canvas().Focused())
	}
}

// TestEveryKeyLeavesTheKeysInTheirPlace presses every key of the table, from the
// window, the map, a table and a filter. What it opens has the keys, no letter
// that follows does anything outside of it, and Esc gives them back.
func TestEveryKeyLeavesTheKeysInTheirPlace(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of keys, one after another")
	}
	for name, from := range map[string]func(*stage) fyne.Focusable{
		"window": func(*stage) fyne.Focusable { return nil },
		"map":    func(s *stage) fyne.Focusable { return s.view },
		"table": func(s *stage) fyne.Focusable {
			s.dock.Table(state.TripsTab).List.Focus()
			return s.win.Canvas().Focused()
		},
		"filter": func(s *stage) fyne.Focusable { return s.dock.Filter },
	} {
		t.Run(name, func(t *testing.T) {
			s := openStage(t, filepath.Join(t.TempDir(), "w.retrace"), 1200, 900, 1, "none")
			s.idle()
			drawnTrips(s)
			for _, a := range s.actions {
				if a.Key.None() || a.ID == "quit" || a.ID == "leave" || name == "filter" && !a.Key.Ctrl {
					continue
				}
				s.fresh()
				s.giveKeys(from(s))
				s.keyOf(a)
				s.keysAfter(a)
			}
		})
	}
}

// fresh brings the window to how it begins, with a trip selected.
func (s *stage) fresh() {
	for s.win.Canvas().Overlays().Top() != nil {
		s.key(fyne.KeyEscape)
	}
	s.idle()
	s.m.SetPanels(state.New().PanelSet())
	s.m.SetSolo("")
	s.m.Play(false)
	if trips := s.m.Trips(); len(trips) > 0 {
		s.m.SelectTrip(trips[0].ID())
	}
}

// keyOf presses the key of an action, as the driver hands it over.
func (s *stage) keyOf(a action.Action) {
	focused := s.win.Canvas().Focused()
	switch {
	case a.Key.Ctrl:
		if f, ok := focused.(fyne.Shortcutable); ok {
			f.TypedShortcut(shortcut(a.Key))
			return
		}
		s.perform(a.ID) // the canvas of tests knows no shortcuts
	case a.Key.Rune != 0 && focused != nil:
		focused.TypedRune(a.Key.Rune)
	case a.Key.Rune != 0:
		s.press(a.Key.Rune)
	default:
		s.typed(a.Key.Name)
	}
}

// keysAfter checks what has the keys after an action, and after Esc.
func (s *stage) keysAfter(a action.Action) {
	s.t.Helper()
	s.idle()
	top, open := s.win.Canvas().Overlays().Top(), s.finder.Shown() || s.tour.Shown() || s.menubar.Shown()
	if f := s.win.Canvas().Focused(); f != nil && !s.canBeSeen(f.(fyne.CanvasObject)) {
		s.t.Errorf("after %s the keys are with a %T that cannot be seen", a.Key, f)
	} else if f == nil && open {
		s.t.Errorf("after %s nothing of what it opens has the keys", a.Key)
	}
	if top != nil || s.finder.Shown() {
		before := s.m.PanelSet()
		for _, r := range "lit" { // would fold panels
			if f := s.win.Canvas().Focused(); f != nil {
				f.TypedRune(r)
			} else {
				s.press(r)
			}
		}
		if s.m.PanelSet() != before {
			s.t.Errorf("%s opens something, and letters typed there fold panels", a.Key)
		}
	}
	if _, files := s.dialog.(*dialog.FileDialog); files && top != nil {
		s.dismiss(top) // fyne's, whose fields keep Esc
	}
	for range 3 {
		if s.win.Canvas().Overlays().Top() != nil || s.finder.Shown() || s.tour.Shown() || s.menubar.Shown() {
			s.typed(fyne.KeyEscape)
		}
	}
	if s.win.Canvas().Overlays().Top() != nil || s.finder.Shown() || s.tour.Shown() || s.menubar.Shown() {
		s.t.Errorf("Esc does not close what %s opens", a.Key)
	}
	if f := s.win.Canvas().Focused(); f != nil && !s.canBeSeen(f.(fyne.CanvasObject)) {
		s.t.Errorf("after %s and Esc the keys are with a %T that cannot be seen", a.Key, f)
	}
}

// canBeSeen reports whether an object is shown, in the topmost dialog where there
// is one.
func (s *stage) canBeSeen(o fyne.CanvasObject) bool {
	var root fyne.CanvasObject = s.root
	if top := s.win.Canvas().Overlays().Top(); top != nil {
		root = top
	}
	for _, x := range test.LaidOutObjects(root) {
		if x == o {
			return true
		}
	}
	return false
}

// What a menu does is found by its name, what a key does by the key: no two actions
// share either.
func TestEveryActionHasANameAndAKeyOfItsOwn(t *testing.T) {
	s := openStage(t, filepath.Join(t.TempDir(), "w.retrace"), 1024, 700, 1, "none")
	ids, keys := map[action.ID]bool{}, map[action.Key]action.ID{}
	for _, a := range s.actions {
		if ids[a.ID] {
			t.Errorf("two actions are called %s", a.ID)
		}
		ids[a.ID] = true
		if other, taken := keys[a.Key]; taken && !a.Key.None() {
			t.Errorf("%s and %s have the key %s", other, a.ID, a.Key)
		}
		keys[a.Key] = a.ID
	}
}

// Wherever Tab leads in the details of a message, Esc closes them.
func TestEscClosesDetailsFromWhereverTabLeads(t *testing.T) {
	s := openStage(t, filepath.Join(t.TempDir(), "w.retrace"), 1024, 700, 1, "none")
	s.idle()
	for tabs := range 4 {
		s.showDetails("What happened", "A long text.\nAnd more of it.")
		for range tabs {
			s.win.Canvas().FocusNext()
		}
		s.typed(fyne.KeyEscape)
		if s.win.Canvas().Overlays().Top() != nil {
			t.Fatalf("after Tab %d times Esc does not close the details", tabs)
		}
	}
}
