package osmimport

import (
	"context"
	"fmt"
	"runtime/debug"

	"retrace/internal/inorder"
)

// startPipeline is [inorder.Start] for work on what a file holds, which is guarded.
func startPipeline[J, T any](ctx context.Context, workers int, produce func(submit func(J) error) error,
	work func(J) (T, error)) *inorder.Pipeline[T] {
	return inorder.Start(ctx, workers, produce, func(j J) (T, error) { return guarded(work, j) })
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
