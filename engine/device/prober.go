package device

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Prober probes devices, each in a process of its own.
type Prober struct {
	// Command makes the command that probes a device, in so much depth, and prints
	// its Verdict as JSON on standard output.
	Command func(context.Context, Name, Depth) *exec.Cmd
	Library string        // path of the runtime's library
	Limit   time.Duration // for one device
}

// Depth says how much is asked of a device.
type Depth string

// The depths of a probe.
const (
	Answers Depth = "answers" // are the stored answers given
	Timed   Depth = "timed"   // and how fast, and which operators run on the device
)

// ProbeAll probes the devices of this system in turn. Tell, which may be nil, is
// called before each. The error is that of ctx.
func (p Prober) ProbeAll(ctx context.Context, tell func(Name)) ([]Verdict, error) {
	var all []Verdict
	for _, name := range Order() {
		if tell != nil {
			tell(name)
		}
		all = append(all, p.Probe(ctx, name, Timed))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	compare(all)
	return all, nil
}

// Probe probes one device. Whatever becomes of the child, there is a verdict.
func (p Prober) Probe(ctx context.Context, name Name, depth Depth) Verdict {
	if missing := p.missing(name); missing != "" {
		return Verdict{Device: name, Refused: missing}
	}
	limited, cancel := context.WithTimeout(ctx, p.Limit)
	defer cancel()
	cmd := p.Command(limited, name, depth)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &tail{to: &said}
	cmd.WaitDelay = time.Second // what the child has started may hold its output open
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // it ended well and has said all; what it started still has its output open
	}
	v := Verdict{Device: name}
	switch {
	case limited.Err() != nil:
		v.Hung = true
		v.Refused = fmt.Sprintf("no answer within %v: its driver hangs, or the computer was very busy", p.Limit)
	case err != nil:
		v.Refused = "its driver ended the process that probed it: " + died(err) + lastLine(said.String())
	case json.Unmarshal(out.Bytes(), &v) != nil || v.Device != name:
		v = Verdict{Device: name, Refused: "the process that probed it said nothing that can be read" + lastLine(said.String())}
	}
	return v
}

// missing says what a device lacks that is seen without asking it.
func (p Prober) missing(name Name) string {
	if name != CUDA {
		return ""
	}
	file := "libonnxruntime_providers_cuda.so"
	if runtime.GOOS == "windows" {
		file = "onnxruntime_providers_cuda.dll"
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(p.Library), file)); err != nil {
		return file + " does not lie beside the ONNX Runtime library"
	}
	return ""
}

// died says how a process ended.
func died(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.String()
	}
	return err.Error()
}

// lastLine is what a process said last, for the end of a sentence.
func lastLine(said string) string {
	lines := strings.FieldsFunc(said, func(r rune) bool { return r == '\n' || r == '\r' })
	if len(lines) == 0 {
		return ""
	}
	return " (" + strings.TrimSpace(lines[len(lines)-1]) + ")"
}

// tail keeps the end of what is written, a little at most.
type tail struct{ to *bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	const most = 4096
	t.to.Write(p)
	if over := t.to.Len() - most; over > 0 {
		t.to.Next(over)
	}
	return len(p), nil
}
