package facts

import "retrace/engine/trajectory"

// Risky is the risk of a gap from which on a person should look at it.
const Risky = 0.3

// Doubt is a place where a recovery may be wrong: a gap whose way may be another, or an
// elevated span of which deck or ground is in doubt.
type Doubt struct {
	Span  bool              // else a gap
	Index int               // into Recovery.Spans or Recovery.Doubts
	Tick  int               // into Recovery.Ticks, about in the middle of a gap; -1: it is a span
	At    int64             // Unix milliseconds, when it was passed
	Risk  float64           // 0 to 1, that what is recovered there is wrong
	Error float64           // metres, expected of a gap; 0: not known
	Why   trajectory.Why    // of a gap that is not simply a drive on the network
	Odd   trajectory.Oddity // of a gap
}

// Doubts are the places of a recovery that are in doubt, in order of time within each
// kind: spans, then gaps. That the vehicle may be a little further along a way that is
// certain is no reason to look at it.
func Doubts(r *trajectory.Recovery) []Doubt {
	var list []Doubt
	for i, s := range r.Spans {
		if s.Margin < trajectory.UncertainMargin {
			list = append(list, Doubt{Span: true, Index: i, Tick: -1, At: s.Enter, Risk: (1 - float64(s.Margin)) / 2})
		}
	}
	why := map[uint32]trajectory.Why{}
	for _, g := range r.Gaps {
		why[g.FromSample] = g.Why
	}
	gaps := gapsOf(r)
	for i, d := range r.Doubts {
		reason := why[d.FromSample]
		at := gaps[i]
		if d.Risk < Risky && reason == 0 && d.Odd == 0 || at.middle < 0 {
			continue
		}
		list = append(list, Doubt{Index: i, Tick: at.middle, At: at.when, Risk: float64(d.Risk), Error: float64(d.Error), Why: reason, Odd: d.Odd})
	}
	return list
}

// gapAt is where the ticks of a gap are.
type gapAt struct {
	first, last int   // ticks of its samples; -1: there is none
	middle      int   // the tick nearest to the middle in time
	when        int64 // Unix milliseconds
}

// gapsOf finds the ticks of each gap in Recovery.Doubts.
func gapsOf(r *trajectory.Recovery) []gapAt {
	tickOf := map[uint32]int{}
	for i, k := range r.Ticks {
		if k.Observed {
			tickOf[k.Sample] = i
		}
	}
	all := make([]gapAt, len(r.Doubts))
	for i, d := range r.Doubts {
		g := gapAt{first: -1, last: -1, middle: -1}
		from, ok := tickOf[d.FromSample]
		to, ends := tickOf[d.ToSample]
		if ok && ends && from <= to {
			g.first, g.last, g.middle = from, to, from
			middle := (r.Ticks[from].Time + r.Ticks[to].Time) / 2
			for k := from; k <= to && r.Ticks[k].Time <= middle; k++ {
				g.middle = k
			}
			g.when = r.Ticks[g.middle].Time
		}
		all[i] = g
	}
	return all
}

// GapOf is the place in Recovery.Doubts of the gap that a tick lies in, or that begins
// with it; -1: none.
func GapOf(r *trajectory.Recovery, tick int) int {
	if tick < 0 || tick >= len(r.Ticks) || len(r.Doubts) == 0 {
		return -1
	}
	for i := tick; i >= 0; i-- {
		if !r.Ticks[i].Observed {
			continue
		}
		for k, d := range r.Doubts {
			if d.FromSample == r.Ticks[i].Sample {
				return k
			}
		}
	}
	return -1
}
