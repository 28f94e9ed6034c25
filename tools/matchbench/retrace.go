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

// retrace recovers by both methods and decoders, one trip at a time. The row by which the
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
	routes, ticks, hmm := engine.DefaultSettings(), engine.DefaultSettings(), engine.DefaultSettings()
	routes.Method, routes.Decoder, routes.Model = engine.MethodRNTrajRec, engine.DecoderRoutes, model
	ticks.Method, ticks.Decoder, ticks.Model = engine.MethodRNTrajRec, engine.DecoderTicks, model
	ways := []way{{"retrace rntrajrec", routes}, {"retrace hmm", hmm}}
	if model.Ticks != nil {
		ways = append(ways, way{"retrace rntrajrec, tick by tick", ticks})
	}
	var rows []row
	for _, w := range ways {
		got, err := b.recover(ctx, w.settings)
		if err != nil {
			return nil, err
		}
		got.Name = w.name
		rows = append(rows, got)
	}
	return rows, nil
}

// way is one of those that Retrace recovers in.
type way struct {
	name     string
	settings engine.Settings
}

// recover recovers all trips as the settings say, on one thread.
func (b *bench) recover(ctx context.Context, s engine.Settings) (row, error) {
	s.Threads = 1
	if err := s.AskRoads(ctx, b.net, 1); err != nil {
		return row{}, err
	}
	r, err := engine.NewRecoverer(b.net, s)
	if err != nil {
		return row{}, err
	}
	b.pass(ctx, r) // makes what is kept
	return b.pass(ctx, r), ctx.Err()
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
