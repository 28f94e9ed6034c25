package state

import (
	"sort"

	"retrace/engine/trajectory"
)

// paces are the ticks of one part: when it was how far along.
type paces struct{ along, seconds []float64 }

func paceOf(ticks []trajectory.Tick, part int32) paces {
	var p paces
	for _, k := range ticks {
		if k.Part == part {
			p.along = append(p.along, k.Along)
			p.seconds = append(p.seconds, float64(k.Time)/1000)
		}
	}
	return p
}

// at is the time in seconds at which d metres were reached, within the ticks
// (a metre beyond is forgiven).
func (p paces) at(d float64) (float64, bool) {
	n := len(p.along)
	if n < 2 || d < p.along[0]-1 || d > p.along[n-1]+1 {
		return 0, false
	}
	i := sort.SearchFloat64s(p.along, d)
	if i == 0 {
		return p.seconds[0], true
	}
	if i == n {
		return p.seconds[n-1], true
	}
	step := p.along[i] - p.along[i-1]
	if step <= 0 {
		return p.seconds[i], true
	}
	return p.seconds[i-1] + (p.seconds[i]-p.seconds[i-1])*(d-p.along[i-1])/step, true
}
