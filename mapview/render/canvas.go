package render

import (
	"image"
	"image/color"
)

// canvas is what maps are drawn on: an image or a vector file. Places are in
// image pixels.
type canvas interface {
	// fill paints rings as one area.
	fill(rings *lines, r rule, c color.NRGBA)
	// stroke paints lines as one: where they overlap the colour is laid once.
	stroke(l *lines, s stroke)
	// size is that of the whole canvas.
	size() (width, height int)
}

// stroke is how lines are painted. Joins are round.
type stroke struct {
	width float32 // image pixels
	color color.NRGBA
	dash  []float32 // lengths of dash and gap in turn; nil for a solid line
	butt  bool      // ends cut straight across instead of round
}

// raster is the canvas that draws into an image. It is not safe for use by
// several goroutines.
type raster struct {
	img  *image.RGBA
	mask *mask
	area *area
	buf  lines // for dashes
}

// newRaster makes a canvas over an image whose bounds start at 0, 0.
func newRaster(img *image.RGBA) *raster {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	return &raster{img: img, mask: newMask(w, h), area: newArea(w, h)}
}

func (r *raster) size() (int, int) { return r.img.Rect.Dx(), r.img.Rect.Dy() }

func (r *raster) fill(rings *lines, how rule, c color.NRGBA) {
	for i := range rings.ends {
		r.area.ring(rings.at(i))
	}
	r.area.flush(r.img, c, how)
}

func (r *raster) stroke(l *lines, s stroke) {
	p := newPen(s.width)
	if s.dash != nil {
		r.buf.reset()
		for i := range l.ends {
			dashes(&r.buf, l.at(i), s.dash)
		}
		l = &r.buf
	}
	for i := range l.ends {
		r.mask.line(l.at(i), p, s.butt)
	}
	r.mask.flush(r.img, s.color)
}
