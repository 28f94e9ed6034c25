package ort

import (
	"context"
	"errors"
	"fmt"
	"time"

	"retrace/engine/bundle"
	"retrace/engine/device"
	"retrace/engine/feature"
	"retrace/engine/rntrajrec"
)

// Options say how a model is loaded.
type Options struct {
	Device  device.Name
	Threads int         // for one run, where the device has any
	OnLost  func(error) // called once when the device is lost at work; may be nil
}

// Model is a bundle that is loaded on a device. Its methods may be called by
// several goroutines at once.
type Model struct {
	place                            *place
	graphs                           []*Graph // all
	routes, times                    *Graph   // nil: the bundle has none
	road, encoder, ticks, ratios     *Graph   // likewise
	shape                            bundle.Shape
	candidates, routeWidth, pieceSet int64 // columns
	moveWidth                        int64 // likewise
}

// Load makes the graphs of a bundle ready, each once, unless ctx is done.
func (r *Runtime) Load(ctx context.Context, b *bundle.Bundle, o Options) (*Model, error) {
	if b.Manifest.City != nil {
		return nil, fmt.Errorf("the bundle %q holds tables of one network: it recovers by the method %s", b.Manifest.Name, b.Manifest.System)
	}
	if err := b.Manifest.Model.Check(); err != nil {
		return nil, fmt.Errorf("bundle %q: %w", b.Manifest.Name, err)
	}
	m := &Model{shape: b.Manifest.Model, place: newPlace(o.Device, o.OnLost)}
	for _, g := range []struct {
		name string
		to   **Graph
		has  bool
	}{
		{"routes", &m.routes, m.shape.Routes}, {"time", &m.times, m.shape.Time},
		{"road", &m.road, m.shape.Encoder}, {"encoder", &m.encoder, m.shape.Encoder},
		{"ticks", &m.ticks, m.shape.Ticks}, {"ratios", &m.ratios, m.shape.Ticks},
	} {
		if !g.has {
			continue
		}
		graph, err := r.graph(ctx, b, g.name, m.place, o.Threads)
		if err != nil {
			return nil, errors.Join(err, m.Close())
		}
		*g.to, m.graphs = graph, append(m.graphs, graph)
	}
	s := feature.CurrentSchema()
	m.candidates, m.routeWidth, m.pieceSet = int64(s.Width("candidates")), int64(s.Width("routes")), int64(s.Width("pieces"))
	m.moveWidth = int64(s.Width("moves"))
	return m, nil
}

// graph loads one graph where it is to run.
func (r *Runtime) graph(ctx context.Context, b *bundle.Bundle, name string, where *place, threads int) (*Graph, error) {
	entry, err := b.Manifest.Graph(name)
	if err != nil {
		return nil, err
	}
	g := &Graph{inputs: len(entry.Inputs), place: where}
	if g.first, err = r.loadGuarded(ctx, b, name, where.device, threads); err != nil {
		return nil, err
	}
	if where.device != device.CPU {
		g.guard = newGuard(r.gpu)
		g.spare = func() (runner, error) { return r.load(b, name, device.CPU, threads, "") }
	}
	return g, nil
}

// loadGuarded is load, but gives up on a driver that hangs, and when ctx is done.
func (r *Runtime) loadGuarded(ctx context.Context, b *bundle.Bundle, name string, on device.Name, threads int) (runner, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if on == device.CPU {
		return r.load(b, name, on, threads, "")
	}
	type loaded struct {
		s   *session
		err error
	}
	done := make(chan loaded, 1)
	go func() {
		s, err := r.load(b, name, on, threads, "")
		done <- loaded{s, err}
	}()
	select {
	case l := <-done:
		return l.s, l.err
	case <-ctx.Done():
		go func() { // nobody waits for it any more
			if l := <-done; l.s != nil {
				r.gpu.take()
				defer r.gpu.give()
				_ = l.s.Close()
			}
		}()
		return nil, ctx.Err()
	case <-time.After(firstPatience):
		return nil, fmt.Errorf("%s is not loaded within %v: %w", name, firstPatience, errHung)
	}
}

// Close frees the graphs.
func (m *Model) Close() error {
	var errs []error
	for _, g := range m.graphs {
		errs = append(errs, g.Close())
	}
	return errors.Join(errs...)
}

// Device is what the model runs on now.
func (m *Model) Device() string { return string(m.place.now()) }

// Lost is how the device was lost that the model was loaded on; nil: it was not.
func (m *Model) Lost() error { return m.place.lost() }

// Routes gives the scores of candidates and of options.
func (m *Model) Routes(in *rntrajrec.RouteInput) (u, v []float32, err error) {
	inputs := []bundle.Tensor{rows(in.Candidates, m.candidates), rows(in.Options, m.routeWidth)}
	if m.shape.SeesRoutes() {
		inputs = append(inputs, m.seen(in.Seen)...)
		inputs = append(inputs, ints(in.CandidateSample, inputs[0].Shape[0]), ints(in.CandidateSegment, inputs[0].Shape[0]),
			ints(in.OptionSample, inputs[1].Shape[0]), ints(in.OptionSegments, inputs[1].Shape[0], int64(in.Longest)))
	}
	out, err := m.routes.Run(inputs...)
	if err != nil {
		return nil, nil, err
	}
	defer out.done()
	return out.copyOf(0), out.copyOf(1), nil
}

// Times gives the share of the gap's time at the end of each piece, and the scale
// of the doubt about it.
func (m *Model) Times(in *rntrajrec.TimeInput) (share, spread []float32, err error) {
	gaps, l := int64(len(in.Counts)), int64(in.Longest)
	inputs := []bundle.Tensor{floats(in.Pieces, gaps, l, m.pieceSet), floats(in.Lengths, gaps, l), ints(in.Counts, gaps)}
	if m.shape.SeesTimes() {
		inputs = append(inputs, m.seen(in.Seen)...)
		inputs = append(inputs, ints(in.PieceSegment, gaps, l), ints(in.GapSample, gaps))
	}
	out, err := m.times.Run(inputs...)
	if err != nil {
		return nil, nil, err
	}
	defer out.done()
	return out.copyOf(0), out.copyOf(1), nil
}

// seen is what the encoder says, as the graphs that look at it take it.
func (m *Model) seen(s rntrajrec.Seen) []bundle.Tensor {
	return []bundle.Tensor{rows(s.Road, int64(m.shape.D)), rows(s.H, int64(m.shape.D))}
}

func rows(values []float32, width int64) bundle.Tensor {
	return bundle.Tensor{Shape: []int64{int64(len(values)) / width, width}, Floats: values}
}
