package engine

import (
	"sort"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// timeline says where on one part of the path the vehicle is at any instant.
type timeline struct {
	part   trajectory.Part
	pieces []piece // in order of time and way, without a hole in either
}

// piece is a stretch of one segment driven at an even pace, or a wait.
type piece struct {
	segment    int     // index into part.Segments
	from, to   float64 // ratios
	along      float64 // metres from the start of the part to from
	length     float64 // metres
	begin, end float64 // Unix milliseconds
	leg        *match.Leg
}

// timelines joins the legs to parts and spreads the time of each gap over the
// pieces of its leg.
func timelines(net *roadnet.Network, samples []trajectory.Sample, res *match.Result) []*timeline {
	var all []*timeline
	var current *timeline
	begin := func(sample int) {
		at := res.Matches[sample].At
		current = &timeline{part: trajectory.Part{
			Segments: []roadnet.SegmentID{at.Segment}, StartRatio: at.Ratio, EndRatio: at.Ratio}}
		now := float64(samples[sample].Time)
		current.pieces = append(current.pieces, piece{from: at.Ratio, to: at.Ratio, begin: now, end: now})
		all = append(all, current)
	}
	if first := firstMatched(res.Matches); first >= 0 {
		begin(first)
	}
	for i := range res.Legs {
		leg := &res.Legs[i]
		if leg.Break != match.NoBreak {
			begin(leg.To)
			continue
		}
		current.drive(net, leg, res.Matches[leg.To].At.Ratio, float64(samples[leg.From].Time), float64(samples[leg.To].Time))
	}
	return all
}

func firstMatched(matches []trajectory.SampleMatch) int {
	for i := range matches {
		if matches[i].State == trajectory.Matched {
			return i
		}
	}
	return -1
}

// drive appends a leg. It begins on the last segment of the part. Where the
// leg begins or ends a step behind the place reached, the vehicle waits there.
func (t *timeline) drive(net *roadnet.Network, leg *match.Leg, ratio, begin, end float64) {
	first := len(t.pieces)
	last := t.pieces[first-1]
	along := last.along + last.length
	at := t.part.EndRatio
	work := 0.0
	for k, id := range leg.Path {
		if k > 0 {
			t.part.Segments = append(t.part.Segments, id)
			at = 0
		}
		to := 1.0
		if k == len(leg.Path)-1 {
			to = max(at, ratio)
		}
		p := piece{segment: len(t.part.Segments) - 1, from: at, to: to, along: along, leg: leg}
		p.length = (to - at) * net.Length(id)
		along += p.length
		p.begin = work
		work += p.length / net.FreeFlow(id)
		p.end = work
		t.pieces = append(t.pieces, p)
		t.part.EndRatio = to
	}
	scale(t.pieces[first:], work, begin, end)
}

// scale maps work from nought to total onto the time from begin to end. Without
// any work to do the vehicle waits all the time.
func scale(pieces []piece, total, begin, end float64) {
	for i := range pieces {
		p := &pieces[i]
		if total > 0 {
			p.begin, p.end = begin+p.begin/total*(end-begin), begin+p.end/total*(end-begin)
		} else {
			p.begin, p.end = begin, end
		}
	}
	if n := len(pieces); n > 0 {
		pieces[0].begin, pieces[n-1].end = begin, end
	}
}

func (t *timeline) begin() float64 { return t.pieces[0].begin }
func (t *timeline) end() float64   { return t.pieces[len(t.pieces)-1].end }

// at is where the vehicle is at an instant of the part, and on which piece.
func (t *timeline) at(time float64) (roadnet.Position, float64, *piece) {
	i := sort.Search(len(t.pieces)-1, func(i int) bool { return t.pieces[i].end >= time })
	p := &t.pieces[i]
	done := 1.0
	if p.end > p.begin {
		done = min(1, max(0, (time-p.begin)/(p.end-p.begin)))
	}
	pos := roadnet.Position{Segment: t.part.Segments[p.segment], Ratio: p.from + done*(p.to-p.from)}
	return pos, p.along + done*p.length, p
}

// when is the instant at which a place of a piece is reached, metres from the
// start of the part.
func (p *piece) when(along float64) float64 {
	if p.length == 0 {
		return p.begin
	}
	return p.begin + (along-p.along)/p.length*(p.end-p.begin)
}
