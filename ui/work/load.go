package work

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2/lang"

	"retrace/ui/state"
	"retrace/ui/task"
)

// loadTrips reads the workspace's trips and their recoveries, and shows them as
// they come.
func (d *Desk) loadTrips() {
	ws, shelf := d.ws, d.records
	marks, err := d.keptMarks()
	if err != nil {
		d.fail(lang.L("What was said of the trips cannot be read: pins, marks and names."), err)
	}
	d.unread = marks
	var truths map[string]keptTruth
	var unread error
	d.tasks.Start(lang.L("Opening the trips"), func(ctx context.Context, report func(task.Progress)) error {
		l := loading{findings: map[string]*state.Finding{}}
		truths, unread = keptTruths(ws)
		for r, err := range ws.Recoveries(ctx) {
			if l.whole(err) {
				l.findings[r.Trajectory] = state.StoredFinding(r, shelf) // of several the last: the model's
			}
		}
		batch := newBatch(d.do, d.addLoaded)
		for t, err := range ws.Trajectories(ctx) {
			if !l.whole(err) {
				continue
			}
			trip := state.TripOf(state.StoredJourney(t, shelf), l.findings[t.ID])
			if k, ok := truths[t.ID]; ok {
				truth := k.truth(t.ID)
				trip.True, trip.Truth = truth.Way, truth.Path
			}
			batch.add(trip)
			report(task.Progress{Done: int64(batch.count)})
		}
		batch.flush()
		return l.err()
	}, func(err error) {
		d.tellDamage()
		d.fail(lang.L("Some trips cannot be read."), err)
		d.fail(lang.L("The truth cannot be read."), unread)
	})
}

// addLoaded shows trips of the workspace with what the user has said of them.
func (d *Desk) addLoaded(trips []*state.Trip) {
	for _, t := range trips {
		d.unread[t.ID()].give(t)
		delete(d.unread, t.ID())
	}
	d.state.AddTrips(trips)
}

// loading is what was read so far, and what could not be.
type loading struct {
	findings map[string]*state.Finding
	lost     int
	first    error
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
