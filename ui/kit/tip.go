package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/look"
)

// Root is the window's content: the panels, and above them a layer for the tip
// of the thing under the pointer. The layer lets every event through.
type Root struct {
	widget.BaseWidget
	Shortcuts fyne.ShortcutHandler // of the window, for widgets that have the keys

	content fyne.CanvasObject
	tip     *fyne.Container
	label   *Text
	owner   fyne.CanvasObject
}

// NewRoot lays a tip layer over content.
func NewRoot(content fyne.CanvasObject) *Root {
	r := &Root{content: content, label: NewText("", Style{Size: look.SizeSmall})}
	r.tip = container.NewStack(NewCard(), NewPad(4, 8, 4, 8, r.label))
	r.tip.Hide()
	r.ExtendBaseWidget(r)
	return r
}

// CreateRenderer implements fyne.Widget.
func (r *Root) CreateRenderer() fyne.WidgetRenderer {
	return Laid(widget.NewSimpleRenderer(container.NewStack(r.content, container.NewWithoutLayout(r.tip))), r.Size())
}

// Tip is the text of the tip that is shown; empty when none is.
func (r *Root) Tip() string {
	if !r.tip.Visible() {
		return ""
	}
	return r.label.Text()
}

// show shows a text at a place of the window, or above it where there is no room
// below.
func (r *Root) show(owner fyne.CanvasObject, text string, below, above fyne.Position) {
	r.owner = owner
	r.label.SetText(text)
	size := r.tip.MinSize()
	origin := fyne.CurrentApp().Driver().AbsolutePositionForObject(r)
	x, y := below.X-origin.X, below.Y-origin.Y
	if x+size.Width > r.Size().Width-4 {
		x = r.Size().Width - size.Width - 4
	}
	if y+size.Height > r.Size().Height-4 {
		y = above.Y - origin.Y - size.Height - 4
	}
	r.tip.Resize(size)
	r.tip.Move(fyne.NewPos(max(x, 4), max(y, 4)))
	r.tip.Show()
}

func (r *Root) hide(owner fyne.CanvasObject) {
	if r.owner == owner {
		r.owner = nil
		r.tip.Hide()
	}
}

// ShowTip shows text beside owner while the pointer rests on it. It does
// nothing where the window's content is not a [Root].
func ShowTip(owner fyne.CanvasObject, text string) {
	if r := rootOf(owner); r != nil {
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(owner)
		r.show(owner, text, at.AddXY(0, owner.Size().Height+4), at)
	}
}

// ShowTipAt shows text at a place of the window, for an owner that says
// different things in different places.
func ShowTipAt(owner fyne.CanvasObject, text string, at fyne.Position) {
	if r := rootOf(owner); r != nil {
		r.show(owner, text, at, at.AddXY(0, -18))
	}
}

// HideTip takes owner's tip away.
func HideTip(owner fyne.CanvasObject) {
	if r := rootOf(owner); r != nil {
		r.hide(owner)
	}
}

func rootOf(o fyne.CanvasObject) *Root {
	c := CanvasOf(o)
	if c == nil {
		return nil
	}
	r, _ := c.Content().(*Root)
	return r
}
