//go:build unix

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"syscall"
	"time"

	"retrace/assets"
	"retrace/engine"
	"retrace/engine/ort"
	"retrace/engine/trajectory"
)

// retrace recovers by both methods, one trip at a time. The row by which the
// others are compared comes first.
func (b *bench) retrace(ctx context.Context) ([]row, error) {
	files, err := assets.Model(assets.DefaultModel)
	if err != nil {
		return nil, err
	}
	model, err := ort.OpenOnCPU(files, filepath.Join(b.cache, "onnxruntime"))
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, method := range []string{engine.MethodRNTrajRec, engine.MethodHMM} {
		s := engine.DefaultSettings()
		s.Method, s.Threads = method, 1
		if method == engine.MethodRNTrajRec {
			s.Model = model
		}
		r, err := engine.NewRecoverer(b.net, s)
		if err != nil {
			return nil, err
		}
		b.pass(ctx, r) // makes what is kept
		got := b.pass(ctx, r)
		got.Name = "retrace " + method
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows = append(rows, got)
	}
	return rows, nil
}

// pass recovers all trips once.
func (b *bench) pass(ctx context.Context, r *engine.Recoverer) row {
	var got row
	start, used := time.Now(), processorTime()
	for _, t := range b.trips {
		switch rec, err := r.Recover(ctx, t, nil); {
		case err != nil || len(rec.Parts) == 0:
			got.Failed++
		case broken(rec):
			got.Broken++
		}
	}
	got.Processor, got.Wall = (processorTime() - used).Seconds(), time.Since(start).Seconds()
	return got
}

// broken reports whether a path is interrupted, or leaves out the first or the last
// sample.
func broken(rec *trajectory.Recovery) bool {
	matched := func(m trajectory.SampleMatch) bool { return m.State == trajectory.Matched }
	return len(rec.Parts) > 1 || !matched(rec.Matches[0]) || !matched(rec.Matches[len(rec.Matches)-1])
}

// processorTime is how much of the cores' time this program has used.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(fmt.Sprint("the processor's time is not told: ", err))
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
