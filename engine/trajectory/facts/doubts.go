package facts

import "retrace/engine/trajectory"

// LowProbability is the probability of a recovered point under which a person
// should look at it.
const LowProbability = 0.6

// Doubt is a place where a recovery may be wrong: an elevated span of which deck
// or ground is in doubt, or a stretch of recovered points of low probability,
// which its least probable point stands for.
type Doubt struct {
	Span  bool    // else a recovered point
	Index int     // into Recovery.Spans or Recovery.Ticks
	At    int64   // Unix milliseconds, when it was passed
	Sure  float64 // how probable what is recovered there is, 0 to 1
}

// Doubts are the places of a recovery that are in doubt. Between input points a
// place is so where the way is: that the vehicle may be a little further along
// one way is no reason to look at it.
func Doubts(r *trajectory.Recovery) []Doubt {
	var list []Doubt
	for i, s := range r.Spans {
		if s.Margin < trajectory.UncertainMargin {
			list = append(list, Doubt{Span: true, Index: i, At: s.Enter, Sure: (1 + float64(s.Margin)) / 2})
		}
	}
	sure := sureness(r)
	for i := 0; i < len(r.Ticks); i++ {
		if sure[i] >= LowProbability {
			continue
		}
		lowest := i
		for ; i < len(r.Ticks) && sure[i] < LowProbability && r.Ticks[i].Part == r.Ticks[lowest].Part; i++ {
			if sure[i] < sure[lowest] {
				lowest = i
			}
		}
		i--
		if k := r.Ticks[lowest]; !inDoubtfulSpan(r.Spans, k.Time) {
			list = append(list, Doubt{Index: lowest, At: k.Time, Sure: sure[lowest]})
		}
	}
	return list
}

// sureness is how probable the way is at each recovered point: between input
// points what the other ways of the gap leave, where they are kept, else the
// probability of the point.
func sureness(r *trajectory.Recovery) []float64 {
	others := map[uint32]float64{}
	for _, a := range r.Alternatives {
		others[a.FromSample] += float64(a.Probability)
	}
	sure := make([]float64, len(r.Ticks))
	from, known := uint32(0), false // the gap that a point lies in
	for i, k := range r.Ticks {
		sure[i] = float64(k.Probability)
		switch {
		case k.Observed && int(k.Sample) < len(r.Matches) && r.Matches[k.Sample].State == trajectory.Matched:
			from, known = k.Sample, true
		case known && len(r.Alternatives) > 0:
			sure[i] = max(sure[i], 1-others[from])
		}
	}
	return sure
}

// inDoubtfulSpan reports whether an instant belongs to a span that is in the
// list by itself.
func inDoubtfulSpan(spans []trajectory.Span, at int64) bool {
	for _, s := range spans {
		if s.Margin < trajectory.UncertainMargin && s.Enter <= at && at <= s.Exit {
			return true
		}
	}
	return false
}
