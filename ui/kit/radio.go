package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/look"
)

// Radio is a list of options of which one is chosen: by a tap, or by Up and Down.
type Radio struct {
	widget.BaseWidget
	Focus
	options []string
	chosen  int
}

// NewRadio is a list of options with one chosen.
func NewRadio(options []string, chosen int) *Radio {
	r := &Radio{options: options, chosen: chosen}
	r.Init(r)
	r.ExtendBaseWidget(r)
	return r
}

// Chosen is the index of the option that is chosen.
func (r *Radio) Chosen() int { return r.chosen }

// Choose chooses an option by its index.
func (r *Radio) Choose(i int) {
	r.chosen = min(max(i, 0), len(r.options)-1)
	r.Refresh()
}

// Options are the texts of the options.
func (r *Radio) Options() []string { return r.options }

func (r *Radio) height() float32 { return theme.SizeForWidget(theme.SizeNameText, r)*1.36 + 9 }

// Tapped implements fyne.Tappable.
func (r *Radio) Tapped(e *fyne.PointEvent) { r.Choose(int(e.Position.Y / r.height())) }

// TypedKey implements fyne.Focusable.
func (r *Radio) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyUp, fyne.KeyLeft:
		r.Choose(r.chosen - 1)
	case fyne.KeyDown, fyne.KeyRight:
		r.Choose(r.chosen + 1)
	default:
		r.Focus.TypedKey(e)
	}
}

// CreateRenderer implements fyne.Widget.
func (r *Radio) CreateRenderer() fyne.WidgetRenderer {
	x := &radioRenderer{r: r, ring: newFocusRing(), dot: canvas.NewCircle(color.Transparent)}
	for _, o := range r.options {
		x.circles = append(x.circles, canvas.NewCircle(color.Transparent))
		x.texts = append(x.texts, NewText(o, Style{}))
	}
	x.restyle()
	return Laid(x, r.Size())
}

type radioRenderer struct {
	r       *Radio
	circles []*canvas.Circle
	texts   []*Text
	dot     *canvas.Circle
	ring    ring
}

func (x *radioRenderer) restyle() {
	for i, c := range x.circles {
		c.StrokeWidth = 1.4
		c.StrokeColor = theme.ColorForWidget(look.Muted, x.r)
		if i == x.r.chosen {
			c.StrokeColor = theme.ColorForWidget(look.Accent, x.r)
		}
	}
	x.dot.FillColor = theme.ColorForWidget(look.Accent, x.r)
	x.ring.show(x.r, x.r.focused, look.Accent)
}

const (
	radioSize = 15
	radioDot  = 4 // between the circle and its dot
)

func (x *radioRenderer) Layout(size fyne.Size) {
	h := x.r.height()
	for i, c := range x.circles {
		top := float32(i)*h + (h-radioSize)/2
		c.Move(fyne.NewPos(6, top))
		c.Resize(fyne.NewSquareSize(radioSize))
		x.texts[i].Move(fyne.NewPos(radioSize+14, float32(i)*h))
		x.texts[i].Resize(fyne.NewSize(size.Width-radioSize-14, h))
		if i == x.r.chosen {
			x.dot.Move(fyne.NewPos(6+radioDot, top+radioDot))
			x.dot.Resize(fyne.NewSquareSize(radioSize - 2*radioDot))
			x.ring.Move(fyne.NewPos(0, float32(i)*h))
			x.ring.Resize(fyne.NewSize(size.Width, h))
		}
	}
}

func (x *radioRenderer) MinSize() fyne.Size {
	w := float32(0)
	for _, t := range x.texts {
		w = max(w, t.MinSize().Width)
	}
	return fyne.NewSize(w+radioSize+22, x.r.height()*float32(len(x.texts)))
}

func (x *radioRenderer) Refresh() {
	x.restyle()
	x.Layout(x.r.Size())
	for _, o := range x.Objects() {
		o.Refresh()
	}
}

func (x *radioRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{x.dot, x.ring.Rectangle}
	for i := range x.circles {
		objects = append(objects, x.circles[i], x.texts[i])
	}
	return objects
}

func (x *radioRenderer) Destroy() {}

// List is fyne's list of rows: keys that it has no use for go on to the window.
type List struct{ widget.List }

// NewList is a list of n texts.
func NewList(n func() int, text func(int) string, selected func(int)) *List {
	l := &List{}
	l.Length = n
	l.CreateItem = func() fyne.CanvasObject { return widget.NewLabel("") }
	l.UpdateItem = func(i int, o fyne.CanvasObject) { o.(*widget.Label).SetText(text(i)) }
	l.OnSelected = selected
	l.ExtendBaseWidget(l)
	return l
}

// TypedKey implements fyne.Focusable.
func (l *List) TypedKey(e *fyne.KeyEvent) {
	if !forwardEscape(l, e) {
		l.List.TypedKey(e)
	}
}
