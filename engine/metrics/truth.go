package metrics

import (
	"context"
	"fmt"
	"iter"
	"sync"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Count is how many trips were left out for a reason.
type Count struct {
	Reason string `json:"reason"`
	Trips  int    `json:"trips"`
}

// Truths is dense trips with their truth, and what was left out.
type Truths struct {
	Cases   []Case
	Cut     int     // cases that are the longest stretch of a trip that breaks, see Quality.Truth
	Dropped []Count // in the order in which the filter looks
	Failed  []error // inputs that could not be read or matched
}

// MakeTruths matches dense trips and keeps those whose match can be trusted.
// Match must give a tick at every point. Threads trips are matched at once; the
// result does not depend on it. An error of a trip is kept in Failed; the error
// returned is that of ctx.
func MakeTruths(ctx context.Context, net *roadnet.Network, dense iter.Seq2[*trajectory.Trajectory, error], match Recover, q Quality, threads int) (*Truths, error) {
	var trips []*trajectory.Trajectory
	out := &Truths{}
	for t, err := range dense {
		if err != nil {
			out.Failed = append(out.Failed, err)
			continue
		}
		trips = append(trips, t)
	}
	verdicts := make([]verdict, len(trips))
	err := inParallel(ctx, threads, len(trips), func(i int) {
		c, reason, err := q.Truth(ctx, net, trips[i], match)
		verdicts[i] = verdict{c, len(c.Dense.Samples) < len(trips[i].Samples), reason, err}
	})
	if err != nil {
		return nil, err
	}
	out.take(verdicts)
	return out, nil
}

// verdict is a trip with its truth, or why there is none.
type verdict struct {
	c      Case
	cut    bool
	reason string // empty: it can be trusted
	err    error
}

// take sorts out what was kept, what was left out and what failed.
func (t *Truths) take(verdicts []verdict) {
	counts := map[string]int{}
	for _, v := range verdicts {
		switch {
		case v.err != nil:
			t.Failed = append(t.Failed, v.err)
		case v.reason != "":
			counts[v.reason]++
		default:
			t.Cases = append(t.Cases, v.c)
			if v.cut {
				t.Cut++
			}
		}
	}
	for _, reason := range reasons() {
		t.Dropped = append(t.Dropped, Count{reason, counts[reason]})
	}
}

// inParallel calls do for 0 to n-1 on several threads until ctx is done, whose
// error it returns.
func inParallel(ctx context.Context, threads, n int, do func(i int)) error {
	next := make(chan int)
	var wg sync.WaitGroup
	for range max(1, threads) {
		wg.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("evaluation stopped: %w", err)
	}
	return nil
}
