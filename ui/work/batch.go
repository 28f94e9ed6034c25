package work

import "time"

// batch gathers what a task makes and hands it to the window a few times a
// second, so that a thousand results are not a thousand redraws.
type batch[T any] struct {
	do    func(func())
	show  func([]T)
	held  []T
	last  time.Time
	count int
}

// batchEvery is how often a batch is shown.
const batchEvery = 120 * time.Millisecond

func newBatch[T any](do func(func()), show func([]T)) *batch[T] {
	return &batch[T]{do: do, show: show}
}

func (b *batch[T]) add(x T) {
	b.count++
	b.held = append(b.held, x)
	if time.Since(b.last) >= batchEvery {
		b.flush()
	}
}

func (b *batch[T]) flush() {
	b.last = time.Now()
	if len(b.held) == 0 {
		return
	}
	held := b.held
	b.held = nil
	b.do(func() { b.show(held) })
}
