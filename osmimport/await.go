package osmimport

import (
	"context"
	"time"
)

// patience is how long a step that was cancelled may take to end by itself.
const patience = 100 * time.Millisecond

// await runs f and returns its error, or the context's soon after that ends:
// some steps (sorting, splitting a large network) look at it too seldom. Such
// a step is left to run out by itself; what it works on belongs to nobody
// else any more. A panic of f comes back as an error.
func await(ctx context.Context, f func(context.Context) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() {
		done <- protect(func() error { return f(ctx) })
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case <-done:
	case <-time.After(patience):
	}
	return ctx.Err()
}

// protect runs f and turns a panic into an error.
func protect(f func() error) error {
	_, err := guarded(func(struct{}) (struct{}, error) { return struct{}{}, f() }, struct{}{})
	return err
}
