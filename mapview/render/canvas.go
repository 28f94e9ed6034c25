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
	// clip lets draw paint inside a box only.
	clip(b box, draw func(canvas))
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
	img     *image.RGBA
	mask    *mask
	area    *area
	buf     lines           // for dashes
	within  image.Rectangle // what may be painted
	painted image.Rectangle // around all that was painted, since the group in work began
	spare   []*image.RGBA   // clear images for groups
}

// newRaster makes a canvas over an image whose bounds start at 0, 0.
func newRaster(img *image.RGBA) *raster {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	return &raster{img: img, mask: newMask(w, h), area: newArea(w, h), within: img.Rect}
}

func (r *raster) group(share float64, draw func(canvas)) {
	if share >= 1 {
		draw(r)
		return
	}
	if share <= 0 {
		return
	}
	under, before := r.img, r.painted
	r.img, r.painted = r.clearImage(), image.Rectangle{}
	draw(r)
	over, box := r.img, r.painted
	r.img, r.painted = under, before.Union(box)
	layBox(under, over, box, share)
	wipe(over, box)
	r.spare = append(r.spare, over)
}

// clearImage is an image of the raster's size with nothing on it.
func (r *raster) clearImage() *image.RGBA {
	if n := len(r.spare); n > 0 {
		img := r.spare[n-1]
		r.spare = r.spare[:n-1]
		return img
	}
	return image.NewRGBA(image.Rect(0, 0, r.img.Rect.Dx(), r.img.Rect.Dy()))
}

func (r *raster) clip(b box, draw func(canvas)) {
	before := r.within
	r.within = before.Intersect(image.Rect(roundInt(float64(b.minX)), roundInt(float64(b.minY)), roundInt(float64(b.maxX)), roundInt(float64(b.maxY))))
	draw(r)
	r.within = before
}

func (r *raster) fill(rings *lines, how rule, c color.NRGBA) {
	r.area.open(rings)
	for i := range rings.ends {
		r.area.ring(rings.at(i))
	}
	r.painted = r.painted.Union(r.area.flush(r.img, c, how, r.within))
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
	r.painted = r.painted.Union(r.mask.flush(r.img, s.color, r.within))
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

// layBox puts a box of one image over the same box of another.
func layBox(dst, src *image.RGBA, box image.Rectangle, share float64) {
	for y := box.Min.Y; y < box.Max.Y; y++ {
		from, to := src.PixOffset(box.Min.X, y), src.PixOffset(box.Max.X, y)
		at := dst.PixOffset(box.Min.X, y)
		LayRow(dst.Pix[at:at+to-from], src.Pix[from:to], share)
	}
}

// wipe clears a box of an image.
func wipe(img *image.RGBA, box image.Rectangle) {
	for y := box.Min.Y; y < box.Max.Y; y++ {
		clear(img.Pix[img.PixOffset(box.Min.X, y):img.PixOffset(box.Max.X, y)])
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
