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
	return r.stream(ctx, in, pins, emit, true)
}

// AsFinished is [Recoverer.Stream], but hands each trajectory to emit as soon as
// it is finished, whatever became of those before it.
func (r *Recoverer) AsFinished(ctx context.Context, in iter.Seq2[*trajectory.Trajectory, error],
	pins func(*trajectory.Trajectory) []Pin,
	emit func(*trajectory.Trajectory, *trajectory.Recovery, error) error) error {
	return r.stream(ctx, in, pins, emit, false)
}

func (r *Recoverer) stream(ctx context.Context, in iter.Seq2[*trajectory.Trajectory, error],
	pins func(*trajectory.Trajectory) []Pin,
	emit func(*trajectory.Trajectory, *trajectory.Recovery, error) error, inOrder bool) error {
	ctx, cancel := context.WithCancel(ctx)
	var running, working sync.WaitGroup
	defer running.Wait()
	defer cancel()

	work, out := make(chan *job), make(chan *job, ahead)
	working.Go(func() { feed(ctx, in, work, out, inOrder) })
	for range r.settings.atOnce() {
		working.Go(func() {
			for j := range work {
				j.out, j.err = r.recoverWith(ctx, j.in, pins)
				close(j.done)
				if !inOrder {
					send(ctx, out, j)
				}
			}
		})
	}
	running.Go(func() { working.Wait(); close(out) })
	return collect(ctx, out, emit)
}

// recoverWith recovers a trajectory with what pins says of it. A panic of pins
// costs that trajectory only.
func (r *Recoverer) recoverWith(ctx context.Context, t *trajectory.Trajectory, pins func(*trajectory.Trajectory) []Pin) (rec *trajectory.Recovery, err error) {
	defer func() {
		if p := recover(); p != nil {
			rec, err = nil, fmt.Errorf("trajectory %q: internal error: %v", t.ID, p)
		}
	}()
	var known []Pin
	if pins != nil {
		known = pins(t)
	}
	return r.Recover(ctx, t, known)
}

// send reports whether it could, before ctx was done.
func send(ctx context.Context, to chan<- *job, j *job) bool {
	select {
	case to <- j:
		return true
	case <-ctx.Done():
		return false
	}
}

// feed reads trajectories and hands them to those who work. It lines them up in
// out as well where they are wanted in order, and what cannot be read always.
func feed(ctx context.Context, in iter.Seq2[*trajectory.Trajectory, error], work, out chan<- *job, inOrder bool) {
	defer close(work)
	defer func() {
		if p := recover(); p != nil {
			j := &job{err: fmt.Errorf("reading trajectories: internal error: %v", p), done: make(chan struct{})}
			close(j.done)
			send(ctx, out, j)
		}
	}()
	for t, err := range in {
		j := &job{in: t, err: err, done: make(chan struct{})}
		if err != nil || t == nil {
			close(j.done)
			if !send(ctx, out, j) {
				return
			}
			continue
		}
		if inOrder && !send(ctx, out, j) || !send(ctx, work, j) {
			return
		}
	}
}

// collect hands out the jobs as they come, each when it is done.
func collect(ctx context.Context, out <-chan *job, emit func(*trajectory.Trajectory, *trajectory.Recovery, error) error) error {
	for {
		var j *job
		select {
		case <-ctx.Done():
			return ctx.Err()
		case next, more := <-out:
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
