package work

import (
	"sync"
	"time"
)

// batch gathers what a task makes and hands it to the window at a pace that the
// window keeps up with: one hand-over waits at a time, so that however much a task
// makes there is never a queue of them, and what showing takes is a small share of
// the window's time.
type batch[T any] struct {
	do    func(func())
	show  func([]T) // on the window's goroutine
	count int       // of all that was added

	mu      sync.Mutex
	held    []T
	waiting bool // a hand-over is on its way
	last    time.Time
	every   time.Duration
}

const (
	// batchEvery is how often a batch is shown at the most.
	batchEvery = 120 * time.Millisecond
	// batchRest is how much longer than showing a batch took the next one waits.
	batchRest = 9
	// batchSlowest is how often a batch is shown at the least.
	batchSlowest = 5 * time.Second
)

func newBatch[T any](do func(func()), show func([]T)) *batch[T] {
	return &batch[T]{do: do, show: show, every: batchEvery}
}

// add adds something; it belongs on the task's goroutine.
func (b *batch[T]) add(x T) {
	b.count++
	b.mu.Lock()
	b.held = append(b.held, x)
	due := !b.waiting && time.Since(b.last) >= b.every
	b.waiting = b.waiting || due
	b.mu.Unlock()
	if due {
		b.do(b.handOver)
	}
}

// flush has all that was added shown, if not by now then soon.
func (b *batch[T]) flush() {
	b.mu.Lock()
	due := !b.waiting && len(b.held) > 0
	b.waiting = b.waiting || due
	b.mu.Unlock()
	if due {
		b.do(b.handOver)
	}
}

// handOver shows what has gathered, on the window's goroutine.
func (b *batch[T]) handOver() {
	b.mu.Lock()
	held := b.held
	b.held, b.waiting = nil, false
	b.mu.Unlock()
	began := time.Now()
	if len(held) > 0 {
		b.show(held)
	}
	took := time.Since(began)
	b.mu.Lock()
	b.last = time.Now()
	b.every = min(max(batchEvery, batchRest*took), batchSlowest)
	b.mu.Unlock()
}
