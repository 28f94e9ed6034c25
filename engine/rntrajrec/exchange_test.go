package rntrajrec

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// doubling answers numbers with twice as much. It fails where it meets a bad
// one, panics at a worse one, and keeps the sizes of its calls.
type doubling struct {
	mu    sync.Mutex
	calls [][]int
	now   atomic.Int32
	most  atomic.Int32  // calls at once
	hold  chan struct{} // nil: calls take no time
}

const (
	bad   = -1
	worse = -2
)

var errBad = errors.New("a bad number")

func (d *doubling) call(in []int) ([]int, error) {
	if n := d.now.Add(1); n > d.most.Load() {
		d.most.Store(n)
	}
	defer d.now.Add(-1)
	d.mu.Lock()
	d.calls = append(d.calls, slices.Clone(in))
	d.mu.Unlock()
	if d.hold != nil {
		<-d.hold
	}
	out := make([]int, len(in))
	for i, x := range in {
		switch x {
		case bad:
			return nil, errBad
		case worse:
			panic("out of range")
		}
		out[i] = 2 * x
	}
	return out, nil
}

func (d *doubling) exchange(lanes, most int) *exchange[int, int] {
	return &exchange[int, int]{call: d.call, size: func(int) int { return 1 }, most: most, lanes: lanes}
}

// waitFor waits until something is so.
func waitFor(t *testing.T, so func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not happen")
		}
	}
}

func (x *exchange[In, Out]) inLine() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.waiting)
}

func TestEveryoneGetsTheirOwnAnswer(t *testing.T) {
	for _, lanes := range []int{1, 2, 5} {
		d := &doubling{}
		x := d.exchange(lanes, 7)
		var all sync.WaitGroup
		for i := range 400 {
			all.Go(func() {
				if got, err := x.ask(context.Background(), i); got != 2*i || err != nil {
					t.Errorf("asked %d, answered %d, %v", i, got, err)
				}
			})
		}
		all.Wait()
		for _, c := range d.calls {
			if len(c) > 7 {
				t.Errorf("a call for %d", len(c))
			}
		}
		if int(d.most.Load()) > lanes || x.calling != 0 || len(x.waiting) != 0 {
			t.Errorf("%d calls at once in %d lanes; %d still calling, %d waiting", d.most.Load(), lanes, x.calling, len(x.waiting))
		}
	}
}

func TestWhatIsAskedDuringACallGoesIntoTheNext(t *testing.T) {
	d := &doubling{hold: make(chan struct{})}
	x := d.exchange(1, 100)
	var all sync.WaitGroup
	ask := func(i int) { all.Go(func() { x.ask(context.Background(), i) }) }
	ask(0)
	waitFor(t, func() bool { return d.now.Load() == 1 })
	for i := range 20 {
		ask(i)
	}
	waitFor(t, func() bool { return x.inLine() == 20 })
	close(d.hold)
	all.Wait()
	if len(d.calls) != 2 || len(d.calls[1]) != 20 {
		t.Errorf("calls %v", d.calls)
	}
}

func TestABadQuestionCostsOnlyItself(t *testing.T) {
	for _, wrong := range []int{bad, worse} {
		d := &doubling{hold: make(chan struct{})}
		x := d.exchange(1, 100)
		var all sync.WaitGroup
		var failed atomic.Int32
		for i, q := range []int{0, 1, 2, wrong, 4, 5} {
			all.Go(func() {
				got, err := x.ask(context.Background(), q)
				if err != nil {
					failed.Add(1)
				}
				if (q < 0) != (err != nil) || err == nil && got != 2*q {
					t.Errorf("question %d, %d: %d, %v", i, q, got, err)
				}
			})
			waitFor(t, func() bool { return d.now.Load() == 1 })
		}
		waitFor(t, func() bool { return x.inLine() == 5 })
		close(d.hold)
		all.Wait()
		if failed.Load() != 1 {
			t.Errorf("%d failed", failed.Load())
		}
	}
}

func TestWhoGivesUpDoesNotHoldUpOthers(t *testing.T) {
	d := &doubling{hold: make(chan struct{}, 1000)}
	x := d.exchange(2, 3)
	rng := rand.New(rand.NewPCG(1, 2))
	var all sync.WaitGroup
	for i := range 300 {
		ctx, cancel := context.WithCancel(context.Background())
		patience := time.Duration(rng.IntN(20)) * time.Millisecond
		if i%3 == 0 {
			time.AfterFunc(patience, cancel)
		} else {
			defer cancel()
		}
		all.Go(func() {
			if got, err := x.ask(ctx, i); err == nil && got != 2*i || err != nil && (i%3 != 0 || !errors.Is(err, context.Canceled)) {
				t.Errorf("question %d: %d, %v", i, got, err)
			}
		})
	}
	go func() {
		for range 1000 {
			d.hold <- struct{}{}
			time.Sleep(100 * time.Microsecond)
		}
	}()
	all.Wait()
	if x.calling != 0 || len(x.waiting) != 0 {
		t.Errorf("%d still calling, %d waiting", x.calling, len(x.waiting))
	}
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	d := &doubling{hold: make(chan struct{})}
	x := d.exchange(1, 1)
	var all sync.WaitGroup
	all.Go(func() { x.ask(context.Background(), 1) })
	waitFor(t, func() bool { return d.now.Load() == 1 })
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := x.ask(ctx, 2); !errors.Is(err, context.Canceled) { // while the first call goes on
		t.Errorf("error %v", err)
	}
	close(d.hold)
	all.Wait()
	if fmt.Sprint(d.calls) != "[[1]]" {
		t.Errorf("calls %v", d.calls)
	}
}

// Neither is an idle model, whose turn and the end of the context come together.
func TestWhoGaveUpAsksNoIdleModel(t *testing.T) {
	d := &doubling{}
	x := d.exchange(1, 1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for i := range 100 {
		if _, err := x.ask(ctx, i); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	}
	if len(d.calls) != 0 || x.calling != 0 || len(x.waiting) != 0 {
		t.Errorf("calls %v, %d still calling, %d waiting", d.calls, x.calling, len(x.waiting))
	}
}

func TestPaddingIsLittle(t *testing.T) {
	for n := 1; n < 10_000; n++ {
		if r := rung(n); r < n || r > max(8, 2*n) || r%8 != 0 || rung(r) != r {
			t.Fatalf("%d pieces are padded to %d", n, r)
		}
	}
}

// Gaps of about one length share a call, one that is much longer has its own.
func TestTheGapsOfATripArePaddedToFewLengths(t *testing.T) {
	gaps := make([]gapQuestion, 6)
	for i, n := range []int{5, 30, 33, 40, 0, 2000} {
		gaps[i].lengths = make([]float32, n)
	}
	got := paddedLengths(gaps)
	if want := map[int]int{8: 40, 32: 40, 40: 40, 2048: 2048}; !maps.Equal(got, want) {
		t.Errorf("padded to %v, want %v", got, want)
	}
}
