package render

import (
	"image/color"

	"retrace/engine/trajectory"
)

// tripView is how trips are drawn.
type tripView struct {
	groundView
	colourBy ColourBy
	words    *Words
	side     int // of a comparison that halves the map
}

// tripSize is a factor on the sizes of what trips are drawn with.
func tripSize(zoom float64) float64 {
	return growth{{10, 0.5}, {12.5, 0.7}, {streetZoom, 1}, {17, 1.3}, {19, 1.8}}.at(zoom)
}

// The sizes of what a trip is drawn with, in logical pixels at streetZoom.
const (
	pathWidth   = 4.0
	haloWidth   = 1.6 // on either side
	deckWidth   = 7.0
	deckCasing  = 1.2
	dotRadius   = 3.6
	ringRadius  = 5.2
	chevronStep = 64.0
)

// crowdZoom is the zoom from which trips among others show all their points,
// where none is selected.
const crowdZoom = 14.3

// tripPainter draws trips. It keeps its buffers from one to the next.
type tripPainter struct {
	pencil
	v     tripView
	ts    *Tracks
	size  float64 // tripSize
	plain lines   // stretches on the ground
	below lines
	deck  lines
	tube  lines
	doubt lines // stretches of which it is unsure whether they are on a deck
	other lines // what lies across from them
	bars  lines
	signs []sign   // to be drawn last
	list  []*track // that are drawn together
	crowd bool     // trips among others: few of their points
}

func newTripPainter(c canvas, ts *Tracks, set *typesetter, v tripView) *tripPainter {
	return &tripPainter{pencil: pencil{c: c, scale: v.scale, text: v.text, ts: set}, v: v, ts: ts, size: tripSize(v.zoom)}
}

// trips draws trips layer by layer, so that the opacity of a layer holds for all
// of them as one; chosen is what is selected of them, if anything is.
func (p *tripPainter) trips(list []*track, chosen Item) {
	p.layer(LayerPins, list, p.pinnedRoads)
	p.layer(LayerAlternatives, list, func(t *track) {
		if chosen.Trip == t.id {
			p.alternatives(t, chosen)
		}
	})
	p.layer(LayerTruth, list, p.truth)
	p.layer(LayerInput, list, p.matchLines)
	p.layer(LayerPoints, list, func(t *track) {
		if t.Recovery != nil && !p.crowd {
			p.along(t)
		}
	})
	p.layer(LayerPath, list, p.path)
	p.layer(LayerDecks, list, p.decks)
	p.layer(LayerPoints, list, func(t *track) {
		if t.Recovery != nil && !p.crowd {
			p.ticks(t)
		}
	})
	p.layer(LayerInput, list, func(t *track) { p.samples(t, p.crowd) })
	p.layer(LayerPins, list, p.pins)
}

// layer draws one layer of trips at its opacity, where it is shown.
func (p *tripPainter) layer(l Layers, list []*track, draw func(*track)) {
	if !p.v.layers.Has(l) {
		return
	}
	over := p.c
	over.group(p.v.fades.Share(l), func(c canvas) {
		p.c = c
		for _, t := range list {
			draw(t)
		}
	})
	p.c = over
}

// path draws the recovered path, but for the stretches that the layer of decks
// draws in their own look.
func (p *tripPainter) path(t *track) {
	th := p.v.theme
	p.sort(t)
	if p.plain.len() == 0 {
		return
	}
	width := pathWidth * p.size
	p.c.stroke(&p.plain, stroke{width: p.px(width + 2*haloWidth*p.size), color: th.PathHalo})
	p.coloured(t, width, &p.plain, false)
	p.chevrons(t, &p.plain, th.Path, th.Chevron)
}

// decks draws the stretches on and below elevated roads and in tunnels.
func (p *tripPainter) decks(t *track) {
	if t.Recovery == nil || len(t.Recovery.Spans) == 0 {
		return
	}
	th := p.v.theme
	p.sort(t)
	width := pathWidth * p.size
	for _, l := range []*lines{&p.below, &p.tube} {
		if l.len() > 0 {
			p.c.stroke(l, stroke{width: p.px(width + 2*haloWidth*p.size), color: th.PathHalo})
		}
	}
	if p.tube.len() > 0 {
		p.c.stroke(&p.tube, stroke{width: p.px(width), color: th.Tunnel, dash: p.dash(3, 2.4), butt: true})
	}
	if p.below.len() > 0 {
		p.c.stroke(&p.below, stroke{width: p.px(width), color: th.Below, dash: p.dash(7, 3.4), butt: true})
		p.chevrons(t, &p.below, th.Below, th.Chevron)
	}
	if p.deck.len() > 0 {
		p.onDeck(t)
	}
	if p.doubt.len() > 0 {
		p.unsure()
	}
}

func (p *tripPainter) dash(on, off float64) []float32 {
	return []float32{p.px(on * p.size), p.px(off * p.size)}
}

