package ort

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"retrace/engine/bundle"
	"retrace/engine/device"
)

// Graph is a graph that is ready to run: on its device or, once that is lost, on
// the CPU. Run may be called by several goroutines at once.
type Graph struct {
	inputs int
	first  runner // on the device
	place  *place
	spare  func() (runner, error) // loads the graph on the CPU; nil: it is there already

	mu    sync.Mutex
	saved runner // what spare has loaded; nil: nothing yet
}

// Run computes the outputs, float32 all, from the inputs in the order of their
// names. What the device fails at, or answers with what is no number, is
// computed on the CPU; where that succeeds the device is lost, and nothing more
// is asked of it. A tensor whose values do not fill its shape is an error.
func (g *Graph) Run(inputs ...bundle.Tensor) ([]bundle.Tensor, error) {
	if len(inputs) != g.inputs {
		return nil, fmt.Errorf("%d inputs for a model of %d", len(inputs), g.inputs)
	}
	if g.spare == nil || g.place.lost() == nil {
		out, err := answer(g.first, inputs)
		if err == nil || g.spare == nil {
			return out, err
		}
		return g.rescue(inputs, err)
	}
	return g.rescue(inputs, nil)
}

// rescue runs on the CPU. Fault is what the device failed with; nil: it was lost
// before.
func (g *Graph) rescue(inputs []bundle.Tensor, fault error) ([]bundle.Tensor, error) {
	cpu, err := g.onCPU()
	if err != nil {
		return nil, errors.Join(fault, err)
	}
	out, err := answer(cpu, inputs)
	if err == nil && fault != nil {
		g.place.lose(fault)
	}
	return out, err
}

// onCPU loads the graph on the CPU, once.
func (g *Graph) onCPU() (runner, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.saved == nil {
		r, err := g.spare()
		if err != nil {
			return nil, err
		}
		g.saved = r
	}
	return g.saved, nil
}

// Close frees the graph.
func (g *Graph) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	err := g.first.Close()
	if g.saved != nil {
		err = errors.Join(err, g.saved.Close())
	}
	return err
}

// answer runs a graph and refuses answers that are no numbers, as a model with
// broken weights or a driver gone wrong gives them.
func answer(r runner, inputs []bundle.Tensor) ([]bundle.Tensor, error) {
	out, err := r.Run(inputs)
	if err != nil {
		return nil, err
	}
	for _, t := range out {
		for _, x := range t.Floats {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return nil, errors.New("the model answers with what is no number")
			}
		}
	}
	return out, nil
}

// place is where the graphs of one model run.
type place struct {
	mu     sync.Mutex
	device device.Name
	cause  error
	onLost func(error) // called once; may be nil
}

// now is the device that is used.
func (p *place) now() device.Name {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cause != nil {
		return device.CPU
	}
	return p.device
}

// lost is how the device was lost; nil: it was not.
func (p *place) lost() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cause
}

func (p *place) lose(cause error) {
	p.mu.Lock()
	first := p.cause == nil
	if first {
		p.cause = fmt.Errorf("the device %s failed at work: %w", p.device, cause)
	}
	tell := p.onLost
	p.mu.Unlock()
	if first && tell != nil {
		tell(p.lost())
	}
}
