package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
)

// Focus is what widgets share that take the keys: they know whether they have
// them, and letters are the window's keys.
type Focus struct {
	self    fyne.Widget
	focused bool
}

// Init makes it the part of a widget that takes the keys.
func (f *Focus) Init(self fyne.Widget) { f.self = self }

// Focused reports whether the keys go to the widget.
func (f *Focus) Focused() bool { return f.focused }

// FocusGained implements fyne.Focusable.
func (f *Focus) FocusGained() { f.focused = true; f.self.Refresh() }

// FocusLost implements fyne.Focusable.
func (f *Focus) FocusLost() { f.focused = false; f.self.Refresh() }

// TypedRune implements fyne.Focusable.
func (f *Focus) TypedRune(r rune) {
	if r != ' ' { // which presses
		forwardRune(f.self, r)
	}
}

// TypedKey implements fyne.Focusable.
func (f *Focus) TypedKey(e *fyne.KeyEvent) { forwardKey(f.self, e) }

// Press is what widgets share that are pressed: by a tap, Space or Enter. They
// know whether the pointer is over them.
type Press struct {
	Focus
	hovered bool
	press   func()
}

// Init makes it the part of a widget that is pressed.
func (p *Press) Init(self fyne.Widget, press func()) { p.Focus.Init(self); p.press = press }

// Hovered reports whether the pointer is over the widget.
func (p *Press) Hovered() bool { return p.hovered }

// Tapped implements fyne.Tappable.
func (p *Press) Tapped(*fyne.PointEvent) { p.press() }

// MouseIn implements desktop.Hoverable.
func (p *Press) MouseIn(*desktop.MouseEvent) { p.hovered = true; p.self.Refresh() }

// MouseMoved implements desktop.Hoverable.
func (p *Press) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (p *Press) MouseOut() { p.hovered = false; p.self.Refresh() }

// TypedKey implements fyne.Focusable.
func (p *Press) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		p.press()
	default:
		p.Focus.TypedKey(e)
	}
}

// ring is the border that shows what has the keys.
type ring struct{ *canvas.Rectangle }

func newFocusRing() ring {
	r := ring{canvas.NewRectangle(color.Transparent)}
	r.StrokeWidth, r.CornerRadius = 2, 3
	return r
}

// show shows the ring of a widget where that has the keys.
func (r ring) show(of fyne.Widget, focused bool, colour fyne.ThemeColorName) {
	r.Hidden = !focused
	r.StrokeColor = theme.ColorForWidget(colour, of)
}

// lay lays the ring some pixels within a widget's edge.
func (r ring) lay(size fyne.Size, inset float32) {
	r.Move(fyne.NewPos(inset, inset))
	r.Resize(size.SubtractWidthHeight(2*inset, 2*inset))
}