// onDeck draws the stretches on elevated roads.
func (p *tripPainter) onDeck(t *track) {
	th, width := p.v.theme, deckWidth*p.size
	p.c.stroke(&p.deck, stroke{width: p.px(width + 2*(deckCasing+1)*p.size), color: fade(th.PathHalo, 0.8), butt: true})
	p.c.stroke(&p.deck, stroke{width: p.px(width + 2*deckCasing*p.size), color: th.DeckCasing, butt: true})
	if p.v.colourBy == ByDeck {
		p.c.stroke(&p.deck, stroke{width: p.px(width), color: th.Deck, butt: true})
	} else {
		p.coloured(t, width, &p.deck, true)
	}
	p.chevrons(t, &p.deck, th.DeckCasing, fade(th.Deck, 0))
}

// unsure draws both roads where deck and ground are in doubt.
func (p *tripPainter) unsure() {
	th, width := p.v.theme, p.px(deckWidth*p.size)
	for _, l := range []struct {
		lines     *lines
		bar, edge color.NRGBA
	}{{&p.other, th.Path, th.Path}, {&p.doubt, th.Deck, th.DeckCasing}} {
		p.bars.reset()
		for i := range l.lines.len() {
			hatch(&p.bars, l.lines.at(i), width, p.px(4.6*p.size))
		}
		p.c.stroke(l.lines, stroke{width: width + p.px(1.8), color: l.edge, butt: true})
		p.c.stroke(l.lines, stroke{width: width, color: th.RingFill, butt: true})
		p.c.stroke(&p.bars, stroke{width: p.px(2.3 * p.size), color: l.bar, butt: true})
	}
}

// sort collects the stretches of a path by what they are drawn as.
func (p *tripPainter) sort(t *track) {
	for _, l := range []*lines{&p.plain, &p.below, &p.deck, &p.tube, &p.doubt, &p.other} {
		l.reset()
	}
	for i := range t.parts {
		t.eachStretch(int32(i), p.v.layers.Has(LayerDecks), func(from, to float64, s *trajectory.Span) {
			if dst := p.bucket(s); dst == &p.plain {
				t.parts[i].shown(dst, &p.v.frame, from, to)
			} else {
				t.parts[i].stretch(dst, &p.v.frame, from, to) // whole, for dashes to stand still
			}
			if s != nil && s.Margin < trajectory.UncertainMargin {
				p.across(t, i, from, to)
			}
		})
	}
}

// bucket is where a stretch of a span goes.
func (p *tripPainter) bucket(s *trajectory.Span) *lines {
	switch {
	case s == nil || s.Kind == trajectory.Ground:
		return &p.plain
	case s.Margin < trajectory.UncertainMargin:
		return &p.doubt
	case s.Kind == trajectory.OnDeck:
		return &p.deck
	case s.Kind == trajectory.Below:
		return &p.below
	}
	return &p.tube
}

// eachStretch calls f with every stretch of a part, from and to in metres, and
// the span it belongs to.
func (t *track) eachStretch(part int32, spans bool, f func(from, to float64, s *trajectory.Span)) {
	var at float64
	end := t.parts[part].length()
	for i := range t.spans() {
		s := &t.Recovery.Spans[i]
		if s.Part != part || !spans || s.From < at || s.To > end+1 {
			continue
		}
		if s.From > at {
			f(at, s.From, nil)
		}
		f(s.From, min(s.To, end), s)
		at = s.To
	}
	if at < end {
		f(at, end, nil)
	}
}

// spans are the spans of a trip's recovery; none where it has none.
func (t *track) spans() []trajectory.Span {
	if t.Recovery == nil {
		return nil
	}
	return t.Recovery.Spans
}

// coloured draws lines in the path's colours: one, or one from tick to tick.
func (p *tripPainter) coloured(t *track, width float64, l *lines, deck bool) {
	if l.len() == 0 {
		return
	}
	s := stroke{width: p.px(width), color: p.v.theme.Path, butt: deck}
	if p.v.colourBy == ByDeck || t.Recovery == nil {
		p.c.stroke(l, s)
		return
	}
	s.color = p.v.theme.Muted // shows where the path goes on beyond the points
	p.c.stroke(l, s)
	c := newColourer(&p.v, p.ts, t)
	ticks := t.Recovery.Ticks
	for i := 1; i < len(ticks); i++ {
		a, b := ticks[i-1], ticks[i]
		if a.Part != b.Part || a.Part < 0 || int(a.Part) >= len(t.parts) {
			continue
		}
		p.buf.reset()
		t.eachStretch(a.Part, p.v.layers.Has(LayerDecks), func(from, to float64, sp *trajectory.Span) {
			if p.bucket(sp) == l {
				t.parts[a.Part].shown(&p.buf, &p.v.frame, max(from, a.Along), min(to, b.Along))
			}
		})
		if p.buf.len() > 0 {
			s.color = c.between(i-1, i)
			p.c.stroke(&p.buf, s)
		}
	}
}

// across collects the road above or below an unsure stretch.
func (p *tripPainter) across(t *track, part int, from, to float64) {
	for _, st := range p.ts.stretchesAcross(t, part, from, to) {
		p.other.pts = append(p.other.pts, p.trimmed(st)...)
		p.other.end()
	}
}
