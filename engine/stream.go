package engine

import (
	"context"
	"fmt"
	"iter"
	"sync"

	"retrace/engine/trajectory"
)

// job is one trajectory on its way through a stream.
type job struct {
	in   *trajectory.Trajectory
	out  *trajectory.Recovery
	err  error
	done chan struct{} // closed when out or err is there
}

// ahead is how many trajectories are read ahead of the one emitted last.
const ahead = 64

// Stream recovers every trajectory of in, several at once, and hands each to
// emit in the order of in, as soon as it and all before it are finished. Pins
// says what is known of a trajectory's samples; it may be nil.
//
// Where a trajectory cannot be read or recovered, emit gets its error with a
// nil recovery (and a nil trajectory where it could not be read), and the
// stream goes on. Emit is called by the caller's goroutine, in by another one.
// Stream ends with the error of emit, with that of ctx, or with nil when in is
// exhausted. It waits for in to return from the item it is reading.
func (r *Recoverer) Stream(ctx context.Context, in iter.Seq2[*trajectory.Trajectory, error],
	pins func(*trajectory.Trajectory) []Pin,
	emit func(*trajectory.Trajectory, *trajectory.Recovery, error) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()

	work := make(chan *job)
	order := make(chan *job, ahead)
	running.Go(func() { feed(ctx, in, work, order) })
	for range r.settings.atOnce() {
		running.Go(func() {
			for j := range work {
				var known []Pin
				if pins != nil {
					known = pins(j.in)
				}
				j.out, j.err = r.Recover(ctx, j.in, known)
				close(j.done)
			}
		})
	}
	return collect(ctx, order, emit)
}

// feed reads trajectories and lines them up twice: as work, and in order.
func feed(ctx context.Context, in iter.Seq2[*trajectory.Trajectory, error], work, order chan<- *job) {
	defer close(work)
	defer close(order)
	send := func(to chan<- *job, j *job) bool {
		select {
		case to <- j:
			return true
		case <-ctx.Done():
			return false
		}
	}
	defer func() {
		if p := recover(); p != nil {
			j := &job{err: fmt.Errorf("reading trajectories: internal error: %v", p), done: make(chan struct{})}
			close(j.done)
			send(order, j)
		}
	}()
	for t, err := range in {
		j := &job{in: t, err: err, done: make(chan struct{})}
		if err != nil || t == nil {
			close(j.done)
			if !send(order, j) {
				return
			}
			continue
		}
		if !send(order, j) || !send(work, j) {
			return
		}
	}
}

// collect hands out the jobs in order.
func collect(ctx context.Context, order <-chan *job, emit func(*trajectory.Trajectory, *trajectory.Recovery, error) error) error {
	for {
		var j *job
		select {
		case <-ctx.Done():
			return ctx.Err()
		case next, more := <-order:
			if !more {
				return ctx.Err()
			}
			j = next
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-j.done:
		}
		if err := ctx.Err(); err != nil { // both may have been ready
			return err
		}
		if err := emit(j.in, j.out, j.err); err != nil {
			return err
		}
	}
}
