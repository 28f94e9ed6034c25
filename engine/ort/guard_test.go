package ort

import (
	"errors"
	"sync"
	"testing"
	"time"

	"retrace/engine/bundle"
	"retrace/engine/device"
)

// stuck is a driver that hangs until it is let go, and then tells what it sees.
type stuck struct {
	begun chan struct{}
	letGo chan struct{}
	seen  chan float32
}

func (s stuck) Run(inputs []bundle.Tensor) (answers, error) {
	s.begun <- struct{}{}
	<-s.letGo
	s.seen <- inputs[0].Floats[0]
	return answers{}, errors.New("too late")
}

func (s stuck) Close() error { panic("a driver that hangs is closed") }

// hanging is a graph whose device hangs, and the clock that its patience runs by.
func hanging(cpu *fake, told *[]error) (*Graph, stuck, chan time.Time) {
	gpu := stuck{make(chan struct{}, 1), make(chan struct{}), make(chan float32, 1)}
	clock := make(chan time.Time)
	g := onDevice(gpu, cpu, told)
	g.guard.after = func(time.Duration) <-chan time.Time { return clock }
	return g, gpu, clock
}

// A driver that hangs costs no answer, and nothing that it still holds is touched.
func TestADriverThatHangsAtWorkIsGivenUp(t *testing.T) {
	var told []error
	cpu := &fake{good: 100}
	g, gpu, clock := hanging(cpu, &told)
	x, answered := []float32{1}, make(chan []bundle.Tensor)
	go func() {
		out, err := g.Run(bundle.Tensor{Shape: []int64{1}, Floats: x})
		if err != nil {
			t.Error(err)
		}
		answered <- out.tensors
	}()
	<-gpu.begun
	clock <- time.Time{}
	if out := <-answered; out[0].Floats[0] != 2 {
		t.Errorf("answered %v", out)
	}
	x[0] = 99 // its owner uses it again
	if g.place.now() != device.CPU || len(told) != 1 || !errors.Is(told[0], errHung) {
		t.Errorf("told %v", told)
	}
	for x := range 5 {
		ask(t, g, float32(x))
	}
	if err := g.Close(); err != nil || !cpu.closed {
		t.Errorf("left open, %v", err)
	}
	close(gpu.letGo)
	if x := <-gpu.seen; x != 1 {
		t.Errorf("the driver that woke up sees %v, it was given 1", x)
	}
}

// Those who wait for a device that hangs are answered too, without any clock.
func TestWhoWaitsForADeviceThatHangsIsAnsweredByTheCPU(t *testing.T) {
	var told []error
	cpu := &fake{good: 100}
	g, gpu, clock := hanging(cpu, &told)
	defer close(gpu.letGo)
	var all sync.WaitGroup
	for x := range 20 {
		all.Go(func() { ask(t, g, float32(x)) })
	}
	<-gpu.begun // one of them; the others wait for their turn
	clock <- time.Time{}
	all.Wait()
	if len(told) != 1 || cpu.asked != 20 {
		t.Errorf("told %v; the CPU was asked %d times", told, cpu.asked)
	}
}

func TestAPanicOfARunIsAnError(t *testing.T) {
	var told []error
	g := onDevice(nil, &fake{good: 9}, &told) // a nil pointer is run
	ask(t, g, 1)
	if g.place.lost() == nil || len(told) != 1 {
		t.Errorf("told %v", told)
	}
}

// Patience is for what there is to do.
func TestPatienceGrowsWithWhatRunsTook(t *testing.T) {
	g := newGuard(make(turn, 1))
	want := func(values int, patience time.Duration) {
		t.Helper()
		if got := g.patience(values); got != patience {
			t.Errorf("patience for %d values is %v, want %v", values, got, patience)
		}
	}
	want(10, firstPatience)
	g.note(time.Minute, 10) // compiling
	want(1_000_000, leastPatience)
	g.note(time.Second, 1_000_000)
	want(10, leastPatience)
	want(1_000_000, generous*time.Second)
	g.note(time.Millisecond, 1) // far from the most that a device can do
	want(1_000_000, generous*time.Second)
}
