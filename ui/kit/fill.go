package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/look"
)

// Fill is a plain area in a colour of the theme.
type Fill struct {
	widget.BaseWidget
	colour, stroke fyne.ThemeColorName
	radius         float32
	shadow         bool
	thick          float32 // of the border, in pixels; 0: 1
	min            fyne.Size
}

// NewFill is an area without border.
func NewFill(colour fyne.ThemeColorName) *Fill {
	f := &Fill{colour: colour}
	f.ExtendBaseWidget(f)
	return f
}

// NewCard is the ground of something that floats above the map: a border, round
// corners and a soft shadow.
func NewCard() *Fill {
	f := &Fill{colour: look.Surface, stroke: look.Line, radius: 4, shadow: true}
	f.ExtendBaseWidget(f)
	return f
}

// newRing marks what has the focus: a border and no ground.
func newRing() *Fill {
	f := &Fill{stroke: look.Accent, radius: 2, thick: 2}
	f.ExtendBaseWidget(f)
	return f
}

// NewRule is a horizontal or vertical line one pixel thick, to be laid along a
// border.
func NewRule() *Fill {
	f := NewFill(look.Line)
	f.min = fyne.NewSize(1, 1)
	return f
}

// SetColour fills the area with another colour.
func (f *Fill) SetColour(c fyne.ThemeColorName) {
	if c != f.colour {
		f.colour = c
		f.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (f *Fill) CreateRenderer() fyne.WidgetRenderer {
	r := &fillRenderer{f: f, rect: canvas.NewRectangle(color.Transparent)}
	r.recolour()
	return Laid(r, f.Size())
}

type fillRenderer struct {
	f    *Fill
	rect *canvas.Rectangle
}

func (r *fillRenderer) recolour() {
	r.rect.FillColor = color.Transparent
	if r.f.colour != "" {
		r.rect.FillColor = theme.ColorForWidget(r.f.colour, r.f)
	}
	r.rect.CornerRadius = r.f.radius
	if r.f.stroke != "" {
		r.rect.StrokeColor = theme.ColorForWidget(r.f.stroke, r.f)
		r.rect.StrokeWidth = max(r.f.thick, 1)
	}
	if r.f.shadow {
		r.rect.Shadow = canvas.Shadow{
			Color: theme.ColorForWidget(theme.ColorNameShadow, r.f), BlurRadius: 5, Offset: fyne.NewPos(0, 1),
		}
	}
}

func (r *fillRenderer) Layout(size fyne.Size) { r.rect.Resize(size) }
func (r *fillRenderer) MinSize() fyne.Size    { return r.f.min }
func (r *fillRenderer) Refresh() {
	r.recolour()
	r.rect.Refresh()
}
func (r *fillRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.rect} }
func (r *fillRenderer) Destroy()                     {}
