package work

import (
	"context"
	"errors"
	"os"
	"strings"

	"fyne.io/fyne/v2/lang"

	"retrace/engine/trajectory"
	"retrace/engine/trajectory/clean"
	"retrace/engine/trajectory/read"
	"retrace/ui/state"
	"retrace/ui/task"
	"retrace/ui/words"
)

// saveEvery is how many trips or recoveries are saved at once.
const saveEvery = 256

// reading is one run of reading trajectory files.
type reading struct {
	desk     *Desk
	trips    *batch[*state.Trip]
	shown    []*state.Trip
	problems *batch[state.Problem]
	unsaved  []*trajectory.Trajectory
	left     int // rows left out
	failed   int // files that could not be read to their end
}

// readTrips reads trajectory files, shows the trips as they come and keeps
// them. Then is called when all is read.
func (d *Desk) readTrips(paths []string, then func()) {
	d.leaveSample()
	r := &reading{desk: d, problems: newBatch(d.do, d.state.AddProblems)}
	r.trips = newBatch(d.do, func(trips []*state.Trip) {
		r.shown = append(r.shown, trips...)
		d.state.AddTrips(trips)
	})
	total := sizeOf(paths)
	d.tasks.Start(lang.L("Reading trips"), func(ctx context.Context, report func(task.Progress)) error {
		return r.run(ctx, paths, func(done int64) { report(task.Progress{Done: done, Total: total}) })
	}, func(err error) {
		d.fail(lang.L("Not all trips were read."), err)
		r.summary()
		if d.OnTrips != nil && len(r.shown) > 0 {
			d.OnTrips(r.shown)
		}
		then()
	})
}

func (r *reading) run(ctx context.Context, paths []string, progress func(int64)) error {
	opt := read.Options{Problem: r.problem, Progress: progress, Clean: clean.Default(), Known: r.desk.known}
	for t, err := range read.Files(ctx, paths, nil, opt) {
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			r.failed++
			r.problems.add(state.Problem{Source: "reading", What: err.Error(), Count: 1})
			continue
		}
		r.trips.add(state.NewTrip(t, nil, nil))
		r.unsaved = append(r.unsaved, t)
		if len(r.unsaved) >= saveEvery {
			if err := r.save(ctx); err != nil {
				return err
			}
		}
	}
	r.trips.flush()
	r.problems.flush()
	return errors.Join(r.save(context.WithoutCancel(ctx)), ctx.Err())
}

func (r *reading) save(ctx context.Context) error {
	if !r.desk.Kept() || len(r.unsaved) == 0 {
		return nil
	}
	_, err := r.desk.ws.SaveTrajectories(ctx, r.unsaved)
	r.unsaved = nil
	return err
}

func (r *reading) problem(p read.Problem) {
	if !p.Kept {
		r.left++
	}
	object := p.Trajectory
	what := p.Reason
	if p.Value != "" {
		what += ": " + p.Value
	}
	r.problems.add(state.Problem{Source: "reading", File: p.File, Line: p.Line, Object: object, What: what, Count: 1, Kept: p.Kept})
}

// summary says what was read, and what to do with it.
func (r *reading) summary() {
	d, n := r.desk, r.trips.count
	level := state.Info
	parts := []string{lang.N("{{.N}} trips read.", n, map[string]any{"N": words.Count(n)})}
	if n == 0 {
		level, parts[0] = state.Fault, lang.L("No trip could be read.")
	}
	add := func(text string) {
		level = max(level, state.Warn)
		parts = append(parts, text)
	}
	if r.left > 0 {
		add(lang.N("{{.Rows}} rows left out: see the table PROBLEMS.", r.left, map[string]any{"Rows": words.Count(r.left)}))
	}
	if r.failed > 0 {
		add(lang.N("{{.N}} files could not be read to the end: see the table PROBLEMS.", r.failed, map[string]any{"N": r.failed}))
	}
	if outside := d.state.Count().Outside; outside > 0 {
		add(lang.N("{{.N}} lie outside the network.", outside, map[string]any{"N": words.Count(outside)}))
	}
	if d.state.Network() == nil && n > 0 {
		parts = append(parts, lang.L("Drop an OpenStreetMap extract of their area to recover them."))
	}
	d.state.Notify(level, strings.Join(parts, " "), "")
}

func sizeOf(paths []string) int64 {
	total := int64(0)
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil {
			total += info.Size()
		}
	}
	return total
}
