package render

import (
	"errors"
	"image"
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
	return image.NewRGBA(image.Rect(0, 0, v.Width, v.Height))
}

// WriteSVG writes the picture as SVG.
func WriteSVG(w io.Writer, s *Scene, v Viewport, opt Options) error {
	return errors.New("SVG is not written yet")
}

// WritePDF writes the picture as a PDF of one page.
func WritePDF(w io.Writer, s *Scene, v Viewport, opt Options) error {
	return errors.New("PDF is not written yet")
}
