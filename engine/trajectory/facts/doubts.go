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

// Doubts are the places of a recovery that are in doubt.
func Doubts(r *trajectory.Recovery) []Doubt {
	var list []Doubt
	for i, s := range r.Spans {
		if s.Margin < trajectory.UncertainMargin {
			list = append(list, Doubt{Span: true, Index: i, At: s.Enter, Sure: (1 + float64(s.Margin)) / 2})
		}
	}
	for i := 0; i < len(r.Ticks); i++ {
		if r.Ticks[i].Probability >= LowProbability {
			continue
		}
		lowest := i
		for ; i < len(r.Ticks) && r.Ticks[i].Probability < LowProbability && r.Ticks[i].Part == r.Ticks[lowest].Part; i++ {
			if r.Ticks[i].Probability < r.Ticks[lowest].Probability {
				lowest = i
			}
		}
		i--
		if k := r.Ticks[lowest]; !inDoubtfulSpan(r.Spans, k.Time) {
			list = append(list, Doubt{Index: lowest, At: k.Time, Sure: float64(k.Probability)})
		}
	}
	return list
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
