package render

import "retrace/engine/roadnet"

// Shape is a line or an area that the user drew on the map.
type Shape struct {
	Points []roadnet.Point
	Closed bool // the area within, not the line alone
}

// shapes draws what the user drew: a line with ends, an area with a tint.
func (p *tripPainter) shapes(all []Shape) {
	th := p.v.theme
	for _, s := range all {
		p.plain.reset()
		for _, at := range s.Points {
			p.plain.move(p.v.point(at))
		}
		if s.Closed && len(s.Points) > 2 {
			p.plain.move(p.v.point(s.Points[0]))
		}
		p.plain.end()
		if s.Closed && len(s.Points) > 2 {
			p.c.fill(&p.plain, evenOdd, fade(th.Selection, 0.16))
		}
		p.c.stroke(&p.plain, stroke{width: p.px(5), color: th.SelectionEdge})
		p.c.stroke(&p.plain, stroke{width: p.px(2.6), color: th.Selection, dash: []float32{p.px(9), p.px(4)}})
		for _, at := range s.Points {
			p.dot(p.v.point(at), 3.4, 1.4, th.Selection, th.SelectionEdge)
		}
	}
}
