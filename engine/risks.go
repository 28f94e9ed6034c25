package engine

import (
	"retrace/engine/match"
	"retrace/engine/risk"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// evidence is what is known of each gap that a way is told of, and the legs of these.
func evidence(net *roadnet.Network, lines []*timeline, matches []trajectory.SampleMatch) (all []risk.Evidence, legs []*match.Leg) {
	for _, t := range lines {
		for i, g := range t.gaps {
			leg := t.pieces[g.first].leg
			if leg == nil {
				continue
			}
			a, b := &matches[leg.From], &matches[leg.To]
			e := risk.Evidence{
				Seconds:  (g.end - g.begin) / 1000,
				Distance: float64(max(a.Distance, b.Distance)),
				Unsure:   max(unsure(a), unsure(b)),
				LeftOut:  leftOut(matches[leg.From+1 : leg.To]),
				Along:    t.doubt(i),
			}
			e.Leg(net, leg, a.At, b.At)
			all, legs = append(all, e), append(legs, leg)
		}
	}
	return all, legs
}

// doubt is about how far along its way the vehicle may be from where it is told half way
// through a gap, metres.
func (t *timeline) doubt(gap int) float64 {
	g := t.gaps[gap]
	p := &t.pieces[t.at((g.begin+g.end)/2).piece]
	return t.scale(p) / max(1, g.end-g.begin) * g.length
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
func (r *Recoverer) judge(rec *trajectory.Recovery, all []risk.Evidence, legs []*match.Leg) {
	found := make([]risk.Verdict, len(all))
	for i, e := range all {
		found[i] = r.weights.Gap(e)
		rec.Doubts = append(rec.Doubts, trajectory.Doubt{
			FromSample: uint32(legs[i].From), ToSample: uint32(legs[i].To),
			Probability: float32(e.Own), RunnerUp: float32(e.Next),
			Risk: float32(found[i].Wrong), Error: float32(found[i].Error), Along: float32(e.Along),
		})
	}
	whole := r.weights.Trip(all, found)
	rec.Risk = trajectory.Risk{Wrong: float32(whole.Wrong), Error: float32(whole.Error)}
}
