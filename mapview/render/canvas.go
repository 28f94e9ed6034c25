package render

import (
	"encoding/binary"
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
	// group lays all that draw paints over the canvas as one, at a share of its
	// opacity.
	group(share float64, draw func(canvas))
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

func (r *raster) group(share float64, draw func(canvas)) {
	if share >= 1 {
		draw(r)
		return
	}
	under := r.img
	r.img = image.NewRGBA(under.Rect)
	draw(r)
	lay(under, r.img, image.Point{}, share)
	r.img = under
}

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

// lay puts one image over another at a share of its opacity.
func lay(dst, src *image.RGBA, at image.Point, share float64) {
	r := src.Rect.Add(at).Intersect(dst.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		to := dst.Pix[dst.PixOffset(r.Min.X, y):dst.PixOffset(r.Max.X, y)]
		from := src.Pix[src.PixOffset(r.Min.X-at.X, y-at.Y):]
		LayRow(to, from[:len(to)], share)
	}
}

// LayRow lays premultiplied RGBA pixels over others, at a share of their
// opacity, 0 to 1.
func LayRow(dst, src []uint8, opacity float64) {
	share := uint32(opacity*256 + 0.5)
	for i := 0; i+4 <= len(dst); i += 4 {
		for i+16 <= len(dst) && binary.LittleEndian.Uint64(src[i:])|binary.LittleEndian.Uint64(src[i+8:]) == 0 {
			i += 16
		}
		if i+4 > len(dst) {
			return
		}
		if over := binary.LittleEndian.Uint32(src[i:]); over != 0 {
			layPixel(dst[i:i+4], over, share)
		}
	}
}

func layPixel(dst []uint8, over, share uint32) {
	rb := (over & 0xff00ff) * share >> 8 & 0xff00ff
	ag := (over >> 8 & 0xff00ff) * share & 0xff00ff00
	keep := 256 - (ag>>24 + ag>>31)
	under := binary.LittleEndian.Uint32(dst)
	rb += (under & 0xff00ff) * keep >> 8 & 0xff00ff
	ag += (under >> 8 & 0xff00ff) * keep & 0xff00ff00
	binary.LittleEndian.PutUint32(dst, rb|ag)
}
