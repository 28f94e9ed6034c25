package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Entry is a text field: the keys of editing are its own, other keys with Ctrl
// or Alt go on to the window.
type Entry struct{ widget.Entry }

// NewEntry is an empty text field.
func NewEntry() *Entry {
	e := &Entry{}
	e.ExtendBaseWidget(e)
	return e
}

// TypedKey implements fyne.Focusable.
func (e *Entry) TypedKey(k *fyne.KeyEvent) {
	if !forwardEscape(e, k) {
		e.Entry.TypedKey(k)
	}
}

// TypedShortcut implements fyne.Shortcutable.
func (e *Entry) TypedShortcut(s fyne.Shortcut) {
	if !forwardShortcut(e, s) {
		e.Entry.TypedShortcut(s)
	}
}

// SelectEntry is a text field with a list of what may stand in it.
type SelectEntry struct{ widget.SelectEntry }

// NewSelectEntry is an empty text field with a list.
func NewSelectEntry() *SelectEntry {
	e := &SelectEntry{}
	e.ExtendBaseWidget(e)
	e.SetOptions(nil)
	return e
}

// TypedKey implements fyne.Focusable.
func (e *SelectEntry) TypedKey(k *fyne.KeyEvent) {
	if !forwardEscape(e, k) {
		e.SelectEntry.TypedKey(k)
	}
}

// TypedShortcut implements fyne.Shortcutable.
func (e *SelectEntry) TypedShortcut(s fyne.Shortcut) {
	if !forwardShortcut(e, s) {
		e.SelectEntry.TypedShortcut(s)
	}
}

// Select is a choice of one: keys that it has no use for go on to the window.
type Select struct{ widget.Select }

// NewSelect is a choice of options; changed hears of another choice.
func NewSelect(options []string, changed func(string)) *Select {
	s := &Select{}
	s.Options, s.OnChanged = options, changed
	s.PlaceHolder = " "
	s.ExtendBaseWidget(s)
	return s
}

// MinSize implements fyne.Widget: options are shown whole, unless they are long.
func (s *Select) MinSize() fyne.Size {
	size := theme.SizeForWidget(theme.SizeNameText, s)
	widest := float32(0)
	for _, o := range s.Options {
		widest = max(widest, fyne.MeasureText(o, size, fyne.TextStyle{}).Width)
	}
	least := min(widest, longOption*size) + theme.SizeForWidget(theme.SizeNameInlineIcon, s) + 4*theme.SizeForWidget(theme.SizeNameInnerPadding, s)
	return s.Select.MinSize().Max(fyne.NewSize(least, 0))
}

// longOption is the width from which on an option may be cut, in heights of text.
const longOption = 7

// TypedKey implements fyne.Focusable.
func (s *Select) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyUp, fyne.KeyDown, fyne.KeyLeft, fyne.KeyRight:
		s.Select.TypedKey(e)
	case fyne.KeyReturn, fyne.KeyEnter:
		s.Select.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	default:
		forwardKey(s, e)
	}
}

// TypedRune implements fyne.Focusable.
func (s *Select) TypedRune(r rune) {
	if r != ' ' {
		forwardRune(s, r)
	}
}

// Slider is fyne's slider: keys that it has no use for go on to the window.
type Slider struct{ widget.Slider }

// NewSlider is a slider from least to most.
func NewSlider(least, most float64) *Slider {
	s := &Slider{}
	s.Min, s.Max, s.Value, s.Step, s.Orientation = least, most, least, 1, widget.Horizontal
	s.ExtendBaseWidget(s)
	return s
}

// TypedKey implements fyne.Focusable.
func (s *Slider) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft, fyne.KeyRight, fyne.KeyUp, fyne.KeyDown:
		s.Slider.TypedKey(e)
	default:
		forwardKey(s, e)
	}
}

// TypedRune implements fyne.Focusable.
func (s *Slider) TypedRune(r rune) { forwardRune(s, r) }

// forwardKey hands a key that a focused widget has no use for to the window.
func forwardKey(from fyne.CanvasObject, e *fyne.KeyEvent) {
	if c := CanvasOf(from); c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(e)
	}
}

// forwardEscape hands Escape to the window, which closes a dialog by it, and
// reports whether it did. Each of fyne's widgets that would keep it has a method
// of its own for that: fyne looks for it on the widget itself.
func forwardEscape(from fyne.CanvasObject, e *fyne.KeyEvent) bool {
	if e.Name != fyne.KeyEscape {
		return false
	}
	forwardKey(from, e)
	return true
}

// forwardRune hands a letter that a focused widget has no use for to the window.
func forwardRune(from fyne.CanvasObject, r rune) {
	if c := CanvasOf(from); c != nil && c.OnTypedRune() != nil {
		c.OnTypedRune()(r)
	}
}

// forwardShortcut hands a letter with Ctrl or Alt to the window, unless it is one
// of the keys of editing, and reports whether it did.
func forwardShortcut(from fyne.CanvasObject, s fyne.Shortcut) bool {
	custom, ok := s.(*desktop.CustomShortcut)
	if !ok || len(custom.KeyName) != 1 {
		return false
	}
	r := rootOf(from)
	if r != nil {
		r.Shortcuts.TypedShortcut(s)
	}
	return r != nil
}
