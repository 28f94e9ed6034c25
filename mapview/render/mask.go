package render

import (
	"encoding/binary"
	"image"
	"image/color"
)

// mask collects how much of each pixel a set of lines covers. Where lines
// overlap the larger share stands, so that joins and crossings show no beads
// and a half transparent colour is laid once.
type mask struct {
	width, height int
	cov           []uint8 // all zero between uses
	full          []uint8 // a row of 255, to copy from
	from, to      []int32 // of each row: the touched columns
	top, bottom   int     // the touched rows
}

func newMask(width, height int) *mask {
	m := &mask{
		width: width, height: height,
		cov:  make([]uint8, width*height),
		full: make([]uint8, width),
		from: make([]int32, height),
		to:   make([]int32, height),
	}
	for i := range m.full {
		m.full[i] = 255
	}
	for y := range m.from {
		m.from[y] = int32(width)
	}
	m.top, m.bottom = height, 0
	return m
}

// touch notes that columns from to to of a row are about to change.
func (m *mask) touch(y, from, to int) {
	m.from[y] = min(m.from[y], int32(from))
	m.to[y] = max(m.to[y], int32(to))
	m.top = min(m.top, y)
	m.bottom = max(m.bottom, y+1)
}

// flush lays a colour over the image through the mask, inside a box only, and
// clears the mask. It returns the box around what it painted.
func (m *mask) flush(img *image.RGBA, c color.NRGBA, within image.Rectangle) image.Rectangle {
	ink := newInk(c)
	painted := image.Rectangle{Min: image.Pt(m.width, m.top), Max: image.Pt(0, m.bottom)}
	for y := m.top; y < m.bottom; y++ {
		from, to := int(m.from[y]), int(m.to[y])
		m.from[y], m.to[y] = int32(m.width), 0
		if from >= to {
			continue
		}
		row := m.cov[y*m.width : (y+1)*m.width]
		if y >= within.Min.Y && y < within.Max.Y {
			if a, b := max(from, within.Min.X), min(to, within.Max.X); a < b {
				ink.row(img.Pix[y*img.Stride+a*4:y*img.Stride+b*4], row[a:b])
				painted.Min.X, painted.Max.X = min(painted.Min.X, a), max(painted.Max.X, b)
			}
		}
		clear(row[from:to])
	}
	m.top, m.bottom = m.height, 0
	return painted.Intersect(within)
}

// ink is a colour ready to be laid.
type ink struct {
	pixel  uint32 // premultiplied, little endian RGBA
	rb, ag uint32 // the channels in pairs, straight colour times 1
	alpha  uint32 // 0..256
}

func newInk(c color.NRGBA) ink {
	a := uint32(c.A)
	mul := func(v uint8) uint32 { return (uint32(v)*a + 127) / 255 }
	return ink{
		pixel: mul(c.R) | mul(c.G)<<8 | mul(c.B)<<16 | a<<24,
		rb:    uint32(c.R) | uint32(c.B)<<16,
		ag:    uint32(c.G) | 255<<16,
		alpha: a + a>>7,
	}
}

// row lays the ink over a row of pixels through its coverage.
func (k ink) row(pix, cov []uint8) {
	x := 0
	for x+8 <= len(cov) {
		if binary.LittleEndian.Uint64(cov[x:]) == 0 {
			x += 8
			continue
		}
		k.span(pix[x*4:x*4+32], cov[x:x+8])
		x += 8
	}
	if x < len(cov) {
		k.span(pix[x*4:], cov[x:])
	}
}

func (k ink) span(pix, cov []uint8) {
	for i, c := range cov {
		if c != 0 {
			k.blend(pix[i*4:i*4+4], uint32(c)+uint32(c)>>7)
		}
	}
}

// blend lays the ink over one pixel; share is 0..256.
func (k ink) blend(pix []uint8, share uint32) {
	a := k.alpha * share >> 8
	if a == 256 {
		binary.LittleEndian.PutUint32(pix, k.pixel)
		return
	}
	under := binary.LittleEndian.Uint32(pix)
	rb := ((under&0xff00ff)*(256-a) + k.rb*a) >> 8 & 0xff00ff
	ag := ((under>>8&0xff00ff)*(256-a) + k.ag*a) & 0xff00ff00
	binary.LittleEndian.PutUint32(pix, rb|ag)
}
