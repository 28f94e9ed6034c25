package facts

import (
	"math"

	"retrace/engine/trajectory"
)

// Place says of a tick which road it is on and where along that it is, one apart from the
// other.
type Place struct {
	Road  float32 // 0 to 1, probability of the way driven there
	Along float32 // metres of doubt along the way
}

// Places are those of all ticks of a recovery. At a sample the probability is that of
// where it is matched; between two it is that of the way from one to the other, and the
// doubt along the way grows towards the middle. Where the way's probability is not known,
// the tick's own counts.
func Places(r *trajectory.Recovery) []Place {
	all := make([]Place, len(r.Ticks))
	for i, k := range r.Ticks {
		all[i].Road = k.Probability
	}
	for i, g := range gapsOf(r) {
		if g.first < 0 {
			continue
		}
		begin, end := r.Ticks[g.first].Time, r.Ticks[g.last].Time
		for k := g.first + 1; k < g.last; k++ {
			u := float64(r.Ticks[k].Time-begin) / float64(max(1, end-begin))
			all[k] = Place{Road: r.Doubts[i].Probability, Along: r.Doubts[i].Along * float32(2*math.Sqrt(max(0, u*(1-u))))}
		}
	}
	return all
}
