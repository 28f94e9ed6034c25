package recovered

import (
	"fmt"
	"math"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// doubt reads how far each gap can be trusted, and what other ways there were.
func (r *draft) doubt(net *roadnet.Network) error {
	samples := map[int64]uint32{}
	n := uint32(0)
	for i := range r.Ticks {
		if t := &r.Ticks[i]; t.Observed {
			t.Sample = n
			samples[t.Time] = n
			n++
		}
	}
	between := func(f feature) (from, to uint32, ok bool) {
		from, begins := samples[f.instant("from_time")]
		to, ends := samples[f.instant("to_time")]
		return from, to, begins && ends && from < to
	}
	for _, f := range r.gaps {
		from, to, ok := between(f)
		if !ok {
			continue
		}
		r.Doubts = append(r.Doubts, trajectory.Doubt{FromSample: from, ToSample: to, Probability: chance(f, "probability"), Risk: chance(f, "risk"),
			Error: known(f, "error_m"), Along: known(f, "doubt_m")})
		r.Risk = trajectory.Risk{Wrong: chance(f, "trip_risk"), Error: known(f, "trip_err_m")}
	}
	for _, f := range r.others {
		from, to, ok := between(f)
		if !ok || standing(f.geometry) {
			continue
		}
		part, err := trace(net, f.geometry)
		if err != nil {
			return fmt.Errorf("at %v: %w", f.values["from_time"], err)
		}
		r.Alternatives = append(r.Alternatives, trajectory.Alternative{FromSample: from, ToSample: to, Part: part, Probability: chance(f, "probability")})
	}
	return nil
}

// standing reports whether a line leads nowhere: a vehicle that stands has no way.
func standing(line []roadnet.Point) bool {
	for _, p := range line {
		if metres(p, line[0]) > nearby {
			return false
		}
	}
	return true
}

// chance is a number from 0 to 1.
func chance(f feature, name string) float32 { return min(known(f, name), 1) }

// known is a number that is not negative; 0 where there is none.
func known(f feature, name string) float32 {
	v := f.number(name)
	if math.IsNaN(v) || v < 0 || math.IsInf(v, 0) {
		return 0
	}
	return float32(v)
}
