package engine

import (
	"fmt"

	"retrace/engine/match"
	"retrace/engine/risk"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// evidence is what is known of each gap, in order.
func (r *Recoverer) evidence(lines []*timeline, res *match.Result, samples []trajectory.Sample) []risk.Evidence {
	all := make([]risk.Evidence, len(res.Legs))
	line, gap := 0, 0
	for i := range res.Legs {
		leg := &res.Legs[i]
		a, b := &res.Matches[leg.From], &res.Matches[leg.To]
		e := &all[i]
		*e = risk.Evidence{
			From: leg.From, To: leg.To, Broken: leg.Broken, Untagged: r.untagged,
			Seconds:  float64(samples[leg.To].Time-samples[leg.From].Time) / 1000,
			Straight: roadnet.Distance(r.net.At(a.At), r.net.At(b.At)),
		}
		if leg.Broken {
			line, gap = line+1, 0
			continue
		}
		e.Distance = float64(max(a.Distance, b.Distance))
		e.Unsure = max(unsure(a), unsure(b))
		e.LeftOut = leftOut(res.Matches[leg.From+1 : leg.To])
		e.Along = lines[line].doubt(gap)
		e.Leg(r.net, leg, a.At, b.At)
		gap++
	}
	risk.Contrast(all)
	return all
}

// oddities says in words which ways no vehicle drives. Points are counted from 1.
func oddities(all []risk.Evidence) []string {
	var out []string
	for _, e := range all {
		odd := e.Odd()
		for _, o := range []struct {
			what trajectory.Oddity
			text string
		}{
			{trajectory.Speeds, "is driven faster than its roads allow"},
			{trajectory.Loops, "drives a road twice"},
			{trajectory.Reverses, "turns back again and again"},
		} {
			if odd.Has(o.what) && !(e.Strange && o.what == trajectory.Speeds) {
				out = append(out, fmt.Sprintf("the way from point %d to point %d %s", e.From+1, e.To+1, o.text))
			}
		}
	}
	return out
}

// doubt is about how far along its way the vehicle may be from where it is told half way
// through a gap, metres.
func (t *timeline) doubt(gap int) float64 {
	g := t.gaps[gap]
	return t.scaleAt((g.begin+g.end)/2) / max(1, g.end-g.begin) * g.length
}

// scaleAt is the scale of the error in when the place is reached that is told of an
// instant, milliseconds: what the pace says of the instant, or the larger one that a
// model says of the ends of the piece under way, as far as no sample is seen there.
func (t *timeline) scaleAt(now float64) float64 {
	i := t.at(now).piece
	p := &t.pieces[i]
	g := t.gaps[p.gap]
	first, end := t.gapPieces(p.gap)
	if p.spread == 0 || end-first == 1 {
		return (1 - evenSure*g.even) * t.pace.doubt(g, now)
	}
	before, after := 0.0, 0.0
	if i > first {
		before = t.scale(&t.pieces[i-1])
	}
	if i < end-1 {
		after = t.scale(p)
	}
	return max(before, after)
}

// unsure is the probability that a sample is not where it is matched.
func unsure(m *trajectory.SampleMatch) float64 {
	for _, c := range m.Candidates {
		if c.Segment == m.At.Segment {
			return 1 - float64(c.Probability)
		}
	}
	return 0
}

// leftOut counts the samples that have no place though they are no duplicates.
func leftOut(matches []trajectory.SampleMatch) int {
	n := 0
	for _, m := range matches {
		if m.State == trajectory.OffRoad || m.State == trajectory.Outlier {
			n++
		}
	}
	return n
}

// judge says how far the gaps and the whole can be trusted.
func (r *Recoverer) judge(rec *trajectory.Recovery, all []risk.Evidence) {
	found := make([]risk.Verdict, len(all))
	for i, e := range all {
		found[i] = r.weights.Gap(e)
		rec.Doubts = append(rec.Doubts, trajectory.Doubt{
			FromSample: uint32(e.From), ToSample: uint32(e.To),
			Probability: float32(e.Own), RunnerUp: float32(e.Next),
			Risk: float32(found[i].Wrong), Error: float32(found[i].Error), Along: float32(e.Along), Odd: e.Odd(),
		})
	}
	rec.Warnings = append(rec.Warnings, oddities(all)...)
	whole := r.weights.Trip(all, found)
	rec.Risk = trajectory.Risk{Wrong: float32(whole.Wrong), Error: float32(whole.Error)}
}
