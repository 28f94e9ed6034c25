package ort

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"sync"
	"time"

	"retrace/engine"
	"retrace/engine/bundle"
	"retrace/engine/citymodel"
	"retrace/engine/device"
)

// ProbeCommand is the subcommand of the program that probes a device: it takes
// the device's name, --model and --depth, and prints the verdict as JSON.
const ProbeCommand = "__probe"

// probeLimit is how long a device may take to be probed. Drivers compile what
// they run first, for seconds.
const probeLimit = time.Minute

// Models are the models of this program, as [engine.Models] describes them.
type Models struct {
	BuiltIn fs.FS         // the bundle that is used unless a folder is named
	Folders []string      // where the library may lie, besides beside the program
	Memory  device.Memory // of what was found of devices
	Version string        // of the program

	mu      sync.Mutex
	runtime *Runtime                    // nil: not needed yet
	open    map[string]*engine.Model    // by bundle and device
	cities  map[string]*citymodel.Model // by bundle

	finding sync.Mutex
	found   map[string][]device.Verdict // by key; where the memory is on no disk
}

var _ engine.Models = (*Models)(nil)

// Bundle reads and checks a bundle.
func (m *Models) Bundle(folder string) (*bundle.Bundle, error) {
	if folder == "" {
		return bundle.Read(m.BuiltIn)
	}
	b, err := bundle.Read(os.DirFS(folder))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	return b, nil
}

// Devices tells of every device how it does with a bundle.
func (m *Models) Devices(ctx context.Context, folder string, again bool, tell func(device.Name)) ([]device.Verdict, error) {
	b, library, err := m.ready(folder)
	if err != nil {
		return nil, err
	}
	key := m.key(b, library)
	if known := m.recall(key); !again && device.Complete(known) {
		return known, nil
	}
	verdicts, err := m.prober(folder, library).ProbeAll(ctx, tell)
	if err != nil {
		return nil, err
	}
	m.remember(key, verdicts)
	return verdicts, nil
}

// Known is what was found of devices earlier.
func (m *Models) Known(folder string) []device.Verdict {
	b, library, err := m.ready(folder)
	if err != nil {
		return nil
	}
	return m.recall(m.key(b, library))
}

// Check asks the model on the CPU what is stored with it.
func (m *Models) Check(ctx context.Context, folder string) device.Verdict {
	_, library, err := m.ready(folder)
	if err != nil {
		return device.Verdict{Device: device.CPU, Refused: err.Error()}
	}
	return m.prober(folder, library).Probe(ctx, device.CPU, device.Answers)
}

// tried gives verdicts of which one is on the device wanted. The CPU is only asked
// whether it gives the stored answers, so that nobody waits for other devices.
func (m *Models) tried(ctx context.Context, folder string, want device.Name) ([]device.Verdict, error) {
	b, library, err := m.ready(folder)
	if err != nil {
		return nil, err
	}
	known := m.recall(m.key(b, library))
	switch {
	case device.Complete(known):
		return known, nil
	case want != device.Auto && want != device.CPU:
		return m.Devices(ctx, folder, false, nil)
	case device.Right(known, device.CPU):
		return known, nil
	}
	found := []device.Verdict{m.prober(folder, library).Probe(ctx, device.CPU, device.Answers)}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.remember(m.key(b, library), found)
	return found, nil
}

// key is what verdicts hold for.
func (m *Models) key(b *bundle.Bundle, library string) string {
	return device.Key(library, b.Hash, m.Version)
}

// remember keeps what was found. Where the CPU does not answer rightly the library or
// the bundle is at fault: once it is mended, all is to be asked anew.
func (m *Models) remember(key string, verdicts []device.Verdict) {
	if !device.Right(verdicts, device.CPU) {
		return
	}
	_ = m.Memory.Remember(key, verdicts) // else the next program asks again
	m.finding.Lock()
	defer m.finding.Unlock()
	m.found = map[string][]device.Verdict{key: verdicts}
}

// recall gives what was found earlier, by this program or the one before.
func (m *Models) recall(key string) []device.Verdict {
	m.finding.Lock()
	verdicts, ok := m.found[key]
	m.finding.Unlock()
	if !ok {
		verdicts, _ = m.Memory.Recall(key)
	}
	return verdicts
}

// ready is a bundle and the path of the library.
func (m *Models) ready(folder string) (*bundle.Bundle, string, error) {
	b, err := m.Bundle(folder)
	if err != nil {
		return nil, "", err
	}
	library, err := Library(m.Folders...)
	return b, library, err
}

func (m *Models) prober(folder, library string) device.Prober {
	return device.Prober{Library: library, Limit: probeLimit, Command: func(ctx context.Context, name device.Name, depth device.Depth) *exec.Cmd {
		program, err := os.Executable()
		if err != nil {
			program = os.Args[0]
		}
		cmd := exec.CommandContext(ctx, program, ProbeCommand, string(name), "--model="+folder, "--depth="+string(depth))
		cmd.Env = append(os.Environ(), LibraryVariable+"="+library, telemetryVariable+"=1")
		return cmd
	}}
}

