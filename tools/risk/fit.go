package main

import (
	"math"

	"retrace/engine/risk"
)

// row is one thing that a regression is fitted on.
type row struct {
	x      []float64
	y      float64 // 1: wrong; or metres
	weight float64
}

// ridge holds coefficients towards 0, so that features that say the same share it.
const ridge = 1.0

// regress fits y to x by Newton's method: as the logistic function of a linear one, or as
// its exponential (a quasi-Poisson regression, whose mean is right).
func regress(rows []row, logistic bool) []float64 {
	n := len(rows[0].x)
	w := make([]float64, n)
	mean, total := 0., 0.
	for _, r := range rows {
		mean, total = mean+r.weight*r.y, total+r.weight
	}
	mean /= total
	w[0] = math.Log(max(mean, 1e-6))
	scale := mean // of the variance of a count of metres
	if logistic {
		w[0], scale = math.Log(mean/(1-mean)), 1
	}
	best := objective(w, rows, logistic, scale)
	for range 50 {
		step := newton(w, rows, logistic, scale)
		gained := 0.
		for share := 1.; share > 1e-4; share /= 2 { // a whole step may lead too far
			next := make([]float64, n)
			for i := range w {
				next[i] = w[i] + share*step[i]
			}
			if o := objective(next, rows, logistic, scale); o > best {
				gained, best, w = o-best, o, next
				break
			}
		}
		if gained < 1e-6 {
			break
		}
	}
	return w
}

// objective is what a fit makes as large as can be: the logarithm of the likelihood, less
// what large coefficients cost.
func objective(w []float64, rows []row, logistic bool, scale float64) float64 {
	sum := 0.
	for _, r := range rows {
		s := 0.
		for i := range w {
			s += w[i] * r.x[i]
		}
		if logistic {
			sum += r.weight * (r.y*s - max(s, 0) - math.Log1p(math.Exp(-math.Abs(s))))
		} else {
			sum += r.weight * (r.y*s - math.Exp(min(s, 20))) / scale
		}
	}
	for _, c := range w[1:] {
		sum -= ridge * c * c / 2
	}
	return sum
}

// newton is the step of Newton's method.
func newton(w []float64, rows []row, logistic bool, scale float64) []float64 {
	n := len(w)
	g, h := make([]float64, n), make([][]float64, n)
	for i := range h {
		h[i] = make([]float64, n)
	}
	for _, r := range rows {
		m, d := predicted(w, r.x, logistic)
		for i, a := range r.x {
			g[i] += r.weight * (r.y - m) * a / scale
			for j := 0; j <= i; j++ {
				h[i][j] += r.weight * d * a * r.x[j] / scale
			}
		}
	}
	for i := range h {
		if i > 0 {
			g[i] -= ridge * w[i]
			h[i][i] += ridge
		}
		for j := range i {
			h[j][i] = h[i][j]
		}
	}
	return solve(h, g)
}

// predicted is what a regression says, and how fast that changes.
func predicted(w, x []float64, logistic bool) (mean, slope float64) {
	s := 0.
	for i := range w {
		s += w[i] * x[i]
	}
	if !logistic {
		m := math.Exp(min(s, 20))
		return m, m
	}
	m := 1 / (1 + math.Exp(-s))
	return m, max(m*(1-m), 1e-9)
}

// solve solves a system of linear equations by elimination.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	for i := range n {
		p := i
		for k := i + 1; k < n; k++ {
			if math.Abs(a[k][i]) > math.Abs(a[p][i]) {
				p = k
			}
		}
		a[i], a[p], b[i], b[p] = a[p], a[i], b[p], b[i]
		for k := i + 1; k < n; k++ {
			f := a[k][i] / a[i][i]
			for j := i; j < n; j++ {
				a[k][j] -= f * a[i][j]
			}
			b[k] -= f * b[i]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			b[i] -= a[i][j] * b[j]
		}
		b[i] /= a[i][i]
	}
	return b
}

// fit is the weights of a method.
type fit struct {
	method  string
	weights risk.Weights
}

// weigh fits the weights on trips: those of gaps, and with these those of trips.
func weigh(trips []trip) risk.Weights {
	var w risk.Weights
	share := shares(trips)
	var wrong, errors []row
	for _, t := range trips {
		for _, g := range t.Gaps {
			if !g.Scored {
				continue
			}
			r := row{x: g.Features(), weight: share[t.Set]}
			if r.y = 0; g.Wrong {
				r.y = 1
			}
			wrong = append(wrong, r)
			if g.Error >= 0 {
				r.y = g.Error
				errors = append(errors, r)
			}
		}
	}
	w.GapWrong = regress(wrong, true)
	w.GapError = regress(errors, false)
	wrong, errors = nil, nil
	for _, t := range trips {
		known, found := t.judged(&w)
		r := row{x: risk.TripFeatures(known, found), weight: share[t.Set]}
		if r.y = 0; t.Error > risk.FarOff {
			r.y = 1
		}
		wrong = append(wrong, r)
		r.y = t.Error
		errors = append(errors, r)
	}
	w.TripWrong = regress(wrong, true)
	w.TripError = regress(errors, false)
	return w
}

// judged is what weights say of the gaps of a trip.
func (t trip) judged(w *risk.Weights) (known []risk.Evidence, found []risk.Verdict) {
	for _, g := range t.Gaps {
		known, found = append(known, g.Evidence), append(found, w.Gap(g.Evidence))
	}
	return known, found
}

// shares are what a trip of each set weighs: real trips as much as all simulated ones
// together, the sets of these the same, and one trip as much as another on average.
func shares(trips []trip) map[string]float64 {
	count := map[string]int{}
	for _, t := range trips {
		count[t.Set]++
	}
	out := map[string]float64{}
	for name, n := range count {
		part := 0.5
		if name != realTrips {
			part = 0.5 / float64(len(count)-1)
		}
		out[name] = part * float64(len(trips)) / float64(n)
	}
	return out
}
