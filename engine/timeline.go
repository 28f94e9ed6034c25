package engine

import (
	"context"
	"math"
	"sort"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// timeline says where on one part of the path the vehicle is at any instant.
type timeline struct {
	part   trajectory.Part
	pieces []piece // in order of time and way, without a hole in either
	gaps   []gap
	pace   Pace
}

// gap is the time between two samples.
type gap struct {
	first      int     // of its pieces
	begin, end float64 // Unix milliseconds
	work       float64 // seconds
	length     float64 // metres
	timed      bool    // the work of the pieces is their time: no pull
	even       float64 // which share of its time is spread evenly over its metres
}

// piece is a stretch of one segment driven at an even pace, or a wait.
type piece struct {
	segment    int     // index into part.Segments
	from, to   float64 // ratios
	along      float64 // metres from the start of the part to from
	length     float64 // metres
	work       float64 // seconds
	begin, end float64 // Unix milliseconds
	spread     float64 // scale of the doubt about the time, as a share of the gap; 0: not known
	gap        int     // index into gaps
	leg        *match.Leg
}

// planner makes timelines. Its buffer is used again.
type planner struct {
	net      *roadnet.Network
	pace     Pace
	vertices []roadnet.Vertex
}

// timelines joins the legs to parts and spreads the time of each gap over the
// pieces of its leg, unless ctx is done.
func timelines(ctx context.Context, net *roadnet.Network, pace Pace, samples []trajectory.Sample, res *match.Result) ([]*timeline, error) {
	p := planner{net: net, pace: pace}
	var all []*timeline
	if first := firstMatched(res.Matches); first >= 0 {
		all = append(all, p.startAt(res.Matches[first].At, samples[first].Time))
	}
	for i := range res.Legs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		leg := &res.Legs[i]
		to := res.Matches[leg.To].At
		if leg.Broken {
			all = append(all, p.startAt(to, samples[leg.To].Time))
			continue
		}
		p.drive(all[len(all)-1], leg, to.Ratio, samples[leg.From].Time, samples[leg.To].Time)
	}
	for _, t := range all {
		t.spread()
	}
	return all, nil
}

func firstMatched(matches []trajectory.SampleMatch) int {
	for i := range matches {
		if matches[i].State == trajectory.Matched {
			return i
		}
	}
	return -1
}

func (p *planner) startAt(at roadnet.Position, time int64) *timeline {
	now := float64(time)
	return &timeline{
		part:   trajectory.Part{Segments: []roadnet.SegmentID{at.Segment}, StartRatio: at.Ratio, EndRatio: at.Ratio},
		pieces: []piece{{from: at.Ratio, to: at.Ratio, begin: now, end: now}},
		pace:   p.pace,
	}
}

// drive appends a leg, which begins on the last segment of the part. Where the
// leg begins or ends a step behind the place reached, the vehicle waits there.
func (p *planner) drive(t *timeline, leg *match.Leg, ratio float64, begin, end int64) {
	t.gaps = append(t.gaps, gap{first: len(t.pieces), begin: float64(begin), end: float64(end), timed: len(leg.Times) > 0})
	if len(leg.Times) > 0 {
		p.timed(t, leg)
		return
	}
	for k, id := range leg.Path {
		if k > 0 {
			t.add(leg, t.part.EndRatio, 0, p.pace.pass(p.net, leg.Path[k-1], id))
			t.part.Segments = append(t.part.Segments, id)
			t.part.EndRatio = 0
		}
		to := 1.0
		if k == len(leg.Path)-1 {
			to = max(t.part.EndRatio, ratio)
		}
		p.segment(t, leg, id, to)
	}
}

// timed drives a leg whose times are known.
func (p *planner) timed(t *timeline, leg *match.Leg) {
	step, share := 0, 0.0
	for _, at := range leg.Times {
		for ; step < at.Step; step++ {
			t.part.Segments = append(t.part.Segments, leg.Path[step+1])
			t.part.EndRatio = 0
		}
		metres := max(0, at.To-t.part.EndRatio) * p.net.Length(leg.Path[step])
		t.add(leg, max(at.To, t.part.EndRatio), metres, max(0, at.Share-share))
		t.pieces[len(t.pieces)-1].spread = at.Spread
		share = max(share, at.Share)
	}
	for ; step < len(leg.Path)-1; step++ { // the rest is of no length
		t.part.Segments = append(t.part.Segments, leg.Path[step+1])
		t.part.EndRatio = 0
		t.add(leg, 0, 0, 0)
	}
}

