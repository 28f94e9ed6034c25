package dataset

import "retrace/engine/trajectory"

// The limits beyond which the matching of a dense trip is no truth.
const (
	mostUnmatched = 0.1 // share of the points
	mostMean      = 20  // metres from the points to the path, on average
)

// Reasons of map matching.
const (
	Unsure  Reason = "more than a tenth of the points do not match"
	FarAway Reason = "the points lie more than 20 m from the path on average"
)

// Doubt says why the matching of a dense trip is not to be taken for the truth;
// empty where it may be.
func Doubt(truth *trajectory.Recovery) Reason {
	matched, sum := 0, 0.0
	for _, m := range truth.Matches {
		if m.State == trajectory.Matched {
			matched++
			sum += float64(m.Distance)
		}
	}
	switch n := len(truth.Matches); {
	case n == 0 || float64(n-matched) > mostUnmatched*float64(n):
		return Unsure
	case sum > mostMean*float64(matched):
		return FarAway
	}
	return ""
}
