package mapview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// divider is the handle between the two sides of a swiped comparison, dragged
// or moved by the arrow keys. The line itself is part of the map's picture.
type divider struct {
	widget.BaseWidget
	m     *Map
	focus *canvas.Rectangle // seen while the keys go to the divider
}

const (
	dividerWidth = 18   // of what can be taken hold of, in units
	dividerStep  = 0.05 // of an arrow key, in shares of the map's width
)

func newDivider(m *Map) *divider {
	d := &divider{m: m, focus: canvas.NewRectangle(nil)}
	d.focus.StrokeWidth, d.focus.CornerRadius = 2, dividerWidth
	d.focus.Hide()
	d.ExtendBaseWidget(d)
	d.Hide()
	return d
}

// follow stands the divider where the comparison has it.
func (d *divider) follow() {
	c, size := d.m.scene.Comparison, d.m.Size()
	if c == nil || c.Sides != 0 {
		d.Hide()
		return
	}
	d.Resize(fyne.NewSize(dividerWidth, size.Height))
	d.Move(fyne.NewPos(size.Width*float32(c.Divider)-dividerWidth/2, 0))
	d.Show()
}

// move moves the divider by a share of the map's width.
func (d *divider) move(by float64) {
	c := d.m.scene.Comparison
	if c == nil {
		return
	}
	next := *c // what the host handed over does not change
	next.Divider = max(0, min(c.Divider+by, 1))
	d.m.SetComparison(&next)
	if d.m.opt.OnDivider != nil {
		d.m.opt.OnDivider(next.Divider)
	}
}

// Dragged is Fyne's.
func (d *divider) Dragged(e *fyne.DragEvent) {
	if width := d.m.Size().Width; width > 0 {
		d.move(float64(e.Dragged.DX / width))
	}
}

// DragEnd is Fyne's.
func (d *divider) DragEnd() {}

// Cursor is Fyne's.
func (d *divider) Cursor() desktop.Cursor { return desktop.HResizeCursor }

// FocusGained is Fyne's.
func (d *divider) FocusGained() {
	d.focus.StrokeColor = theme.Color(theme.ColorNamePrimary)
	d.focus.Show()
}

// FocusLost is Fyne's.
func (d *divider) FocusLost() { d.focus.Hide() }

// TypedRune is Fyne's.
func (d *divider) TypedRune(r rune) { d.m.TypedRune(r) }

// TypedKey is Fyne's: the arrows move the divider, Home and End bring it to the
// edges; all else goes to the map.
func (d *divider) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft:
		d.move(-dividerStep)
	case fyne.KeyRight:
		d.move(dividerStep)
	case fyne.KeyHome:
		d.move(-1)
	case fyne.KeyEnd:
		d.move(1)
	default:
		d.m.TypedKey(e)
	}
}

// CreateRenderer is Fyne's.
func (d *divider) CreateRenderer() fyne.WidgetRenderer {
	return &dividerRenderer{WidgetRenderer: widget.NewSimpleRenderer(d.focus), d: d}
}

// dividerRenderer lays the mark of focus around the handle.
type dividerRenderer struct {
	fyne.WidgetRenderer
	d *divider
}

// handleSize is how large the handle is, with the mark around it.
const handleSize = 36

func (r *dividerRenderer) Layout(size fyne.Size) {
	r.d.focus.Resize(fyne.NewSize(handleSize, handleSize))
	r.d.focus.Move(fyne.NewPos((size.Width-handleSize)/2, (size.Height-handleSize)/2))
}
