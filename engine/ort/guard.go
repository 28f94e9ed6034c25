package ort

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"retrace/engine/bundle"
)

var (
	// errHung is of a device that does not answer.
	errHung = errors.New("its driver hangs")
	// errGone is what a run ends with that another one's fault ends.
	errGone = errors.New("the device is lost")
)

// How long a device may take: that long for its first run, when drivers compile
// what they run, and for loading; then so many times what it took for as much at
// the most, and never less than the least.
const (
	firstPatience = 2 * time.Minute
	leastPatience = 15 * time.Second
	generous      = 50
)

// guard watches over the runs of a graph on a device. A run that takes much longer
// than ever is given up: nothing can stop a thread that is stuck in a driver, so
// its goroutine is left behind for good, with the memory that it works on.
type guard struct {
	turn  turn                                 // of the device
	after func(time.Duration) <-chan time.Time // time.After, but in tests

	mu     sync.Mutex
	ran    bool
	pace   time.Duration     // the most that a value of the inputs took since the first run
	copies [][]bundle.Tensor // of inputs, to be used again
}

func newGuard(t turn) *guard { return &guard{turn: t, after: time.After} }

// outcome is what a run comes to.
type outcome struct {
	out answers
	err error
}

// run runs a graph on a copy of its inputs, which their owner may use again even
// if this run is never finished. It ends with errHung where it is given up, and
// with errGone where the device is lost before its turn comes or in its course.
func (g *guard) run(r runner, inputs []bundle.Tensor, gone <-chan struct{}) (answers, error) {
	select {
	case g.turn <- struct{}{}:
	case <-gone:
		return answers{}, errGone
	}
	own, values := g.copyOf(inputs)
	done := make(chan outcome, 1)
	began := time.Now()
	go func() {
		defer g.turn.give()
		out, err := guarded(r, own)
		done <- outcome{out, err}
	}()
	patience := g.patience(values)
	select {
	case o := <-done:
		g.note(time.Since(began), values)
		g.keep(own)
		return o.out, o.err
	case <-gone:
		return answers{}, errGone
	case <-g.after(patience):
		return answers{}, fmt.Errorf("no answer within %v: %w", patience.Round(time.Second), errHung)
	}
}

// guarded is answer, but turns a panic into an error: it runs in a goroutine of
// its own.
func guarded(r runner, inputs []bundle.Tensor) (out answers, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("running the model: internal error: %v", p)
		}
	}()
	return answer(r, inputs)
}

// patience is how long a run of so many values may take.
func (g *guard) patience(values int) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.ran {
		return firstPatience
	}
	return max(leastPatience, generous*g.pace*time.Duration(values))
}

// note remembers how long a run took. What a device needs for the least of runs is
// no measure for large ones.
func (g *guard) note(took time.Duration, values int) {
	const few = 4096
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ran {
		g.pace = max(g.pace, took/time.Duration(max(values, few)))
	}
	g.ran = true
}

// copyOf copies inputs into memory that is kept, and counts their values.
func (g *guard) copyOf(inputs []bundle.Tensor) (own []bundle.Tensor, values int) {
	g.mu.Lock()
	if n := len(g.copies); n > 0 {
		own, g.copies = g.copies[n-1], g.copies[:n-1]
	}
	g.mu.Unlock()
	if own == nil {
		own = make([]bundle.Tensor, len(inputs))
	}
	for i, t := range inputs {
		own[i].Shape = append(own[i].Shape[:0], t.Shape...)
		own[i].Floats, own[i].Ints = copied(own[i].Floats, t.Floats), copied(own[i].Ints, t.Ints)
		values += len(t.Floats) + len(t.Ints)
	}
	return own, values
}

// copied is a copy in the memory of s where it is enough; nil of nil.
func copied[T any](s, of []T) []T {
	if of == nil {
		return nil
	}
	return append(slices.Grow(s[:0], len(of)), of...)
}

// keep keeps the memory of a run that is finished.
func (g *guard) keep(own []bundle.Tensor) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.copies = append(g.copies, own)
}
