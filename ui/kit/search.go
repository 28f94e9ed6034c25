package kit

import (
	"fyne.io/fyne/v2"

	"retrace/ui/look"
)

// SearchField is a field to search or filter by. Escape empties it and leaves it.
type SearchField struct {
	Entry
	OnLeave func()                      // Escape was pressed
	OnKey   func(e *fyne.KeyEvent) bool // may take a key, e.g. Down into a list; nil: none
}

// NewSearchField is a field with a hint; leave gives the keys back.
func NewSearchField(hint string, leave func()) *SearchField {
	f := &SearchField{OnLeave: leave}
	f.ExtendBaseWidget(f)
	f.SetPlaceHolder(hint)
	f.Icon = look.IconIn("search", look.Muted)
	return f
}

// TypedKey implements fyne.Focusable.
func (f *SearchField) TypedKey(e *fyne.KeyEvent) {
	if f.OnKey != nil && f.OnKey(e) {
		return
	}
	if e.Name == fyne.KeyEscape {
		f.SetText("")
		f.OnLeave()
		return
	}
	f.Entry.Entry.TypedKey(e)
}

// TypedShortcut implements fyne.Shortcutable.
func (f *SearchField) TypedShortcut(s fyne.Shortcut) {
	if !forwardShortcut(f, s) {
		f.Entry.Entry.TypedShortcut(s)
	}
}
