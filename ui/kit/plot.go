package kit

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Step is one bar of a [Plot]: a value of 0 to 1 from one place to another,
// both 0 to 1 of the width.
type Step struct{ From, To, Value float64 }

// Plot shows values as bars that stand side by side.
type Plot struct {
	widget.BaseWidget
	steps  []Step
	colour fyne.ThemeColorName
	height float32
}

// NewPlot is a plot of a height in pixels.
func NewPlot(height float32, colour fyne.ThemeColorName) *Plot {
	p := &Plot{height: height, colour: colour}
	p.ExtendBaseWidget(p)
	return p
}

// Set shows other values.
func (p *Plot) Set(steps []Step) {
	p.steps = steps
	p.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (p *Plot) CreateRenderer() fyne.WidgetRenderer {
	r := &plotRenderer{p: p}
	r.raster = canvas.NewRaster(r.draw)
	return Laid(r, p.Size())
}

type plotRenderer struct {
	p      *Plot
	raster *canvas.Raster
}

func (r *plotRenderer) draw(w, h int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	c := color.NRGBAModel.Convert(theme.ColorForWidget(r.p.colour, r.p)).(color.NRGBA)
	for _, s := range r.p.steps {
		from, to := int(s.From*float64(w)+0.5), int(s.To*float64(w)+0.5)
		top := h - int(min(max(s.Value, 0), 1)*float64(h)+0.5)
		for x := max(from, 0); x < min(to, w); x++ {
			for y := max(top, 0); y < h; y++ {
				img.SetNRGBA(x, y, c)
			}
		}
	}
	return img
}

func (r *plotRenderer) Layout(size fyne.Size)        { r.raster.Resize(size) }
func (r *plotRenderer) MinSize() fyne.Size           { return fyne.NewSize(20, r.p.height) }
func (r *plotRenderer) Refresh()                     { r.raster.Refresh() }
func (r *plotRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.raster} }
func (r *plotRenderer) Destroy()                     {}
