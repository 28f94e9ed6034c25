package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Hint is an area that says more when the pointer rests on it.
type Hint struct {
	widget.BaseWidget
	content fyne.CanvasObject
	say     func() string
}

// NewHint lays say over content; it may say nothing.
func NewHint(content fyne.CanvasObject, say func() string) *Hint {
	h := &Hint{content: content, say: say}
	h.ExtendBaseWidget(h)
	return h
}

// CreateRenderer implements fyne.Widget.
func (h *Hint) CreateRenderer() fyne.WidgetRenderer {
	return Laid(widget.NewSimpleRenderer(h.content), h.Size())
}

// MouseIn implements desktop.Hoverable.
func (h *Hint) MouseIn(*desktop.MouseEvent) {
	if text := h.say(); text != "" {
		ShowTip(h, text)
	}
}

// MouseMoved implements desktop.Hoverable.
func (h *Hint) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (h *Hint) MouseOut() { HideTip(h) }
