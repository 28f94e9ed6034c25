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

// columnTitle is the title of a column; a tap sorts by it, a second the other
// way round. A sign behind it tells which.
type columnTitle struct {
	widget.BaseWidget
	t       *Table
	column  int
	text    *Text
	sign    *Icon
	hovered bool
	keys    *Focus            // of a title that sorts; nil: it never has them
	line    *canvas.Rectangle // shows the focus
}

func newColumnTitle(t *Table, column int) fyne.Widget {
	if t.Columns[column].Fixed {
		c := &columnTitle{}
		c.init(t, column)
		c.ExtendBaseWidget(c)
		return c
	}
	s := &sortTitle{}
	s.Init(s)
	s.keys = &s.Focus
	s.init(t, column)
	s.ExtendBaseWidget(s)
	return s
}

func (c *columnTitle) init(t *Table, column int) {
	c.t, c.column = t, column
	c.text, c.sign, c.line = NewCutText("", Style{}, 0), newIcon(), canvas.NewRectangle(color.Transparent)
	c.restyle()
}

func (c *columnTitle) restyle() {
	col := c.t.Columns[c.column]
	style := Style{Colour: look.Muted}
	sorted := c.t.sorted == c.column
	if sorted {
		style.Colour, style.Bold = look.Text, true
		icon := "fold"
		if c.t.falling {
			icon = "unfold"
		}
		c.sign.SetResource(look.IconIn(icon, look.Text))
	} else if c.hovered && !col.Fixed {
		style.Colour = look.Text
	}
	c.sign.Hidden = !sorted
	c.line.FillColor = color.Transparent
	if c.keys != nil && c.keys.focused {
		c.line.FillColor = theme.Color(look.Accent)
	}
	c.text.Set(col.Title, style)
}

// Tapped implements fyne.Tappable.
func (c *columnTitle) Tapped(*fyne.PointEvent) {
	if c.t.Columns[c.column].Fixed || c.t.OnSort == nil {
		return
	}
	c.t.OnSort(c.column, c.t.sorted == c.column && !c.t.falling)
}

// sortTitle is a title that sorts: it takes the focus, and Enter or Space sort.
type sortTitle struct {
	columnTitle
	Focus
}

// TypedKey implements fyne.Focusable.
func (c *sortTitle) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		c.Tapped(nil)
	default:
		c.Focus.TypedKey(e)
	}
}

// MouseIn implements desktop.Hoverable.
func (c *columnTitle) MouseIn(*desktop.MouseEvent) { c.hovered = true; c.Refresh() }

// MouseMoved implements desktop.Hoverable.
func (c *columnTitle) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *columnTitle) MouseOut() { c.hovered = false; c.Refresh() }

// CreateRenderer implements fyne.Widget.
func (c *columnTitle) CreateRenderer() fyne.WidgetRenderer {
	return Laid(&columnTitleRenderer{c}, c.Size())
}

type columnTitleRenderer struct{ c *columnTitle }

func (r *columnTitleRenderer) Layout(size fyne.Size) {
	sign := theme.SizeForWidget(theme.SizeNameInlineIcon, r.c) - 2
	room := size.Width
	if !r.c.sign.Hidden {
		room -= sign + 2
	}
	width := min(fyne.MeasureText(r.c.text.Text(), theme.SizeForWidget(theme.SizeNameText, r.c), fyne.TextStyle{Bold: r.c.text.style.Bold}).Width, max(room, 0))
	x := float32(0)
	if r.c.t.Columns[r.c.column].Align == fyne.TextAlignTrailing {
		x = room - width
	}
	r.c.text.Move(fyne.NewPos(x, 0))
	r.c.text.Resize(fyne.NewSize(width, size.Height))
	r.c.sign.Move(fyne.NewPos(x+width+2, (size.Height-sign)/2))
	r.c.sign.Resize(fyne.NewSize(sign, sign))
	r.c.line.Move(fyne.NewPos(0, size.Height-3))
	r.c.line.Resize(fyne.NewSize(size.Width, 2))
}

func (r *columnTitleRenderer) MinSize() fyne.Size {
	return fyne.NewSize(0, r.c.text.MinSize().Height)
}

func (r *columnTitleRenderer) Refresh() {
	r.c.restyle()
	r.Layout(r.c.Size())
	r.c.line.Refresh()
}

func (r *columnTitleRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.c.text, r.c.sign, r.c.line}
}
func (r *columnTitleRenderer) Destroy() {}
