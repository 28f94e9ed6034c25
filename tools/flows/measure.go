package main

import (
	"context"
	"math"

	"retrace/engine"
	"retrace/engine/flow"
	"retrace/engine/metrics"
)

// least is the mean from which on a cell is looked at: it is known from other trips, so
// that what is looked at does not depend on what is measured.
const least = 2

// result is what is measured of one kind of counts, at one rate, by one method.
type result struct {
	keep, method, kind string
	cells              int     // whose mean is at least so large
	held               float64 // share of those whose interval holds the mean
	doubtful           int     // cells of these very trips that are in doubt
	heldWays           float64 // share of those whose count of ways holds the truth
	all, best          float64 // mean absolute error of counts over all ways, and along the best ways
	allBusy, bestBusy  float64 // likewise, of cells whose mean is at least so large
	allRoot, bestRoot  float64 // likewise, roots of mean squared errors of all cells
	bias               float64 // sum of the counts less that of the truth, as a share of it
}

func (w *world) measure(ctx context.Context) ([]result, error) {
	truth := w.count(w.truth)
	results := w.compare("whole", "truth", truth, truth)
	for _, ratio := range []float64{1.0 / 8, 1.0 / 16} {
		keep := metrics.Keep{Ratio: ratio}
		for _, method := range []string{engine.MethodRNTrajRec, engine.MethodHMM} {
			trips, err := w.recover(ctx, keep, method)
			if err != nil {
				return nil, err
			}
			results = append(results, w.compare(rateName(ratio), method, w.count(trips), truth)...)
		}
	}
	return results, nil
}

func (w *world) count(trips []flow.Trip) counts {
	s := w.studies()
	for _, t := range trips {
		s.add(t)
	}
	return s.counts()
}

// compare measures counts of each kind.
func (w *world) compare(keep, method string, got, truth counts) []result {
	var results []result
	for i, kind := range kinds {
		r := result{keep: keep, method: method, kind: kind}
		w.intervals(&r, got[i], w.means[i])
		w.miss(&r, got[i], truth[i], w.means[i])
		results = append(results, r)
	}
	return results
}

// scale is the share of the trips that means are of that are recovered.
func (w *world) scale() float64 { return float64(len(w.truth)) / float64(w.whole) }

// intervals measures how often intervals hold the mean.
func (w *world) intervals(r *result, got, means map[any]flow.Count) {
	scale, held := w.scale(), 0
	for k, m := range means {
		mean := m.Mean * scale
		if mean < least {
			continue
		}
		c, ok := got[k]
		if !ok {
			c.Interval = flow.Sums{}.Interval(0.9)
		}
		if r.cells++; c.Low <= mean && mean <= c.High {
			held++
		}
	}
	r.held = float64(held) / float64(max(r.cells, 1))
}

// miss measures how far counts are from those of the very same trips.
func (w *world) miss(r *result, got, truth, means map[any]flow.Count) {
	keys := map[any]bool{}
	for k := range got {
		keys[k] = true
	}
	for k := range truth {
		keys[k] = true
	}
	held, busy, sum, want := 0, 0.0, 0.0, 0.0
	for k := range keys {
		c, t := got[k], truth[k].Mean
		sum, want = sum+c.Mean, want+t
		all, best := math.Abs(c.Mean-t), math.Abs(float64(c.Told)-t)
		r.all, r.best = r.all+all, r.best+best
		r.allRoot, r.bestRoot = r.allRoot+all*all, r.bestRoot+best*best
		if means[k].Mean*w.scale() >= least {
			busy++
			r.allBusy, r.bestBusy = r.allBusy+all, r.bestBusy+best
		}
		if c.Doubt > 0.3 {
			r.doubtful++
			if i := (flow.Sums{Mean: c.Mean, Doubt: c.Doubt * c.Doubt}).Ways(0.9); i.Low <= t && t <= i.High {
				held++
			}
		}
	}
	n := float64(len(keys))
	r.all, r.best, r.allRoot, r.bestRoot = r.all/n, r.best/n, math.Sqrt(r.allRoot/n), math.Sqrt(r.bestRoot/n)
	r.allBusy, r.bestBusy = r.allBusy/max(busy, 1), r.bestBusy/max(busy, 1)
	r.heldWays = float64(held) / float64(max(r.doubtful, 1))
	r.bias = sum/want - 1
}

func rateName(ratio float64) string {
	if ratio == 1.0/8 {
		return "x8"
	}
	return "x16"
}
