package render

import (
	"image/color"
	"math"
)

// pencil draws the small things of a map on a canvas, sizes in logical pixels.
type pencil struct {
	c     canvas
	scale float64
	text  float64 // a factor on the size of texts
	ts    *typesetter
	buf   lines
}

func (p *pencil) px(v float64) float32 { return float32(v * p.scale) }

// tx turns the size of a text in logical pixels into image pixels.
func (p *pencil) tx(size float64) float32 { return p.px(size * p.text) }

// disc fills a circle.
func (p *pencil) disc(at point, radius float64, col color.NRGBA) {
	p.buf.reset()
	p.buf.add(at, at)
	p.c.stroke(&p.buf, stroke{width: p.px(2 * radius), color: col})
}

// dot is a disc with an edge around it.
func (p *pencil) dot(at point, radius, edge float64, fill, rim color.NRGBA) {
	p.disc(at, radius+edge, rim)
	p.disc(at, radius, fill)
}

// line draws a straight line.
func (p *pencil) line(a, b point, width float64, col color.NRGBA) {
	p.buf.reset()
	p.buf.add(a, b)
	p.c.stroke(&p.buf, stroke{width: p.px(width), color: col, butt: true})
}

// polygon fills a ring, with an edge around it where edge is not 0.
func (p *pencil) polygon(fill, rim color.NRGBA, edge float64, pts ...point) {
	p.buf.reset()
	p.buf.add(append(append([]point(nil), pts...), pts[0])...)
	if edge > 0 {
		p.c.stroke(&p.buf, stroke{width: p.px(2 * edge), color: rim})
	}
	p.c.fill(&p.buf, nonZero, fill)
}

// arrowHead is a swept-back arrow head that points along dir.
func (p *pencil) arrowHead(at, dir point, size float64, fill, rim color.NRGBA, edge float64) {
	f, s := dir.times(p.px(size)), dir.left().times(p.px(size)*0.72)
	p.polygon(fill, rim, edge,
		at.plus(f.times(0.75)), at.minus(f.times(0.65)).plus(s), at.minus(f.times(0.3)), at.minus(f.times(0.65)).minus(s))
}

// pin is a map pin whose tip stands at a place.
func (p *pencil) pin(at point, fill, rim color.NRGBA) {
	r := p.px(7)
	head := at.plus(point{0, -r * 2.1})
	var ring []point
	const steps = 28
	for i := range steps + 1 {
		a := math.Pi*0.83 + float64(i)/steps*math.Pi*1.34
		ring = append(ring, head.plus(point{r * float32(math.Cos(a)), r * float32(math.Sin(a))}))
	}
	p.polygon(fill, rim, 1.4, append(ring, at)...)
	p.disc(head, 2.6, rim)
}

// crossedDisc is the sign of what must not be: a cross on a disc.
func (p *pencil) crossedDisc(at point, th *Theme) {
	d := p.px(3.2)
	p.disc(at, 7.6, th.RingFill)
	p.disc(at, 6.6, th.Pin)
	p.line(at.plus(point{-d, -d}), at.plus(point{d, d}), 1.8, th.RingFill)
	p.line(at.plus(point{-d, d}), at.plus(point{d, -d}), 1.8, th.RingFill)
}

// write puts text with its left end, or its middle where centred, at a place;
// at is the middle of its capitals. It returns the text's width in image
// pixels.
func (p *pencil) write(s string, at point, size float64, w weight, centred bool, k textInk) float32 {
	t := p.ts.set(s, w, 0)
	if t == nil {
		return 0
	}
	px := p.tx(size)
	if centred {
		at.X -= t.width * px / 2
	}
	at.Y += px * capHeight / 2
	drawText(p.c, &p.buf, t, px, t.straight(at, px, nil), k)
	return t.width * px
}

// width is how wide a text is, in image pixels.
func (p *pencil) width(s string, size float64, w weight) float32 {
	if t := p.ts.set(s, w, 0); t != nil {
		return t.width * p.tx(size)
	}
	return 0
}

// sign writes text on a plate around a place.
func (p *pencil) sign(s string, at point, size float64, text, fill, edge color.NRGBA) box {
	b := p.signBox(s, at, size)
	plate := plate{box: b, fill: textInk{color: fill, halo: edge, width: p.px(1.2)}}
	plate.draw(p.c, &p.buf)
	p.write(s, at, size, mediumWeight, true, textInk{color: text})
	return b
}

func (p *pencil) signBox(s string, at point, size float64) box {
	w, h := p.width(s, size, mediumWeight)/2+p.px(6), p.tx(size)*0.82
	return box{at.X - w, at.Y - h, at.X + w, at.Y + h}
}

// hatch appends slanted bars across a line.
func hatch(dst *lines, pts []point, width, step float32) {
	total := lineLength(pts)
	if len(pts) < 2 || total < step {
		return
	}
	w := newWalker(pts)
	for along := step / 2; along < total; along += step {
		at, dir := w.at(along)
		slant := dir.times(width * 0.28)
		side := dir.left().times(width / 2)
		dst.add(at.plus(side).minus(slant), at.minus(side).plus(slant))
	}
}
