package ort

import (
	"errors"
	"fmt"
	"slices"

	onnx "github.com/yalue/onnxruntime_go"

	"retrace/engine/bundle"
)

// runner computes the outputs of one graph from its inputs.
type runner interface {
	Run(inputs []bundle.Tensor) ([]bundle.Tensor, error)
	Close() error
}

// session is a graph that is loaded on one device. Run may be called by several
// goroutines at once on the CPU; on another device its turn is to be held, here
// and for Close.
type session struct {
	onnx  *onnx.DynamicAdvancedSession
	graph bundle.Graph
	axes  [][]axis // of the outputs
}

// axis says which axis of which input one of an output is as long as; input is
// -1 where none is.
type axis struct{ input, place int }

// resolve finds out how long the axes of outputs will be.
func resolve(g bundle.Graph) [][]axis {
	all := make([][]axis, len(g.Outputs))
	for i, out := range g.Outputs {
		for _, name := range out.Axes {
			all[i] = append(all[i], lengthOf(g.Inputs, name))
		}
	}
	return all
}

func lengthOf(inputs []bundle.Port, name string) axis {
	if !bundle.Varies(name) {
		return axis{input: -1}
	}
	for i, p := range inputs {
		if at := slices.Index(p.Axes, name); at >= 0 {
			return axis{i, at}
		}
	}
	return axis{input: -1}
}

// Run computes the outputs. The memory of inputs is used where it lies, that of
// outputs is made here where their shapes are known, so that nothing is copied.
func (s *session) Run(inputs []bundle.Tensor) (outputs []bundle.Tensor, err error) {
	values := make([]onnx.Value, len(s.graph.Inputs)+len(s.graph.Outputs)) // nil: made by the library
	defer destroyAll(values)
	in, out := values[:len(s.graph.Inputs)], values[len(s.graph.Inputs):]
	for i, t := range inputs {
		if in[i], err = value(t); err != nil {
			return nil, fmt.Errorf("input %q: %w", s.graph.Inputs[i].Name, err)
		}
	}
	outputs = make([]bundle.Tensor, len(out))
	for i := range outputs {
		if outputs[i], err = s.room(i, inputs); err != nil {
			return nil, err
		}
		if outputs[i].Floats == nil {
			continue
		}
		if out[i], err = value(outputs[i]); err != nil {
			return nil, err
		}
	}
	if err := s.onnx.Run(in, out); err != nil {
		return nil, fmt.Errorf("the model failed: %w", err)
	}
	return outputs, s.collect(outputs, out)
}

// room makes the memory of an output; none where its shape is not known before.
func (s *session) room(output int, inputs []bundle.Tensor) (bundle.Tensor, error) {
	t := bundle.Tensor{Shape: make([]int64, len(s.axes[output]))}
	size := int64(1)
	for i, a := range s.axes[output] {
		if a.input < 0 {
			return bundle.Tensor{}, nil
		}
		if a.place >= len(inputs[a.input].Shape) {
			return t, fmt.Errorf("input %q has %d axes", s.graph.Inputs[a.input].Name, len(inputs[a.input].Shape))
		}
		t.Shape[i] = inputs[a.input].Shape[a.place]
		size *= t.Shape[i]
	}
	t.Floats = make([]float32, size)
	return t, nil
}

// collect copies out what the library has made itself.
func (s *session) collect(outputs []bundle.Tensor, out []onnx.Value) error {
	for i := range outputs {
		if outputs[i].Floats != nil {
			continue
		}
		made, ok := out[i].(*onnx.Tensor[float32])
		if !ok {
			return fmt.Errorf("output %q is no float32 tensor", s.graph.Outputs[i].Name)
		}
		outputs[i] = bundle.Tensor{Shape: made.GetShape().Clone(), Floats: slices.Clone(made.GetData())}
	}
	return nil
}

// Close frees the session.
func (s *session) Close() error {
	if s.onnx == nil {
		return errors.New("the graph is closed already")
	}
	err := s.onnx.Destroy()
	s.onnx = nil
	return err
}

// value is a tensor as the library takes it; it shares the memory.
func value(t bundle.Tensor) (onnx.Value, error) {
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
