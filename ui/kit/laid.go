package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/look"
)

// Laid lays a renderer out for the size that its widget has already. Fyne throws away
// the renderers of what was not seen for a minute, and makes others when it shows again,
// but does not lay those out: as the widget keeps its size, nobody else does, and what
// is shown then stands in its corner, or is not seen at all. Every CreateRenderer goes
// through here.
func Laid(r fyne.WidgetRenderer, size fyne.Size) fyne.WidgetRenderer {
	if size != (fyne.Size{}) {
		r.Layout(size)
	}
	return r
}

// Icon is fyne's icon.
type Icon struct{ widget.Icon }

// newIcon is an icon without a picture.
func newIcon() *Icon {
	i := &Icon{}
	i.ExtendBaseWidget(i)
	return i
}

// CreateRenderer implements fyne.Widget.
func (i *Icon) CreateRenderer() fyne.WidgetRenderer { return Laid(i.Icon.CreateRenderer(), i.Size()) }

// CreateRenderer implements fyne.Widget.
func (e *Entry) CreateRenderer() fyne.WidgetRenderer {
	return Laid(e.Entry.CreateRenderer(), e.Size())
}

// CreateRenderer implements fyne.Widget.
func (e *SelectEntry) CreateRenderer() fyne.WidgetRenderer {
	return Laid(e.SelectEntry.CreateRenderer(), e.Size())
}

// CreateRenderer implements fyne.Widget: it looks as text fields do.
func (s *Select) CreateRenderer() fyne.WidgetRenderer {
	r := &bordered{WidgetRenderer: s.Select.CreateRenderer(), border: canvas.NewRectangle(color.Transparent), of: s}
	r.restyle()
	return Laid(r, s.Size())
}

// bordered draws a border around a widget of fyne that has none.
type bordered struct {
	fyne.WidgetRenderer
	border *canvas.Rectangle
	of     fyne.Widget
}

func (r *bordered) restyle() {
	r.border.StrokeWidth = theme.SizeForWidget(theme.SizeNameInputBorder, r.of)
	r.border.StrokeColor = theme.ColorForWidget(look.Field, r.of)
	r.border.CornerRadius = theme.SizeForWidget(theme.SizeNameInputRadius, r.of)
}

func (r *bordered) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.border.Resize(size)
}

func (r *bordered) Refresh() {
	r.restyle()
	r.WidgetRenderer.Refresh()
	r.border.Refresh()
}

func (r *bordered) Objects() []fyne.CanvasObject {
	inner := r.WidgetRenderer.Objects()
	return append(inner[:len(inner):len(inner)], r.border)
}

// CreateRenderer implements fyne.Widget.
func (s *Slider) CreateRenderer() fyne.WidgetRenderer {
	return Laid(s.Slider.CreateRenderer(), s.Size())
}
