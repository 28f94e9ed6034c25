package work

import (
	"context"
	"fmt"
	"iter"
	"time"

	"fyne.io/fyne/v2/lang"

	"retrace/engine"
	"retrace/engine/trajectory"
	"retrace/ui/state"
	"retrace/ui/task"
	"retrace/ui/words"
)

// recovering is one run of recovery.
type recovering struct {
	desk    *Desk
	results *batch[state.Result]
	unsaved []*trajectory.Recovery
	saved   time.Time
	done    int
	failed  int
	keep    bool
}

// keepEvery is how long a finished recovery may wait to be saved.
const keepEvery = time.Second

// Recover recovers trips on the network that is shown. Trips outside the
// network are passed over.
func (d *Desk) Recover(trips []*state.Trip) {
	net := d.state.Network()
	if net == nil {
		return
	}
	var ids []string
	var todo []*trajectory.Trajectory
	pins := map[string][]engine.Pin{}
	for _, t := range trips {
		if t.Status == state.Queued {
			d.again[t.ID()] = true
		}
		if t.Status == state.Outside || t.Status == state.Queued {
			continue
		}
		ids = append(ids, t.ID())
		todo = append(todo, t.Trajectory)
		pins[t.ID()] = t.Pins
	}
	if len(todo) == 0 && len(d.again) > 0 {
		return
	}
	if len(todo) == 0 {
		d.state.Notify(state.Warn, lang.L("None of these trips lies within the network."), "")
		return
	}
	d.Prepare()
	prepared, settings := d.prepared, d.basicSettings()
	d.state.SetQueued(ids, true)
	ws := d.ws
	if !d.Kept() || d.sample {
		ws = nil // the roads of a network that is not kept are not either
	}
	run := &recovering{desk: d, results: newBatch(d.do, d.state.SetResults), keep: d.Kept() && !d.sample, saved: time.Now()}
	title := lang.N("Recovering {{.N}} trips", len(todo), map[string]any{"N": words.Count(len(todo))})
	d.tasks.Start(title, func(ctx context.Context, report func(task.Progress)) error {
		settings, err := prepared.settings(ctx, settings)
		if err != nil {
			return err
		}
		if err := d.roads.askRoads(ctx, ws, net, &settings, report); err != nil {
			return err
		}
		recoverer, err := engine.NewRecoverer(net, settings)
		if err != nil {
			return err
		}
		return run.run(ctx, recoverer, todo, pins, report)
	}, func(err error) {
		d.state.SetQueued(ids, false)
		d.checkDevice()
		d.fail(lang.L("Not all trips were recovered."), err)
		run.summary(len(todo))
		d.recoverAgain(ids)
	})
}

// recoverAgain recovers those trips once more that were asked for while they
// were being recovered, e.g. because a pin was set meanwhile.
func (d *Desk) recoverAgain(ids []string) {
	var trips []*state.Trip
	for _, id := range ids {
		if t := d.state.Trip(id); t != nil && d.again[id] {
			trips = append(trips, t)
		}
		delete(d.again, id)
	}
	if len(trips) > 0 {
		d.Recover(trips)
	}
}

func (r *recovering) run(ctx context.Context, rec *engine.Recoverer, todo []*trajectory.Trajectory,
	pins map[string][]engine.Pin, report func(task.Progress)) error {
	total := int64(len(todo))
	report(task.Progress{Total: total})
	err := rec.AsFinished(ctx, each(todo), func(t *trajectory.Trajectory) []engine.Pin { return pins[t.ID] },
		func(t *trajectory.Trajectory, result *trajectory.Recovery, err error) error {
			r.done++
			if err != nil {
				r.failed++
			}
			r.results.add(state.Result{ID: t.ID, Recovery: result, Err: err})
			report(task.Progress{Done: int64(r.done), Total: total})
			return r.take(ctx, result)
		})
	r.results.flush()
	if kept := r.save(context.WithoutCancel(ctx)); err == nil {
		err = kept
	}
	return err
}

func each(todo []*trajectory.Trajectory) iter.Seq2[*trajectory.Trajectory, error] {
	return func(yield func(*trajectory.Trajectory, error) bool) {
		for _, t := range todo {
			if !yield(t, nil) {
				return
			}
		}
	}
}

// take keeps a recovery, together with others.
func (r *recovering) take(ctx context.Context, result *trajectory.Recovery) error {
	if result == nil || !r.keep {
		return nil
	}
	r.unsaved = append(r.unsaved, result)
	if len(r.unsaved) < saveEvery && time.Since(r.saved) < keepEvery {
		return nil
	}
	return r.save(ctx)
}

func (r *recovering) save(ctx context.Context) error {
	if len(r.unsaved) == 0 {
		return nil
	}
	err := r.desk.ws.SaveRecoveries(ctx, r.unsaved)
	if err == nil {
		err = r.removeOthers(ctx)
	}
	r.unsaved, r.saved = nil, time.Now()
	if err != nil {
		return fmt.Errorf("keep the recoveries: %w", err)
	}
	return nil
}

// removeOthers removes what another method had recovered of the trips that were
// just kept: the window shows, and exports write, one recovery of a trip.
func (r *recovering) removeOthers(ctx context.Context) error {
	other := engine.MethodHMM
	if r.unsaved[0].Provenance.Method == engine.MethodHMM {
		other = engine.MethodRNTrajRec
	}
	ids := make([]string, len(r.unsaved))
	for i, rec := range r.unsaved {
		ids[i] = rec.Trajectory
	}
	return r.desk.ws.RemoveRecoveries(ctx, ids, other)
}

// summary says how a recovery of many trips went; one trip shows by itself.
func (r *recovering) summary(asked int) {
	m := r.desk.state
	if asked == 1 && r.failed == 0 || r.desk.sample {
		return
	}
	c := m.Count()
	data := map[string]any{"N": words.Count(r.done), "Failed": words.Count(r.failed), "Warned": words.Count(c.Warned)}
	text := lang.N("{{.N}} trips recovered.", r.done-r.failed, map[string]any{"N": words.Count(r.done - r.failed)})
	level := state.Info
	if c.Warned > 0 {
		text += " " + lang.N("{{.Warned}} with warnings.", c.Warned, data)
	}
	if r.failed > 0 {
		level = state.Warn
		text += " " + lang.N("{{.Failed}} failed.", r.failed, data)
	}
	m.Notify(level, text, "")
}
