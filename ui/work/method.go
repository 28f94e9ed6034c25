package work

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fyne.io/fyne/v2/lang"

	"retrace/engine"
	"retrace/engine/citymodel"
	"retrace/engine/device"
	"retrace/ui/state"
	"retrace/ui/task"
)

// preparing is the model being made ready, and what came of it once done is
// closed.
type preparing struct {
	method, device, folder string // as the user has set them
	done                   chan struct{}
	model                  *engine.Model
	verdicts               []device.Verdict
	err                    error // why there is no model

	city    *citymodel.Model // of the folder; nil: none was chosen, or none can be used
	cityErr error            // why there is none
}

// Prepare makes the model ready that the user has chosen, beside the window.
// What is recovered meanwhile waits for it. It does nothing where nothing has
// changed.
func (d *Desk) Prepare() {
	o := d.state.Options()
	if p := d.prepared; p != nil && p.method == o.Method && p.device == o.Device && p.folder == o.City {
		return
	}
	p := &preparing{method: o.Method, device: o.Device, folder: o.City, done: make(chan struct{})}
	d.prepared = p
	if (o.Method == engine.MethodHMM && o.City == "") || d.Models == nil {
		close(p.done)
		d.state.SetComputing(state.Computing{})
		return
	}
	d.state.SetComputing(state.Computing{Trying: true})
	d.tasks.Start(lang.L("Making the model ready"), func(ctx context.Context, report func(task.Progress)) error {
		defer close(p.done)
		p.open(ctx, d.Models, report)
		return nil // what went wrong is told below
	}, func(error) {
		if d.prepared == p {
			d.showPrepared(p)
			d.tryDevices(p)
		}
	})
}

// open loads the model and the system of one network, as far as they are wanted; the
// one that does not recover is there to be compared with.
func (p *preparing) open(ctx context.Context, models engine.Models, report func(task.Progress)) {
	if p.folder != "" {
		p.city, p.cityErr = models.OpenCity(ctx, p.folder)
	}
	if p.method == engine.MethodHMM {
		return
	}
	if on := device.Name(p.device); on != device.Auto && on != device.CPU {
		if _, p.err = models.Devices(ctx, "", false, trying(report)); p.err != nil {
			return
		}
	}
	p.model, p.err = models.Open(ctx, "", device.Name(p.device))
	p.verdicts = models.Known("")
}

// trying tells of the device that is being tried.
func trying(report func(task.Progress)) func(device.Name) {
	return func(name device.Name) {
		report(task.Progress{Phase: lang.L("Trying {{.Device}}", map[string]any{"Device": name.Title()})})
	}
}

// tryDevices finds out what else the model can run on that runs on the CPU now. Trips
// are recovered meanwhile; those recovered later run on what was found.
func (d *Desk) tryDevices(p *preparing) {
	if p.model == nil || device.Name(p.device) != device.Auto || device.Complete(p.verdicts) {
		return
	}
	better := *p
	d.tasks.Start(lang.L("Trying devices…"), func(ctx context.Context, report func(task.Progress)) (err error) {
		if better.verdicts, err = d.Models.Devices(ctx, "", false, trying(report)); err == nil {
			better.model, err = d.Models.Open(ctx, "", device.Auto)
		}
		return err
	}, func(err error) {
		if err == nil && d.prepared == p {
			d.prepared = &better
			d.showPrepared(&better)
		}
	})
}

// showPrepared tells what recovers from now on.
func (d *Desk) showPrepared(p *preparing) {
	c := state.Computing{Verdicts: p.verdicts, Fault: p.err, Idle: p.err != nil && p.method == engine.MethodRNTrajRec}
	switch {
	case p.method == state.MethodCity:
		c = state.Computing{Fault: p.whyNoCity(), Idle: p.city == nil}
		if p.city != nil {
			c.Model, c.System, c.Device = p.city.Name, p.city.System, device.CPU
		}
	case p.model != nil:
		c.Model, c.Device = p.model.Name, device.Name(p.model.Device())
	}
	d.state.SetComputing(c)
	d.tellOfCity(p)
	if p.err == nil || p.method == state.MethodCity {
		return
	}
	text := lang.L("The model cannot be used: trips are recovered by map matching (HMM).")
	if p.method == engine.MethodRNTrajRec {
		text = lang.L("The model cannot be used: no trip is recovered until another method is chosen (Settings).")
	}
	d.state.Notify(state.Warn, text, p.err.Error())
}

// tellOfCity tells why the system of one network cannot be used that was chosen.
func (d *Desk) tellOfCity(p *preparing) {
	err := p.whyNoCity()
	if err == nil || p.folder == "" && p.method != state.MethodCity {
		return
	}
	text := lang.L("The model of one network cannot be used.")
	if p.method == state.MethodCity {
		text = lang.L("The model of one network cannot be used: no trip is recovered until another method is chosen (Settings).")
	}
	d.state.Notify(state.Warn, text, err.Error())
}

// whyNoCity is why there is no system of one network; nil where there is one.
func (p *preparing) whyNoCity() error {
	switch {
	case p.city != nil:
		return nil
	case p.cityErr != nil:
		return p.cityErr
	}
	return errors.New(lang.L("No folder of such a model is chosen. make results trains these models, and python -m rntrajrec.systems.export writes the folder of one: see training/README.md."))
}

// checkDevice tells once of a device that was lost at work.
func (d *Desk) checkDevice() {
	p, c := d.prepared, d.state.Computing()
	if p == nil || p.model == nil || p.method == state.MethodCity || c.Lost != nil {
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
	if p.method == state.MethodCity {
		if err := p.whyNoCity(); err != nil {
			return s, err
		}
		return p.withCity(s), nil
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

// withCity are settings with the system of one network.
func (p *preparing) withCity(s engine.Settings) engine.Settings {
	s.Method, s.City = p.city.System, p.city
	return s
}

// whyNotRecovered says in the window's words why not all trips were recovered, as far
// as it knows.
func whyNotRecovered(err error) string {
	if errors.Is(err, citymodel.ErrOtherNetwork) {
		return lang.L("The chosen model was trained on another network than this one: by it no trip is recovered here.")
	}
	return lang.L("Not all trips were recovered.")
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
