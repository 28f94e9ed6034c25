package work

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2/lang"

	"retrace/engine/trajectory"
	"retrace/ui/state"
	"retrace/ui/task"
)

// loadTrips reads the workspace's trips and their recoveries, and shows them as
// they come.
func (d *Desk) loadTrips() {
	ws := d.ws
	d.tasks.Start(lang.L("Opening the trips"), func(ctx context.Context, report func(task.Progress)) error {
		pins, err := d.keptPins()
		if err != nil {
			return err
		}
		l := loading{recoveries: map[string]*trajectory.Recovery{}}
		for r, err := range ws.Recoveries(ctx) {
			if l.whole(err) {
				l.recoveries[r.Trajectory] = r // of several the last: the model's
			}
		}
		batch := newBatch(d.do, d.state.AddTrips)
		for t, err := range ws.Trajectories(ctx) {
			if !l.whole(err) {
				continue
			}
			trip := state.NewTrip(t, l.recoveries[t.ID], nil)
			trip.Pins = pins[t.ID]
			batch.add(trip)
			report(task.Progress{Done: int64(batch.count)})
		}
		batch.flush()
		return l.err()
	}, func(err error) { d.fail(lang.L("Some trips cannot be read."), err) })
}

// loading is what was read so far, and what could not be.
type loading struct {
	recoveries map[string]*trajectory.Recovery
	lost       int
	first      error
}

// whole reports whether something could be read; what could not is counted.
func (l *loading) whole(err error) bool {
	if err == nil {
		return true
	}
	l.lost++
	if l.first == nil {
		l.first = err
	}
	return false
}

func (l *loading) err() error {
	if l.lost > 1 {
		return fmt.Errorf("%w, and %d more", l.first, l.lost-1)
	}
	return l.first
}
