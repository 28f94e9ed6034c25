package metrics

import (
	"math"
	"testing"
)

func TestRangeIsThatOfTheMean(t *testing.T) {
	// 100 trips, half of them right: the mean's standard error is 0.05.
	var of []sum
	for i := range 100 {
		of = append(of, sum{float64(i % 2), 1})
	}
	f, ok := newResampler(len(of), 2000, 1).figure(measure{}, of)
	if !ok || f.Value != 0.5 || f.N != 100 {
		t.Fatalf("figure is %+v, want 0.5 of 100", f)
	}
	if math.Abs(f.Low-(0.5-1.96*0.05)) > 0.015 || math.Abs(f.High-(0.5+1.96*0.05)) > 0.015 {
		t.Errorf("range is %.3f to %.3f, want about 0.402 to 0.598", f.Low, f.High)
	}
}

func TestPairsAreResampledTogether(t *testing.T) {
	// Trips differ much, the two methods always by 1: so is every difference.
	var a, b []sum
	for i := range 50 {
		x := float64(i * i)
		a, b = append(a, sum{x + 1, 1}), append(b, sum{x, 1})
	}
	f, _ := newResampler(50, 500, 1).difference(measure{}, a, b)
	for _, v := range []float64{f.Value, f.Low, f.High} {
		if math.Abs(v-1) > 1e-9 {
			t.Errorf("difference is %v (%v to %v), want 1", f.Value, f.Low, f.High)
		}
	}
}

func TestFiguresThatNoTripHasAreLeftOut(t *testing.T) {
	r := newResampler(3, 10, 1)
	if f, ok := r.figure(measure{}, make([]sum, 3)); ok {
		t.Errorf("a figure of nothing: %+v", f)
	}
	// One trip of three has it: draws without that trip do not count.
	f, ok := r.figure(measure{}, []sum{{}, {4, 2}, {}})
	if !ok || f.Value != 2 || f.Low != 2 || f.High != 2 {
		t.Errorf("figure is %+v, want 2 with no range", f)
	}
}

func TestTheRangeOfAMean(t *testing.T) {
	var values []float64
	for i := range 100 {
		values = append(values, float64(i%2)) // 0.5, and a draw's mean is off by 0.05
	}
	if low, high := MeanRange(values, 4000, 1); math.Abs(low-0.4) > 0.02 || math.Abs(high-0.6) > 0.02 {
		t.Errorf("the mean lies from %v to %v, want 0.4 to 0.6", low, high)
	}
	if low, high := MeanRange([]float64{3, 3}, 10, 1); low != 3 || high != 3 {
		t.Errorf("the mean of equal values lies from %v to %v", low, high)
	}
}
