// Package enginetest makes models for tests, which need no runtime.
package enginetest

import (
	"context"
	"errors"
	"sync/atomic"

	"retrace/engine"
	"retrace/engine/bundle"
	"retrace/engine/citymodel"
	"retrace/engine/device"
	"retrace/engine/feature"
	"retrace/engine/rntrajrec"
)

// Models stand for those of a program: a GPU that works and a CPU. The model
// likes near candidates and short routes, and lets time go by evenly.
type Models struct {
	Files    *bundle.Bundle   // that there is
	Fault    error            // why there is none
	Refused  string           // why the GPU is refused; empty: it works
	LostAt   int64            // answers after which the GPU is lost; 0: it is not
	Untried  bool             // devices were not tried yet
	Probed   int              // how often devices were asked again
	Verdict  string           // why a probe refuses
	Whole    bool             // the model has an encoder and a decoder of ticks, too
	Looked   atomic.Int64     // how often the encoder was asked about roads
	City     *citymodel.Model // that there is of one network; nil: none
	answered atomic.Int64
}

var _ engine.Models = (*Models)(nil)

// Bundle gives the bundle.
func (m *Models) Bundle(string) (*bundle.Bundle, error) { return m.Files, m.Fault }

// Devices gives verdicts.
func (m *Models) Devices(_ context.Context, _ string, again bool, tell func(device.Name)) ([]device.Verdict, error) {
	if m.Fault != nil {
		return nil, m.Fault
	}
	if again {
		m.Probed++
	}
	m.Untried = false
	var all []device.Verdict
	for _, name := range device.Order() {
		tell(name)
		v := device.Verdict{Device: name, Refused: "there is none"}
		switch name {
		case device.WebGPU:
			v = device.Verdict{Device: name, Refused: m.Refused, Load: 1, First: 1, Run: 1, Nodes: 9, Strays: []string{"time: Range", "time: Range"}}
		case device.CPU:
			v = device.Verdict{Device: name, Load: 1, First: 1, Run: 2, Nodes: 9}
		}
		all = append(all, v)
	}
	return all, nil
}

// Known gives verdicts, unless devices were not tried yet.
func (m *Models) Known(folder string) []device.Verdict {
	if m.Untried {
		return nil
	}
	all, _ := m.Devices(context.Background(), folder, false, func(device.Name) {})
	return all
}

// Open makes the model.
func (m *Models) Open(ctx context.Context, folder string, want device.Name) (*engine.Model, error) {
	if untried := m.Untried; untried && (want == device.Auto || want == device.CPU) {
		want = device.CPU
		defer func() { m.Untried = untried }()
	}
	verdicts, err := m.Devices(ctx, folder, false, func(device.Name) {})
	if err != nil {
		return nil, err
	}
	name, err := device.Choose(verdicts, want)
	if err != nil {
		return nil, err
	}
	model := &engine.Model{
		Name: "toy", Hash: "0123456789abcdef", Routes: feature.DefaultRoutes(), Scorer: scorer{m},
		Device: func() string {
			if m.lost() != nil {
				return string(device.CPU)
			}
			return string(name)
		},
		Lost: m.lost,
	}
	if m.Whole {
		model.Encoder, model.Ticks = encoder{m}, ticks{}
		model.Points, model.Moves = feature.DefaultSettings(), feature.DefaultTicks()
	}
	return model, nil
}

// OpenHere is Open.
func (m *Models) OpenHere(ctx context.Context, folder string, on device.Name) (*engine.Model, error) {
	return m.Open(ctx, folder, on)
}

// OpenCity gives the model of one network.
func (m *Models) OpenCity(context.Context, string) (*citymodel.Model, error) {
	if m.City == nil {
		return nil, errors.New("there is no model of one network")
	}
	return m.City, m.Fault
}

func (m *Models) lost() error {
	if m.LostAt > 0 && m.answered.Load() >= m.LostAt {
		return errors.New("the device webgpu failed at work: someone pulled the plug")
	}
	return nil
}

// Check asks nothing.
func (m *Models) Check(_ context.Context, folder string) device.Verdict {
	return m.ProbeHere(folder, device.CPU, device.Answers)
}

// ProbeHere probes nothing.
func (m *Models) ProbeHere(_ string, name device.Name, _ device.Depth) device.Verdict {
	return device.Verdict{Device: name, Refused: m.Verdict, Version: "0.0"}
}

// scorer is the model.
type scorer struct{ of *Models }

// Routes likes what is near and short.
func (s scorer) Routes(in *rntrajrec.RouteInput) (u, v []float32, err error) {
	s.of.answered.Add(1)
	schema := feature.CurrentSchema()
	for i := 0; i < len(in.Candidates); i += schema.Width("candidates") {
		u = append(u, -4*in.Candidates[i]) // the first column is the distance
	}
	for i := 0; i < len(in.Options); i += schema.Width("routes") {
		v = append(v, -10*in.Options[i]) // the first column is the length
	}
	return u, v, nil
}

// Times lets time go by with the metres.
func (s scorer) Times(in *rntrajrec.TimeInput) (share, spread []float32, err error) {
	lengths, longest := in.Lengths, in.Longest
	share, spread = make([]float32, len(lengths)), make([]float32, len(lengths))
	for g, count := range in.Counts {
		row, sum := lengths[g*longest:][:longest], float32(0)
		for _, l := range row[:count] {
			sum += l
		}
		along := float32(0)
		for i := range row[:count] {
			along += row[i]
			share[g*longest+i] = along / sum
		}
	}
	return share, spread, nil
}

// width is that of the encoder's states.
const width = 2

// encoder is one to which all roads and samples are the same.
type encoder struct{ of *Models }

// Width is 2.
func (encoder) Width() int { return width }

// Hops is 1.
func (encoder) Hops() int { return 1 }

// Roads says nothing.
func (e encoder) Roads(p *feature.Part) ([]float32, error) {
	e.of.Looked.Add(1)
	return make([]float32, width*len(p.Segments)), nil
}

// Encode says nothing.
func (encoder) Encode(_ []float32, points *feature.Points, _ []float32) (h, whole []float32, err error) {
	return make([]float32, width*points.Samples), make([]float32, width), nil
}

// left is the column of a move that says how far the next sample is from there.
const left = 9

// ticks likes to be near the next sample, in the middle of a segment.
type ticks struct{}

// Tick likes what leaves little of the way.
func (ticks) Tick(in *rntrajrec.TickInput) (state, scores []float32, err error) {
	scores = make([]float32, len(in.MoveBeam))
	for i := range scores {
		scores[i] = -4 * in.Values[i*feature.CurrentSchema().Width("moves")+left]
	}
	return in.State, scores, nil
}

// Ratios are a half.
func (ticks) Ratios(in *rntrajrec.RatioInput) ([]float32, error) {
	ratios := make([]float32, len(in.State)/width)
	for i := range ratios {
		ratios[i] = 0.5
	}
	return ratios, nil
}
