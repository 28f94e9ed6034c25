package storage

import (
	"context"
	"fmt"

	"retrace/engine/trajectory"
)

// Edit changes trajectories, recoveries, settings and the history together: all
// of it is kept or nothing, so that they never disagree. It is one transaction:
// who has much to change makes several edits.
type Edit struct {
	Trajectories []*trajectory.Trajectory // saved as SaveTrajectories does
	Removed      []string                 // ids of trajectories, with their recoveries
	Recoveries   []*trajectory.Recovery   // each in the place of all others of its trajectory
	Unrecovered  []string                 // ids of trajectories that lose their recoveries
	Settings     map[string][]byte        // nil: removed
	Forgotten    []uint64                 // numbers of steps that go, with all that they hold
	Steps        []Step                   // put after the forgotten have gone
}

// Apply makes an edit. Recoveries and ids of trajectories that are not there
// are passed over: they were removed by another program.
func (w *Workspace) Apply(ctx context.Context, e Edit) error {
	err := w.update(ctx, func(c *change) error {
		for _, part := range []func(context.Context, Edit) error{c.editTrajectories, c.editRecoveries, c.editHistory} {
			if err := part(ctx, e); err != nil {
				return err
			}
		}
		for key, value := range e.Settings {
			if err := c.setSetting(key, value); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && len(e.Removed)+len(e.Forgotten) > 0 {
		w.compactLater()
	}
	return err
}

func (c *change) editTrajectories(ctx context.Context, e Edit) error {
	for _, id := range e.Removed {
		if number, ok := trajectoryNumber(c.tx, id); ok {
			if err := c.removeTrajectory(id, number); err != nil {
				return err
			}
		}
	}
	for ts := e.Trajectories; len(ts) > 0; {
		_, done, err := c.saveTrajectories(ctx, ts, maxPayload)
		if err != nil {
			return err
		}
		ts = ts[done:]
	}
	return nil
}

func (c *change) editRecoveries(_ context.Context, e Edit) error {
	for _, id := range e.Unrecovered {
		if number, ok := trajectoryNumber(c.tx, id); ok {
			if err := c.removeRecoveries(number, ""); err != nil {
				return err
			}
		}
	}
	for _, r := range e.Recoveries {
		number, ok := trajectoryNumber(c.tx, r.Trajectory)
		if !ok {
			continue
		}
		if err := c.removeRecoveries(number, ""); err != nil {
			return err
		}
		if _, err := c.saveRecovery(r); err != nil {
			return fmt.Errorf("saving the recovery of trajectory %.100q: %w", r.Trajectory, err)
		}
	}
	return nil
}
