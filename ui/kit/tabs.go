package kit

import (
	"strings"

	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/look"
)

// Tab is one tab of a row of tabs: a title, and a count behind it.
type Tab struct {
	widget.BaseWidget
	Press
	title, count *Text
	name         string
	active       bool
}

// NewTab is a tab that calls run when it is chosen.
func NewTab(title string, run func()) *Tab {
	t := &Tab{name: strings.ToUpper(title), title: NewText(strings.ToUpper(title), Style{}), count: NewText("", Style{})}
	t.Init(t, run)
	t.restyle()
	t.ExtendBaseWidget(t)
	return t
}

// SetCount shows a count; empty shows none.
func (t *Tab) SetCount(s string) {
	if s != t.count.Text() {
		t.count.SetText(s)
		t.Refresh()
	}
}

// SetActive marks the tab as the one that is shown.
func (t *Tab) SetActive(active bool) {
	if active != t.active {
		t.active = active
		t.Refresh()
	}
}

func (t *Tab) restyle() {
	colour := look.Muted
	if t.active {
		colour = look.Accent
	} else if t.hovered {
		colour = look.Text
	}
	t.title.Set(t.name, Style{Colour: colour, Size: look.SizeSmall, Bold: true})
	t.count.Set(t.count.Text(), Style{Colour: colour, Size: look.SizeSmall})
}

// CreateRenderer implements fyne.Widget.
func (t *Tab) CreateRenderer() fyne.WidgetRenderer {
	return Laid(&tabRenderer{t: t, ring: newFocusRing(), line: canvas.NewRectangle(color.Transparent)}, t.Size())
}

type tabRenderer struct {
	t    *Tab
	line *canvas.Rectangle
	ring ring
}

const tabSide = 13

func (r *tabRenderer) Layout(size fyne.Size) {
	x := float32(tabSide)
	for _, text := range []*Text{r.t.title, r.t.count} {
		m := text.MinSize()
		text.Resize(m)
		text.Move(fyne.NewPos(x, (size.Height-m.Height)/2))
		x += m.Width + 6
	}
	r.line.Resize(fyne.NewSize(size.Width, 2))
	r.line.Move(fyne.NewPos(0, size.Height-2))
	r.ring.lay(size, 2)
	r.recolour()
}

func (r *tabRenderer) recolour() {
	r.line.FillColor = color.Transparent
	r.ring.show(r.t, r.t.focused, look.Accent)
	if r.t.active {
		r.line.FillColor = theme.ColorForWidget(look.Accent, r.t)
	}
}

func (r *tabRenderer) MinSize() fyne.Size {
	w := r.t.title.MinSize().Width + 2*tabSide
	if r.t.count.Text() != "" {
		w += 6 + r.t.count.MinSize().Width
	}
	return fyne.NewSize(w, theme.SizeForWidget(look.SizeHeader, r.t))
}

func (r *tabRenderer) Refresh() {
	r.t.restyle()
	r.Layout(r.t.Size())
	r.line.Refresh()
	r.ring.Refresh()
}

func (r *tabRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.t.title, r.t.count, r.line, r.ring.Rectangle}
}
func (r *tabRenderer) Destroy() {}
