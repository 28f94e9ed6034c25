package flow

import (
	"math"
	"slices"
)

// histogram is how often values were met, told apart to a tenth. Its memory is bounded
// by the range of the values.
type histogram struct{ bins []bin }

type bin struct {
	tenths int32
	weight float64
}

// mostTenths bounds the values that are told apart.
const mostTenths = 1_000_000

func (h *histogram) add(value, weight float64) {
	if !(weight > 0) || math.IsNaN(value) {
		return
	}
	at := int32(math.Round(min(max(value*10, -mostTenths), mostTenths)))
	i, ok := slices.BinarySearchFunc(h.bins, at, func(b bin, at int32) int { return int(b.tenths) - int(at) })
	if !ok {
		h.bins = slices.Insert(h.bins, i, bin{tenths: at})
	}
	h.bins[i].weight += weight
}

// total is the sum of the weights.
func (h *histogram) total() float64 {
	sum := 0.0
	for _, b := range h.bins {
		sum += b.weight
	}
	return sum
}

// percentile is the value below which share (0 to 1) of the weight lies, half of its own
// weight counted with it, and between two values in proportion; NaN where there is none.
// For values of equal weight this is Hazen's rule (type 5 of Hyndman and Fan, The
// American Statistician 50 (1996), 361-365).
func (h *histogram) percentile(share float64) float64 {
	want, sum := share*h.total(), 0.0
	before, middle := math.NaN(), 0.0
	for _, b := range h.bins {
		value, at := float64(b.tenths)/10, sum+b.weight/2
		if at >= want {
			if math.IsNaN(before) {
				return value
			}
			return before + (value-before)*(want-middle)/(at-middle)
		}
		before, middle = value, at
		sum += b.weight
	}
	return before
}
