package strip

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"

	"retrace/ui/look"
)

// pen paints into an image in the graph's own pixels, of which each is scale
// pixels of the image.
type pen struct {
	img           *image.NRGBA
	from, to      int64 // what the width stands for, Unix milliseconds
	scale         float64
	width, height float64
	colour        func(fyne.ThemeColorName) color.NRGBA
}

// x is where an instant lies.
func (p *pen) x(at int64) float64 { return graphSide + share(at, p.from, p.to)*(p.width-2*graphSide) }

// box fills a rectangle.
func (p *pen) box(x0, x1, y0, y1 float64, colour fyne.ThemeColorName) {
	c := p.colour(colour)
	r := image.Rect(round(x0*p.scale), round(y0*p.scale), round(x1*p.scale), round(y1*p.scale)).Intersect(p.img.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			p.img.SetNRGBA(x, y, c)
		}
	}
}

// input paints an input instant: a ring, and a dotted line below it.
func (p *pen) input(x float64) {
	muted := p.colour(look.Muted)
	column := round(x * p.scale)
	for y := round((ringTop + ringRadius) * p.scale); y < round((p.height-bandBottom)*p.scale); y++ {
		if y/round(max(2*p.scale, 1))%2 == 0 && image.Pt(column, y).In(p.img.Rect) {
			p.img.SetNRGBA(column, y, muted)
		}
	}
	p.ring(x)
}

// tick paints an input instant where there is no room for a ring.
func (p *pen) tick(x float64) {
	p.box(x-0.5, x+0.5, ringTop-ringRadius, ringTop+ringRadius, look.Muted)
}

// ring paints an input point as the map does, its edge softened.
func (p *pen) ring(x float64) {
	fill, edge := p.colour(look.InputFill), p.colour(look.Text)
	reach := (ringRadius + 1) * p.scale
	cx, cy := x*p.scale, ringTop*p.scale
	for py := int(cy - reach); py <= int(cy+reach)+1; py++ {
		for px := int(cx - reach); px <= int(cx+reach)+1; px++ {
			d := math.Hypot(float64(px)+0.5-cx, float64(py)+0.5-cy) / p.scale
			if !image.Pt(px, py).In(p.img.Rect) {
				continue
			}
			switch {
			case d < ringRadius-1.2:
				p.img.SetNRGBA(px, py, fill)
			case d < ringRadius:
				p.img.SetNRGBA(px, py, edge)
			case d < ringRadius+0.7:
				c := edge
				c.A = uint8(255 * (ringRadius + 0.7 - d) / 0.7)
				p.img.SetNRGBA(px, py, c)
			}
		}
	}
}

func round(v float64) int { return int(math.Round(v)) }
