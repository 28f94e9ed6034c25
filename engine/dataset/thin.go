package dataset

import (
	"math/rand/v2"
	"slices"
	"time"
)

// Thinning says which points of a dense trip a model is given.
type Thinning struct {
	Ratio  float64       `json:"ratio,omitempty"`   // both ends and this share of the inner points, at random, as in the paper
	MinGap time.Duration `json:"min_gap,omitempty"` // or gaps of a random time between these
	MaxGap time.Duration `json:"max_gap,omitempty"`
}

// keep are the indices of the points kept of n at these times (Unix
// milliseconds), both ends among them.
func (t Thinning) keep(rng *rand.Rand, times []int64) []int {
	if t.Ratio > 0 {
		return keepShare(rng, len(times), t.Ratio)
	}
	kept := []int{0}
	next := times[0] + t.gap(rng)
	for i, at := range times[1:] {
		if at >= next || i+2 == len(times) {
			kept = append(kept, i+1)
			next = at + t.gap(rng)
		}
	}
	return kept
}

func (t Thinning) gap(rng *rand.Rand) int64 {
	return (t.MinGap + time.Duration(rng.Float64()*float64(t.MaxGap-t.MinGap))).Milliseconds()
}

// keepShare keeps int((n-2)*ratio) inner points.
func keepShare(rng *rand.Rand, n int, ratio float64) []int {
	inner := int(float64(n-2) * ratio)
	kept := []int{0, n - 1}
	for _, i := range rng.Perm(n - 2)[:inner] {
		kept = append(kept, i+1)
	}
	slices.Sort(kept)
	return kept
}
