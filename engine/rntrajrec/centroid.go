package rntrajrec

import (
	"context"

	"retrace/engine/match"
)

// settle decides which option is driven in each gap, once the passes over the chain are
// done: those of the path that agrees most with what is believed of segments, each worth
// driving that is more probable than worth, and of candidates; see [match.Centroid]. At a
// worth of 0 it is the most probable path. The error is that of ctx.
func (j *job) settle(ctx context.Context, worth float64) error {
	j.path, j.shares = j.chain.path(), make([][]match.Share, len(j.legs))
	for gap := range j.legs {
		if err := ctx.Err(); err != nil {
			return err
		}
		j.shares[gap] = j.sharesOf(gap)
	}
	if worth > 0 {
		j.path = j.agreed(worth)
	}
	return nil
}

// agreed is the option of each gap on the path that agrees most. Its options are not
// negligible, or those of the most probable path, which is there whatever is.
//
// Of segments alone a path agrees best that leaves out what is in doubt: where the two
// directions of a street share the belief in a sample between them, it would begin on
// another road, on which nobody believes. So the candidate of each sample counts too, for
// its probability times worth.
func (j *job) agreed(worth float64) []int {
	c := &j.chain
	n := len(c.trip.Candidates)
	best, came := filled(nil, n), make([]int, n)
	for k := range int(c.trip.CandidateStart[1]) {
		best[k] = worth * c.candidate(k)
	}
	for gap, certain := range j.path {
		first, last := c.options(gap)
		for k := first; k < last; k++ {
			from, to := c.ends(gap, k)
			if k != certain && c.option(gap, k) < negligible {
				continue
			}
			s := best[from] + match.Centroid(c.trip.Options[k].Segments, j.shares[gap], worth) + worth*c.candidate(to)
			if s > best[to] {
				best[to], came[to] = s, k
			}
		}
	}
	return c.trace(best, came)
}
