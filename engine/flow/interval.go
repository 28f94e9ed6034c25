package flow

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Interval is where a number lies with the probability asked for.
type Interval struct{ Low, High float64 }

// Sums is what is known of a count over vehicles.
type Sums struct {
	Mean    float64 // expected count: the sum of all chances
	Doubt   float64 // variance of the count of these very trips, from the doubt about their ways: the sum of p(1-p)
	Squares float64 // sum over vehicles of the square of the expected count of each
}

// Interval is where the count lies that vehicles such as these give on average, with a
// probability of level (0.9: nine of ten such intervals hold it).
//
// Vehicles come and go by chance and independently of one another, so what each adds
// is a compound Poisson sum: its variance is the sum of E[X²] over vehicles, where X is
// what one vehicle adds. With x the sum of a vehicle's chances and d that of p(1-p),
// E[X²] is x² + d. Trips of one vehicle so count for less than those of as many
// vehicles. Around a weighted sum of Poisson counts with mean y and variance v the
// interval is, with G the quantiles of the gamma distribution of a mean and variance,
//
//	low  = G((1-level)/2; mean y, variance v)
//	high = G((1+level)/2; mean y+w, variance v+w²)
//
// where w is what one more vehicle would add: Fay and Feuer, Confidence intervals for
// directly standardized rates, Statistics in Medicine 16 (1997), 791-801. That
// interval holds too much; its mid-p form (Fay and Kim, Biometrical Journal 59 (2017),
// 549-565) mixes the distributions of both ends half and half, and is what is used.
// For a count of n vehicles with a trip each this is the mid-p interval of a Poisson
// mean.
func (s Sums) Interval(level float64) Interval {
	tail := (1 - level) / 2
	variance := s.Squares + s.Doubt
	weight := 1.0
	if s.Mean > 0 {
		weight = max(1, variance/s.Mean)
	}
	low := gammaOf(s.Mean, variance)
	high := gammaOf(s.Mean+weight, variance+weight*weight)
	mixed := func(x float64) float64 { return (low(x) + high(x)) / 2 }
	top := s.Mean + weight + 12*math.Sqrt(variance+weight*weight) + 12*weight
	return Interval{Low: solve(mixed, tail, 0, top), High: solve(mixed, 1-tail, 0, top)}
}

// gammaOf is the distribution function of a gamma distribution by mean and variance;
// with no mean it is 0 for certain.
func gammaOf(mean, variance float64) func(float64) float64 {
	if mean <= 0 || variance <= 0 {
		return func(float64) float64 { return 1 }
	}
	g := distuv.Gamma{Alpha: mean * mean / variance, Beta: mean / variance}
	return func(x float64) float64 {
		if x <= 0 {
			return 0
		}
		return g.CDF(x)
	}
}

// solve finds where a rising function reaches p, between two ends.
func solve(f func(float64) float64, p, from, to float64) float64 {
	if f(from) >= p {
		return from
	}
	for range 60 {
		if middle := (from + to) / 2; f(middle) < p {
			from = middle
		} else {
			to = middle
		}
	}
	return (from + to) / 2
}

// Ways is where the count of these very trips lies with a probability of level, as far
// as the doubt about their ways tells: whole numbers of drives, by the normal
// distribution with that variance, half a drive added on either side.
func (s Sums) Ways(level float64) Interval {
	z := distuv.UnitNormal.Quantile((1 + level) / 2)
	half := z*math.Sqrt(max(0, s.Doubt)) + 0.5
	return Interval{Low: max(0, math.Ceil(s.Mean-half)), High: math.Floor(s.Mean + half)}
}

// interval is where the mean travel time lies: Student's distribution with the variance
// between vehicles, whose drives are alike (the sum over vehicles of the squared sum of
// their deviations, with n/(n-1) for n vehicles: Liang and Zeger, Biometrika 73 (1986),
// 13-22), and that from the doubt about when the ends were reached. Of one vehicle it is
// not known.
func (s *CorridorStudy) interval(mean float64, x *times) Interval {
	n := float64(len(x.vehicles))
	if n < 2 {
		return Interval{math.NaN(), math.NaN()}
	}
	between := 0.0
	for _, v := range x.vehicles {
		d := v.sum - float64(v.drives)*mean
		between += d * d
	}
	level := s.study.Level
	if level == 0 {
		level = 0.9
	}
	drives := float64(x.drives)
	sd := math.Sqrt(between*n/(n-1)+x.doubt) / drives
	half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile((1+level)/2) * sd
	return Interval{max(0, mean-half), mean + half}
}
