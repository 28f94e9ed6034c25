package osmimport

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
)

// pipeline runs work over jobs on several goroutines and hands the results on
// in the order of the jobs. Few jobs are under way at once.
type pipeline[T any] struct {
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

// startPipeline starts workers goroutines. produce calls its argument with
// each job, and returns when that returns an error.
func startPipeline[J, T any](ctx context.Context, workers int, produce func(submit func(J) error) error,
	work func(J) (T, error)) *pipeline[T] {
	p := &pipeline[T]{order: make(chan chan result[T], 2*workers)}
	p.ctx, p.cancel = context.WithCancel(ctx)
	type task struct {
		job  J
		done chan result[T]
	}
	tasks := make(chan task)
	for range workers {
		p.wg.Go(func() {
			for t := range tasks {
				v, err := guarded(work, t.job)
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

// guarded turns a panic of work into an error, so that no file can end the
// program.
func guarded[J, T any](work func(J) (T, error), job J) (v T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("unexpected content: %v\n%s", r, debug.Stack())
		}
	}()
	return work(job)
}

// next is the next result; ok is false at the end.
func (p *pipeline[T]) next() (v T, ok bool, err error) {
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

// stop ends all goroutines and waits for them. It may be called at any time.
func (p *pipeline[T]) stop() {
	p.cancel()
	for range p.order { // lets the producer go
	}
	p.wg.Wait()
}
