package metrics

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Figure is a measured value with the range in which it lies with 95 %
// confidence, by resampling trips.
type Figure struct {
	Section string  `json:"section"`
	Group   string  `json:"group,omitempty"` // of points, in the sections of groups
	Name    string  `json:"name"`
	Unit    string  `json:"unit"` // "share" or "m"
	Value   float64 `json:"value"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	N       float64 `json:"n"` // trips, or points or stretches where it is over these
}

// resampler draws trips with replacement. It keeps the draws, so that all
// methods on the same trips are resampled alike and can be compared in pairs.
type resampler struct {
	times [][]uint16 // for each draw, how often each trip is in it
}

func newResampler(trips, draws int, seed uint64) *resampler {
	r := &resampler{times: make([][]uint16, draws)}
	rng := rand.New(rand.NewPCG(seed, 0xb007))
	for d := range r.times {
		r.times[d] = make([]uint16, trips)
		for range trips {
			r.times[d][rng.IntN(trips)]++
		}
	}
	return r
}

// MeanRange is the range in which the mean of some values, one of each trip or place, lies
// with 95 % confidence, by resampling them so many times.
func MeanRange(values []float64, draws int, seed uint64) (low, high float64) {
	of := make([]sum, len(values))
	for i, v := range values {
		of[i] = sum{above: v, below: 1}
	}
	t := total(of)
	return middle(newResampler(len(values), draws, seed).ratios(of), t.above/t.below)
}

// ratios is the figure in each draw, NaN where the draw has none of it.
func (r *resampler) ratios(of []sum) []float64 {
	out := make([]float64, len(r.times))
	for d, times := range r.times {
		var t sum
		for i, n := range times {
			t.above += float64(n) * of[i].above
			t.below += float64(n) * of[i].below
		}
		out[d] = t.above / t.below
	}
	return out
}

// figure is the measure over all trips with its range; false where no trip has it.
func (r *resampler) figure(m measure, of []sum) (Figure, bool) {
	t := total(of)
	if t.below == 0 {
		return Figure{}, false
	}
	f := Figure{Section: m.section, Group: m.group, Name: m.name, Unit: m.unit, Value: t.above / t.below, N: t.below}
	f.Low, f.High = middle(r.ratios(of), f.Value)
	return f, true
}

// difference is the figure of one method less that of another on the same trips.
func (r *resampler) difference(m measure, of, less []sum) (Figure, bool) {
	a, b := total(of), total(less)
	if a.below == 0 || b.below == 0 {
		return Figure{}, false
	}
	f := Figure{Section: m.section, Group: m.group, Name: m.name, Unit: m.unit, Value: a.above/a.below - b.above/b.below, N: a.below}
	draws, other := r.ratios(of), r.ratios(less)
	for i := range draws {
		draws[i] -= other[i]
	}
	f.Low, f.High = middle(draws, f.Value)
	return f, true
}

func total(of []sum) sum {
	var t sum
	for _, s := range of {
		t.above += s.above
		t.below += s.below
	}
	return t
}

// middle is the range that holds 95 % of the draws; value alone where there are none.
func middle(draws []float64, value float64) (low, high float64) {
	draws = slices.DeleteFunc(draws, math.IsNaN)
	if len(draws) == 0 {
		return value, value
	}
	slices.Sort(draws)
	at := func(q float64) float64 {
		x := q * float64(len(draws)-1)
		i := int(x)
		if i+1 >= len(draws) {
			return draws[len(draws)-1]
		}
		return draws[i] + (x-float64(i))*(draws[i+1]-draws[i])
	}
	return at(0.025), at(0.975)
}
