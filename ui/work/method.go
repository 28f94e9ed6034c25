package work

import (
	"context"
	"fmt"
	"time"

	"fyne.io/fyne/v2/lang"

	"retrace/engine"
	"retrace/engine/device"
	"retrace/ui/state"
	"retrace/ui/task"
)

// preparing is the model being made ready, and what came of it once done is
// closed.
type preparing struct {
	method, device string // as the user has set them
	done           chan struct{}
	model          *engine.Model
	verdicts       []device.Verdict
	err            error // why there is no model
}

// Prepare makes the model ready that the user has chosen, beside the window.
// What is recovered meanwhile waits for it. It does nothing where nothing has
// changed.
func (d *Desk) Prepare() {
	o := d.state.Options()
	if d.prepared != nil && d.prepared.method == o.Method && d.prepared.device == o.Device {
		return
	}
	p := &preparing{method: o.Method, device: o.Device, done: make(chan struct{})}
	d.prepared = p
	if o.Method == engine.MethodHMM || d.Models == nil {
		close(p.done)
		d.state.SetComputing(state.Computing{})
		return
	}
	d.state.SetComputing(state.Computing{Trying: true})
	d.tasks.Start(lang.L("Making the model ready"), func(ctx context.Context, report func(task.Progress)) error {
		defer close(p.done)
		p.verdicts, p.err = d.Models.Devices(ctx, "", false, func(name device.Name) {
			report(task.Progress{Phase: lang.L("Trying {{.Device}}", map[string]any{"Device": name.Title()})})
		})
		if p.err == nil {
			p.model, p.err = d.Models.Open(ctx, "", device.Name(o.Device))
		}
		return nil // what went wrong is told below
	}, func(error) {
		if d.prepared == p {
			d.showPrepared(p)
		}
	})
}

// showPrepared tells what recovers from now on.
func (d *Desk) showPrepared(p *preparing) {
	c := state.Computing{Verdicts: p.verdicts, Fault: p.err}
	if p.model != nil {
		c.Model, c.Device = p.model.Name, device.Name(p.model.Device())
	}
	d.state.SetComputing(c)
	if p.err == nil {
		return
	}
	text := lang.L("The model cannot be used: trips are recovered by map matching (HMM).")
	if p.method == engine.MethodRNTrajRec {
		text = lang.L("The model cannot be used: no trip is recovered until another method is chosen (Settings).")
	}
	d.state.Notify(state.Warn, text, p.err.Error())
}

// checkDevice tells once of a device that was lost at work.
func (d *Desk) checkDevice() {
	p, c := d.prepared, d.state.Computing()
	if p == nil || p.model == nil || c.Lost != nil {
		return
	}
	lost := p.model.Lost()
	if lost == nil {
		return
	}
	name := c.Device
	c.Lost, c.Device = lost, device.Name(p.model.Device())
	d.state.SetComputing(c)
	d.state.Notify(state.Warn, lang.L("{{.Device}} failed while it computed. The rest was computed on the CPU; nothing is missing.",
		map[string]any{"Device": name.Title()}), lost.Error())
}

// settings is how trips are recovered, as the user has set it; it waits for the
// model.
func (p *preparing) settings(ctx context.Context, s engine.Settings) (engine.Settings, error) {
	select {
	case <-p.done:
	case <-ctx.Done():
		return s, ctx.Err()
	}
	if p.model == nil && p.method == engine.MethodRNTrajRec {
		err := p.err
		if err == nil {
			err = fmt.Errorf("this program was put together without models")
		}
		return s, err
	}
	if p.model != nil {
		s.Method, s.Model = engine.MethodRNTrajRec, p.model
	}
	return s, nil
}

// basicSettings are the settings but for the method.
func (d *Desk) basicSettings() engine.Settings {
	s := engine.DefaultSettings()
	s.Tick = time.Duration(d.state.Options().Tick) * time.Second
	s.Alternatives = 3
	s.Decoder = d.state.Options().Decoder
	s.Version = d.version
	return s
}
