package citymodel

import (
	"context"
	"math"
	"slices"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// spot is where a system says that the vehicle is at a tick.
type spot struct {
	time   int64 // Unix milliseconds
	at     roadnet.Position
	shares []match.Share // how probable segments are; by segment
	sample int           // that there is, -1: none
}

// probability is that of the spot's own segment.
func (s *spot) probability() float32 {
	return match.Instant{Shares: s.shares}.ShareOf(s.at.Segment)
}

// walker takes a system over the ticks of trips, one after another. Its memory is
// used again.
type walker struct {
	model *Model
	tick  int64 // milliseconds
	mask  []float32
	in    Samples
}

func newWalker(m *Model) *walker {
	return &walker{model: m, tick: int64(math.Round(m.City.Tick * 1000)), mask: make([]float32, m.City.Segments)}
}

// known is a sample with what is known of where it is.
type known struct {
	trajectory.Sample
	place      int                 // in the trajectory
	candidates []roadnet.Hit       // at least one
	avoid      []roadnet.SegmentID // not driven from the sample before to this one
}

// walk recovers a stretch of samples greedily: the most probable segment at each
// tick. Ticks lie whole intervals after base, Unix milliseconds, and at the samples.
//
// At a sample the spot is where the candidate is nearest to it: the ratio that the
// system says there is not trained (eq. 25 is over the other ticks), and goes into
// the next tick only, as when it was trained.
func (w *walker) walk(ctx context.Context, d *describer, samples []known, base int64) ([]spot, error) {
	d.fill(&w.in, samples)
	states, err := w.model.Graphs.Encode(&w.in)
	if err != nil {
		return nil, err
	}
	now := Tick{States: states, State: states.Whole, Segment: int32(w.model.City.Segments), Mask: w.mask}
	var spots []spot
	for i := range samples {
		s := &samples[i]
		if i > 0 {
			d.between(w.mask, s.avoid)
			if spots, err = w.between(ctx, &now, spots, trajectory.Instants(base, samples[i-1].Time, s.Time, w.tick)); err != nil {
				return nil, err
			}
		}
		d.at(w.mask, s.candidates)
		at, err := w.step(ctx, &now, s.Time)
		if err != nil {
			return nil, err
		}
		at.sample = i
		if k := slices.IndexFunc(s.candidates, func(h roadnet.Hit) bool { return h.Segment == at.at.Segment }); k >= 0 {
			at.at.Ratio = s.candidates[k].Ratio
		}
		spots = append(spots, at)
	}
	return spots, nil
}

// between appends the ticks of a gap.
func (w *walker) between(ctx context.Context, now *Tick, spots []spot, times []int64) ([]spot, error) {
	for _, time := range times {
		at, err := w.step(ctx, now, time)
		if err != nil {
			return nil, err
		}
		spots = append(spots, at)
	}
	return spots, nil
}

// step takes one tick.
func (w *walker) step(ctx context.Context, now *Tick, time int64) (spot, error) {
	if err := ctx.Err(); err != nil {
		return spot{}, err
	}
	state, log, ratios, err := w.model.Graphs.Tick(now)
	if err != nil {
		return spot{}, err
	}
	best := 0
	for i, l := range log {
		if l > log[best] {
			best = i
		}
	}
	now.State, now.Segment, now.Ratio = state, int32(best), ratios[best]
	at := roadnet.Position{Segment: roadnet.SegmentID(best), Ratio: math.Max(0, math.Min(1, float64(ratios[best])))}
	return spot{time: time, at: at, shares: sharesOf(log), sample: -1}, nil
}

// negligible is the probability below which segments are not told of.
const negligible = 0.001

// sharesOf are the probabilities that are not negligible.
func sharesOf(log []float32) []match.Share {
	least := float32(math.Log(negligible))
	var all []match.Share
	for id, l := range log {
		if l >= least {
			all = append(all, match.Share{Segment: roadnet.SegmentID(id), Probability: float32(math.Exp(float64(l)))})
		}
	}
	return all
}
