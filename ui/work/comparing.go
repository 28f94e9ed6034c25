package work

import (
	"context"
	"slices"

	"fyne.io/fyne/v2/lang"

	"retrace/engine"
	"retrace/engine/trajectory"
	"retrace/ui/state"
	"retrace/ui/task"
)

// CompareEarlier sets the recovery of a trip beside one that it had before.
func (d *Desk) CompareEarlier(t *state.Trip, v state.Version) {
	d.loadEarlier(v, func(r *trajectory.Recovery) {
		if !d.state.Compare(t.ID(), state.Earlier, r) {
			d.state.Notify(state.Warn, lang.L("What was recovered before is of another network."), "")
		}
	})
}

// CompareTruth sets the recovery of a trip beside the way that was driven.
func (d *Desk) CompareTruth(t *state.Trip) {
	d.state.Compare(t.ID(), state.TrueWay, d.state.TruthOf(t))
}

// OtherMethods are the methods that a trip was not recovered by and that can be used
// on the network that is shown; none where there is no recovery to compare with.
func (d *Desk) OtherMethods(t *state.Trip) []string {
	r := t.Shown()
	if r == nil {
		return nil
	}
	methods := []string{engine.MethodHMM}
	if p := d.prepared; p != nil && p.ready() {
		if p.model != nil {
			methods = append(methods, engine.MethodRNTrajRec)
		}
		if net := d.state.Network(); p.city != nil && net != nil && p.city.Fit(net) == nil {
			methods = append(methods, p.city.System)
		}
	}
	return slices.DeleteFunc(methods, func(m string) bool { return m == r.Provenance.Method })
}

// CompareMethod recovers a trip by one of its [Desk.OtherMethods], and sets both
// recoveries beside each other. The trip keeps its own.
func (d *Desk) CompareMethod(t *state.Trip, method string) {
	if !slices.Contains(d.OtherMethods(t), method) {
		return
	}
	s := d.basicSettings()
	s.Method = method
	switch {
	case engine.OfOneCity(method):
		s = d.prepared.withCity(s)
	case method == engine.MethodRNTrajRec:
		s.Model = d.prepared.model
	}
	var other *trajectory.Recovery
	run := d.newRun(nil, []*state.Trip{t})
	d.tasks.Start(lang.L("Recovering by another method"), func(ctx context.Context, report func(task.Progress)) error {
		rec, err := run.recoverer(ctx, s, run.phases(s, report))
		if err == nil {
			other, err = rec.Recover(ctx, t.Trajectory(), t.Pins)
		}
		return err
	}, func(err error) {
		if err != nil {
			d.fail(lang.L("The trip cannot be recovered by the other method."), err)
			return
		}
		d.state.Compare(t.ID(), state.OtherWay, other)
	})
}

// ready reports whether all is loaded that can be.
func (p *preparing) ready() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}
