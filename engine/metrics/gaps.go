package metrics

import (
	"cmp"
	"slices"

	"retrace/engine/risk"
	"retrace/engine/trajectory"
)

// GapScore is how far the way told of one gap is off, and what was said of it.
type GapScore struct {
	Said     trajectory.Doubt
	Way      float64 // metres that were driven, or are told to have been, whichever is more
	Off      float64 // metres told that were not driven, or driven that are not told, whichever is more
	Error    float64 // metres, mean at the instants between the samples
	Instants int     // how many these are
}

// Wrong reports whether the way is, as package risk defines it.
func (g GapScore) Wrong() bool { return g.Off >= risk.Apart }

// gaps scores the gaps of which a recovery says how far it can be trusted. One within
// which the truth or the recovery breaks is left out.
func (s *Scorer) gaps(truth *trajectory.Recovery, sparse *trajectory.Trajectory, got *trajectory.Recovery, points []Point) []GapScore {
	if got == nil {
		return nil
	}
	places := make(map[uint32]*trajectory.Tick, len(sparse.Samples))
	for i := range got.Ticks {
		if k := &got.Ticks[i]; k.Observed {
			places[k.Sample] = k
		}
	}
	var all []GapScore
	for _, d := range got.Doubts {
		from, to := places[d.FromSample], places[d.ToSample]
		if from == nil || to == nil || from.Part != to.Part || int(d.ToSample) >= len(sparse.Samples) {
			continue
		}
		begin, end := sparse.Samples[d.FromSample].Time, sparse.Samples[d.ToSample].Time
		a, b := tickOf(truth.Ticks, begin), tickOf(truth.Ticks, end)
		if a == nil || b == nil || a.Part != b.Part {
			continue
		}
		g := GapScore{Said: d}
		g.Way, g.Off = apart(s.section(truth, a, b), s.section(got, from, to))
		for _, p := range points {
			if p.Time > begin && p.Time < end {
				g.Error += p.Great
				g.Instants++
			}
		}
		g.Error /= float64(max(1, g.Instants))
		all = append(all, g)
	}
	return all
}

// tickOf is the tick of an instant; nil: there is none.
func tickOf(ticks []trajectory.Tick, at int64) *trajectory.Tick {
	i, ok := slices.BinarySearchFunc(ticks, at, func(t trajectory.Tick, at int64) int { return cmp.Compare(t.Time, at) })
	if !ok {
		return nil
	}
	return &ticks[i]
}

// apart is how long the longer of two ways is, and how much one of them has that the
// other has not.
func apart(truth, got []portion) (way, off float64) {
	driven, told, both := inCommon(truth, got)
	return max(driven, told), max(driven, told) - both
}

// Off is the share of the length of a trip's way that is wrong, over the gaps that
// anything was said of.
func (s *Score) Off() float64 {
	way, off := 0., 0.
	for _, g := range s.Gaps {
		way, off = way+g.Way, off+g.Off
	}
	return off / max(1, way)
}

// HiddenError is how far a trip is off at the instants that the method had no sample of:
// the mean great-circle distance, metres.
func (s *Score) HiddenError() float64 {
	return mean(where(s.Points, func(p Point) bool { return !p.Observed }), greatCircle)
}
