package ui

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"retrace/assets"
	"retrace/ui/action"
	"retrace/ui/kit"
	"retrace/ui/manual"
	"retrace/ui/state"
)

// typed hands a key to what has the keys, as the window's driver does.
func (s *stage) typed(names ...fyne.KeyName) {
	s.t.Helper()
	for _, name := range names {
		if f := s.win.Canvas().Focused(); f != nil {
			f.TypedKey(&fyne.KeyEvent{Name: name})
			continue
		}
		s.key(name)
	}
}

// alt presses a letter together with Alt.
func (s *stage) alt(letter fyne.KeyName) {
	key := &desktop.CustomShortcut{KeyName: letter, Modifier: fyne.KeyModifierAlt}
	if f, ok := s.win.Canvas().Focused().(fyne.Shortcutable); ok {
		f.TypedShortcut(key)
		return
	}
	s.root.Shortcuts.TypedShortcut(key) // the canvas of tests knows none
}

func TestMenusByKeyboard(t *testing.T) {
	s := withDoubts(t)
	s.alt("V")
	if !s.menubar.Shown() {
		t.Fatal("Alt+V opens no menu")
	}
	s.shot("menu-view")
	s.typed(fyne.KeyDown, fyne.KeyReturn) // Layers and trips
	if s.menubar.Shown() || s.m.PanelSet().Open[state.LeftPanel] {
		t.Error("Enter does not do the first of the View menu")
	}
	s.key(fyne.KeyF10)
	s.typed(fyne.KeyRight, fyne.KeyRight)
	s.win.Canvas().Focused().TypedRune('i')
	s.typed(fyne.KeyReturn)
	if s.m.PanelSet().Open[state.InspectorPanel] {
		t.Error("F10, Right, Right, I, Enter does not fold the inspector")
	}
	s.key(fyne.KeyF10)
	s.typed(fyne.KeyLeft, fyne.KeyEnd, fyne.KeyReturn) // Help, About
	if s.win.Canvas().Overlays().Top() == nil {
		t.Error("Left of the first menu the last one opens not")
	}
	s.key(fyne.KeyEscape)
	s.alt("E")
	s.typed(fyne.KeyEscape)
	if s.menubar.Shown() {
		t.Error("Esc does not close the menu")
	}
}

// What cannot be done now is shown, and does nothing.
func TestMenusOfWhatCannotBeDone(t *testing.T) {
	s := withDoubts(t)
	s.alt("E")
	s.typed(fyne.KeyDown, fyne.KeyReturn) // Undo: there is nothing
	if !s.menubar.Shown() {
		t.Error("a menu closes over what cannot be done")
	}
}

// Keys with Alt and Ctrl work while a text field has the keys, which it gets
// back when the menu closes.
func TestMenusOpenFromATextField(t *testing.T) {
	s := withDoubts(t)
	s.win.Canvas().Focus(s.dock.Filter)
	s.alt("F")
	if !s.menubar.Shown() {
		t.Fatal("Alt+F opens no menu while the filter has the keys")
	}
	s.typed(fyne.KeyEscape)
	if s.win.Canvas().Focused() != s.dock.Filter {
		t.Error("the filter has not got the keys back")
	}
	s.dock.Filter.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyF, Modifier: fyne.KeyModifierShortcutDefault})
	if !s.finder.Shown() {
		t.Error("Ctrl+F does not find while the filter has the keys")
	}
	s.finder.Close()
	s.dock.Filter.SetText("abc")
	s.dock.Filter.TypedShortcut(&fyne.ShortcutSelectAll{})
	if s.dock.Filter.SelectedText() != "abc" {
		t.Error("Ctrl+A is not the field's own")
	}
}

func TestMenusByMouse(t *testing.T) {
	s := withDoubts(t)
	at := func(name string) fyne.Position {
		for _, x := range below[*kit.Text](s.root) {
			if x.Text() == name {
				return fyne.CurrentApp().Driver().AbsolutePositionForObject(x).AddXY(4, 4)
			}
		}
		t.Fatalf("%q is not there", name)
		return fyne.Position{}
	}
	s.win.Canvas().Capture()
	test.TapCanvas(s.win.Canvas(), at("File"))
	if !s.menubar.Shown() {
		t.Fatal("a click opens no menu")
	}
	test.MoveMouse(s.win.Canvas(), at("View"))
	s.win.Canvas().Capture()
	test.TapCanvas(s.win.Canvas(), at("Dark colours"))
	if s.menubar.Shown() || !s.dark() {
		t.Error("the pointer leads to no other menu, or a click there does nothing")
	}
	test.TapCanvas(s.win.Canvas(), at("Help"))
	test.TapCanvas(s.win.Canvas(), fyne.NewPos(600, 400))
	if s.menubar.Shown() {
		t.Error("a click elsewhere does not close the menu")
	}
}

