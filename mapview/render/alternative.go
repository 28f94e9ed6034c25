package render

import (
	"fmt"

	"retrace/engine/trajectory"
)

// sign is a small text on a plate, drawn above everything else; where leads to
// what it speaks of.
type sign struct {
	text       string
	at, to     point
	leads      bool
	size       float64
	paint, rim colour
}

// gap is the pair of samples that something chosen lies between.
func (t *track) gap(chosen Item) (from, to uint32, ok bool) {
	switch chosen.Kind {
	case SampleItem:
		return uint32(max(chosen.Index-1, 0)), uint32(chosen.Index + 1), true
	case TickItem:
		return tickGap(t.Recovery.Ticks, chosen.Index)
	}
	return 0, 0, false
}

// tickGap is the pair of samples around a tick.
func tickGap(ticks []trajectory.Tick, i int) (from, to uint32, ok bool) {
	if i < 0 || i >= len(ticks) {
		return 0, 0, false
	}
	lo, hi := i, i
	for lo > 0 && !ticks[lo].Observed {
		lo--
	}
	for hi < len(ticks)-1 && !ticks[hi].Observed {
		hi++
	}
	return ticks[lo].Sample, ticks[hi].Sample, true
}

// alternatives draws the other paths around a chosen point.
func (p *tripPainter) alternatives(t *track, chosen Item) {
	if t.Recovery == nil {
		return
	}
	from, to, ok := t.gap(chosen)
	if !ok {
		return
	}
	th := p.v.theme
	var route lines
	for i := range t.parts {
		t.parts[i].stretch(&route, &p.v.frame, 0, t.parts[i].length())
	}
	for _, a := range t.Recovery.Alternatives {
		if a.ToSample <= from || a.FromSample >= to {
			continue
		}
		part := partOf(p.ts.net, a.Part)
		p.plain.reset()
		part.stretch(&p.plain, &p.v.frame, 0, part.length())
		if p.plain.len() == 0 {
			continue
		}
		p.c.stroke(&p.plain, stroke{width: p.px(2.2 * p.size), color: fade(th.Alternative, 0.65)})
		share := fmt.Sprintf("%.0f %%", a.Probability*100)
		if at, ok := p.aside(p.plain.at(0), &route); ok {
			p.signs = append(p.signs, sign{text: share, at: at, size: 11, paint: th.AlternativeText, rim: th.Alternative})
		}
	}
}

// aside is the place nearest to the middle of a line that lies clear of a
// route; ok is false where the line keeps to the route.
func (p *tripPainter) aside(pts []point, route *lines) (point, bool) {
	total := lineLength(pts)
	for _, f := range [...]float32{0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9} {
		w := newWalker(pts)
		if at, _ := w.at(total * f); offRoute(at, route) > float64(p.px(12)) {
			return at, true
		}
	}
	return point{}, false
}

// offRoute is the distance of a place from a route in image pixels.
func offRoute(at point, route *lines) float64 {
	best := float64(wide)
	for i := range route.len() {
		pts := route.at(i)
		for k := 1; k < len(pts); k++ {
			d, _ := nearOn(pts[k-1], pts[k], at)
			best = min(best, d)
		}
	}
	return best
}

// drawSigns draws the signs, those that would hide another a little aside.
func (p *tripPainter) drawSigns() {
	var taken []box
	th := p.v.theme
	for _, s := range p.signs {
		b := p.signBox(s.text, s.at, s.size)
		for range 6 {
			if !meetsAny(b, taken) {
				break
			}
			down := point{0, b.maxY - b.minY + p.px(4)}
			s.at, b = s.at.plus(down), b.shift(down)
		}
		taken = append(taken, b)
		if s.leads {
			p.line(s.at, s.to, 1.1, s.rim)
		}
		p.sign(s.text, s.at, s.size, s.paint, th.Surface, s.rim)
	}
	p.signs = p.signs[:0]
}

func meetsAny(b box, taken []box) bool {
	for _, t := range taken {
		if t.meets(b) {
			return true
		}
	}
	return false
}
