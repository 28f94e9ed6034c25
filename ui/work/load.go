package work

import (
	"context"

	"fyne.io/fyne/v2/lang"

	"retrace/engine"
	"retrace/engine/trajectory"
	"retrace/ui/state"
	"retrace/ui/task"
)

// loadTrips reads the workspace's trips and their recoveries, and shows them as
// they come.
func (d *Desk) loadTrips() {
	ws := d.ws
	d.tasks.Start(lang.L("Opening the trips"), func(ctx context.Context, report func(task.Progress)) error {
		recoveries := map[string]*trajectory.Recovery{}
		for r, err := range ws.Recoveries(ctx) {
			if err != nil {
				return err
			}
			if r.Provenance.Method == engine.MethodHMM {
				recoveries[r.Trajectory] = r
			}
		}
		batch := newBatch(d.do, d.state.AddTrips)
		for t, err := range ws.Trajectories(ctx) {
			if err != nil {
				return err
			}
			batch.add(state.NewTrip(t, recoveries[t.ID], nil))
			report(task.Progress{Done: int64(batch.count)})
		}
		batch.flush()
		return nil
	}, func(err error) { d.fail(lang.L("Some trips cannot be read."), err) })
}
