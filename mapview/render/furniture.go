package render

import (
	"fmt"
	"image"
	"math"
)

// edgeGap is how far furniture stands from the map's edge, in logical pixels.
const edgeGap = 14

// legendPlace is where the legend stands, and its head, in image pixels; empty where
// there is none.
type legendPlace struct{ whole, head image.Rectangle }

// furniture draws scale bar, attribution and legend into the corners. All of it grows
// with the size of texts.
func furniture(p pencil, ts *Tracks, links *LinkMap, s *Scene, v Viewport, opt Options) legendPlace {
	p.scale, p.text = p.scale*p.text, 1
	th := themeOf(opt.Dark)
	bottom := float32(v.Height) - p.px(edgeGap)
	if opt.ScaleBar {
		p.scaleBar(point{p.px(edgeGap), bottom}, v, opt)
	}
	if text := attributionOf(s); opt.Attribution && text != "" {
		h := p.attribution(text, point{float32(v.Width) - p.px(edgeGap), bottom}, th)
		bottom -= h + p.px(8)
	}
	if !opt.Legend || opt.Folded && !opt.Foldable {
		return legendPlace{}
	}
	l, ok := newLegend(p, ts, links, s, opt)
	if !ok {
		return legendPlace{}
	}
	for _, l.folded = range []bool{opt.Folded, true} {
		w, h := l.size()
		at := point{float32(v.Width) - p.px(edgeGap+w), bottom - p.px(h)}
		if at.Y > p.px(edgeGap) && at.X > p.px(edgeGap) {
			return l.draw(at)
		}
		if !opt.Foldable {
			break
		}
	}
	return legendPlace{}
}

// attributionOf is who made the map's data.
func attributionOf(s *Scene) string {
	if s.Network == nil {
		return ""
	}
	return s.Network.Info().Attribution
}

// attribution writes text into the bottom right corner and returns the height
// it takes.
func (p *pencil) attribution(text string, corner point, th *Theme) float32 {
	w, h := p.width(text, 11, regularWeight), p.px(19)
	b := box{corner.X - w - p.px(14), corner.Y - h, corner.X, corner.Y}
	p.panel(b, th)
	p.write(text, point{b.minX + p.px(7), (b.minY + b.maxY) / 2}, 11, regularWeight, false, textInk{color: th.Text})
	return h
}

// scaleBar draws a bar of a round length, with its length above.
func (p *pencil) scaleBar(corner point, v Viewport, opt Options) {
	th := themeOf(opt.Dark)
	metres := v.MetresPerPixel() * v.Scale // an image pixel
	length, text := roundScale(metres*float64(p.px(110)), opt.Miles)
	w := float32(length / metres)
	ink := textInk{color: th.Text, halo: th.StreetHalo, width: p.px(2)}
	l, r := corner, corner.plus(point{w, 0})
	tick := point{0, -p.px(7)}
	for _, s := range []struct {
		width float64
		col   colour
	}{{4.5, fade(th.StreetHalo, 0.85)}, {1.6, th.Text}} {
		p.buf.reset()
		p.buf.add(l.plus(tick), l, r, r.plus(tick))
		p.c.stroke(&p.buf, stroke{width: p.px(s.width), color: s.col})
	}
	p.write(text, point{l.X + w/2, l.Y - p.px(13)}, 11.5, regularWeight, true, ink)
}

const (
	metresAFoot = 0.3048
	metresAMile = 1609.344
)

// roundScale is a round length of at most some metres, in metres and in words.
func roundScale(most float64, miles bool) (float64, string) {
	unit, name := 1.0, "m"
	switch {
	case miles && most >= metresAMile:
		unit, name = metresAMile, "mi"
	case miles:
		unit, name = metresAFoot, "ft"
	case most >= 1000:
		unit, name = 1000, "km"
	}
	length := roundLength(most / unit)
	return length * unit, fmt.Sprintf("%.0f %s", length, name)
}

// roundLength is the largest of 1, 2, 5, 10, 20... that is not above v.
func roundLength(v float64) float64 {
	base := math.Pow(10, math.Floor(math.Log10(v)))
	for _, f := range []float64{5, 2} {
		if f*base <= v {
			return f * base
		}
	}
	return base
}
