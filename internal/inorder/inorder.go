// Package inorder does work on several goroutines whose results come in the order
// of the jobs.
package inorder

import (
	"context"
	"errors"
	"sync"
)

// Pipeline runs work over jobs on several goroutines and hands the results on
// in the order of the jobs. Few jobs are under way at once.
type Pipeline[T any] struct {
	ctx    context.Context
	cancel context.CancelFunc
	order  chan chan result[T]
	wg     sync.WaitGroup
	err    error // of produce; read after order is closed
}

type result[T any] struct {
	value T
	err   error
}

// errStopped ends a producer whose consumer has gone.
var errStopped = errors.New("stopped")

// Start starts workers goroutines. Produce calls its argument with each job, and
// returns when that returns an error.
func Start[J, T any](ctx context.Context, workers int, produce func(submit func(J) error) error,
	work func(J) (T, error)) *Pipeline[T] {
	p := &Pipeline[T]{order: make(chan chan result[T], 2*workers)}
	p.ctx, p.cancel = context.WithCancel(ctx)
	type task struct {
		job  J
		done chan result[T]
	}
	tasks := make(chan task)
	for range workers {
		p.wg.Go(func() {
			for t := range tasks {
				v, err := work(t.job)
				t.done <- result[T]{v, err}
			}
		})
	}
	p.wg.Go(func() {
		defer close(p.order)
		defer close(tasks)
		p.err = produce(func(j J) error {
			t := task{j, make(chan result[T], 1)}
			select {
			case p.order <- t.done:
			case <-p.ctx.Done():
				return errStopped
			}
			tasks <- t
			return nil
		})
	})
	return p
}

// Next is the next result; ok is false at the end.
func (p *Pipeline[T]) Next() (v T, ok bool, err error) {
	done, open := <-p.order
	if !open {
		if p.err == errStopped {
			return v, false, p.ctx.Err()
		}
		return v, false, p.err
	}
	r := <-done
	return r.value, r.err == nil, r.err
}

// Stop ends all goroutines and waits for them. It may be called at any time.
func (p *Pipeline[T]) Stop() {
	p.cancel()
	for range p.order { // lets the producer go
	}
	p.wg.Wait()
}
