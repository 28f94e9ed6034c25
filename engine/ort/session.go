package ort

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	onnx "github.com/yalue/onnxruntime_go"

	"retrace/engine/bundle"
)

// runner computes the outputs of one graph from its inputs.
type runner interface {
	Run(inputs []bundle.Tensor) (answers, error)
	Close() error
}

// answers are the outputs of a run, in memory that is lent: done gives it back, and
// what is to be kept is to be copied before.
type answers struct {
	tensors []bundle.Tensor
	done    func()
}

// copyOf is a copy of an output's values, of a memory of its own.
func (a answers) copyOf(output int) []float32 { return slices.Clone(a.tensors[output].Floats) }

// session is a graph that is loaded on one device. Run may be called by several
// goroutines at once on the CPU; on another device its turn is to be held, here
// and for Close.
type session struct {
	onnx  *onnx.DynamicAdvancedSession
	graph bundle.Graph
	axes  [][]axis // of the outputs

	mu   sync.Mutex
	idle []*outputs // of runs that are over, to be used again
}

// outputs is where the outputs of one run come to lie, the same as the library
// knows it, and what binds them to the graph: they stay bound from run to run.
// A nil value: the library makes it, as its shape is not known before.
type outputs struct {
	tensors []bundle.Tensor
	values  []onnx.Value
	binding *onnx.IoBinding
}

func (o *outputs) destroy() {
	destroyAll(o.values)
	_ = o.binding.Destroy() // it has no error that can happen
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

// Run computes the outputs. The memory of inputs is used where it lies. That of
// outputs is kept from run to run and grows with what is asked; what the library
// knows it by is made anew only where its shape is another one.
func (s *session) Run(inputs []bundle.Tensor) (_ answers, err error) {
	in := make([]onnx.Value, len(s.graph.Inputs))
	defer destroyAll(in)
	for i, t := range inputs {
		if in[i], err = value(t); err != nil {
			return answers{}, fmt.Errorf("input %q: %w", s.graph.Inputs[i].Name, err)
		}
	}
	out, err := s.take()
	if err != nil {
		return answers{}, err
	}
	if err := s.compute(in, inputs, out); err != nil {
		out.destroy()
		return answers{}, err
	}
	return answers{out.tensors, func() { s.giveBack(out) }}, nil
}

func (s *session) compute(in []onnx.Value, inputs []bundle.Tensor, out *outputs) error {
	for i := range out.tensors {
		if err := s.fit(out, i, inputs); err != nil {
			return err
		}
	}
	if !slices.Contains(out.values, nil) {
		return failed(s.runBound(in, out.binding))
	}
	made := slices.Clone(out.values)
	if err := failed(s.onnx.Run(in, made)); err != nil {
		return err
	}
	return s.collect(made, out)
}

// runBound runs with outputs that are bound. A device keeps its copies of inputs as
// long as they are bound.
func (s *session) runBound(in []onnx.Value, binding *onnx.IoBinding) error {
	defer binding.ClearBoundInputs()
	for i, v := range in {
		if err := binding.BindInput(s.graph.Inputs[i].Name, v); err != nil {
			return err
		}
	}
	return s.onnx.RunWithBinding(binding)
}

func failed(err error) error {
	if err != nil {
		err = fmt.Errorf("the model failed: %w", err)
	}
	return err
}

// take is memory that no run uses.
func (s *session) take() (*outputs, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.idle); n > 0 {
		out := s.idle[n-1]
		s.idle = s.idle[:n-1]
		return out, nil
	}
	binding, err := s.onnx.CreateIoBinding()
	n := len(s.graph.Outputs)
	return &outputs{make([]bundle.Tensor, n), make([]onnx.Value, n), binding}, err
}

func (s *session) giveBack(out *outputs) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, out)
}

// fit makes an output as long as the inputs say, where its shape is known before.
func (s *session) fit(out *outputs, output int, inputs []bundle.Tensor) error {
	t := &out.tensors[output]
	shape, err := s.shape(output, inputs)
	if err != nil || shape == nil || out.values[output] != nil && slices.Equal(shape, t.Shape) {
		return err
	}
	destroyAll(out.values[output : output+1])
	size := int(onnx.Shape(shape).FlattenedSize())
	*t = bundle.Tensor{Shape: shape, Floats: slices.Grow(t.Floats[:0], size)[:size]}
	if out.values[output], err = value(*t); err != nil {
		return err
	}
	return out.binding.BindOutput(s.graph.Outputs[output].Name, out.values[output])
}

// shape is that of an output; nil where it is not known before.
func (s *session) shape(output int, inputs []bundle.Tensor) ([]int64, error) {
	shape := make([]int64, len(s.axes[output]))
	for i, a := range s.axes[output] {
		if a.input < 0 {
			return nil, nil
		}
		if a.place >= len(inputs[a.input].Shape) {
			return nil, fmt.Errorf("input %q has %d axes", s.graph.Inputs[a.input].Name, len(inputs[a.input].Shape))
		}
		shape[i] = inputs[a.input].Shape[a.place]
	}
	return shape, nil
}

// collect copies out what the library has made itself, and frees that.
func (s *session) collect(made []onnx.Value, out *outputs) (err error) {
	for i := range made {
		if out.values[i] != nil {
			continue
		}
		if t, ok := made[i].(*onnx.Tensor[float32]); ok {
			out.tensors[i] = bundle.Tensor{Shape: t.GetShape(), Floats: append(out.tensors[i].Floats[:0], t.GetData()...)}
		} else {
			err = fmt.Errorf("output %q is no float32 tensor", s.graph.Outputs[i].Name)
		}
		destroyAll(made[i : i+1])
	}
	return err
}

// Close frees the session.
func (s *session) Close() error {
	if s.onnx == nil {
		return errors.New("the graph is closed already")
	}
	for _, out := range s.idle {
		out.destroy()
	}
	err := s.onnx.Destroy()
	s.onnx, s.idle = nil, nil
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
	for i, v := range values {
		if v != nil {
			_ = v.Destroy() // nothing can be done about it, and nothing depends on it
			values[i] = nil
		}
	}
}
