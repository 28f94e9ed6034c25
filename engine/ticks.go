package engine

import (
	"context"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// ticks recovers the position at the first sample's instant and every tick
// after it, and at every instant of the input, as far as the parts reach, unless
// ctx is done.
func ticks(ctx context.Context, net *roadnet.Network, t *trajectory.Trajectory, every int64, parts []*timeline, matches []trajectory.SampleMatch) ([]trajectory.Tick, error) {
	var out []trajectory.Tick
	sample, first := 0, t.Samples[0].Time
	for i, line := range parts {
		p := placer{net: net, line: line}
		begin, end := int64(line.begin()), int64(line.end())
		regular := first + ceilDiv(begin-first, every)*every
		for {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for sample < len(t.Samples) && (t.Samples[sample].Time < begin || matches[sample].State == trajectory.Duplicate) {
				sample++
			}
			now, observed := regular, false
			if sample < len(t.Samples) && t.Samples[sample].Time <= regular {
				now, observed = t.Samples[sample].Time, true
			}
			if now > end {
				break
			}
			tick := trajectory.Tick{Time: now, Part: int32(i)}
			var match *trajectory.SampleMatch
			if observed {
				tick.Observed, tick.Sample, match = true, uint32(sample), &matches[sample]
				sample++
			}
			p.place(&tick, match)
			if match != nil && match.State == trajectory.Passed {
				at := t.Samples[tick.Sample]
				match.At = tick.At
				match.Distance = float32(roadnet.Distance(roadnet.Point{Lon: at.Lon, Lat: at.Lat}, roadnet.Point{Lon: tick.Lon, Lat: tick.Lat}))
			}
			if now == regular {
				regular += every
			}
			out = append(out, tick)
		}
	}
	return out, nil
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }

// placer puts the ticks of one part on its path, one after another.
type placer struct {
	net   *roadnet.Network
	line  *timeline
	where whereabouts
	last  spot // of the tick before
	ways  elsewhere
}

// place fills in where the vehicle is at the instant of a tick: where a sample
// is matched at that place, where the method says so there, else where it most
// probably is on its path. The
// probability is that of the candidate where a sample is matched, else that of
// the segment among the routes of the gap, times that of being there just then.
func (p *placer) place(tick *trajectory.Tick, match *trajectory.SampleMatch) {
	time := float64(tick.Time)
	s := p.line.at(time)
	piece := &p.line.pieces[s.piece]
	b := belief{leg: piece.leg}
	var decks deckBelief
	probability := 1.0
	if match != nil && match.State == trajectory.Matched {
		s, b.match = p.line.arrival(s.piece), match
	} else if match != nil && match.State == trajectory.Passed {
		b.match = match // it lies where it was placed
	} else if known, ok := instantOf(piece.leg, tick.Time); ok {
		b.instant = &known
		if known.At != nil {
			s.at = *known.At
		}
	} else if piece.leg != nil {
		p.where.fill(p.line, piece.gap, time)
		if p.line.pace.Others > 0 && len(piece.leg.Others) > 0 {
			s = p.ways.draw(p.net, p.line, s, p.last.along)
		}
		s, probability = p.where.choose(s, b, p.last.piece)
		p.where.decks(p.net, b, time, &decks)
	}
	p.last = s
	tick.At, tick.Along = s.at, s.along
	point := p.net.At(tick.At)
	tick.Lon, tick.Lat = point.Lon, point.Lat
	tick.Layer = p.net.Layer(tick.At.Segment)
	tick.Probability = b.of(tick.At.Segment) * float32(probability)
	tick.Deck, _, _ = deckAt(p.net, tick.At, b)
	if decks == (deckBelief{}) { // no doubt but about the road
		decks.add(p.net, tick.At, b, 1)
	}
	tick.Margin = decks.margin(tick.Deck)
}

// belief knows how probable a segment is at one instant: from the candidates
// of a matched sample, else from the routes of the gap.
type belief struct {
	match   *trajectory.SampleMatch
	instant *match.Instant // nil: not known of this one alone
	leg     *match.Leg
}

// instantOf is what the method knows of one instant of a leg.
func instantOf(leg *match.Leg, time int64) (match.Instant, bool) {
	if leg == nil {
		return match.Instant{}, false
	}
	return leg.InstantAt(time)
}

func (b belief) of(id roadnet.SegmentID) float32 {
	if b.match != nil && b.match.State == trajectory.Matched {
		for _, c := range b.match.Candidates {
			if c.Segment == id {
				return c.Probability
			}
		}
	}
	if b.instant != nil {
		return b.instant.ShareOf(id)
	}
	if b.leg == nil {
		return 0
	}
	return b.leg.ShareOf(id)
}
