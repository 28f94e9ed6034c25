package ort

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"retrace/engine/bundle"
	"retrace/engine/device"
)

// fake is a session that gives its answer until it fails.
type fake struct {
	mu     sync.Mutex
	good   int // answers before it fails
	answer float32
	fault  error
	asked  int
	closed bool
}

func (f *fake) Run(inputs []bundle.Tensor) (answers, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked++
	if f.asked <= f.good {
		return answered(inputs[0].Floats[0] + 1), nil
	}
	return answered(f.answer), f.fault
}

// answered is one number as an answer.
func answered(x float32) answers {
	return answers{[]bundle.Tensor{{Shape: []int64{1}, Floats: []float32{x}}}, func() {}}
}

func (f *fake) Close() error { f.closed = true; return nil }

// onDevice is a graph on a device that fails, with a CPU beside it.
func onDevice(gpu runner, cpu *fake, told *[]error) *Graph {
	return &Graph{inputs: 1, first: gpu, spare: func() (runner, error) { return cpu, nil },
		place: newPlace(device.WebGPU, func(err error) { *told = append(*told, err) }), guard: newGuard(make(turn, 1))}
}

func ask(t *testing.T, g *Graph, x float32) {
	t.Helper()
	out, err := g.Run(bundle.Tensor{Shape: []int64{1}, Floats: []float32{x}})
	if err != nil || out.tensors[0].Floats[0] != x+1 {
		t.Fatalf("asked %v, got %v, %v", x, out.tensors, err)
	}
}

func TestALostDeviceCostsNoAnswer(t *testing.T) {
	for name, gpu := range map[string]*fake{
		"an error":     {good: 3, fault: errors.New("device lost")},
		"no number":    {good: 3, answer: float32(math.NaN())},
		"at the first": {fault: errors.New("device lost")},
	} {
		var told []error
		cpu := &fake{good: math.MaxInt}
		g := onDevice(gpu, cpu, &told)
		for x := range 10 {
			ask(t, g, float32(x))
		}
		if gpu.asked != gpu.good+1 || cpu.asked != 10-gpu.good {
			t.Errorf("%s: the device was asked %d times, the CPU %d times", name, gpu.asked, cpu.asked)
		}
		if g.place.now() != device.CPU || g.place.lost() == nil || len(told) != 1 || !strings.Contains(told[0].Error(), "webgpu failed at work") {
			t.Errorf("%s: told %v", name, told)
		}
		if err := g.Close(); err != nil || !gpu.closed || !cpu.closed {
			t.Errorf("%s: left open, %v", name, err)
		}
	}
}

func TestALostDeviceIsLostForAllGraphs(t *testing.T) {
	var told []error
	gpu, cpu := &fake{fault: errors.New("device lost")}, &fake{good: math.MaxInt}
	one := onDevice(gpu, cpu, &told)
	two := onDevice(&fake{good: math.MaxInt}, cpu, &told)
	two.place = one.place
	var wg sync.WaitGroup
	for x := range 50 {
		wg.Go(func() { ask(t, one, float32(x)); ask(t, two, float32(x)) })
	}
	wg.Wait()
	ask(t, two, 1)
	if len(told) != 1 {
		t.Errorf("told %d times", len(told))
	}
}

// An input that the CPU cannot answer either is no fault of the device.
func TestADeviceIsNotBlamedForABadInput(t *testing.T) {
	var told []error
	gpu := &fake{fault: errors.New("no such shape")}
	g := onDevice(gpu, &fake{fault: errors.New("no such shape, says the CPU")}, &told)
	if _, err := g.Run(bundle.Tensor{Shape: []int64{1}, Floats: []float32{1}}); err == nil || !strings.Contains(err.Error(), "says the CPU") {
		t.Errorf("error %v", err)
	}
	if g.place.lost() != nil || g.place.now() != device.WebGPU || len(told) != 0 {
		t.Errorf("the device is lost: %v", told)
	}
}

func TestWithoutACPUBothFaultsAreTold(t *testing.T) {
	g := onDevice(&fake{fault: errors.New("device lost")}, nil, new([]error))
	g.spare = func() (runner, error) { return nil, errors.New("out of memory") }
	_, err := g.Run(bundle.Tensor{Shape: []int64{1}, Floats: []float32{1}})
	if err == nil || !strings.Contains(err.Error(), "device lost") || !strings.Contains(err.Error(), "out of memory") {
		t.Errorf("error %v", err)
	}
}

func TestACPUThatFailsIsAnError(t *testing.T) {
	g := &Graph{inputs: 1, first: &fake{answer: float32(math.Inf(1))}, place: newPlace(device.CPU, nil)}
	if _, err := g.Run(bundle.Tensor{Shape: []int64{1}, Floats: []float32{1}}); err == nil || !strings.Contains(err.Error(), "no number") {
		t.Errorf("error %v", err)
	}
	if g.place.lost() != nil {
		t.Error("the CPU is lost")
	}
}
