package rntrajrec

import (
	"context"
	"math"

	"retrace/engine/feature"
)

// chain is the conditional random field of one trip: its candidates and
// options, their scores, and what the passes over them find out.
type chain struct {
	trip  *feature.Trip
	u, v  []float32
	alpha []float64 // by candidate: log of the sum over all ways to it
	beta  []float64 // and on from it
	best  []float64 // by candidate: score of the best way to it
	came  []int     // by candidate: the option by which that comes
	total float64   // log of the sum over all ways
}

// option k of a gap, as indices of candidates of the whole trip.
func (c *chain) ends(gap, k int) (from, to int) {
	o := c.trip.Options[k]
	return int(c.trip.CandidateStart[gap]) + o.From, int(c.trip.CandidateStart[gap+1]) + o.To
}

func (c *chain) gaps() int { return len(c.trip.OptionStart) - 1 }

// options of a gap, as a range of indices.
func (c *chain) options(gap int) (first, last int) {
	return int(c.trip.OptionStart[gap]), int(c.trip.OptionStart[gap+1])
}

// solve runs the passes, unless ctx is done. It reports false where no way leads
// through the trip.
func (c *chain) solve(ctx context.Context) (bool, error) {
	if err := c.forward(ctx); err != nil {
		return false, err
	}
	if err := c.backward(ctx); err != nil {
		return false, err
	}
	return !math.IsInf(c.total, -1), nil
}

func (c *chain) forward(ctx context.Context) error {
	n := len(c.trip.Candidates)
	c.alpha, c.best, c.came = filled(c.alpha, n), filled(c.best, n), make([]int, n)
	for k := range int(c.trip.CandidateStart[1]) {
		c.alpha[k], c.best[k] = float64(c.u[k]), float64(c.u[k])
	}
	for gap := range c.gaps() {
		if err := ctx.Err(); err != nil {
			return err
		}
		first, last := c.options(gap)
		for k := first; k < last; k++ {
			from, to := c.ends(gap, k)
			step := float64(c.v[k])
			c.alpha[to] = logAdd(c.alpha[to], c.alpha[from]+step)
			if s := c.best[from] + step; s > c.best[to] {
				c.best[to], c.came[to] = s, k
			}
		}
		for k := int(c.trip.CandidateStart[gap+1]); k < int(c.trip.CandidateStart[gap+2]); k++ {
			c.alpha[k] += float64(c.u[k])
			c.best[k] += float64(c.u[k])
		}
	}
	return nil
}

func (c *chain) backward(ctx context.Context) error {
	n := len(c.trip.Candidates)
	c.beta = filled(c.beta, n)
	c.total = math.Inf(-1)
	for k := int(c.trip.CandidateStart[c.gaps()]); k < n; k++ {
		c.beta[k] = 0
		c.total = logAdd(c.total, c.alpha[k])
	}
	for gap := c.gaps() - 1; gap >= 0; gap-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		first, last := c.options(gap)
		for k := first; k < last; k++ {
			from, to := c.ends(gap, k)
			c.beta[from] = logAdd(c.beta[from], float64(c.v[k])+float64(c.u[to])+c.beta[to])
		}
	}
	return nil
}

// candidate is the probability of candidate k of the trip.
func (c *chain) candidate(k int) float64 { return math.Exp(c.alpha[k] + c.beta[k] - c.total) }

// option is the probability of option k of a gap.
func (c *chain) option(gap, k int) float64 {
	from, to := c.ends(gap, k)
	return math.Exp(c.alpha[from] + float64(c.v[k]) + float64(c.u[to]) + c.beta[to] - c.total)
}

// path is the option of each gap on the most probable path.
func (c *chain) path() []int { return c.trace(c.best, c.came) }

// trace is the option of each gap on the best path, given the score of the best to each
// candidate and the option by which that comes.
func (c *chain) trace(best []float64, came []int) []int {
	at := int(c.trip.CandidateStart[c.gaps()])
	for k := at; k < len(c.trip.Candidates); k++ {
		if best[k] > best[at] {
			at = k
		}
	}
	path := make([]int, c.gaps())
	for gap := c.gaps() - 1; gap >= 0; gap-- {
		path[gap] = came[at]
		at, _ = c.ends(gap, path[gap])
	}
	return path
}

// filled is n times minus infinity, in the memory of s where it is enough.
func filled(s []float64, n int) []float64 {
	if cap(s) < n {
		s = make([]float64, n)
	}
	s = s[:n]
	for i := range s {
		s[i] = math.Inf(-1)
	}
	return s
}

// logAdd is the logarithm of the sum of two numbers given by theirs.
func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}
