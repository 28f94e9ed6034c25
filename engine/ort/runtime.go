package ort

import (
	"fmt"
	"sync"

	onnx "github.com/yalue/onnxruntime_go"
)

// Device is where a graph runs.
type Device string

// The devices.
const (
	CPU      Device = "cpu"
	CUDA     Device = "cuda"
	WebGPU   Device = "webgpu"
	DirectML Device = "directml"
	CoreML   Device = "coreml"
)

// Runtime is the loaded library.
type Runtime struct {
	library string
	gpu     sync.Mutex // some providers crash when two of their sessions run at once
}

// Open loads the library. It must be closed before another can be opened.
func Open(library string) (*Runtime, error) {
	if onnx.IsInitialized() {
		return nil, fmt.Errorf("ONNX Runtime is open already in this process")
	}
	onnx.SetSharedLibraryPath(library)
	if err := onnx.InitializeEnvironment(onnx.WithLogLevelFatal()); err != nil {
		return nil, fmt.Errorf("ONNX Runtime %s cannot be loaded: %w", library, err)
	}
	return &Runtime{library: library}, nil
}

// Version is that of the library.
func (r *Runtime) Version() string { return onnx.GetVersion() }

// Close unloads the library. No graph may be in use.
func (r *Runtime) Close() error { return onnx.DestroyEnvironment() }

// Load makes a graph ready to run on a device with so many threads, where the
// device has any. Inputs and outputs name the graph's.
func (r *Runtime) Load(model []byte, inputs, outputs []string, device Device, threads int) (*Graph, error) {
	options, err := sessionOptions(device, threads) // a new one for every session: sharing it crashes
	if err != nil {
		return nil, err
	}
	defer options.Destroy()
	session, err := onnx.NewDynamicAdvancedSessionWithONNXData(model, inputs, outputs, options)
	if err != nil {
		return nil, fmt.Errorf("the model cannot be loaded on %s: %w", device, err)
	}
	g := &Graph{session: session, inputs: inputs, outputs: outputs}
	if device != CPU {
		g.alone = &r.gpu
	}
	return g, nil
}

func sessionOptions(device Device, threads int) (*onnx.SessionOptions, error) {
	options, err := onnx.NewSessionOptions()
	if err != nil {
		return nil, fmt.Errorf("ONNX Runtime: %w", err)
	}
	err = options.SetIntraOpNumThreads(threads)
	if err == nil {
		err = appendProvider(options, device)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", device, joinDestroy(err, options))
	}
	return options, nil
}

func joinDestroy(err error, options *onnx.SessionOptions) error {
	if destroying := options.Destroy(); destroying != nil {
		return fmt.Errorf("%w (and %w)", err, destroying)
	}
	return err
}

func appendProvider(options *onnx.SessionOptions, device Device) error {
	switch device {
	case CPU:
		return nil
	case CUDA:
		cuda, err := onnx.NewCUDAProviderOptions()
		if err != nil {
			return err
		}
		defer cuda.Destroy()
		return options.AppendExecutionProviderCUDA(cuda)
	case WebGPU:
		return options.AppendExecutionProvider("WebGPU", nil)
	case DirectML:
		return options.AppendExecutionProviderDirectML(0)
	case CoreML:
		return options.AppendExecutionProviderCoreMLV2(nil)
	}
	return fmt.Errorf("no such device")
}
