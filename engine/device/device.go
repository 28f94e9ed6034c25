package device

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Name names a device.
type Name string

// The devices, and the wish for the best of them.
const (
	Auto     Name = "auto"
	CPU      Name = "cpu"
	CUDA     Name = "cuda"
	WebGPU   Name = "webgpu"
	DirectML Name = "directml"
	CoreML   Name = "coreml"
)

// Title is the name as it is written.
func (n Name) Title() string {
	switch n {
	case CPU:
		return "CPU"
	case CUDA:
		return "CUDA"
	case WebGPU:
		return "WebGPU"
	case DirectML:
		return "DirectML"
	case CoreML:
		return "CoreML"
	}
	return string(n)
}

// Order lists the devices of this system, the one to be tried first first. The
// CPU comes last and is always there.
func Order() []Name { return order(runtime.GOOS) }

func order(system string) []Name {
	switch system {
	case "windows":
		return []Name{DirectML, WebGPU, CPU}
	case "darwin":
		return []Name{CoreML, WebGPU, CPU}
	}
	return []Name{CUDA, WebGPU, CPU}
}

// Verdict is what a probe found of one device.
type Verdict struct {
	Device  Name
	Refused string `json:",omitempty"` // why it is not used by itself; empty: it may be
	Slow    bool   `json:",omitempty"` // it answers rightly, and is refused for its speed alone
	Hung    bool   `json:",omitempty"` // it did not answer in time

	Load  time.Duration `json:",omitempty"` // to load the model
	First time.Duration `json:",omitempty"` // for the first answers, drivers being made ready
	Run   time.Duration `json:",omitempty"` // for the answers to a batch of trips, the device being warm
	Worst float64       `json:",omitempty"` // largest difference from the stored answers

	Nodes   int      `json:",omitempty"` // operators of the model that ran on the device
	Strays  []string `json:",omitempty"` // those that ran on the CPU instead, each as "graph: operator"
	Version string   `json:",omitempty"` // of the library
}

// Right reports whether the device answers rightly, be it slowly.
func (v Verdict) Right() bool { return v.Refused == "" || v.Slow }

// Right reports whether a device answers rightly by its verdict.
func Right(verdicts []Verdict, name Name) bool {
	return slices.ContainsFunc(verdicts, func(v Verdict) bool { return v.Device == name && v.Right() })
}

// Complete reports whether all devices of this system were tried.
func Complete(verdicts []Verdict) bool { return len(verdicts) == len(Order()) }

// RefusedError says that no device can be used that was asked for.
type RefusedError struct{ Verdict Verdict }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("the device %s cannot be used: %s", e.Verdict.Device, e.Verdict.Refused)
}

// Choose picks the device: the one wanted, where it answers rightly, or for Auto
// the first that is not refused.
func Choose(verdicts []Verdict, want Name) (Name, error) {
	for _, v := range verdicts {
		if want == Auto && v.Refused == "" || want == v.Device && v.Right() {
			return v.Device, nil
		}
	}
	if want != Auto && !slices.Contains(Order(), want) {
		return "", &RefusedError{Verdict{Device: want, Refused: "this system has none; it has " + Words(Order())}}
	}
	for _, v := range verdicts {
		if want == v.Device || want == Auto && v.Device == CPU {
			return "", &RefusedError{v}
		}
	}
	return "", fmt.Errorf("the device %s was not tried", want)
}

// Words lists devices in a sentence.
func Words(names []Name) string {
	texts := make([]string, len(names))
	for i, n := range names {
		texts[i] = string(n)
	}
	return strings.Join(texts, ", ")
}

// compare refuses what is slower than the CPU: a driver that only imitates a
// GPU, say.
func compare(verdicts []Verdict) {
	i := slices.IndexFunc(verdicts, func(v Verdict) bool { return v.Device == CPU && v.Refused == "" })
	if i < 0 {
		return
	}
	const digit = 10 * time.Microsecond
	cpu := verdicts[i].Run
	for k := range verdicts {
		if v := &verdicts[k]; v.Device != CPU && v.Refused == "" && v.Run > cpu {
			v.Slow = true
			v.Refused = fmt.Sprintf("slower than the CPU: %v for a batch, the CPU takes %v", v.Run.Round(digit), cpu.Round(digit))
		}
	}
}
