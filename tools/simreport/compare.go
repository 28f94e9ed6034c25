package main

import (
	"math"
	"slices"
)

// gapBetween is how far apart two samples of one quantity are: the Wasserstein
// distance in the quantity's unit, and the greatest difference of the shares
// below any value (Kolmogorov and Smirnov).
func gapBetween(a, b []float64) (wasserstein, ks float64) {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	if len(a) == 0 || len(b) == 0 {
		return math.NaN(), math.NaN()
	}
	i, j := 0, 0
	last := math.Min(a[0], b[0])
	for i < len(a) || j < len(b) {
		x := math.Inf(1)
		if i < len(a) {
			x = a[i]
		}
		if j < len(b) {
			x = math.Min(x, b[j])
		}
		d := math.Abs(float64(i)/float64(len(a)) - float64(j)/float64(len(b)))
		wasserstein += d * (x - last)
		ks = math.Max(ks, d)
		last = x
		for i < len(a) && a[i] == x {
			i++
		}
		for j < len(b) && b[j] == x {
			j++
		}
	}
	return wasserstein, ks
}

// quantile is the value below which a share of a sample lies.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	x := q * float64(len(sorted)-1)
	i := int(x)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (x-float64(i))*(sorted[i+1]-sorted[i])
}

func mean(a []float64) float64 {
	sum := 0.0
	for _, x := range a {
		sum += x
	}
	return sum / float64(len(a))
}
