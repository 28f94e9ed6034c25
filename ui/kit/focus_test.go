package kit

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"retrace/ui/look"
)

// heard opens a window around a widget that has the keys, and tells which keys
// and letters come through to the window.
func heard(t *testing.T, w fyne.Focusable) (keys *[]fyne.KeyName, letters *string) {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(look.NewTheme(look.Light, 1))
	win := test.NewTempWindow(t, w.(fyne.CanvasObject))
	win.Resize(fyne.NewSize(300, 200))
	keys, letters = new([]fyne.KeyName), new(string)
	win.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { *keys = append(*keys, e.Name) })
	win.Canvas().SetOnTypedRune(func(r rune) { *letters += string(r) })
	win.Canvas().Focus(w)
	return keys, letters
}

func names() []string { return []string{"one", "two"} }

// Escape comes through to the window, which closes dialogs by it, from whatever
// has the keys.
func TestEscapeReachesTheWindow(t *testing.T) {
	for name, w := range map[string]fyne.Focusable{
		"entry":        NewEntry(),
		"select entry": NewSelectEntry(),
		"select":       NewSelect(names(), nil),
		"slider":       NewSlider(0, 1),
		"list":         NewList(func() int { return 2 }, func(i int) string { return names()[i] }, nil),
		"button":       NewButton("one", "", Normal, nil),
		"check":        NewCheck("one", nil, nil),
		"tab":          NewTab("one", nil),
		"toggles":      NewToggles(names(), ""),
		"radio":        NewRadio(names(), 0),
	} {
		keys, _ := heard(t, w)
		w.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if len(*keys) != 1 || (*keys)[0] != fyne.KeyEscape {
			t.Errorf("%s: the window hears %q", name, *keys)
		}
	}
}

// What is written in fields is not for the window.
func TestFieldsKeepTheKeysOfEditing(t *testing.T) {
	for name, w := range map[string]fyne.Focusable{"entry": NewEntry(), "select entry": NewSelectEntry()} {
		keys, letters := heard(t, w)
		w.TypedRune('a')
		w.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
		w.TypedRune('b')
		if len(*keys) != 0 || *letters != "" {
			t.Errorf("%s: the window hears %q and %q", name, *keys, *letters)
		}
	}
}

// What is switched and pressed knows that it has the keys, and leaves letters to
// the window; a space is its own.
func TestSwitchesLeaveLettersToTheWindow(t *testing.T) {
	for name, w := range map[string]interface {
		fyne.Focusable
		Focused() bool
	}{
		"button":  NewButton("one", "", Normal, nil),
		"check":   NewCheck("one", nil, nil),
		"tab":     NewTab("one", nil),
		"toggles": NewToggles(names(), ""),
		"radio":   NewRadio(names(), 0),
	} {
		_, letters := heard(t, w)
		if !w.Focused() {
			t.Errorf("%s: does not know that it has the keys", name)
		}
		w.TypedRune('d')
		w.TypedRune(' ')
		if *letters != "d" {
			t.Errorf("%s: the window hears %q", name, *letters)
		}
		w.FocusLost()
		if w.Focused() {
			t.Errorf("%s: does not know that it has lost the keys", name)
		}
	}
}
