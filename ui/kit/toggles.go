package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/look"
)

// Toggles is a row of small switches that stand for one choice of many, such as
// hours of the day. A click switches one, a drag many alike; with the keys, Left
// and Right move, Space switches, Delete switches all off.
type Toggles struct {
	widget.BaseWidget
	Focus
	OnChange func(on uint32) // bit i: switch i

	labels  []string
	tip     string
	on      uint32
	cursor  int
	paint   bool // what a drag sets
	painted int  // the last switch that a drag came over; negative: none
}

// NewToggles is a row of switches with a label each, at the most 32; tip says
// what they are for.
func NewToggles(labels []string, tip string) *Toggles {
	t := &Toggles{labels: labels, tip: tip, painted: -1}
	t.Init(t)
	t.ExtendBaseWidget(t)
	return t
}

// Set switches on those that are set, and no others.
func (t *Toggles) Set(on uint32) {
	if on != t.on {
		t.on = on
		t.Refresh()
	}
}

// On are the switches that are on.
func (t *Toggles) On() uint32 { return t.on }

func (t *Toggles) change(on uint32) {
	if on == t.on {
		return
	}
	t.Set(on)
	if t.OnChange != nil {
		t.OnChange(on)
	}
}

func (t *Toggles) at(x float32) int {
	if t.Size().Width <= 0 {
		return 0
	}
	return min(max(int(x/t.Size().Width*float32(len(t.labels))), 0), len(t.labels)-1)
}

// Tapped implements fyne.Tappable.
func (t *Toggles) Tapped(e *fyne.PointEvent) {
	t.cursor = t.at(e.Position.X)
	t.change(t.on ^ 1<<t.cursor)
}

// Dragged implements fyne.Draggable.
func (t *Toggles) Dragged(e *fyne.DragEvent) {
	i := t.at(e.Position.X)
	if t.painted < 0 {
		first := t.at(e.Position.X - e.Dragged.DX)
		t.paint, t.painted = t.on>>first&1 == 0, first
	}
	on := t.on
	for k := min(i, t.painted); k <= max(i, t.painted); k++ {
		on &^= 1 << k
		if t.paint {
			on |= 1 << k
		}
	}
	t.painted = i
	t.change(on)
}

// DragEnd implements fyne.Draggable.
func (t *Toggles) DragEnd() { t.painted = -1 }

// MouseIn implements desktop.Hoverable.
func (t *Toggles) MouseIn(*desktop.MouseEvent) { ShowTip(t, t.tip) }

// MouseMoved implements desktop.Hoverable.
func (t *Toggles) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (t *Toggles) MouseOut() { HideTip(t) }

// TypedKey implements fyne.Focusable.
func (t *Toggles) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft:
		t.cursor = max(t.cursor-1, 0)
	case fyne.KeyRight:
		t.cursor = min(t.cursor+1, len(t.labels)-1)
	case fyne.KeySpace:
		t.change(t.on ^ 1<<t.cursor)
	case fyne.KeyDelete, fyne.KeyBackspace:
		t.change(0)
	default:
		t.Focus.TypedKey(e)
	}
	t.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (t *Toggles) CreateRenderer() fyne.WidgetRenderer {
	r := &togglesRenderer{t: t, ring: canvas.NewRectangle(color.Transparent)}
	for range t.labels {
		r.grounds = append(r.grounds, canvas.NewRectangle(color.Transparent))
		r.texts = append(r.texts, canvas.NewText("", color.Transparent))
	}
	r.restyle()
	return Laid(r, t.Size())
}

type togglesRenderer struct {
	t       *Toggles
	grounds []*canvas.Rectangle
	texts   []*canvas.Text
	ring    *canvas.Rectangle
}

// size is that of one switch: all labels fit.
func (r *togglesRenderer) size() fyne.Size {
	var size fyne.Size
	for _, t := range r.texts {
		size = size.Max(t.MinSize())
	}
	return size.AddWidthHeight(4, 6)
}

func (r *togglesRenderer) restyle() {
	for i, label := range r.t.labels {
		ground, ink := look.Control, look.Text
		if r.t.on>>i&1 != 0 {
			ground, ink = look.Accent, look.OnAccent
		}
		r.grounds[i].FillColor = theme.ColorForWidget(ground, r.t)
		r.texts[i].Text, r.texts[i].Color = label, theme.ColorForWidget(ink, r.t)
		r.texts[i].TextSize = theme.SizeForWidget(look.SizeSmall, r.t) - 1
		r.texts[i].Alignment = fyne.TextAlignCenter
	}
	r.ring.Hidden = !r.t.focused
	r.ring.StrokeColor, r.ring.StrokeWidth = theme.ColorForWidget(look.Chosen, r.t), 2
}

func (r *togglesRenderer) Layout(size fyne.Size) {
	w := size.Width / float32(len(r.t.labels))
	for i := range r.t.labels {
		r.grounds[i].Move(fyne.NewPos(float32(i)*w, 0))
		r.grounds[i].Resize(fyne.NewSize(w-1, size.Height))
		h := r.texts[i].MinSize().Height
		r.texts[i].Move(fyne.NewPos(float32(i)*w, (size.Height-h)/2))
		r.texts[i].Resize(fyne.NewSize(w-1, h))
	}
	r.ring.Move(fyne.NewPos(float32(r.t.cursor)*w, 0))
	r.ring.Resize(fyne.NewSize(w-1, size.Height))
}

func (r *togglesRenderer) MinSize() fyne.Size {
	s := r.size()
	return fyne.NewSize(s.Width*float32(len(r.t.labels)), s.Height)
}

func (r *togglesRenderer) Refresh() {
	r.restyle()
	r.Layout(r.t.Size())
	for _, o := range r.Objects() {
		canvas.Refresh(o)
	}
}

func (r *togglesRenderer) Objects() []fyne.CanvasObject {
	objects := make([]fyne.CanvasObject, 0, 2*len(r.grounds)+1)
	for i := range r.grounds {
		objects = append(objects, r.grounds[i], r.texts[i])
	}
	return append(objects, r.ring)
}

func (r *togglesRenderer) Destroy() {}
