package ui

import (
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"retrace/ui/action"
)

// bindKeys has the window answer to the keys of the table.
func (w *window) bindKeys() {
	c := w.win.Canvas()
	c.SetOnTypedRune(w.typedRune)
	c.SetOnTypedKey(w.typedKey)
	for _, a := range w.actions {
		if s := shortcut(a.Key); s != nil {
			w.bind(s, func() { w.perform(a.ID) })
		}
	}
	for m := range action.Menu(action.NumMenus) {
		if r := w.menubar.Letter(m); r != 0 && !systemMenus() {
			w.bind(&desktop.CustomShortcut{KeyName: fyne.KeyName(string(unicode.ToUpper(r))), Modifier: fyne.KeyModifierAlt}, func() { w.openMenu(m) })
		}
	}
}

// bind has a key with Ctrl or Alt run something, whatever has the keys.
func (w *window) bind(s fyne.Shortcut, run func()) {
	w.win.Canvas().AddShortcut(s, func(fyne.Shortcut) { run() })
	w.root.Shortcuts.AddShortcut(s, func(fyne.Shortcut) { run() })
}

// perform does an action, unless a dialog stands before the window: there the
// keys of editing are for its text fields.
func (w *window) perform(id action.ID) {
	w.menubar.Close()
	switch {
	case w.win.Canvas().Overlays().Top() == nil:
		w.actions.Do(id)
	case id == actAll:
		w.edit(&fyne.ShortcutSelectAll{})
	case id == actCopy:
		w.edit(&fyne.ShortcutCopy{Clipboard: w.app.Clipboard()})
	}
}

// typedRune answers to letters and signs; a space is a named key. A capital
// letter was typed with Shift.
func (w *window) typedRune(r rune) {
	if r != ' ' && w.win.Canvas().Overlays().Top() == nil {
		w.actions.Press(action.Key{Rune: unicode.ToLower(r), Shift: unicode.IsUpper(r)})
	}
}

// typedKey answers to named keys; those of letters come as runes too. Before a
// dialog or a menu Escape closes it, and Enter does what it asks about.
func (w *window) typedKey(e *fyne.KeyEvent) {
	top := w.win.Canvas().Overlays().Top()
	switch {
	case top == nil:
		w.actions.Press(action.Key{Name: e.Name})
	case e.Name == fyne.KeyEscape:
		w.dismiss(top)
	case (e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter) && w.accept != nil:
		w.accept()
	}
}

// dismiss closes what stands before the window: the dialog, so that it answers
// that it was closed, or else a menu.
func (w *window) dismiss(top fyne.CanvasObject) {
	if d := w.dialog; d != nil {
		w.dialog = nil
		d.Hide()
	}
	if w.win.Canvas().Overlays().Top() == top {
		top.Hide()
	}
}

// shortcut is a key with Ctrl as fyne knows it; nil where it has none. Fyne has
// its own kinds for the keys of editing.
func shortcut(k action.Key) fyne.Shortcut {
	if !k.Ctrl {
		return nil
	}
	switch {
	case k.Rune == 'a':
		return &fyne.ShortcutSelectAll{}
	case k.Rune == 'c':
		return &fyne.ShortcutCopy{}
	case k.Rune == 'z' && !k.Shift:
		return &fyne.ShortcutUndo{}
	}
	modifier := fyne.KeyModifierShortcutDefault
	if k.Shift {
		modifier |= fyne.KeyModifierShift
	}
	return &desktop.CustomShortcut{KeyName: fyne.KeyName(string(unicode.ToUpper(k.Rune))), Modifier: modifier}
}
