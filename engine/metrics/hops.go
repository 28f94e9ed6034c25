package metrics

import (
	"retrace/engine/trajectory"
)

// A hop from one sample to the next is impossible where the path between them is longer
// than so many metres and so many more for each second, and than so many times the
// straight line.
const (
	hopMetres  = 100.0
	hopSpeed   = 50.0 // m/s
	hopDetours = 2.0
)

// Hops counts the impossible hops of a recovery from one sample to the next: those of
// which it tells, in its gaps, that they are not simply driven, and those of which it
// does not.
func Hops(t *trajectory.Trajectory, r *trajectory.Recovery) (told, untold int) {
	var last *trajectory.Tick
	for i := range r.Ticks {
		k := &r.Ticks[i]
		if !k.Observed || !r.Matches[k.Sample].State.Placed() {
			continue
		}
		if last != nil && last.Part == k.Part && impossible(t, last, k) {
			if gapOf(r.Gaps, k.Sample) {
				told++
			} else {
				untold++
			}
		}
		last = k
	}
	return told, untold
}

func impossible(t *trajectory.Trajectory, a, b *trajectory.Tick) bool {
	from, to := t.Samples[a.Sample], t.Samples[b.Sample]
	way, seconds := b.Along-a.Along, float64(b.Time-a.Time)/1000
	return way > hopMetres+hopSpeed*seconds && way > hopDetours*great(from.Lon, from.Lat, to.Lon, to.Lat)
}

// gapOf reports whether a recovery tells of the gap that a sample ends or lies in.
func gapOf(gaps []trajectory.Gap, sample uint32) bool {
	for _, g := range gaps {
		if g.FromSample < sample && sample <= g.ToSample {
			return true
		}
	}
	return false
}
