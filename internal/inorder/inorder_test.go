package inorder_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"retrace/internal/inorder"
)

// counting submits numbers from 0, and then returns an error.
func counting(n int, end error) func(func(int) error) error {
	return func(submit func(int) error) error {
		for i := range n {
			if err := submit(i); err != nil {
				return err
			}
		}
		return end
	}
}

// slowEvens takes longer over even numbers.
func slowEvens(i int) (int, error) {
	if i%2 == 0 {
		time.Sleep(time.Millisecond)
	}
	return i, nil
}

func TestResultsComeInOrderAndThenTheErrorOfTheProducer(t *testing.T) {
	broken := errors.New("broken")
	p := inorder.Start(context.Background(), 4, counting(50, broken), slowEvens)
	defer p.Stop()
	for i := range 50 {
		if v, ok, err := p.Next(); v != i || !ok || err != nil {
			t.Fatalf("result %d is %d, %v, %v", i, v, ok, err)
		}
	}
	if _, ok, err := p.Next(); ok || !errors.Is(err, broken) {
		t.Errorf("at the end: %v, %v", ok, err)
	}
}

func TestAConsumerMayLeaveEarly(t *testing.T) {
	p := inorder.Start(context.Background(), 2, counting(1_000_000_000, nil), slowEvens)
	p.Next()
	p.Stop()
	p.Stop()
}

func TestItEndsWithTheErrorOfTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	p := inorder.Start(ctx, 2, counting(1_000_000_000, nil), slowEvens)
	defer p.Stop()
	p.Next()
	cancel()
	for {
		if _, ok, err := p.Next(); !ok {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			return
		}
	}
}
