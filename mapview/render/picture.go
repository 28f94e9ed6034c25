package render

import (
	"errors"
	"image"
	"image/draw"
	"io"
)

// Options says how a scene is drawn.
type Options struct {
	Dark        bool
	Layers      Layers
	ColourBy    ColourBy
	Title       string // heads the legend; empty: the selected trip's name
	Legend      bool
	ScaleBar    bool
	Attribution bool // may be left out only where the map's source stands elsewhere in sight
}

// DefaultOptions shows everything but truth, in light colours.
func DefaultOptions() Options {
	return Options{Layers: BasicLayers, Legend: true, ScaleBar: true, Attribution: true}
}

// Picture draws the whole scene as the map widget shows it.
func Picture(s *Scene, v Viewport, opt Options) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, v.Width, v.Height))
	theme, b := themeOf(opt.Dark), NewBase(s.Network, s.Basemap)
	draw.Draw(img, img.Rect, image.NewUniform(b.land(theme)), image.Point{}, draw.Src)
	paint(newRaster(img), b, s, v, opt)
	return img
}

// paint draws everything onto a canvas.
func paint(c canvas, b *Base, s *Scene, v Viewport, opt Options) {
	x, y, world := v.origin()
	gv := groundView{
		frame: newFrame(x, y, world, v.Width, v.Height, groundMargin*v.Scale),
		zoom:  v.Zoom, scale: v.Scale, theme: themeOf(opt.Dark), layers: opt.Layers,
	}
	var p painter
	p.ground(c, b, gv)
	lb := newLabeler()
	var buf lines
	for _, l := range lb.labels(b, gv, v.Width, v.Height, &lines{}, 0) {
		l.draw(c, &buf)
	}
}

// WriteSVG writes the picture as SVG.
func WriteSVG(w io.Writer, s *Scene, v Viewport, opt Options) error {
	return errors.New("SVG is not written yet")
}

// WritePDF writes the picture as a PDF of one page.
func WritePDF(w io.Writer, s *Scene, v Viewport, opt Options) error {
	return errors.New("PDF is not written yet")
}
