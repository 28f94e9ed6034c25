package work

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"

	"fyne.io/fyne/v2/lang"

	"retrace/engine"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/storage"
	"retrace/ui/state"
	"retrace/ui/task"
	"retrace/ui/words"
)

// recovering is one run of recovery.
type recovering struct {
	desk *Desk
	step *state.Step // that its results belong to; nil: to none
	net  *roadnet.Network
	// elsewhere is the network of the workspace that is recovered on; empty: the one shown
	elsewhere string
	gather    bool               // the trips tell the model of the roads
	read      *storage.Workspace // where networks are
	ws        *storage.Workspace // where what models say of roads is kept; nil: nowhere
	todo      []*state.Journey
	pins      map[string][]engine.Pin
	edition   map[string]int
	others    []*state.Journey // that tell the model of the roads
	results   *batch[state.Result]
	done      int
	failed    int

	finished map[string]bool // trips that are done
}

// Recover recovers trips, each on the network that it belongs to, which undo takes back.
// Trips outside all networks are passed over.
func (d *Desk) Recover(trips []*state.Trip) {
	if d.state.Network() == nil {
		return
	}
	todo := d.toRecover(trips)
	if len(todo) == 0 && len(d.again) == 0 {
		d.state.Notify(state.Warn, lang.L("None of these trips lies within the network."), "")
	}
	shown := d.state.Network().Info().Name
	for _, name := range append([]string{shown}, slices.Sorted(maps.Keys(todo))...) {
		some := todo[name]
		delete(todo, name)
		if len(some) == 0 {
			continue
		}
		step := d.state.DoLater(state.RecoverStep, len(some), state.NameOf(some))
		if name == shown {
			d.recoverIn(step, some)
			continue
		}
		run := d.newRun(step, some)
		run.elsewhere = name
		d.start(step, some, run)
	}
}

// toRecover are those of the trips that can be recovered now, by the network that they
// belong to. One that is in the queue already is recovered once more after that.
func (d *Desk) toRecover(trips []*state.Trip) map[string][]*state.Trip {
	todo := map[string][]*state.Trip{}
	for _, t := range trips {
		if t.Status == state.Queued {
			d.again[t.ID()] = true
		} else if name := d.state.NetworkOf(t); name != "" && (d.ws != nil || t.Status != state.Outside) {
			todo[name] = append(todo[name], t)
		}
	}
	return todo
}

// recoverIn recovers trips as a part of a step; nil: what comes of it is not
// kept and cannot be undone.
func (d *Desk) recoverIn(step *state.Step, trips []*state.Trip) {
	d.start(step, trips, d.newRun(step, trips))
}

func (d *Desk) start(step *state.Step, trips []*state.Trip, run *recovering) {
	d.Prepare()
	prepared, settings := d.prepared, d.basicSettings()
	ids := idsOf(trips)
	d.state.SetQueued(ids, true)
	title := lang.N("Recovering {{.N}} trips", len(trips), map[string]any{"N": words.Count(len(trips))})
	t := d.tasks.Start(title, func(ctx context.Context, report func(task.Progress)) error {
		settings, err := prepared.settings(ctx, settings)
		if err != nil {
			return err
		}
		return run.run(ctx, settings, report)
	}, func(err error) {
		delete(d.runs, step)
		d.state.SetQueued(ids, false)
		d.checkDevice()
		d.fail(whyNotRecovered(err), err)
		if errors.Is(err, context.Canceled) {
			run.stopped(trips)
		} else {
			run.summary(len(trips))
		}
		if step != nil {
			d.state.Drop(step)
		}
		d.recoverAgain(ids)
	})
	if step != nil {
		d.runs[step] = t
	}
}

func (d *Desk) newRun(step *state.Step, trips []*state.Trip) *recovering {
	run := &recovering{desk: d, step: step, net: d.state.Network(), others: d.neighbours(), gather: d.state.Options().Gather, pins: map[string][]engine.Pin{}, edition: map[string]int{}, finished: map[string]bool{}}
	run.read = d.ws
	if d.Kept() && !d.sample {
		run.ws = d.ws
	}
	for _, t := range trips {
		run.todo = append(run.todo, t.Journey())
		run.pins[t.ID()], run.edition[t.ID()] = t.Pins, t.Edition()
	}
	run.results = newBatch(d.do, func(results []state.Result) {
		d.state.During(step, func() { d.state.SetResults(results) })
		if len(trips) == 1 {
			d.state.Urge() // the user waits for it
		}
	})
	return run
}

// recoverAgain recovers those trips once more that were asked for while they
// were being recovered, e.g. by another method.
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

