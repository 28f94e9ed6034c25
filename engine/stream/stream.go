// Package stream recovers trajectories that come over an Arrow IPC stream and answers
// over another, for as long as whoever sends likes: engines for large data keep one
// process of Retrace beside each of theirs.
package stream

import (
	"context"
	"errors"
	"fmt"
	"io"

	"retrace/engine"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/clean"
	"retrace/engine/trajectory/facts"
	"retrace/engine/trajectory/read"
	"retrace/engine/trajectory/write"
	"retrace/internal/inorder"
)

// Options say how a stream is answered.
type Options struct {
	Rules  clean.Rules    // what is tidied and cut
	Layers []write.Layer  // what is told of each trip; some of [write.BatchLayers]
	Flat   bool           // as one table of the only layer, not as lists
	About  write.About    // goes into the schema of the answer
	Unused func([]string) // told which columns are not looked at; may be nil
}

// Told is what became of the trips of a stream.
type Told struct {
	Batches, Recovered, Parts, Refused int
}

// step is a trajectory that was sent, or the end of a batch.
type step struct {
	given read.Given
	last  bool
}

// done are the outcomes of a step.
type done struct {
	outcomes []write.Outcome
	last     bool
}

// Serve answers the stream in with the stream out: one batch for each batch, sent off
// when its last trip is recovered, in the order of the rows; and one more at the end for
// a trajectory whose rows may have gone on. The next batch is read meanwhile, no more. A
// trip that cannot be recovered costs a row that says so. The schema of the answer is
// written before anything is read.
//
// The error is [read.ErrCut] or says what of in is broken, how out failed, or that of
// ctx: the answer then has no end mark. Where ctx ends, Serve does not wait for in.
func Serve(ctx context.Context, in io.Reader, out io.Writer, r *engine.Recoverer, net *roadnet.Network, opt Options) (told Told, err error) {
	ctx, cancel := context.WithCancel(ctx)
	w, err := write.NewBatches(out, net, opt.About, opt.Layers, opt.Flat)
	if err != nil {
		cancel()
		return told, err
	}
	work := func(s step) (done, error) { return done{recoverOne(ctx, r, s.given), s.last}, ctx.Err() }
	p := inorder.Start(ctx, r.AtOnce(), func(submit func(step) error) error { return batches(ctx, in, opt, submit) }, work)
	defer func() { cancel(); p.Stop() }()
	for {
		d, more, err := p.Next()
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return told, err
		}
		if !more {
			return told, w.Close()
		}
		for _, o := range d.outcomes {
			told.count(o)
			if err := w.Add(o); err != nil {
				return told, err
			}
		}
		if d.last {
			told.Batches++
			if err := w.Flush(); err != nil {
				return told, fmt.Errorf("the answer cannot be written: %w", err)
			}
		}
	}
}

func (t *Told) count(o write.Outcome) {
	switch {
	case o.Recovery == nil:
		t.Refused++
	case len(o.Recovery.Parts) > 1:
		t.Parts++
	default:
		t.Recovered++
	}
}

// batch is what one call of a reader gave.
type batch struct {
	all []read.Given
	err error
}

// batches submits what comes, with an end behind each batch.
func batches(ctx context.Context, in io.Reader, opt Options, submit func(step) error) error {
	next := make(chan batch)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go readAll(ctx, in, opt, next)
	for {
		var b batch
		select {
		case b = <-next:
		case <-ctx.Done():
			return ctx.Err()
		}
		if errors.Is(b.err, io.EOF) {
			return nil
		}
		if b.err != nil {
			return b.err
		}
		for _, g := range b.all {
			if err := submit(step{given: g}); err != nil {
				return err
			}
		}
		if err := submit(step{last: true}); err != nil {
			return err
		}
	}
}

// readAll hands on one batch after another until an error, by a goroutine of its own: a
// read cannot be called off, and nobody is to wait for a sender that is silent.
func readAll(ctx context.Context, in io.Reader, opt Options, next chan<- batch) {
	r, err := read.OpenBatches(in, opt.Rules)
	if err == nil && opt.Unused != nil && len(r.Unused()) > 0 {
		opt.Unused(r.Unused())
	}
	for {
		b := batch{err: err}
		if err == nil {
			b.all, b.err = r.Next()
		}
		select {
		case next <- b:
		case <-ctx.Done():
			return
		}
		if b.err != nil {
			return
		}
	}
}

// recoverOne recovers what was made of a trajectory.
func recoverOne(ctx context.Context, r *engine.Recoverer, g read.Given) []write.Outcome {
	if g.Refused != "" {
		return []write.Outcome{{Input: g.ID, Trajectory: g.ID, Refused: g.Refused, Notes: g.Notes}}
	}
	var all []write.Outcome
	for _, t := range g.Pieces {
		o := write.Outcome{Input: g.ID, Trajectory: t.ID, Samples: len(t.Samples), Notes: g.Notes}
		o.Recovery, o.Refused = answer(ctx, r, t)
		all = append(all, o)
	}
	return all
}

// answer recovers one trip, or says why not.
func answer(ctx context.Context, r *engine.Recoverer, t *trajectory.Trajectory) (*trajectory.Recovery, string) {
	rec, err := r.Recover(ctx, t, nil)
	switch {
	case err != nil:
		return nil, err.Error()
	case len(rec.Parts) == 0:
		return nil, facts.NoPath(rec)
	}
	return rec, ""
}
