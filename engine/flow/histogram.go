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
	count  int32 // values
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
	h.bins[i].count++
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
// American Statistician 50 (1996), 361-365). Values that are told as one share their
// weight evenly.
func (h *histogram) percentile(share float64) float64 {
	want, sum := share*h.total(), 0.0
	before, end := math.NaN(), 0.0 // the value before, and up to where it reaches
	for _, b := range h.bins {
		value, half := float64(b.tenths)/10, b.weight/float64(b.count)/2
		begin := sum + half
		switch {
		case want < begin && !math.IsNaN(before):
			return before + (value-before)*(want-end)/(begin-end)
		case want <= sum+b.weight-half:
			return value
		}
		sum += b.weight
		before, end = value, sum-half
	}
	return before
}
