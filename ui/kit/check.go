package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/look"
)

// Check is a switch in one dense line: a box, a text, and a picture at its end.
// All of it answers to a tap, Space and Enter.
type Check struct {
	widget.BaseWidget
	Press
	on      bool
	text    *Text
	picture fyne.CanvasObject // may be nil
	run     func(on bool)
}

// NewCheck is a switch; picture may be nil.
func NewCheck(text string, picture fyne.CanvasObject, run func(on bool)) *Check {
	c := &Check{text: NewCutText(text, Style{}, 40), picture: picture, run: run}
	c.Init(c, c.toggle)
	c.ExtendBaseWidget(c)
	return c
}

// Set shows the switch as on or off.
func (c *Check) Set(on bool) {
	if on != c.on {
		c.on = on
		c.Refresh()
	}
}

// On reports whether the switch is on.
func (c *Check) On() bool { return c.on }

// Label is the switch's text.
func (c *Check) Label() string { return c.text.Text() }

func (c *Check) toggle() {
	c.Set(!c.on)
	c.run(c.on)
}

// CreateRenderer implements fyne.Widget.
func (c *Check) CreateRenderer() fyne.WidgetRenderer {
	r := &checkRenderer{c: c, ring: newFocusRing(), ground: canvas.NewRectangle(color.Transparent), box: canvas.NewRectangle(color.Transparent), mark: canvas.NewImageFromResource(nil)}
	r.box.CornerRadius, r.ground.CornerRadius = 2.5, 2.5
	r.mark.FillMode = canvas.ImageFillContain
	r.restyle()
	return Laid(r, c.Size())
}

type checkRenderer struct {
	c           *Check
	ground, box *canvas.Rectangle
	mark        *canvas.Image
	ring        ring
}

func (r *checkRenderer) restyle() {
	r.ground.FillColor = color.Transparent
	if r.c.hovered {
		r.ground.FillColor = theme.ColorForWidget(look.Hovered, r.c)
	}
	r.box.StrokeWidth = 1.4
	r.box.FillColor = color.Transparent
	r.box.StrokeColor = theme.ColorForWidget(look.Muted, r.c)
	if r.c.on {
		r.box.FillColor = theme.ColorForWidget(look.Accent, r.c)
		r.box.StrokeColor = r.box.FillColor
	}
	r.ring.show(r.c, r.c.focused, look.Accent)
	r.mark.Resource = look.IconIn("check", look.OnAccent)
	r.mark.Hidden = !r.c.on
}

const checkBox = 15

func (r *checkRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	r.ring.lay(size, 0)
	box := checkBox * Scale()
	top := (size.Height - box) / 2
	r.box.Resize(fyne.NewSize(box, box))
	r.box.Move(fyne.NewPos(2, top))
	r.mark.Resize(fyne.NewSize(box-2, box-2))
	r.mark.Move(fyne.NewPos(3, top+1))
	right := size.Width
	if r.c.picture != nil {
		m := r.c.picture.MinSize()
		right -= m.Width + 2
		r.c.picture.Resize(m)
		r.c.picture.Move(fyne.NewPos(right, (size.Height-m.Height)/2))
	}
	left := box + 12
	r.c.text.Resize(fyne.NewSize(max(right-left-6, 0), size.Height))
	r.c.text.Move(fyne.NewPos(left, 0))
}

func (r *checkRenderer) MinSize() fyne.Size {
	w := checkBox*Scale() + 12 + r.c.text.MinSize().Width
	if r.c.picture != nil {
		w += r.c.picture.MinSize().Width + 8
	}
	return fyne.NewSize(w, theme.SizeForWidget(look.SizeRow, r.c)+0.5)
}

func (r *checkRenderer) Refresh() {
	r.restyle()
	r.Layout(r.c.Size())
	for _, o := range []fyne.CanvasObject{r.ground, r.box, r.mark, r.c.text, r.ring.Rectangle} {
		o.Refresh()
	}
	if r.c.picture != nil {
		r.c.picture.Refresh()
	}
}

func (r *checkRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{r.ground, r.box, r.mark, r.c.text, r.ring.Rectangle}
	if r.c.picture != nil {
		objects = append(objects, r.c.picture)
	}
	return objects
}
func (r *checkRenderer) Destroy() {}
