package kit

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Swatch is a small picture painted pixel by pixel in colours of the theme, as
// the sample of a layer.
type Swatch struct {
	widget.BaseWidget
	size  fyne.Size
	paint func(x, y float32, colour func(fyne.ThemeColorName) color.Color) color.Color
}

// NewSwatch is a picture of a size in pixels at text size 1; paint gives the colour at a place
// (nil: nothing there).
func NewSwatch(width, height float32, paint func(x, y float32, colour func(fyne.ThemeColorName) color.Color) color.Color) *Swatch {
	s := &Swatch{size: fyne.NewSize(width, height), paint: paint}
	s.ExtendBaseWidget(s)
	return s
}

// MinSize implements fyne.Widget.
func (s *Swatch) MinSize() fyne.Size { return fyne.NewSize(grown(s.size.Width), grown(s.size.Height)) }

// CreateRenderer implements fyne.Widget.
func (s *Swatch) CreateRenderer() fyne.WidgetRenderer {
	r := &swatchRenderer{s: s}
	r.raster = canvas.NewRaster(r.draw)
	return Laid(r, s.Size())
}

type swatchRenderer struct {
	s      *Swatch
	raster *canvas.Raster
}

// oversample is how many samples a pixel takes in each direction.
const oversample = 3

func (r *swatchRenderer) draw(w, h int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	colour := func(n fyne.ThemeColorName) color.Color { return theme.ColorForWidget(n, r.s) }
	sx, sy := r.s.size.Width/float32(w), r.s.size.Height/float32(h)
	for y := range h {
		for x := range w {
			img.SetNRGBA(x, y, r.pixel(float32(x), float32(y), sx, sy, colour))
		}
	}
	return img
}

// pixel averages the samples within one pixel.
func (r *swatchRenderer) pixel(x, y, sx, sy float32, colour func(fyne.ThemeColorName) color.Color) color.NRGBA {
	var red, green, blue, alpha uint32
	for j := range oversample {
		for i := range oversample {
			px := (x + (float32(i)+0.5)/oversample) * sx
			py := (y + (float32(j)+0.5)/oversample) * sy
			if c := r.s.paint(px, py, colour); c != nil {
				cr, cg, cb, ca := c.RGBA()
				red, green, blue, alpha = red+cr>>8, green+cg>>8, blue+cb>>8, alpha+ca>>8
			}
		}
	}
	const n = oversample * oversample
	if alpha == 0 {
		return color.NRGBA{}
	}
	return color.NRGBA{R: uint8(red * 255 / alpha), G: uint8(green * 255 / alpha), B: uint8(blue * 255 / alpha), A: uint8(alpha / n)}
}

func (r *swatchRenderer) Layout(size fyne.Size)        { r.raster.Resize(size) }
func (r *swatchRenderer) MinSize() fyne.Size           { return r.s.MinSize() }
func (r *swatchRenderer) Refresh()                     { r.raster.Refresh() }
func (r *swatchRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.raster} }
func (r *swatchRenderer) Destroy()                     {}
