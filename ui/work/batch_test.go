package work

import (
	"testing"
	"time"
)

// However fast things are made, the window has one hand-over to do at a time, and
// all things come, in order.
func TestABatchNeverQueuesUp(t *testing.T) {
	var queue []func()
	var shown []int
	b := newBatch(func(f func()) { queue = append(queue, f) }, func(some []int) { shown = append(shown, some...) })
	const n = 100_000
	for i := range n {
		b.add(i)
		if i%1000 == 0 {
			time.Sleep(2 * time.Millisecond) // the window does nothing meanwhile
		}
	}
	b.flush()
	if len(queue) != 1 {
		t.Fatalf("%d hand-overs wait for the window", len(queue))
	}
	queue[0]()
	b.flush()
	if len(queue) != 1 || len(shown) != n || shown[n-1] != n-1 || shown[0] != 0 {
		t.Errorf("%d of %d things are shown, in %d hand-overs", len(shown), n, len(queue))
	}
}

// Where showing is slow the next hand-over waits longer, so that the window has
// time for its user.
func TestABatchLeavesTimeToTheWindow(t *testing.T) {
	shows := 0
	b := newBatch(func(f func()) { f() }, func([]int) { shows++; time.Sleep(30 * time.Millisecond) })
	began := time.Now()
	for i := 0; time.Since(began) < 500*time.Millisecond; i++ {
		b.add(i)
		time.Sleep(time.Millisecond)
	}
	if busy := time.Duration(shows) * 30 * time.Millisecond; busy > 150*time.Millisecond {
		t.Errorf("showing takes %v of half a second", busy)
	}
}
