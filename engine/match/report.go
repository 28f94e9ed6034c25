package match

import (
	"cmp"
	"context"
	"slices"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Routes and shares of a lower probability are not reported.
const negligible = 0.001

// report writes down the chosen way, and how probable it and the others are. The error is that of ctx.
func (m *Matcher) report(ctx context.Context, t *lattice, res *Result) error {
	for i := range t.layers {
		if err := ctx.Err(); err != nil {
			return err
		}
		res.Matches[t.layers[i].sample].State = trajectory.Outlier
		res.Matches[t.layers[i].sample].Candidates = t.candidates(i)
	}
	var before place
	for _, p := range t.chosen() {
		if err := ctx.Err(); err != nil {
			return err
		}
		l := &t.layers[p.layer]
		match := &res.Matches[l.sample]
		match.State = trajectory.Matched
		match.At = l.hits[p.candidate].Position
		match.Distance = float32(l.hits[p.candidate].Distance)
		if p.came.link != nil {
			res.Legs = append(res.Legs, t.leg(before, p))
			res.Alternatives = append(res.Alternatives, m.alternatives(t, before, p)...)
		}
		before = p
	}
	return nil
}

// candidates of a layer by falling probability.
func (t *lattice) candidates(layer int) []trajectory.Candidate {
	var out []trajectory.Candidate
	for i, h := range t.layers[layer].hits {
		out = append(out, trajectory.Candidate{
			Position:    h.Position,
			Distance:    float32(h.Distance),
			Probability: float32(t.posterior(layer, i)),
		})
	}
	slices.SortStableFunc(out, func(a, b trajectory.Candidate) int { return cmp.Compare(b.Probability, a.Probability) })
	return out
}

func (t *lattice) leg(a, b place) Leg {
	l := b.came.link
	leg := Leg{From: t.layers[a.layer].sample, To: t.layers[b.layer].sample, Broken: b.came.leaps}
	switch {
	case l.tooFast:
		from, to := &t.layers[l.from], &t.layers[l.to]
		leg.Why, leg.Speed = trajectory.TooFar, roadnet.Distance(from.place, to.place)/seconds(from, to)
	case leg.Broken && l.slowest > 0:
		leg.Why, leg.Speed = trajectory.TooFast, l.slowest
	case leg.Broken:
		leg.Why = trajectory.NoWay
	}
	if leg.Broken {
		return leg
	}
	leg.Path = slices.Clone(l.path(t.index(l, a.candidate, b.candidate)))
	shares, total := t.shares(l)
	leg.Shares, leg.Others = shares, t.others(l, a.candidate, b.candidate, total)
	return leg
}

// others are the noticeable routes of a link between other candidates than a and b, and
// how probable they are given that the link is part of the way, which is total.
func (t *lattice) others(l *link, a, b int, total float64) []Way {
	var all []Way
	t.pairs(l, func(i, j int, p float64) {
		if i == a && j == b || p < Noticeable*total {
			return
		}
		all = append(all, Way{t.part(l, i, j), float32(p / total)})
	})
	return all
}

// part is the route of a link between two candidates, in memory of its own.
func (t *lattice) part(l *link, from, to int) trajectory.Part {
	return trajectory.Part{
		Segments:   slices.Clone(l.path(t.index(l, from, to))),
		StartRatio: t.layers[l.from].hits[from].Ratio, EndRatio: t.layers[l.to].hits[to].Ratio,
	}
}

// shares sums the probability of the routes over each segment, given that the
// link is part of the way, and says how probable that is.
func (t *lattice) shares(l *link) (all []Share, total float64) {
	t.pairs(l, func(a, b int, p float64) {
		total += p
		path := l.path(t.index(l, a, b))
		for i, id := range path {
			if !slices.Contains(path[:i], id) {
				all = append(all, Share{id, float32(p)})
			}
		}
	})
	slices.SortStableFunc(all, func(a, b Share) int { return cmp.Compare(a.Segment, b.Segment) })
	merged := all[:0]
	for _, s := range all {
		s.Probability /= float32(total)
		if n := len(merged); n > 0 && merged[n-1].Segment == s.Segment {
			merged[n-1].Probability += s.Probability
		} else {
			merged = append(merged, s)
		}
	}
	return slices.Clip(merged), total
}

// pairs visits the pairs of a link with a known route that are not negligible.
func (t *lattice) pairs(l *link, visit func(a, b int, p float64)) {
	for a := range t.layers[l.from].hits {
		for b := range t.layers[l.to].hits {
			if p := t.pair(l, a, b); p >= negligible && l.known(t.index(l, a, b)) {
				visit(a, b, p)
			}
		}
	}
}

// An alternative drives at least so far where the path does not, metres.
const apart = 30

// alternatives are the most probable other routes of a link.
func (m *Matcher) alternatives(t *lattice, a, b place) []trajectory.Alternative {
	l := b.came.link
	if t.set.Alternatives == 0 || b.came.leaps {
		return nil
	}
	chosen := l.path(t.index(l, a.candidate, b.candidate))
	var all []trajectory.Alternative
	t.pairs(l, func(i, j int, p float64) {
		if m.beside(l.path(t.index(l, i, j)), chosen) < apart {
			return
		}
		all = append(all, trajectory.Alternative{
			FromSample:  uint32(t.layers[l.from].sample),
			ToSample:    uint32(t.layers[l.to].sample),
			Probability: float32(p),
			Part:        t.part(l, i, j),
		})
	})
	slices.SortStableFunc(all, func(x, y trajectory.Alternative) int { return cmp.Compare(y.Probability, x.Probability) })
	return slices.Clip(all[:min(len(all), t.set.Alternatives)])
}

// beside is the length of the segments of a path that another does not drive.
func (m *Matcher) beside(path, other []roadnet.SegmentID) float64 {
	metres := 0.0
	for _, id := range path {
		if !slices.Contains(other, id) {
			metres += m.net.Length(id)
		}
	}
	return metres
}

// ShareOf is the probability that a segment was driven in the gap.
func (l *Leg) ShareOf(id roadnet.SegmentID) float32 { return shareOf(l.Shares, id) }

// InstantAt is what is known of one instant; false where nothing is.
func (l *Leg) InstantAt(time int64) (Instant, bool) {
	i, ok := slices.BinarySearchFunc(l.Instants, time, func(at Instant, time int64) int { return cmp.Compare(at.Time, time) })
	if !ok {
		return Instant{}, false
	}
	return l.Instants[i], true
}

// ShareOf is the probability that the vehicle is on a segment then.
func (i Instant) ShareOf(id roadnet.SegmentID) float32 { return shareOf(i.Shares, id) }

func shareOf(shares []Share, id roadnet.SegmentID) float32 {
	i, ok := slices.BinarySearchFunc(shares, id, func(s Share, id roadnet.SegmentID) int { return cmp.Compare(s.Segment, id) })
	if !ok {
		return 0
	}
	return shares[i].Probability
}
