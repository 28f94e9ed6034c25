package match

import (
	"math"
	"slices"

	"retrace/engine/roadnet"
)

// Centroid is how well a path agrees with what is believed of segments: the sum over
// the segments that it drives of how much more probable each is than worth. At a worth
// of a half the path with the largest sum is the centroid estimator (Carvalho and
// Lawrence 2008; Hamada et al. 2009): the one that is expected to differ least, in
// segments, from the path that was driven. shares are in order of segments.
func Centroid(path []roadnet.SegmentID, shares []Share, worth float64) float64 {
	sum := 0.0
	for i, id := range path {
		sum -= worth
		if !slices.Contains(path[:i], id) {
			sum += float64(shareOf(shares, id))
		}
	}
	return sum
}

// chosen is the way to report: the best one or, where settings ask for it, the one that
// leads through the same layers, breaks where that breaks, and agrees most with the
// shares of its links and the candidates of its layers, each for its probability times
// what a segment is worth.
func (t *lattice) chosen() []place {
	way := t.way()
	if t.set.Centroid == 0 {
		return way
	}
	for first := 0; first < len(way); {
		last := first + 1
		for last < len(way) && !way[last].came.leaps {
			last++
		}
		t.agree(way[first:last])
		first = last
	}
	return way
}

// agree puts the candidates of the way that agrees most in the place of those of an
// unbroken one.
func (t *lattice) agree(way []place) {
	sum := make([]float64, len(t.layers[way[0].layer].hits)) // of the best way to each candidate
	for a := range sum {
		sum[a] = t.set.Centroid * t.posterior(way[0].layer, a)
	}
	came := make([][]int, len(way))
	for i := 1; i < len(way); i++ {
		sum, came[i] = t.extend(sum, way[i].came.link, way[i-1].candidate, way[i].candidate)
	}
	at := slices.Index(sum, slices.Max(sum))
	for i := len(way) - 1; i > 0; i-- {
		way[i].candidate, at = at, came[i][at]
		way[i].came.from = at
	}
	way[0].candidate = at
}

// extend leads the ways that agree most over a link, by pairs that are not negligible
// and by the one of the best way. It returns their sums by candidate, -Inf where none
// comes, and the candidates that they come from.
func (t *lattice) extend(before []float64, l *link, from, to int) (sum []float64, came []int) {
	sum, came = make([]float64, len(t.layers[l.to].hits)), make([]int, len(t.layers[l.to].hits))
	for b := range sum {
		sum[b] = math.Inf(-1)
	}
	shares, _ := t.shares(l)
	visit := func(a, b int, _ float64) {
		if s := before[a] + Centroid(l.path(t.index(l, a, b)), shares, t.set.Centroid); s > sum[b] {
			sum[b], came[b] = s, a
		}
	}
	visit(from, to, 1)
	t.pairs(l, visit)
	for b := range sum {
		sum[b] += t.set.Centroid * t.posterior(l.to, b)
	}
	return sum, came
}
