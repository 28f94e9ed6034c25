package command

import (
	"errors"

	"retrace/engine"
	"retrace/engine/device"
)

// methodFlags say what recovers, and on what.
type methodFlags struct {
	Method  string `default:"auto" enum:"auto,hmm,rntrajrec,mtrajrec,rntrajrec-city,t2vec" help:"Way of recovering: hmm (map matching), rntrajrec (a model), or auto: the model where it can be used, else hmm. Also mtrajrec, rntrajrec-city and t2vec, systems that were trained on the very network (see training/README.md)."`
	Model   string `placeholder:"DIR" help:"Folder of the model's bundle. Default: the one built in; the systems that were trained on one network need one."`
	Decoder string `default:"" enum:",routes,ticks" placeholder:"routes|ticks" help:"Decoder of the model: routes (whole routes, then when) or ticks (one tick after another). Default: the one that the model names."`
	Device  string `default:"auto" enum:"auto,cpu,cuda,webgpu,directml,coreml" help:"What the model runs on: auto, cpu, cuda, webgpu, directml or coreml; see retrace devices."`
}

// choose puts the method and its model into settings.
func (f methodFlags) choose(s *session, settings *engine.Settings) error {
	settings.Method = f.Method
	if engine.OfOneCity(f.Method) {
		return f.chooseCity(s, settings)
	}
	if f.Method == engine.MethodHMM {
		if f.Model != "" {
			return usage("--model goes with --method %s", engine.MethodRNTrajRec)
		}
		if f.Decoder != "" {
			return usage("--decoder goes with --method %s", engine.MethodRNTrajRec)
		}
		return nil
	}
	model, err := s.openModel(f.Model, device.Name(f.Device))
	if err == nil {
		settings.Method, settings.Model, settings.Decoder = engine.MethodRNTrajRec, model, f.Decoder
		return nil
	}
	refused := &device.RefusedError{}
	switch {
	case s.ctx.Err() != nil:
		return s.ctx.Err()
	case f.Device != string(device.Auto) && errors.As(err, &refused):
		return usage("%w; see retrace devices", err)
	case f.Method == engine.MethodRNTrajRec:
		return usage("the model cannot be used: %w; --method %s works without one", err, engine.MethodHMM)
	}
	s.note("retrace: recovering by map matching (%s), as the model cannot be used: %v", engine.MethodHMM, err)
	settings.Method = engine.MethodHMM
	return nil
}

// chooseCity puts a system that was trained on one network into settings.
func (f methodFlags) chooseCity(s *session, settings *engine.Settings) (err error) {
	switch {
	case f.Model == "":
		return usage("--method %s needs --model DIR, a bundle of the system that was trained on the network: make results trains systems, and python -m rntrajrec.systems.export writes the bundle of one (see training/README.md)", f.Method)
	case f.Decoder != "":
		return usage("--decoder goes with --method %s", engine.MethodRNTrajRec)
	case f.Device != string(device.Auto) && f.Device != string(device.CPU):
		return usage("--method %s runs on the CPU only", f.Method)
	case s.models == nil:
		return usage("--method %s: %w", f.Method, errNoModels)
	}
	if settings.City, err = s.models.OpenCity(s.ctx, f.Model); err != nil {
		return usage("the model cannot be used: %w", err)
	}
	return nil
}

// errNoModels is why a program without models cannot recover by one.
var errNoModels = errors.New("this program was put together without models")

// openModel loads a model. A device that is named, and was not tried yet, is tried now.
func (s *session) openModel(folder string, want device.Name) (*engine.Model, error) {
	if s.models == nil {
		return nil, errNoModels
	}
	if want != device.Auto && want != device.CPU {
		if _, err := s.devices(folder, false); err != nil {
			return nil, err
		}
	}
	first := want == device.Auto && len(s.models.Known(folder)) == 0
	model, err := s.models.Open(s.ctx, folder, want)
	if first && err == nil {
		s.note("retrace: the model runs on the CPU; retrace devices finds out what else it can run on")
	}
	return model, err
}

// devices gives the verdicts on all devices and shows which is probed.
func (s *session) devices(folder string, again bool) ([]device.Verdict, error) {
	if s.models == nil {
		return nil, errNoModels
	}
	defer s.progress.clear()
	return s.models.Devices(s.ctx, folder, again, func(name device.Name) {
		s.progress.show("trying out what the model can run on", string(name))
	})
}

// noteLost tells of a device that was lost at work.
func (s *session) noteLost(settings engine.Settings) {
	if settings.Model == nil {
		return
	}
	if lost := settings.Model.Lost(); lost != nil {
		s.note("retrace: %v; the rest was computed on the CPU, nothing is missing", lost)
	}
}
