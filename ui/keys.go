package ui

import (
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"retrace/ui/action"
)

// bindKeys has the window answer to the keys of the table. Keys with Ctrl are
// bound to the canvas as well as to the menus, which the test driver has not.
func (w *window) bindKeys() {
	c := w.win.Canvas()
	c.SetOnTypedRune(w.typedRune)
	c.SetOnTypedKey(w.typedKey)
	for _, a := range w.actions {
		if s := shortcut(a.Key); s != nil {
			c.AddShortcut(s, func(fyne.Shortcut) { w.actions.Do(a.ID) })
		}
	}
}

// typedRune answers to letters and signs; a space is a named key.
func (w *window) typedRune(r rune) {
	if r != ' ' {
		w.actions.Press(action.Key{Rune: unicode.ToLower(r)})
	}
}

// typedKey answers to named keys; those of letters come as runes too.
func (w *window) typedKey(e *fyne.KeyEvent) { w.actions.Press(action.Key{Name: e.Name}) }

// shortcut is a key with Ctrl as fyne knows it; nil where it has none. Fyne has
// its own kinds for the keys of editing.
func shortcut(k action.Key) fyne.Shortcut {
	if !k.Ctrl {
		return nil
	}
	switch {
	case k.Rune == 'a':
		return &fyne.ShortcutSelectAll{}
	case k.Rune == 'z' && !k.Shift:
		return &fyne.ShortcutUndo{}
	}
	modifier := fyne.KeyModifierShortcutDefault
	if k.Shift {
		modifier |= fyne.KeyModifierShift
	}
	return &desktop.CustomShortcut{KeyName: fyne.KeyName(string(unicode.ToUpper(k.Rune))), Modifier: modifier}
}
