package work

import (
	"context"

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

// OtherMethod is the method that a trip was not recovered by, empty where there
// is none to compare with.
func (d *Desk) OtherMethod(t *state.Trip) string {
	r := t.Shown()
	switch {
	case r == nil:
		return ""
	case r.Provenance.Method != engine.MethodHMM:
		return engine.MethodHMM
	case d.prepared != nil && d.prepared.ready() != nil:
		return engine.MethodRNTrajRec
	}
	return ""
}

// CompareMethod recovers a trip by the method that it was not recovered by, and
// sets both beside each other. The trip keeps its recovery.
func (d *Desk) CompareMethod(t *state.Trip) {
	method, s := d.OtherMethod(t), d.basicSettings()
	if method == "" {
		return
	}
	s.Method = method
	if method == engine.MethodRNTrajRec {
		s.Model = d.prepared.ready()
	}
	var other *trajectory.Recovery
	run := d.newRun(nil, []*state.Trip{t})
	d.tasks.Start(lang.L("Recovering by another method"), func(ctx context.Context, report func(task.Progress)) error {
		rec, err := run.recoverer(ctx, s, report)
		if err == nil {
			other, err = rec.Recover(ctx, t.Trajectory, t.Pins)
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

// ready is the model once it is ready, nil before and where there is none.
func (p *preparing) ready() *engine.Model {
	select {
	case <-p.done:
		return p.model
	default:
		return nil
	}
}
