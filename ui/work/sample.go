package work

import (
	"context"

	"fyne.io/fyne/v2/lang"

	"retrace/engine/simulate/city"
	"retrace/osmimport"
	"retrace/ui/sample"
	"retrace/ui/state"
	"retrace/ui/task"
)

// OpenSample shows the generated city with trips whose truth is known, and
// recovers them. The sample is not kept: it is made anew each time.
func (d *Desk) OpenSample() {
	if d.sample || d.opening > 0 {
		return
	}
	d.opening++
	var result *osmimport.Result
	var trips []*state.Trip
	d.tasks.Start(lang.L("Building the sample"), func(ctx context.Context, report func(task.Progress)) error {
		var err error
		if result, err = sample.Import(ctx, city.DefaultSeed); err != nil {
			return err
		}
		trips, err = simulateTrips(ctx, result.Network)
		return err
	}, func(err error) {
		d.opening--
		if err != nil {
			d.fail(lang.L("The sample cannot be opened."), err)
			return
		}
		d.showSample(result, trips)
	})
}

func (d *Desk) showSample(r *osmimport.Result, trips []*state.Trip) {
	d.covered = len(d.state.Trips()) > 0
	d.state.Change(func() {
		d.clear()
		d.sample = true
		d.state.SetNetwork(r.Network, r.Basemap)
		d.state.AddTrips(trips)
	})
	d.shown()
	d.recoverIn(nil, trips)
}

// clear takes away all that is shown; what the workspace holds stays there.
func (d *Desk) clear() {
	ids := make([]string, 0, len(d.state.Trips()))
	for _, t := range d.state.Trips() {
		ids = append(ids, t.ID())
	}
	d.state.RemoveTrips(ids)
	d.state.SetNetwork(nil, nil)
	d.state.ClearHistory()
	d.state.ClearProblems()
}
