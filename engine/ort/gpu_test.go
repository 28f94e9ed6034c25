package ort

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"retrace/engine"
	"retrace/engine/bundle"
	"retrace/engine/bundle/bundletest"
	"retrace/engine/device"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// child, childTrips and childCity are the variables that tell the test's own program
// what to do as a child process, which a driver may take down: with which bundle, how
// many trips to recover, and in how large a city.
const child, childTrips, childCity = "RETRACE_TEST_CHILD", "RETRACE_TEST_TRIPS", "RETRACE_TEST_CITY"

func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == ProbeCommand {
		os.Exit(probeAsChild(os.Args[2:]))
	}
	if os.Getenv(child) == "" {
		os.Exit(m.Run())
	}
	said, err := beside()
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(said)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// besides is what the child says of the best device beside the CPU.
type besides struct {
	CPU, GPU         device.Verdict
	Ticks            int           // recovered by both
	Apart            float64       // the most between two positions of a tick, as a share of their segment
	Segments         int           // ticks that are on two segments
	CPUTook, GPUTook time.Duration // to recover the trips, after a first time
	Lost             string        // how the device was lost; empty: it was not
}

// beside is the child: it probes the CPU and what else there is, and recovers trips
// on both.
func beside() (*besides, error) {
	library, err := Library(filepath.Join("..", "..", ".cache", "onnxruntime"))
	if err != nil {
		return nil, err
	}
	r, err := Open(library)
	if err != nil {
		return nil, err
	}
	b, err := bundle.Read(os.DirFS(os.Getenv(child)))
	if err != nil {
		return nil, err
	}
	said := &besides{CPU: r.Probe(b, device.CPU, device.Timed)}
	for _, name := range device.Order() {
		if name == device.CPU {
			break
		}
		// Loaded before it is probed, so that the device is taken once: software
		// drivers crash where it is given up and taken again.
		m, err := r.Load(context.Background(), b, Options{Device: name, Threads: 1})
		if said.GPU = r.Probe(b, name, device.Timed); said.GPU.Refused == "" && err == nil {
			if os.Getenv(childTrips) == "0" {
				return said, nil
			}
			return said, said.recover(r, b, m)
		}
	}
	return said, nil
}

// recover recovers trips on both devices, by each decoder that there is, and compares
// where they are at each tick.
func (s *besides) recover(r *Runtime, b *bundle.Bundle, gpu *Model) error {
	count, err := strconv.Atoi(os.Getenv(childTrips))
	if err != nil {
		return err
	}
	size, err := strconv.Atoi(os.Getenv(childCity))
	if err != nil {
		return err
	}
	net := roadnettest.GridCity(size)
	trips := walks(net, count)
	var all [2][]*trajectory.Recovery
	cpu, err := r.Load(context.Background(), b, Options{Device: device.CPU, Threads: 1})
	if err != nil {
		return err
	}
	for i, m := range []*Model{cpu, gpu} {
		for _, took := range []*time.Duration{new(time.Duration), []*time.Duration{&s.CPUTook, &s.GPUTook}[i]} {
			began := time.Now()
			if all[i], err = recovered(net, m.engine(b), trips); err != nil {
				return err
			}
			*took = time.Since(began)
		}
		if lost := m.Lost(); lost != nil {
			s.Lost = lost.Error()
		}
	}
	for i := range all[0] {
		s.compare(all[0][i], all[1][i])
	}
	return nil
}

