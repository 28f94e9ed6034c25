package ort

import (
	"fmt"

	onnx "github.com/yalue/onnxruntime_go"

	"retrace/engine/bundle"
	"retrace/engine/device"
)

// Runtime is the loaded library.
type Runtime struct {
	library string
	gpu     turn // some providers crash when two of their sessions are used at once
}

// turn is held by the one that uses a device. It is a channel, so that those who
// wait for it can give up: where a driver hangs it is never given back.
type turn chan struct{}

func (t turn) take() { t <- struct{}{} }
func (t turn) give() { <-t }

// Open loads the library. It must be closed before another can be opened.
func Open(library string) (*Runtime, error) {
	if onnx.IsInitialized() {
		return nil, fmt.Errorf("ONNX Runtime is open already in this process")
	}
	if err := silence(); err != nil {
		return nil, err
	}
	onnx.SetSharedLibraryPath(library)
	if err := onnx.InitializeEnvironment(onnx.WithLogLevelFatal()); err != nil {
		return nil, fmt.Errorf("ONNX Runtime %s cannot be loaded: %w", library, err)
	}
	if err := hush(); err != nil {
		return nil, err
	}
	return &Runtime{library: library, gpu: make(turn, 1)}, nil
}

// Version is that of the library.
func (r *Runtime) Version() string { return onnx.GetVersion() }

// Close unloads the library. No graph may be in use.
func (r *Runtime) Close() error { return onnx.DestroyEnvironment() }

// load makes a graph of a bundle ready on one device, with so many threads for a
// run where the device has any. Profile is the start of the name of the file
// that a profile is written to when the session is closed; empty: none is.
func (r *Runtime) load(b *bundle.Bundle, graph string, on device.Name, threads int, profile string) (*session, error) {
	entry, err := b.Manifest.Graph(graph)
	if err != nil {
		return nil, err
	}
	s := &session{graph: entry, axes: resolve(entry)}
	if on != device.CPU {
		r.gpu.take()
		defer r.gpu.give()
	}
	options, err := sessionOptions(on, threads, profile) // new ones for every session: sharing them crashes
	if err != nil {
		return nil, err
	}
	defer options.Destroy()
	s.onnx, err = onnx.NewDynamicAdvancedSessionWithONNXData(b.Model(graph), names(entry.Inputs), names(entry.Outputs), options)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be loaded on %s: %w", entry.File, on, err)
	}
	return s, nil
}

func names(ports []bundle.Port) []string {
	all := make([]string, len(ports))
	for i, p := range ports {
		all[i] = p.Name
	}
	return all
}

func sessionOptions(on device.Name, threads int, profile string) (*onnx.SessionOptions, error) {
	options, err := onnx.NewSessionOptions()
	if err != nil {
		return nil, fmt.Errorf("ONNX Runtime: %w", err)
	}
	err = options.SetIntraOpNumThreads(threads)
	if err == nil { // hardly two runs have the same shapes, and a plan would be kept for each
		err = options.SetMemPattern(false)
	}
	if err == nil && profile != "" {
		err = options.EnableProfiling(profile)
	}
	if err == nil {
		err = appendProvider(options, on)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", on, joinDestroy(err, options))
	}
	return options, nil
}

func joinDestroy(err error, options *onnx.SessionOptions) error {
	if destroying := options.Destroy(); destroying != nil {
		return fmt.Errorf("%w (and %w)", err, destroying)
	}
	return err
}

func appendProvider(options *onnx.SessionOptions, on device.Name) error {
	switch on {
	case device.CPU:
		return nil
	case device.CUDA:
		cuda, err := onnx.NewCUDAProviderOptions()
		if err != nil {
			return err
		}
		defer cuda.Destroy()
		return options.AppendExecutionProviderCUDA(cuda)
	case device.WebGPU:
		return options.AppendExecutionProvider("WebGPU", nil)
	case device.DirectML:
		return options.AppendExecutionProviderDirectML(0)
	case device.CoreML:
		return options.AppendExecutionProviderCoreMLV2(nil)
	}
	return fmt.Errorf("no such device")
}
