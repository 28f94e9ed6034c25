package metrics

import (
	"fmt"
	"math"
)

// numBins is how many bins of equal width the probabilities of ticks fall into.
const numBins = 15

// binOf is the bin of a probability.
func binOf(p float64) int { return min(numBins-1, max(0, int(p*numBins))) }

// claims are the points that a recovery says something about.
func claims(points []Point) []Point {
	return where(points, func(p Point) bool { return !p.Missing })
}

// reliability adds, for each bin, what the ticks in it claim and how many of
// them are right: where a method is calibrated the two are alike.
func (s *sheet) reliability(points []Point) {
	var bins [numBins][]Point
	for _, p := range claims(points) {
		b := binOf(p.Probability)
		bins[b] = append(bins[b], p)
	}
	for b, in := range bins {
		name := fmt.Sprintf("%.2f-%.2f", float64(b)/numBins, float64(b+1)/numBins)
		s.addPooled(SectionReliability, name, "probability", unitShare, in, probability)
		s.addPooled(SectionReliability, name, "right", unitShare, in, right)
	}
}

func probability(p Point) float64 { return p.Probability }

// excess is what the points of one trip claim beyond what is right, by bin.
type excess [numBins]sum

func excessOf(points []Point) excess {
	var e excess
	for _, p := range claims(points) {
		b := binOf(p.Probability)
		e[b].above += p.Probability - right(p)
		e[b].below++
	}
	return e
}

// expectedError is the expected calibration error of points: how far the mean
// probability of a bin is from the share that is right, weighted by its points.
func (e *excess) expectedError() (value, points float64) {
	for _, b := range e {
		value += math.Abs(b.above)
		points += b.below
	}
	return value / points, points
}

func (e *excess) add(o *excess, times float64) {
	for b := range e {
		e[b].above += times * o[b].above
		e[b].below += times * o[b].below
	}
}

// calibrated are the sets of points that calibration is told of.
func calibrated() []struct {
	group string
	keep  func(Point) bool
} {
	return []struct {
		group string
		keep  func(Point) bool
	}{
		{"hidden", func(p Point) bool { return !p.Observed }},
		{"all", func(Point) bool { return true }},
	}
}

// calibration are the expected calibration errors of trips, each with its range.
func calibration(scores []*Score, draws *resampler) []Figure {
	var all []Figure
	for _, set := range calibrated() {
		trips := excesses(scores, set.keep)
		value, n := sumOf(trips, nil).expectedError()
		if n == 0 {
			continue
		}
		f := Figure{Section: SectionCalibration, Group: set.group, Name: "ECE", Unit: unitShare, Value: value, N: n}
		f.Low, f.High = middle(draws.calibrationErrors(trips), value)
		all = append(all, f)
	}
	return all
}

// calibrationDifference is the calibration of one method less that of another
// on the same trips.
func calibrationDifference(scores, less []*Score, draws *resampler) []Figure {
	var all []Figure
	for _, set := range calibrated() {
		a, b := excesses(scores, set.keep), excesses(less, set.keep)
		x, n := sumOf(a, nil).expectedError()
		y, m := sumOf(b, nil).expectedError()
		if n == 0 || m == 0 {
			continue
		}
		f := Figure{Section: SectionCalibration, Group: set.group, Name: "ECE", Unit: unitShare, Value: x - y, N: n}
		errors := draws.calibrationErrors(a)
		for i, e := range draws.calibrationErrors(b) {
			errors[i] -= e
		}
		f.Low, f.High = middle(errors, f.Value)
		all = append(all, f)
	}
	return all
}

func excesses(scores []*Score, keep func(Point) bool) []excess {
	all := make([]excess, len(scores))
	for i, s := range scores {
		all[i] = excessOf(where(s.Points, keep))
	}
	return all
}

// sumOf adds up trips, each so many times; nil: once.
func sumOf(trips []excess, times []uint16) *excess {
	var all excess
	for i := range trips {
		n := 1.0
		if times != nil {
			n = float64(times[i])
		}
		all.add(&trips[i], n)
	}
	return &all
}

// calibrationErrors is the expected calibration error in each draw, NaN where
// the draw has no point.
func (r *resampler) calibrationErrors(trips []excess) []float64 {
	out := make([]float64, len(r.times))
	for d, times := range r.times {
		out[d], _ = sumOf(trips, times).expectedError()
	}
	return out
}