// inLanguage opens the window of a workspace that was left in a language.
func inLanguage(t *testing.T, language string) *stage {
	t.Helper()
	s := withDoubts(t)
	o := s.m.Options()
	o.Language = language
	s.m.SetOptions(o)
	s.end()
	again := openStage(t, s.path, 1024, 700, 1, "none")
	again.idle()
	drawnTrips(again)
	return again
}

// Every menu has a letter, in every language.
func TestEveryMenuHasALetter(t *testing.T) {
	defer func() {
		if err := speak("en"); err != nil {
			t.Error(err)
		}
	}()
	for language, file := range map[string]string{"en": "File", "de": "Datei", "pt": "Ficheiro", "zh": "文件"} {
		s := inLanguage(t, language)
		if got := action.File.Title(); got != file {
			t.Fatalf("%s: the first menu is %q", language, got)
		}
		seen := map[rune]bool{}
		for m := range action.Menu(action.NumMenus) {
			r := s.menubar.Letter(m)
			if r == 0 || seen[r] {
				t.Errorf("%s: the letter of %s is %q", language, m.Title(), r)
			}
			seen[r] = true
			s.alt(fyne.KeyName(strings.ToUpper(string(r))))
			if !s.menubar.Shown() {
				t.Errorf("%s: Alt+%c opens nothing", language, r)
			}
			s.typed(fyne.KeyEscape)
		}
		s.actions.Do("manual")
		s.shot("manual-" + language)
		text, err := assets.Manual(language)
		if err != nil {
			t.Fatal(err)
		}
		first := manual.Pages(text)[0].Title
		if labels := below[*widget.Label](s.win.Canvas().Overlays().Top()); !slices.ContainsFunc(labels, func(l *widget.Label) bool { return l.Text == first }) {
			t.Errorf("%s: the manual does not begin with %q", language, first)
		}
		s.key(fyne.KeyEscape)
		s.end()
	}
}

// Escape leaves every dialog, whatever in it has the keys, and Enter does what
// the dialog asks about.
func TestDialogsByKeyboard(t *testing.T) {
	s := recoveredTown(t, 1)
	s.m.SelectTrip("bus 1")
	for _, id := range []action.ID{"export", "picture", "settings", "rename", "networks", "manual", "keys", "about"} {
		s.actions.Do(id)
		for n := range s.focusable() {
			f := s.win.Canvas().Focused()
			f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
			if s.win.Canvas().Overlays().Top() != nil {
				t.Errorf("%s: Escape does nothing where %T has the keys", id, f)
				break
			}
			s.actions.Do(id)
			s.unfocus()
			for range n + 2 {
				s.win.Canvas().FocusNext()
			}
		}
		s.key(fyne.KeyEscape)
		if s.win.Canvas().Overlays().Top() != nil {
			t.Fatalf("%s: Escape does not close it", id)
		}
	}
	s.actions.Do("rename")
	s.win.Canvas().Focused().TypedRune('X')
	s.typed(fyne.KeyReturn)
	if got := s.m.Trip("bus 1").Title(); !strings.Contains(got, "X") {
		t.Errorf("Enter does not rename the trip: %q", got)
	}
	s.actions.Do("settings")
	for _, c := range below[*kit.Select](s.win.Canvas().Overlays().Top()) {
		if c.Options[0] == "90 %" {
			c.SetSelectedIndex(3)
		}
	}
	s.unfocus()
	s.key(fyne.KeyReturn)
	if got := s.m.Options().TextScale; got != 1.3 {
		t.Errorf("Enter does not apply the settings: text at %v", got)
	}
	s.actions.Do("export")
	s.key(fyne.KeyEscape)
	s.key(fyne.KeyReturn)
	if s.win.Canvas().Overlays().Top() != nil {
		t.Error("Enter does what a dialog asked about that was left")
	}
}

// focusable counts what Tab leads to in the topmost dialog, and leaves the first
// of it with the keys.
func (s *stage) focusable() int {
	s.unfocus()
	s.win.Canvas().FocusNext()
	first := s.win.Canvas().Focused()
	for n := 1; ; n++ {
		s.win.Canvas().FocusNext()
		if f := s.win.Canvas().Focused(); f == first || f == nil {
			return n
		}
	}
}

func TestEveryActionHasANameOfItsOwn(t *testing.T) {
	seen := map[action.ID]bool{}
	for _, a := range newStage(t).actions {
		if seen[a.ID] {
			t.Errorf("two actions are called %s: keys and buttons find one of them only", a.ID)
		}
		seen[a.ID] = true
	}
}
