package dataset

import (
	"fmt"

	"retrace/engine/metrics"
	"retrace/engine/trajectory"
)

// A stretch is at least a quarter of its trip, and so many samples.
const (
	shortestShare   = 0.25
	shortestStretch = 20
)

// thinned is a dense trip as the data set has it, in the keepth way: as a whole,
// or a stretch of it, with the samples that are kept. Seed and the trip's id and
// first instant decide which, so the order of trips does not matter.
func (s *Settings) thinned(dense *trajectory.Trajectory, keep int) *trajectory.Trajectory {
	part := *dense
	part.Samples = s.stretch(dense, keep)
	return s.Keep[keep].Thin(&part, s.Seed)
}

// stretch are the samples of a trip, or of so many trips as Stretches tells
// those between two places drawn at random: vehicles are often on their way
// already when reports begin, and still when they end.
func (s *Settings) stretch(t *trajectory.Trajectory, keep int) []trajectory.Sample {
	n := len(t.Samples)
	if n <= shortestStretch || s.Stretches == 0 {
		return t.Samples
	}
	rng := metrics.Draws(t, s.Seed, fmt.Sprint("stretch", keep))
	if rng.Float64() >= s.Stretches {
		return t.Samples
	}
	shortest := max(shortestStretch, int(shortestShare*float64(n)))
	length := shortest + rng.IntN(n-shortest+1)
	first := rng.IntN(n - length + 1)
	return t.Samples[first : first+length]
}
