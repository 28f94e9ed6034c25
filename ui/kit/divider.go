package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/look"
)

// Divider is the line between two panels, which can be dragged.
type Divider struct {
	widget.BaseWidget
	upright bool
	drag    func(delta float32)
	line    *Fill
}

// DividerWidth is how wide the part is that takes the pointer, in pixels; the
// line in its middle is one pixel.
const DividerWidth = 7

// NewDivider is an upright or a level line; drag hears by how many pixels it
// was dragged.
func NewDivider(upright bool, drag func(delta float32)) *Divider {
	d := &Divider{upright: upright, drag: drag, line: NewFill(look.Line)}
	d.ExtendBaseWidget(d)
	return d
}

// Dragged implements fyne.Draggable.
func (d *Divider) Dragged(e *fyne.DragEvent) {
	if d.upright {
		d.drag(e.Dragged.DX)
		return
	}
	d.drag(e.Dragged.DY)
}

// DragEnd implements fyne.Draggable.
func (d *Divider) DragEnd() {}

// Cursor implements desktop.Cursorable.
func (d *Divider) Cursor() desktop.Cursor {
	if d.upright {
		return desktop.HResizeCursor
	}
	return desktop.VResizeCursor
}

// MouseIn implements desktop.Hoverable.
func (d *Divider) MouseIn(*desktop.MouseEvent) { d.line.SetColour(look.Accent) }

// MouseMoved implements desktop.Hoverable.
func (d *Divider) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (d *Divider) MouseOut() { d.line.SetColour(look.Line) }

// CreateRenderer implements fyne.Widget.
func (d *Divider) CreateRenderer() fyne.WidgetRenderer { return Laid(&dividerRenderer{d}, d.Size()) }

type dividerRenderer struct{ d *Divider }

func (r *dividerRenderer) Layout(size fyne.Size) {
	if r.d.upright {
		r.d.line.Resize(fyne.NewSize(1, size.Height))
		r.d.line.Move(fyne.NewPos((DividerWidth-1)/2, 0))
		return
	}
	r.d.line.Resize(fyne.NewSize(size.Width, 1))
	r.d.line.Move(fyne.NewPos(0, (DividerWidth-1)/2))
}

func (r *dividerRenderer) MinSize() fyne.Size           { return fyne.NewSize(1, 1) }
func (r *dividerRenderer) Refresh()                     { r.d.line.Refresh() }
func (r *dividerRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.d.line} }
func (r *dividerRenderer) Destroy()                     {}
