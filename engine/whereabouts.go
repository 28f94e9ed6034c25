package engine

import (
	"math"

	"retrace/engine/roadnet"
)

// whereabouts is where on its path a vehicle may be at one instant between two
// samples. It can be filled anew and then uses its memory again.
type whereabouts struct {
	line   *timeline
	visits []visit
}

// visit is the time that a gap's path spends on one segment.
type visit struct {
	first, last int     // pieces
	probability float64 // that it is under way at the instant, given the path
	weight      float64 // the same with less doubt about the time, to choose by
}

// spot is a place on the path.
type spot struct {
	at    roadnet.Position
	along float64 // metres from the start of the part
	piece int
}

// fill finds the segments that a gap drives and how probable each is at an
// instant, given the path: that the vehicle has come there already and not yet
// left. When a place is reached has an error with a Laplace distribution; that
// the samples are seen at the ends of the gap has none.
func (w *whereabouts) fill(t *timeline, gap int, time float64) {
	w.line, w.visits = t, w.visits[:0]
	first, end := t.gapPieces(gap)
	here, near := 1.0, 1.0 // that the vehicle has come to the segment
	for i := first; i < end; {
		v := visit{first: i}
		for i < end && t.pieces[i].segment == t.pieces[v.first].segment {
			i++
		}
		v.last = i - 1
		gone, past := 0.0, 0.0
		if i < end {
			gone, past = min(here, t.passed(v.last, time, 1)), min(near, t.passed(v.last, time, t.pace.Bold))
		}
		v.probability, v.weight = here-gone, near-past
		here, near = gone, past
		w.visits = append(w.visits, v)
	}
}

// decks adds what the gap's path tells of decks at an instant: piece by piece,
// as there may be several on one segment.
func (w *whereabouts) decks(net *roadnet.Network, b belief, time float64, d *deckBelief) {
	first, end := w.visits[0].first, w.visits[len(w.visits)-1].last+1
	here := 1.0
	for i := first; i < end; i++ {
		gone := 0.0
		if i+1 < end {
			gone = min(here, w.line.passed(i, time, 1))
		}
		if p := &w.line.pieces[i]; here > gone {
			middle := roadnet.Position{Segment: w.line.part.Segments[p.segment], Ratio: (p.from + p.to) / 2}
			d.add(net, middle, b, here-gone)
		}
		here = gone
	}
}

// choose is the spot to tell of an instant at which the vehicle has reached
// spot s, and the probability of its segment given the path. The segment is the
// one where the vehicle most probably is, by what is believed of the segments
// at other paths too; one that is away from s counts for less. No spot before
// piece from is chosen, so that one instant after another gives spots that do
// not go back.
//
// On that segment the spot nearest to s is the one with the least expected
// error: s is the median of where the vehicle may be.
func (w *whereabouts) choose(s spot, b belief, from int) (spot, float64) {
	best, most := s, math.Inf(-1)
	probability := 0.0
	for _, v := range w.visits {
		if v.last < from {
			continue
		}
		near := w.nearest(v, s)
		score := v.weight*float64(b.of(near.at.Segment)) - w.line.pace.Away*math.Abs(near.along-s.along)
		if score > most {
			best, most, probability = near, score, v.probability
		}
	}
	return best, probability
}

// nearest is the spot of a visit that is nearest to another spot.
func (w *whereabouts) nearest(v visit, s spot) spot {
	switch {
	case s.piece < v.first:
		return w.line.edge(v.first, false)
	case s.piece > v.last:
		return w.line.edge(v.last, true)
	}
	return s
}

// edge is where a piece begins or ends.
func (t *timeline) edge(i int, end bool) spot {
	p := &t.pieces[i]
	s := spot{at: roadnet.Position{Segment: t.part.Segments[p.segment], Ratio: p.from}, along: p.along, piece: i}
	if end {
		s.at.Ratio, s.along = p.to, p.along+p.length
	}
	return s
}

// arrival is where the gap of a piece ends, with a sample.
func (t *timeline) arrival(i int) spot {
	if t.pieces[i].leg == nil {
		return t.edge(i, true)
	}
	_, end := t.gapPieces(t.pieces[i].gap)
	return t.edge(end-1, true)
}

// passed is the probability that the end of a piece has been passed at an
// instant, with so many times the doubt.
func (t *timeline) passed(i int, time, doubt float64) float64 {
	p := &t.pieces[i]
	return laplace(time-p.end, doubt*t.scale(p))
}

// scale is that of the error in when the end of a piece is passed, milliseconds.
func (t *timeline) scale(p *piece) float64 {
	g := t.gaps[p.gap]
	sure := 1 - evenSure*g.even
	if p.spread > 0 {
		return sure * p.spread * (g.end - g.begin)
	}
	return sure * t.pace.doubt(g, p.end)
}

// laplace is the probability that an error of a scale is at most x.
func laplace(x, scale float64) float64 {
	switch {
	case scale <= 0 && x >= 0:
		return 1
	case scale <= 0:
		return 0
	case x < 0:
		return math.Exp(x/scale) / 2
	}
	return 1 - math.Exp(-x/scale)/2
}

// gapPieces is the range of the pieces of a gap.
func (t *timeline) gapPieces(gap int) (first, end int) {
	end = len(t.pieces)
	if gap+1 < len(t.gaps) {
		end = t.gaps[gap+1].first
	}
	return t.gaps[gap].first, end
}