// recoverer is what recovers as the settings say. Where all trips tell the model
// of the roads, they are looked at first.
func (r *recovering) recoverer(ctx context.Context, settings engine.Settings, phases []func(task.Progress)) (*engine.Recoverer, error) {
	if r.gathers(settings) {
		known, err := r.desk.shelf.traffic.gather(ctx, r.net, r.others, settings, phases[gathering])
		if err != nil {
			return nil, err
		}
		settings.Traffic = known
	}
	return r.desk.shelf.recoverer(r.ws, r.net, settings)
}

// gathers reports whether all trips tell the model of the roads.
func (r *recovering) gathers(settings engine.Settings) bool {
	return len(r.others) > 1 && settings.Method == engine.MethodRNTrajRec
}

// The phases of a recovery.
const (
	gathering = iota
	recoveringTrips
)

// phases take the progress of each phase of a recovery. Matching a trip, which
// gathering does, takes about half as long as recovering it by the model.
func (r *recovering) phases(settings engine.Settings, report func(task.Progress)) []func(task.Progress) {
	gather := 0.0
	if r.gathers(settings) {
		gather = 0.5 * float64(len(r.others))
	}
	return task.Phases(report, gather, float64(len(r.todo)))
}

// open loads the network that is recovered on, where it is not the one that is shown. Of
// its roads the trips alone tell that are recovered.
func (r *recovering) open(ctx context.Context) (err error) {
	if r.elsewhere == "" {
		return nil
	}
	r.others = nil
	if r.gather {
		r.others = r.todo
	}
	r.net, _, err = r.read.LoadNetwork(ctx, r.elsewhere)
	return err
}

// run recovers the trips and hands over what comes of each.
func (r *recovering) run(ctx context.Context, settings engine.Settings, report func(task.Progress)) error {
	if err := r.open(ctx); err != nil {
		return err
	}
	phases := r.phases(settings, report)
	rec, err := r.recoverer(ctx, settings, phases)
	if err != nil {
		return err
	}
	total, report := int64(len(r.todo)), phases[recoveringTrips]
	report(task.Progress{Total: total})
	err = rec.AsFinished(ctx, wholeTrips(r.todo), func(t *trajectory.Trajectory) []engine.Pin { return r.pins[t.ID] },
		func(t *trajectory.Trajectory, result *trajectory.Recovery, err error) error {
			r.desk.keeper.room()
			r.done++
			r.finished[t.ID] = true
			if err != nil {
				r.failed++
			}
			r.results.add(state.Result{ID: t.ID, Edition: r.edition[t.ID], Recovery: result, Err: err})
			report(task.Progress{Done: int64(r.done), Total: total})
			return nil
		})
	r.results.flush()
	return err
}

// wholeTrips hands out the trajectories of journeys, each when it is asked for.
func wholeTrips(all []*state.Journey) iter.Seq2[*trajectory.Trajectory, error] {
	return func(yield func(*trajectory.Trajectory, error) bool) {
		for _, j := range all {
			if !yield(j.Trajectory(), nil) {
				return
			}
		}
	}
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
	m.NotifyOffer(level, text, "", r.offer())
}

// stopped says how much was done when the user stopped it, and offers to do the
// rest.
func (r *recovering) stopped(asked []*state.Trip) {
	d, m := r.desk, r.desk.state
	var left []*state.Trip
	for _, t := range asked {
		if !r.finished[t.ID()] {
			left = append(left, t)
		}
	}
	if len(asked) == 1 || len(left) == 0 || d.sample {
		return
	}
	waits := func(t *state.Trip) bool { return m.Trip(t.ID()) == t && t.Status != state.Queued }
	text := lang.L("Stopped: {{.Done}} of {{.All}} trips are done, {{.Left}} are not.",
		map[string]any{"Done": words.Count(r.done), "All": words.Count(len(asked)), "Left": words.Count(len(left))})
	m.NotifyOffer(state.Info, text, "", &state.Offer{Name: lang.L("Go on with the rest"),
		Run: func() { d.Recover(slices.DeleteFunc(left, func(t *state.Trip) bool { return !waits(t) })) },
		Due: func() bool { return slices.ContainsFunc(left, waits) }})
}

// offer leads on to what is most in need of a look.
func (r *recovering) offer() *state.Offer {
	m := r.desk.state
	left := func() bool { n, _ := m.DoubtsLeft(); return n > 0 }
	if !left() {
		return nil
	}
	return &state.Offer{Name: lang.L("Show the places in doubt"), Run: func() { m.ShowTab(state.DoubtsTab) }, Due: left}
}
