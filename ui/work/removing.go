package work

import (
	"context"

	"fyne.io/fyne/v2/lang"

	"retrace/engine/trajectory"
	"retrace/ui/state"
	"retrace/ui/words"
)

// Remove takes trips out of the workspace; undo puts them back.
func (d *Desk) Remove(trips []*state.Trip) {
	if len(trips) == 0 {
		return
	}
	ids := make([]string, len(trips))
	for i, t := range trips {
		ids[i] = t.ID()
	}
	var places state.Places
	name := lang.N("Remove {{.N}} trips", len(ids), map[string]any{"N": words.Count(len(ids))})
	d.state.Apply(state.Change{Name: name,
		Do: func() {
			d.known.Forget() // dropped again, their files are read again
			places = d.state.RemoveTrips(ids)
			d.forget(ids)
		},
		Undo: func() {
			d.state.PutBack(places)
			d.rekeep(trips)
		},
	})
}

// forget removes trips from the workspace.
func (d *Desk) forget(ids []string) {
	if !d.Kept() || d.sample {
		return
	}
	d.inOrder(lang.L("Removing trips"), func(ctx context.Context) error {
		return d.ws.RemoveTrajectories(ctx, ids)
	}, func(err error) { d.fail(lang.L("The trips are not removed from the workspace."), err) })
}

// rekeep saves trips and their recoveries once more.
func (d *Desk) rekeep(trips []*state.Trip) {
	if !d.Kept() || d.sample {
		return
	}
	var ts []*trajectory.Trajectory
	var rs []*trajectory.Recovery
	for _, t := range trips {
		ts = append(ts, t.Trajectory)
		if t.Recovery != nil {
			rs = append(rs, t.Recovery)
		}
	}
	d.inOrder(lang.L("Putting trips back"), func(ctx context.Context) error {
		if _, err := d.ws.SaveTrajectories(ctx, ts); err != nil {
			return err
		}
		return d.ws.SaveRecoveries(ctx, rs)
	}, func(err error) { d.fail(lang.L("The trips are not put back into the workspace."), err) })
}

// leaveSample takes the sample away before something of the user's own is
// shown.
func (d *Desk) leaveSample() {
	if d.sample {
		d.sample = false
		d.state.Change(d.clear)
	}
}
