package ort

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"retrace/engine/bundle"
	"retrace/engine/citymodel"
	"retrace/engine/device"
)

// OpenCity loads a system whose tables belong to one network, once. It runs on the
// CPU: what it is asked of one tick is too little to be worth another device.
func (m *Models) OpenCity(ctx context.Context, folder string) (*citymodel.Model, error) {
	b, library, err := m.ready(folder)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if model := m.cities[b.Hash]; model != nil {
		return model, nil
	}
	if err := m.start(library); err != nil {
		return nil, err
	}
	model, err := m.runtime.LoadCity(ctx, b)
	if err != nil {
		return nil, err
	}
	if m.cities == nil {
		m.cities = map[string]*citymodel.Model{}
	}
	m.cities[b.Hash] = model
	return model, nil
}

// OpenCityOnCPU is [Models.OpenCity] for programs that measure.
func OpenCityOnCPU(folder string, libraries ...string) (*citymodel.Model, error) {
	m := &Models{Folders: libraries}
	return m.OpenCity(context.Background(), folder)
}

// LoadCity makes the graphs of a system ready, unless ctx is done.
func (r *Runtime) LoadCity(ctx context.Context, b *bundle.Bundle) (*citymodel.Model, error) {
	m := &b.Manifest
	if m.City == nil {
		return nil, fmt.Errorf("the bundle %q is no system with tables of one network: it runs on any, as rntrajrec", m.Name)
	}
	if !slices.Contains(citymodel.Systems(), m.System) {
		return nil, fmt.Errorf("the bundle %q is of the system %q, which this program does not know", m.Name, m.System)
	}
	c := &city{manifest: m}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("bundle %q: %w", m.Name, err)
	}
	for name, to := range map[string]**Graph{"encoder": &c.encoder, "tick": &c.tick} {
		g, err := r.graph(ctx, b, name, newPlace(device.CPU, nil), 1)
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
		*to = g
	}
	return &citymodel.Model{
		System: m.System, Name: m.Name, Hash: b.Hash, City: *m.City,
		Points: m.Features.Points, Routes: m.Features.Routes, Graphs: c,
	}, nil
}

// city is a system that is loaded.
type city struct {
	manifest      *bundle.Manifest
	encoder, tick *Graph
}

// check refuses graphs that want or give something else than a system does.
func (c *city) check() error {
	encoder, err := c.manifest.Graph("encoder")
	if err != nil {
		return err
	}
	for _, p := range encoder.Inputs {
		if _, ok := c.input(p.Name, &citymodel.Samples{}); !ok {
			return fmt.Errorf("its encoder wants %q, which this program does not make", p.Name)
		}
	}
	tick, err := c.manifest.Graph("tick")
	if err != nil {
		return err
	}
	if want := []string{"state", "segment", "ratio", "h", "keys", "mask"}; !slices.Equal(names(tick.Inputs), want) {
		return fmt.Errorf("its decoder wants %v, not %v", names(tick.Inputs), want)
	}
	if len(encoder.Outputs) != 3 || len(tick.Outputs) != 3 {
		return fmt.Errorf("its graphs give %d and %d answers, not three each", len(encoder.Outputs), len(tick.Outputs))
	}
	return nil
}

// Close frees the graphs.
func (c *city) Close() error {
	var errs []error
	for _, g := range []*Graph{c.encoder, c.tick} {
		if g != nil {
			errs = append(errs, g.Close())
		}
	}
	return errors.Join(errs...)
}

// Encode says what the system has to say of samples.
func (c *city) Encode(in *citymodel.Samples) (*citymodel.States, error) {
	encoder, err := c.manifest.Graph("encoder")
	if err != nil {
		return nil, err
	}
	var inputs []bundle.Tensor
	for _, p := range encoder.Inputs {
		t, _ := c.input(p.Name, in) // it was checked
		inputs = append(inputs, t)
	}
	out, err := c.encoder.Run(inputs...)
	if err != nil {
		return nil, err
	}
	defer out.done()
	s := &citymodel.States{H: out.copyOf(0), Whole: out.copyOf(1), Keys: out.copyOf(2)}
	if d := c.manifest.Model.D; len(s.H) != d*len(in.Cells) || len(s.Keys) != len(s.H) || len(s.Whole) != d {
		return nil, fmt.Errorf("bundle %q: its encoder answers with %d, %d and %d numbers for %d samples of %d",
			c.manifest.Name, len(s.H), len(s.Whole), len(s.Keys), len(in.Cells), d)
	}
	return s, nil
}

// input is what an encoder is told of samples by the name of an input.
func (c *city) input(name string, in *citymodel.Samples) (bundle.Tensor, bool) {
	p := &in.Points
	n, sub := int64(p.Samples), int64(p.Sub)
	switch name {
	case "cell":
		return ints(in.Cells, n), true
	case "points":
		return floats(p.Values, n, int64(p.Columns)), true
	case "xy":
		return floats(in.XY, n, 2), true
	case "sub_segments":
		return ints(p.Segments, n, sub), true
	case "sub_weights":
		return floats(p.Weights, n, sub), true
	case "sub_pairs":
		return floats(p.Pairs, n, sub, int64(p.PairColumns)), true
	case "sub_successors":
		return ints(p.SubSuccessors, n, sub, int64(p.Neighbours)), true
	case "sub_predecessors":
		return ints(p.SubPredecessors, n, sub, int64(p.Neighbours)), true
	case "environment":
		return floats(in.Environment, 1, int64(len(in.Environment))), true
	}
	return bundle.Tensor{}, false
}

// Tick takes one tick.
func (c *city) Tick(in *citymodel.Tick) (state, log, ratios []float32, err error) {
	d, segments := int64(c.manifest.Model.D), int64(len(in.Mask))
	n := int64(len(in.States.H)) / d
	out, err := c.tick.Run(
		floats(in.State, 1, d), ints([]int32{in.Segment}, 1), floats([]float32{in.Ratio}, 1),
		floats(in.States.H, n, d), floats(in.States.Keys, n, d), floats(in.Mask, 1, segments),
	)
	if err != nil {
		return nil, nil, nil, err
	}
	defer out.done()
	state, log, ratios = out.copyOf(0), out.copyOf(1), out.copyOf(2)
	if len(state) != int(d) || len(log) != int(segments) || len(ratios) != int(segments) {
		return nil, nil, nil, fmt.Errorf("bundle %q: its decoder answers with %d, %d and %d numbers for %d segments",
			c.manifest.Name, len(state), len(log), len(ratios), segments)
	}
	return state, log, ratios, nil
}
