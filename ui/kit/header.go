package kit

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"retrace/ui/look"
)

// Header heads a panel: its title, a count, and a button that folds it.
type Header struct {
	*fyne.Container
	title, count *Text
	fold         *Button
	line         *fyne.Container
}

// NewHeader is a header; fold is called by its button, whose tip is given. Icon
// shows which way the panel folds.
func NewHeader(title, icon, tip string, fold func()) *Header {
	h := &Header{
		title: NewText(strings.ToUpper(title), Style{Colour: look.Muted, Size: look.SizeSmall, Bold: true}),
		count: NewText("", Style{Colour: look.Muted, Size: look.SizeSmall}),
	}
	h.fold = NewIconButton(icon, tip, fold)
	h.line = NewLine(8, 1, h.title, h.count, h.fold)
	h.Container = container.NewStack(NewFill(look.Second), NewBorder(nil, NewRule(), nil, nil, NewPad(1, 4, 1, 12, h.line)))
	return h
}

// SetCount shows a count behind the title; empty shows none.
func (h *Header) SetCount(s string) {
	h.count.SetText(s)
	h.line.Refresh()
}

// SetIcon shows which way the panel folds now.
func (h *Header) SetIcon(icon string) { h.fold.SetIcon(icon) }

// NewTitle is the small title of a part of a panel.
func NewTitle(title string) *Text {
	return NewText(strings.ToUpper(title), Style{Colour: look.Muted, Size: look.SizeSmall, Bold: true})
}
