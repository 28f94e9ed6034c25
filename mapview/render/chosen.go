package render

import (
	"image/color"
	"math"

	"retrace/engine/trajectory"
)

type colour = color.NRGBA

// chosen marks what is selected, and labels what is unsure of its trip.
func (p *tripPainter) chosen(item Item) {
	th := p.v.theme
	switch t := p.ts.find(item.Trip); {
	case item.Kind == RoadItem:
		p.outline(item.Segment, 11, fade(th.Selection, 0.6))
	case item.Kind == PlaceItem:
		p.ring(p.v.point(item.At), 9, 3)
	case t == nil:
	case item.Kind == SampleItem && has(len(t.samples), item.Index):
		at := p.v.at(t.samples[item.Index])
		p.ring(at, 11*math.Max(p.size, 0.8), 3.4)
		p.sample(at, t.state(item.Index), false)
	case item.Kind == TickItem && has(len(t.ticks), item.Index):
		p.ring(p.v.at(t.ticks[item.Index]), 10*math.Max(p.size, 0.8), 3.4)
		p.tick(t, item.Index)
	case item.Kind == SpanItem && t.Recovery != nil && has(len(t.Recovery.Spans), item.Index):
		p.span(t, t.Recovery.Spans[item.Index])
	}
}

// has reports whether n things have one of an index: a selection may outlive
// what it was of.
func has(n, i int) bool { return i >= 0 && i < n }

// ring is the ring around a selected point.
func (p *tripPainter) ring(at point, radius, width float64) {
	th := p.v.theme
	p.disc(at, radius+1, th.SelectionEdge)
	p.disc(at, radius, th.Selection)
	p.disc(at, radius-width, th.SelectionEdge)
	p.disc(at, radius-width-1, th.RingFill)
}

// span outlines a stretch of a path.
func (p *tripPainter) span(t *track, s trajectory.Span) {
	if s.Part < 0 || int(s.Part) >= len(t.parts) {
		return
	}
	p.plain.reset()
	t.parts[s.Part].stretch(&p.plain, &p.v.frame, s.From, s.To)
	p.c.stroke(&p.plain, stroke{width: p.px(deckWidth*p.size + 9), color: p.v.theme.SelectionEdge})
	p.c.stroke(&p.plain, stroke{width: p.px(deckWidth*p.size + 7), color: p.v.theme.Selection})
}

// hover marks what the pointer is over.
func (p *tripPainter) hover(item Item) {
	th := p.v.theme
	switch t := p.ts.find(item.Trip); {
	case item.Kind == RoadItem:
		p.outline(item.Segment, 9, fade(th.Selection, 0.4))
	case item.Kind == CandidateItem:
		p.candidate(t, item)
	case t == nil:
	case item.Kind == SampleItem && has(len(t.samples), item.Index):
		p.glow(p.v.at(t.samples[item.Index]))
		p.sample(p.v.at(t.samples[item.Index]), t.state(item.Index), false)
	case item.Kind == TickItem && has(len(t.ticks), item.Index):
		p.glow(p.v.at(t.ticks[item.Index]))
		p.tick(t, item.Index)
	}
}

// candidate draws a road that an input point may lie on, joined with the point.
func (p *tripPainter) candidate(t *track, item Item) {
	th := p.v.theme
	p.outline(item.Segment, pathWidth*p.size+5, th.RingFill)
	p.outline(item.Segment, pathWidth*p.size+1, th.Alternative)
	at := p.v.point(item.At)
	if t != nil && has(len(t.samples), item.Index) {
		from := p.v.at(t.samples[item.Index])
		p.line(from, at, 4, fade(th.RingFill, 0.9))
		p.line(from, at, 1.6, th.Alternative)
		p.sample(from, t.state(item.Index), false)
	}
	p.dot(at, dotRadius*p.size, 1.4, th.Alternative, th.RingFill)
}

func (p *tripPainter) glow(at point) {
	p.disc(at, 9*math.Max(p.size, 0.8), fade(p.v.theme.Selection, 0.55))
}

// doubts signs the unsure spans of a trip, each with a line to its middle.
func (p *tripPainter) doubts(t *track) {
	if t.Recovery == nil || p.v.zoom < 13 || !p.v.layers.Has(LayerDecks) {
		return
	}
	th := p.v.theme
	for _, s := range t.Recovery.Spans {
		if s.Margin >= trajectory.UncertainMargin || s.Part < 0 || int(s.Part) >= len(t.parts) {
			continue
		}
		at := p.v.at(t.parts[s.Part].at((s.From + s.To) / 2))
		text := p.v.words.DeckOrGround + " " + p.v.words.fraction(float64(s.Margin), 2)
		aside := at.plus(point{-p.px(110) - p.width(text, 11.5, mediumWeight)/2, -p.px(10)})
		p.signs = append(p.signs, sign{text: text, at: aside, to: at, leads: true, size: 11.5, paint: th.Text, rim: th.Text})
	}
}

// marker draws where playback stands, with its heading.
func (p *tripPainter) marker(m *Marker) {
	th, at := p.v.theme, p.v.point(m.At)
	a := m.Heading * degreesToRadian
	dir := point{float32(math.Sin(a)), -float32(math.Cos(a))}
	p.arrowHead(at.plus(dir.times(p.px(11))), dir, 6.5, th.Selection, th.SelectionEdge, 1.4)
	p.dot(at, 7, 1.4, th.Selection, th.SelectionEdge)
	p.disc(at, 2.4, th.SelectionEdge)
}
