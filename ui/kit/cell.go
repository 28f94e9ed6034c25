package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/look"
)

// Cell is what one field of a table shows: an icon, a bar and a text, each only
// where set.
type Cell struct {
	Text   string
	Style  Style
	Icon   string // name in assets
	Colour fyne.ThemeColorName
	Bar    *Gauge
}

// Gauge is a bar filled by a value of 0 to 1.
type Gauge struct {
	Value  float32
	Hollow bool // too low to be trusted: drawn as an outline
	Warn   bool // to be looked at: in the colour of warnings
}

// cell is the widget of a Cell.
type cell struct {
	widget.BaseWidget
	c    Cell
	icon *Icon
	bar  *Bar
	text *Text
}

func newCell() *cell {
	c := &cell{icon: newIcon(), bar: NewBar(), text: NewCutText("", Style{}, 0)}
	c.icon.Hide()
	c.bar.Hide()
	c.ExtendBaseWidget(c)
	return c
}

func (c *cell) set(n Cell) {
	if n.Icon != c.c.Icon || n.Colour != c.c.Colour {
		c.setIcon(n)
	}
	c.bar.Hidden = n.Bar == nil
	if n.Bar != nil {
		c.bar.Set(*n.Bar, look.Path)
	}
	relayout := (n.Bar == nil) != (c.c.Bar == nil) || (n.Icon == "") != (c.c.Icon == "")
	c.c = n
	c.text.Set(n.Text, n.Style)
	if relayout {
		c.Refresh()
	}
}

func (c *cell) setIcon(n Cell) {
	c.icon.Hidden = n.Icon == ""
	if n.Icon == "" {
		return
	}
	colour := n.Colour
	if colour == "" {
		colour = look.Muted
	}
	c.icon.SetResource(look.IconIn(n.Icon, colour))
}

func (c *cell) CreateRenderer() fyne.WidgetRenderer { return Laid(&cellRenderer{c}, c.Size()) }

type cellRenderer struct{ c *cell }

const (
	cellBarWidth  = 84
	cellBarHeight = 10
	cellGap       = 6
)

func (r *cellRenderer) Layout(size fyne.Size) {
	x := float32(0)
	if !r.c.icon.Hidden {
		s := theme.SizeForWidget(theme.SizeNameInlineIcon, r.c) - 1
		r.c.icon.Resize(fyne.NewSize(s, s))
		r.c.icon.Move(fyne.NewPos(0, (size.Height-s)/2))
		x += s + cellGap
	}
	if !r.c.bar.Hidden {
		w, h := min(cellBarWidth*Scale(), size.Width/2), cellBarHeight*Scale()
		r.c.bar.Resize(fyne.NewSize(w, h))
		r.c.bar.Move(fyne.NewPos(x, (size.Height-h)/2))
		x += w + cellGap + 2
	}
	r.c.text.Resize(fyne.NewSize(max(size.Width-x, 0), size.Height))
	r.c.text.Move(fyne.NewPos(x, 0))
}

func (r *cellRenderer) MinSize() fyne.Size { return fyne.NewSize(0, r.c.text.MinSize().Height) }
func (r *cellRenderer) Refresh()           { r.Layout(r.c.Size()) }
func (r *cellRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.c.icon, r.c.bar, r.c.text}
}
func (r *cellRenderer) Destroy() {}

// Bar shows a value of 0 to 1 as the filled part of a track.
type Bar struct {
	widget.BaseWidget
	gauge  Gauge
	colour fyne.ThemeColorName
}

// NewBar is an empty bar.
func NewBar() *Bar {
	b := &Bar{colour: look.Path}
	b.ExtendBaseWidget(b)
	return b
}

// Set shows a value in a colour of the theme.
func (b *Bar) Set(g Gauge, colour fyne.ThemeColorName) {
	if g != b.gauge || colour != b.colour {
		b.gauge, b.colour = g, colour
		b.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (b *Bar) CreateRenderer() fyne.WidgetRenderer {
	r := &barRenderer{b: b, track: canvas.NewRectangle(color.Transparent), fill: canvas.NewRectangle(color.Transparent)}
	r.track.CornerRadius, r.fill.CornerRadius = 2, 2
	r.recolour()
	return Laid(r, b.Size())
}

type barRenderer struct {
	b           *Bar
	track, fill *canvas.Rectangle
}

func (r *barRenderer) recolour() {
	r.track.FillColor = theme.ColorForWidget(look.Track, r.b)
	r.fill.FillColor = theme.ColorForWidget(r.b.colour, r.b)
	r.fill.StrokeWidth = 0
	if r.b.gauge.Warn {
		r.fill.FillColor = theme.ColorForWidget(look.Warning, r.b)
	}
	if r.b.gauge.Hollow {
		r.fill.FillColor = theme.ColorForWidget(look.Surface, r.b)
		r.fill.StrokeColor = theme.ColorForWidget(look.Text, r.b)
		r.fill.StrokeWidth = 1.2
	}
}

func (r *barRenderer) Layout(size fyne.Size) {
	r.track.Resize(size)
	v := min(max(r.b.gauge.Value, 0), 1)
	r.fill.Resize(fyne.NewSize(size.Width*v, size.Height))
}

func (r *barRenderer) MinSize() fyne.Size { return fyne.NewSize(20, 5) }
func (r *barRenderer) Refresh() {
	r.recolour()
	r.Layout(r.b.Size())
	r.track.Refresh()
	r.fill.Refresh()
}
func (r *barRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.track, r.fill} }
func (r *barRenderer) Destroy()                     {}
