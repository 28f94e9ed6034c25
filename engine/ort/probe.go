package ort

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"retrace/engine/bundle"
	"retrace/engine/device"
	"retrace/internal/scratch"
)

// tolerance is how far an answer may be from the stored one, as a share of that
// and, near zero, absolutely.
const tolerance = 1e-3

// How a device is timed: what is stored is asked so many times, in copies that
// together have about as many values as one call has when trips are recovered. Where
// that would take longer than patience, a single copy tells how long.
const (
	callValues = 1 << 19
	timings    = 3
	patience   = 2 * time.Second
)

// Probe loads a bundle on a device, asks every graph what is stored with it and
// compares. It belongs into a process of its own: drivers crash and hang.
func (r *Runtime) Probe(b *bundle.Bundle, on device.Name, depth device.Depth) device.Verdict {
	v := device.Verdict{Device: on, Version: r.Version()}
	probe := r.probe
	if depth == device.Answers {
		probe = func(b *bundle.Bundle, v *device.Verdict) error { return r.probeGraphs(b, "", v) }
	}
	if err := probe(b, &v); err != nil {
		v.Refused = plain(err.Error())
	}
	return v
}

// notBuiltIn is why a device is refused that the library does not know.
const notBuiltIn = "this ONNX Runtime library is built without it (make onnxruntime-gpu installs one that has it)"

// plain puts what the library says of a device into plain words, where they are
// known.
func plain(fault string) string {
	switch {
	case strings.Contains(fault, "not supported in this build") || strings.Contains(fault, "not enabled in this build"):
		return notBuiltIn
	case strings.Contains(fault, "Failed to get a WebGPU adapter"):
		return "the system has no graphics driver that it could use"
	}
	// The library begins with where in its source it is, and what it had expected.
	if _, said, ok := strings.Cut(fault, " was false. "); ok {
		return said
	}
	return fault
}

// probe is the probe that takes the time.
func (r *Runtime) probe(b *bundle.Bundle, v *device.Verdict) error {
	folder, err := scratch.New("probe")
	if err != nil {
		return err
	}
	defer folder.Remove()
	err = r.probeGraphs(b, folder.Path, v)
	if err != nil {
		return err
	}
	for _, g := range b.Manifest.Graphs {
		nodes, strays, err := readProfile(folder.Join(g.Name), v.Device)
		if err != nil {
			return err
		}
		v.Nodes += nodes
		for _, op := range strays {
			v.Strays = append(v.Strays, g.Name+": "+op)
		}
	}
	return nil
}

// probeGraphs probes every graph. Where a folder is named it takes the time, and leaves
// profiles there of what ran where. As when the program works, all are loaded before the
// first is asked and until the last was: a driver may fail where its device is given up
// and taken again.
func (r *Runtime) probeGraphs(b *bundle.Bundle, folder string, v *device.Verdict) (err error) {
	var loaded []*session
	defer func() {
		for _, s := range loaded {
			err = errors.Join(err, s.Close())
		}
	}()
	began := time.Now()
	for _, g := range b.Manifest.Graphs {
		profile := ""
		if folder != "" {
			profile = filepath.Join(folder, g.Name)
		}
		s, err := r.load(b, g.Name, v.Device, 1, profile)
		if err != nil {
			return err
		}
		loaded = append(loaded, s)
	}
	v.Load = time.Since(began)
	for i, g := range b.Manifest.Graphs {
		golden, err := b.Golden(g.Name)
		if err != nil {
			return err
		}
		if err := probeGraph(loaded[i], g, golden, v); err != nil {
			return err
		}
		if folder == "" {
			continue
		}
		took, err := timeBatch(loaded[i], g, golden.Inputs)
		if err != nil {
			return err
		}
		v.Run += took
	}
	return nil
}

// probeGraph compares the answers of one graph.
func probeGraph(s *session, g bundle.Graph, golden *bundle.Golden, v *device.Verdict) error {
	began := time.Now()
	out, err := answer(s, golden.Inputs)
	v.First += time.Since(began)
	if err != nil {
		return err
	}
	worst := farthest(out.tensors, golden.Outputs)
	out.done()
	v.Worst = max(v.Worst, worst)
	if !(worst <= tolerance) {
		return fmt.Errorf("it answers wrongly: the graph %s is off by %.2g", g.Name, worst)
	}
	return nil
}

// farthest is the largest difference between answers and what was expected.
func farthest(got, want []bundle.Tensor) float64 {
	worst := 0.0
	for i := range want {
		if !slices.Equal(got[i].Shape, want[i].Shape) {
			return math.MaxFloat64 // JSON knows no infinity
		}
		for k, w := range want[i].Floats {
			worst = max(worst, math.Abs(float64(got[i].Floats[k]-w))/max(1, math.Abs(float64(w))))
		}
	}
	return worst
}

// timeBatch is how long a batch of trips takes on a device that is warm.
func timeBatch(s *session, g bundle.Graph, golden []bundle.Tensor) (time.Duration, error) {
	values := 0
	for _, t := range golden {
		values += len(t.Floats) + len(t.Ints)
	}
	copies := max(1, callValues/values)
	one, err := fastest(s, golden, 1)
	if took := one * time.Duration(copies); err != nil || took > patience {
		return took, err
	}
	batch := make([]bundle.Tensor, len(golden))
	for i, t := range golden {
		batch[i] = repeat(t, g.Inputs[i], copies)
	}
	return fastest(s, batch, timings)
}

// fastest is the least time of so many runs, one before not counted.
func fastest(s *session, inputs []bundle.Tensor, runs int) (time.Duration, error) {
	best := time.Duration(math.MaxInt64)
	for i := range 1 + runs {
		began := time.Now()
		out, err := s.Run(inputs)
		if err != nil {
			return 0, err
		}
		out.done()
		if i > 0 {
			best = min(best, time.Since(began))
		}
	}
	return best, nil
}

// repeat puts copies of a tensor one below the other, where its first axis may
// be of any length.
func repeat(t bundle.Tensor, p bundle.Port, n int) bundle.Tensor {
	if len(p.Axes) == 0 || !bundle.Varies(p.Axes[0]) {
		return t
	}
	shape := slices.Clone(t.Shape)
	shape[0] *= int64(n)
	return bundle.Tensor{Shape: shape, Floats: slices.Repeat(t.Floats, n), Ints: slices.Repeat(t.Ints, n)}
}
