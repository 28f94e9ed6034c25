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
	guard  *guard                 // watches over the device; nil: the CPU, which needs none

	mu    sync.Mutex
	saved runner // what spare has loaded; nil: nothing yet
}

// Run computes the outputs, float32 all, from the inputs in the order of their
// names. What the device fails at, does not finish, or answers with what is no
// number, is computed on the CPU; where that succeeds the device is lost, and
// nothing more is asked of it. A tensor whose values do not fill its shape is an
// error.
func (g *Graph) Run(inputs ...bundle.Tensor) (answers, error) {
	if len(inputs) != g.inputs {
		return answers{}, fmt.Errorf("%d inputs for a model of %d", len(inputs), g.inputs)
	}
	if g.guard == nil {
		return answer(g.first, inputs)
	}
	if g.place.lost() != nil {
		return g.rescue(inputs, nil)
	}
	out, err := g.guard.run(g.first, inputs, g.place.gone)
	if err == nil {
		return out, nil
	}
	return g.rescue(inputs, err)
}

// rescue runs on the CPU. Fault is what the device failed with; nil: it was lost
// before.
func (g *Graph) rescue(inputs []bundle.Tensor, fault error) (answers, error) {
	if errors.Is(fault, errHung) {
		g.place.lose(fault) // those who wait for it need not wait for this answer
	}
	cpu, err := g.onCPU()
	if err != nil {
		return answers{}, errors.Join(fault, err)
	}
	out, err := answer(cpu, inputs)
	if err == nil && fault != nil && !errors.Is(fault, errGone) {
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

// Close frees the graph, but for what a driver that hangs still holds.
func (g *Graph) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	var err error
	if g.guard == nil {
		err = g.first.Close()
	} else if !errors.Is(g.place.lost(), errHung) {
		g.guard.turn.take()
		err = g.first.Close()
		g.guard.turn.give()
	}
	if g.saved != nil {
		err = errors.Join(err, g.saved.Close())
	}
	return err
}

// answer runs a graph and refuses answers that are no numbers, as a model with
// broken weights or a driver gone wrong gives them.
func answer(r runner, inputs []bundle.Tensor) (answers, error) {
	out, err := r.Run(inputs)
	if err != nil {
		return answers{}, err
	}
	for _, t := range out.tensors {
		for _, x := range t.Floats {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				out.done()
				return answers{}, errors.New("the model answers with what is no number")
			}
		}
	}
	return out, nil
}

// place is where the graphs of one model run.
type place struct {
	device device.Name
	onLost func(error)   // called once; may be nil
	gone   chan struct{} // closed when the device is lost

	mu    sync.Mutex
	cause error
}

func newPlace(on device.Name, onLost func(error)) *place {
	return &place{device: on, onLost: onLost, gone: make(chan struct{})}
}

// now is the device that is used.
func (p *place) now() device.Name {
	if p.lost() != nil {
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
		close(p.gone)
	}
	p.mu.Unlock()
	if first && p.onLost != nil {
		p.onLost(p.lost())
	}
}