// ProbeHere probes one device in this process.
func (m *Models) ProbeHere(folder string, name device.Name, depth device.Depth) device.Verdict {
	b, library, err := m.ready(folder)
	var r *Runtime
	if err == nil {
		r, err = Open(library)
	}
	if err != nil {
		return device.Verdict{Device: name, Refused: err.Error()}
	}
	return r.Probe(b, name, depth)
}

// Open loads a bundle on the device wanted, once.
func (m *Models) Open(ctx context.Context, folder string, want device.Name) (*engine.Model, error) {
	verdicts, err := m.tried(ctx, folder, want)
	if err != nil {
		return nil, err
	}
	name, err := device.Choose(verdicts, want)
	if err != nil {
		return nil, err
	}
	b, library, err := m.ready(folder)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	key := string(name) + " " + b.Hash
	if model := m.open[key]; model != nil {
		return model, nil
	}
	if err := m.start(library); err != nil {
		return nil, err
	}
	model, err := m.load(ctx, b, name)
	if err != nil {
		return nil, err
	}
	if m.open == nil {
		m.open = map[string]*engine.Model{}
	}
	m.open[key] = model
	return model, nil
}

// OpenHere loads a bundle on a device after its answers were checked in this process.
func (m *Models) OpenHere(ctx context.Context, folder string, on device.Name) (*engine.Model, error) {
	b, library, err := m.ready(folder)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.start(library); err != nil {
		return nil, err
	}
	if v := m.runtime.Probe(b, on, device.Answers); v.Refused != "" {
		return nil, &device.RefusedError{Verdict: v}
	}
	model, err := m.runtime.Load(ctx, b, Options{Device: on, Threads: 1})
	if err != nil {
		return nil, err
	}
	return model.engine(b), nil
}

// start opens the runtime, where that was not needed yet. The lock is held.
func (m *Models) start(library string) (err error) {
	if m.runtime == nil {
		m.runtime, err = Open(library)
	}
	return err
}

// load loads a bundle on a device or, where that fails or hangs, on the CPU: then
// the device is lost already.
func (m *Models) load(ctx context.Context, b *bundle.Bundle, name device.Name) (*engine.Model, error) {
	lost := func(cause error) { m.refuse(name, cause) }
	model, err := m.runtime.Load(ctx, b, Options{Device: name, Threads: 1, OnLost: lost})
	if err == nil {
		return model.engine(b), nil
	}
	if name == device.CPU || ctx.Err() != nil {
		return nil, err
	}
	spare, cpuErr := m.runtime.Load(ctx, b, Options{Device: device.CPU, Threads: 1})
	if cpuErr != nil { // the bundle is at fault, not the device
		return nil, cpuErr
	}
	spare.place = newPlace(name, lost)
	spare.place.lose(err)
	return spare.engine(b), nil
}

// refuse has a device that was lost probed again the next time, or refused for a
// while where it hung: a probe may find nothing.
func (m *Models) refuse(name device.Name, cause error) {
	m.finding.Lock()
	m.found = nil
	m.finding.Unlock()
	if errors.Is(cause, errHung) {
		_ = m.Memory.Refuse(name, cause.Error()) // else it is probed again
		return
	}
	_ = m.Memory.Forget() // else it is lost again
}

// engine is the model as the engine takes it.
func (m *Model) engine(b *bundle.Bundle) *engine.Model {
	f := b.Manifest.Features
	made := &engine.Model{
		Name: b.Manifest.Name, Hash: b.Hash, Device: m.Device, Lost: m.Lost,
		Routes: f.Routes, Points: f.Points, Moves: f.Ticks, Decoder: b.Manifest.Decoder,
		Spread: b.Manifest.Calibration.Spread, SeesRoutes: m.shape.SeesRoutes(), SeesTimes: m.shape.SeesTimes(),
		Temperature: b.Manifest.Calibration.Temperature,
	}
	if m.shape.Routes {
		made.Scorer = m
	}
	if m.shape.Encoder {
		made.Encoder = m
	}
	if m.shape.Ticks {
		made.Ticks = m
	}
	return made
}

// OpenOnCPU loads a bundle on the CPU without asking any device, for programs
// that measure.
func OpenOnCPU(files fs.FS, folders ...string) (*engine.Model, error) {
	b, err := bundle.Read(files)
	if err != nil {
		return nil, err
	}
	library, err := Library(folders...)
	if err != nil {
		return nil, err
	}
	r, err := Open(library)
	if err != nil {
		return nil, err
	}
	model, err := r.Load(context.Background(), b, Options{Device: device.CPU, Threads: 1})
	if err != nil {
		return nil, err
	}
	return model.engine(b), nil
}