// recovered recovers trips by each decoder of a model.
func recovered(net *roadnet.Network, m *engine.Model, trips []*trajectory.Trajectory) ([]*trajectory.Recovery, error) {
	var all []*trajectory.Recovery
	for _, decoder := range []string{engine.DecoderRoutes, engine.DecoderTicks} {
		if decoder == engine.DecoderRoutes && m.Scorer == nil || decoder == engine.DecoderTicks && m.Ticks == nil {
			continue
		}
		s := engine.DefaultSettings()
		s.Method, s.Model, s.Decoder, s.Threads = engine.MethodRNTrajRec, m, decoder, 2
		r, err := engine.NewRecoverer(net, s)
		if err != nil {
			return nil, err
		}
		err = r.Stream(context.Background(), trajectory.Each(trips), nil, func(_ *trajectory.Trajectory, rec *trajectory.Recovery, err error) error {
			all = append(all, rec)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (s *besides) compare(cpu, gpu *trajectory.Recovery) {
	for k, a := range cpu.Ticks {
		b := gpu.Ticks[k]
		s.Ticks++
		if a.At.Segment != b.At.Segment {
			s.Segments++
			continue
		}
		s.Apart = max(s.Apart, math.Abs(a.At.Ratio-b.At.Ratio))
	}
}

// askChild runs the child, with variables of the environment besides.
func askChild(t *testing.T, files fs.FS, trips, city int, environment ...string) *besides {
	t.Helper()
	if _, err := Library(filepath.Join("..", "..", ".cache", "onnxruntime")); err != nil {
		t.Skip(err)
	}
	folder := t.TempDir()
	if err := os.CopyFS(folder, files); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(append(os.Environ(), child+"="+folder, childTrips+"="+strconv.Itoa(trips), childCity+"="+strconv.Itoa(city)), environment...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the child failed: %v", err)
	}
	var said besides
	if err := json.Unmarshal(out, &said); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return &said
}

// check checks that a device answers as the CPU does, that no operator is left to
// the CPU, and that trips are where the CPU has them, but for ties.
func (s *besides) check(t *testing.T) {
	t.Helper()
	if g := s.GPU; g.Refused != "" || g.Worst > 1e-3 || g.Nodes == 0 || len(g.Strays) > 0 {
		t.Errorf("verdict %+v", g)
	}
	if s.Lost != "" || s.Ticks == 0 || s.Apart > 1e-3 || s.Segments > s.Ticks/100 {
		t.Errorf("%d ticks, up to %v of a segment apart, %d on other segments; lost: %q", s.Ticks, s.Apart, s.Segments, s.Lost)
	}
	t.Logf("%s: off by %.1e; %d operators, all on the device; load %v, first answer %v, a batch %v (CPU %v); %d ticks up to %.1e of a segment apart, %d on another segment; trips take %v (CPU %v)",
		s.GPU.Device, s.GPU.Worst, s.GPU.Nodes, s.GPU.Load, s.GPU.First, s.GPU.Run, s.CPU.Run, s.Ticks, s.Apart, s.Segments, s.GPUTook, s.CPUTook)
}

// onSoftware asks the child about WebGPU on a Vulkan that computes on the CPU.
func onSoftware(t *testing.T, files fs.FS) *besides {
	t.Helper()
	vulkan, err := filepath.Abs(filepath.Join("..", "..", ".cache", "vulkan"))
	if err != nil {
		t.Fatal(err)
	}
	driver := filepath.Join(vulkan, "vk_swiftshader_icd.json")
	if _, err := os.Stat(driver); err != nil {
		t.Skip("there is no software Vulkan: scripts/vulkan.sh installs it")
	}
	said := askChild(t, files, 0, 0, "VK_ICD_FILENAMES="+driver, "LD_LIBRARY_PATH="+vulkan)
	if said.GPU.Refused == notBuiltIn {
		t.Skip(said.GPU.Refused)
	}
	return said
}

// WebGPU answers as the CPU does, and none of the operators of the model that ships, or
// of a small one, is left to the CPU. Trips are not recovered: that takes a software
// driver too long.
func TestWebGPUAgreesWithTheCPU(t *testing.T) {
	for name, files := range map[string]fs.FS{"shipped": bundletest.Files(t), "small": wholeFiles(t)} {
		t.Run(name, func(t *testing.T) {
			g := onSoftware(t, files).GPU
			if g.Refused != "" || g.Worst > 1e-3 || g.Nodes < 500 || len(g.Strays) > 0 {
				t.Errorf("verdict %+v", g)
			}
		})
	}
}

// A graphics processor of this computer answers as its CPU does. How fast it is, the
// log tells.
func TestAGPUAgreesWithTheCPU(t *testing.T) {
	said := askChild(t, bundletest.Files(t), 200, 30)
	if said.GPU.Refused != "" {
		t.Skipf("no graphics processor that could be tested: %s: %s", said.GPU.Device, said.GPU.Refused)
	}
	said.check(t)
}
