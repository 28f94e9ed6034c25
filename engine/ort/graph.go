package ort

import (
	"errors"
	"fmt"
	"sync"

	onnx "github.com/yalue/onnxruntime_go"
)

// Tensor is a dense array in row-major order. Either Floats or Ints is set.
type Tensor struct {
	Shape  []int64
	Floats []float32
	Ints   []int32
}

// Graph is a model that is ready to run. Run may be called by several
// goroutines at once.
type Graph struct {
	session         *onnx.DynamicAdvancedSession
	inputs, outputs []string
	alone           *sync.Mutex // held while running; nil: any number at once
}

// Run computes the outputs, float32 all, from the inputs in the order of their
// names. A tensor whose values do not fill its shape is an error.
func (g *Graph) Run(inputs ...Tensor) ([]Tensor, error) {
	if len(inputs) != len(g.inputs) {
		return nil, fmt.Errorf("%d inputs for a model of %d", len(inputs), len(g.inputs))
	}
	in := make([]onnx.Value, 0, len(inputs))
	out := make([]onnx.Value, len(g.outputs)) // nil: made by the library in the right shape
	defer func() { destroyAll(in); destroyAll(out) }()
	for i, t := range inputs {
		v, err := t.value()
		if err != nil {
			return nil, fmt.Errorf("input %q: %w", g.inputs[i], err)
		}
		in = append(in, v)
	}
	if err := g.run(in, out); err != nil {
		return nil, fmt.Errorf("the model failed: %w", err)
	}
	return g.results(out)
}

func (g *Graph) run(in, out []onnx.Value) error {
	if g.alone != nil {
		g.alone.Lock()
		defer g.alone.Unlock()
	}
	return g.session.Run(in, out)
}

func (g *Graph) results(out []onnx.Value) ([]Tensor, error) {
	tensors := make([]Tensor, len(out))
	for i, v := range out {
		t, ok := v.(*onnx.Tensor[float32])
		if !ok {
			return nil, fmt.Errorf("output %q is no float32 tensor", g.outputs[i])
		}
		tensors[i] = Tensor{Shape: t.GetShape().Clone(), Floats: append([]float32(nil), t.GetData()...)}
	}
	return tensors, nil
}

// value is the tensor as the library takes it; it shares the memory.
func (t Tensor) value() (onnx.Value, error) {
	shape := onnx.Shape(t.Shape)
	switch n := shape.FlattenedSize(); {
	case t.Floats != nil && int64(len(t.Floats)) == n:
		return onnx.NewTensor(shape, t.Floats)
	case t.Ints != nil && int64(len(t.Ints)) == n:
		return onnx.NewTensor(shape, t.Ints)
	default:
		return nil, fmt.Errorf("%d or %d values for a shape of %v", len(t.Floats), len(t.Ints), t.Shape)
	}
}

func destroyAll(values []onnx.Value) {
	for _, v := range values {
		if v != nil {
			_ = v.Destroy() // nothing can be done about it, and nothing depends on it
		}
	}
}

// Close frees the graph.
func (g *Graph) Close() error {
	if g.session == nil {
		return errors.New("the graph is closed already")
	}
	err := g.session.Destroy()
	g.session = nil
	return err
}
