package work

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"fyne.io/fyne/v2/lang"

	"retrace/engine/trajectory"
	"retrace/storage"
	"retrace/ui/state"
	"retrace/ui/task"
)

// loadHistory reads the steps that the workspace holds. What is broken of them
// is left out and told; nothing else depends on it.
func (d *Desk) loadHistory() {
	steps, lost, err := d.ws.Steps(context.Background())
	if err != nil {
		d.fail(lang.L("The history cannot be read: what was done before cannot be undone."), err)
		return
	}
	var all []*state.Step
	for _, s := range steps {
		step, err := parseStep(s)
		if err != nil {
			lost = append(lost, s.Number)
			continue
		}
		all = append(all, step)
	}
	whole := around(all, lost)
	if gone := len(all) - len(whole) + len(lost); len(lost) > 0 {
		d.state.Notify(state.Warn, lang.N("The history is damaged: {{.N}} steps cannot be undone any more. Trips and recoveries are whole.", gone,
			map[string]any{"N": gone}), "")
		d.forgetSteps(all, whole, lost)
	}
	d.state.SetHistory(whole)
}

// forgetSteps removes from the workspace all steps but those that are whole.
func (d *Desk) forgetSteps(all, whole []*state.Step, lost []uint64) {
	if !d.Kept() {
		return
	}
	gone := slices.Clone(lost)
	for _, s := range all {
		if !slices.Contains(whole, s) {
			gone = append(gone, s.Number)
		}
	}
	ws := d.ws
	d.keeper.add(func() error { return ws.Apply(context.Background(), storage.Edit{Forgotten: gone}) })
}

// around are the steps that can be gone through, from where the history stands,
// without one that is lost.
func around(steps []*state.Step, lost []uint64) []*state.Step {
	var done, undone []*state.Step
	for _, s := range steps {
		if s.Undone {
			undone = append(undone, s)
		} else {
			done = append(done, s)
		}
	}
	if len(lost) == 0 {
		return append(done, undone...)
	}
	var whole []*state.Step
	for i, s := range done {
		next := ^uint64(0)
		if len(undone) > 0 {
			next = undone[0].Number
		}
		if !slices.ContainsFunc(lost, func(n uint64) bool { return n > s.Number && n < next }) {
			whole = append(whole, done[i])
		}
	}
	last := uint64(0)
	if len(done) > 0 {
		last = done[len(done)-1].Number
	}
	for _, s := range undone {
		if !slices.ContainsFunc(lost, func(n uint64) bool { return n > last && n < s.Number }) {
			whole = append(whole, s)
		}
	}
	return whole
}

func parseStep(s storage.Step) (*state.Step, error) {
	var head stepHead
	if err := json.Unmarshal(s.Head, &head); err != nil {
		return nil, err
	}
	step := &state.Step{Number: s.Number, Kind: head.Kind, N: head.N, Name: head.Name, Undone: head.Undone, Options: head.Options}
	for _, h := range s.Held {
		var x heldHead
		if err := json.Unmarshal(h.Head, &x); err != nil {
			return nil, err
		}
		held := state.Held{ID: x.ID, Facets: x.Facets, After: x.After, Place: x.Place, Stored: x.Records}
		if x.There {
			held.Trip = state.NewTrip(nil, nil, nil)
			x.give(held.Trip)
			truth := x.Truth.truth(x.ID)
			held.Trip.True, held.Trip.Truth = truth.Way, truth.Path
		}
		step.Held = append(step.Held, state.Kept(held))
	}
	return step, nil
}

// Undo takes the last change back, and Redo does it again.
func (d *Desk) Undo() { d.travel(d.state.ToUndo(), d.state.Undo) }

// Redo does the last change that was taken back again. What it had not
// recovered by then is recovered now.
func (d *Desk) Redo() {
	s := d.state.ToRedo()
	d.travel(s, func() {
		d.state.Redo()
		d.recoverPinned(s)
	})
}

// travel goes over a step, once what it holds is in memory. Work that it had
// begun ends.
func (d *Desk) travel(s *state.Step, over func()) {
	if s == nil || d.travelling {
		return
	}
	if t := d.runs[s]; t != nil {
		d.tasks.Cancel(t)
	}
	if s.Kind == state.ReadStep {
		d.forgetKnown() // dropped again, its files are read again
	}
	d.load(s, over)
}

// load brings what a step holds into memory, and then does something. Where it
// is not whole, the step is forgotten with those behind it.
func (d *Desk) load(s *state.Step, then func()) {
	if s.Loaded() {
		then()
		return
	}
	d.travelling = true
	records := map[int]storage.Held{}
	ws := d.ws
	var wanted []int
	for i, h := range s.Held {
		if h.Stored {
			wanted = append(wanted, i)
		}
	}
	d.tasks.Start(lang.L("Reading the history"), func(ctx context.Context, _ func(task.Progress)) error {
		d.keeper.wait() // it may be on its way there
		for _, i := range wanted {
			t, r, err := ws.HeldRecords(s.Number, uint32(i))
			if err != nil {
				return err
			}
			records[i] = storage.Held{Trajectory: t, Recovery: r}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		return nil
	}, func(err error) {
		d.travelling = false
		if err != nil {
			d.fail(lang.L("This step of the history is damaged: it and those behind it cannot be undone. Trips and recoveries are whole."), err)
			if !errors.Is(err, context.Canceled) {
				d.state.ForgetUntil(s)
			}
			return
		}
		for i, x := range records {
			s.Held[i].Load(x.Trajectory, x.Recovery)
		}
		then()
	})
}

// recoverPinned recovers those trips of a step again whose pins it has changed
// without a recovery: it had been taken back before that had ended.
func (d *Desk) recoverPinned(s *state.Step) {
	var trips []*state.Trip
	for _, h := range s.Held {
		if t := d.state.Trip(h.ID); t != nil && h.Facets&state.Pinning != 0 && h.Facets&(state.Recoveries|state.Presence) == 0 {
			trips = append(trips, t)
		}
	}
	if len(trips) > 0 {
		d.recoverIn(s, trips)
	}
}

// loadEarlier hands over a recovery that a trip had before, from memory or from
// the workspace.
func (d *Desk) loadEarlier(v state.Version, use func(*trajectory.Recovery)) {
	if v.Recovery != nil {
		use(v.Recovery)
		return
	}
	ws, number := d.ws, v.Step.Number
	var r *trajectory.Recovery
	d.tasks.Start(lang.L("Reading the history"), func(context.Context, func(task.Progress)) (err error) {
		d.keeper.wait() // it may be on its way there
		_, r, err = ws.HeldRecords(number, uint32(v.Index))
		return err
	}, func(err error) {
		if err != nil {
			d.fail(lang.L("What was recovered before cannot be read."), err)
		} else if r != nil {
			use(r)
		}
	})
}