// segment drives the last segment on to a ratio, cut at its controls.
func (p *planner) segment(t *timeline, leg *match.Leg, id roadnet.SegmentID, to float64) {
	length := p.net.Length(id)
	p.vertices = p.net.Vertices(id, p.vertices[:0])
	for _, v := range p.vertices {
		at := v.Along / length
		wait := p.pace.control(v.Flags)
		if wait == 0 || at <= t.part.EndRatio || at > to {
			continue
		}
		p.stretch(t, leg, id, at)
		t.add(leg, at, 0, wait)
	}
	p.stretch(t, leg, id, to)
}

// stretch drives the last segment on to a ratio, cut where it is long. It adds
// one piece at least, so that no gap is without.
func (p *planner) stretch(t *timeline, leg *match.Leg, id roadnet.SegmentID, to float64) {
	from := t.part.EndRatio
	metres := (to - from) * p.net.Length(id)
	cuts := math.Ceil(max(1, metres/longestPiece))
	for i := 1.0; i <= cuts; i++ {
		t.add(leg, from+(to-from)*i/cuts, metres/cuts, p.pace.drive(p.net, id, metres/cuts))
	}
}

// add appends a piece that ends at a ratio of the last segment.
func (t *timeline) add(leg *match.Leg, to, length, work float64) {
	last := &t.pieces[len(t.pieces)-1]
	t.pieces = append(t.pieces, piece{
		segment: len(t.part.Segments) - 1, from: t.part.EndRatio, to: to,
		along: last.along + last.length, length: length, work: work, gap: len(t.gaps) - 1, leg: leg,
	})
	t.part.EndRatio = to
	g := &t.gaps[len(t.gaps)-1]
	g.work, g.length = g.work+work, g.length+length
}

// spread gives each piece its time.
func (t *timeline) spread() {
	t.steady()
	for i := range t.gaps {
		before, after := t.pace.End, t.pace.End
		if i > 0 {
			before = t.pace.pull(t.gaps[i], t.gaps[i-1])
		}
		if i+1 < len(t.gaps) {
			after = t.pace.pull(t.gaps[i], t.gaps[i+1])
		}
		if t.gaps[i].timed {
			before, after = 0, 0
		}
		first, end := t.gapPieces(i)
		t.gaps[i].spread(t.pieces[first:end], before, after)
	}
}

// spread shares the gap out among its pieces in proportion to their work,
// which weighs more towards an end with a pull. Without any work to do the
// vehicle waits all the time.
func (g *gap) spread(pieces []piece, before, after float64) {
	start, total := pieces[0].along, 0.0
	for i := range pieces {
		p := &pieces[i]
		u := 0.0
		if g.length > 0 {
			u = (p.along + p.length/2 - start) / g.length
		}
		p.begin = total
		total += p.work * math.Exp(before*(1-u)*(1-u)+after*u*u)
		p.end = total
	}
	for i := range pieces {
		p := &pieces[i]
		if total > 0 {
			p.begin, p.end = g.begin+p.begin/total*(g.end-g.begin), g.begin+p.end/total*(g.end-g.begin)
		} else {
			p.begin, p.end = g.begin, g.end
		}
	}
	g.level(pieces)
	pieces[0].begin, pieces[len(pieces)-1].end = g.begin, g.end
}

// level moves the times of pieces towards those of an even pace.
func (g *gap) level(pieces []piece) {
	if g.even == 0 || g.length == 0 {
		return
	}
	start, each := pieces[0].along, (g.end-g.begin)/g.length // metre, milliseconds
	for i := range pieces {
		p := &pieces[i]
		p.begin += g.even * (g.begin + (p.along-start)*each - p.begin)
		p.end += g.even * (g.begin + (p.along+p.length-start)*each - p.end)
	}
}

func (t *timeline) begin() float64 { return t.pieces[0].begin }
func (t *timeline) end() float64   { return t.pieces[len(t.pieces)-1].end }

// at is where the vehicle is at an instant of the part.
func (t *timeline) at(time float64) spot {
	i := sort.Search(len(t.pieces)-1, func(i int) bool { return t.pieces[i].end >= time })
	p := &t.pieces[i]
	done := 1.0
	if p.end > p.begin {
		done = min(1, max(0, (time-p.begin)/(p.end-p.begin)))
	}
	pos := roadnet.Position{Segment: t.part.Segments[p.segment], Ratio: p.from + done*(p.to-p.from)}
	return spot{pos, p.along + done*p.length, i}
}

// when is the instant at which a place of a piece is reached, metres from the
// start of the part.
func (p *piece) when(along float64) float64 {
	if p.length == 0 {
		return p.begin
	}
	return p.begin + (along-p.along)/p.length*(p.end-p.begin)
}
