package ort

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"retrace/engine/bundle"
	"retrace/engine/bundle/bundletest"
	"retrace/engine/device"
	"retrace/engine/feature"
	"retrace/internal/canceltest"
)

// open loads the library, or skips the test where it is not installed.
func open(t testing.TB) *Runtime {
	t.Helper()
	library, err := Library(filepath.Join("..", "..", ".cache", "onnxruntime"))
	if err != nil {
		t.Skip(err)
	}
	r, err := Open(library)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// double is a bundle of one graph: y = x + x for rows of two numbers.
func double(t testing.TB) *bundle.Bundle {
	t.Helper()
	model, err := os.ReadFile(filepath.Join("testdata", "double.onnx"))
	if err != nil {
		t.Fatal(err)
	}
	m := bundle.Manifest{Name: "double", Version: 1, Schema: feature.CurrentSchema(), Opset: 17}
	row := []string{"n", "columns"}
	m.Graphs = []bundle.Graph{{Name: "double", File: "double.onnx", SHA256: fmt.Sprintf("%x", sha256.Sum256(model)),
		Inputs:  []bundle.Port{{Name: "x", Type: "float32", Axes: row}},
		Outputs: []bundle.Port{{Name: "y", Type: "float32", Axes: row}}}}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Read(fstest.MapFS{"manifest.json": {Data: text}, "double.onnx": {Data: model}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// shipped is the bundle that the program carries.
func shipped(t testing.TB) *bundle.Bundle {
	t.Helper()
	b, err := bundle.Read(bundletest.Files(t))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// load loads a graph on the CPU.
func load(t testing.TB, r *Runtime, b *bundle.Bundle, graph string) *Graph {
	t.Helper()
	g, err := r.graph(context.Background(), b, graph, newPlace(device.CPU, nil), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

func TestAGraphRunsWithAnyNumberOfRows(t *testing.T) {
	g := load(t, open(t), double(t), "double")
	var wg sync.WaitGroup
	for rows := int64(1); rows <= 8; rows++ {
		wg.Go(func() {
			x := make([]float32, 2*rows)
			for i := range x {
				x[i] = float32(i)
			}
			out, err := g.Run(bundle.Tensor{Shape: []int64{rows, 2}, Floats: x})
			if err != nil {
				t.Error(err)
				return
			}
			for i, y := range out.tensors[0].Floats {
				if y != 2*x[i] {
					t.Errorf("%d rows: %v twice is %v", rows, x[i], y)
				}
			}
		})
	}
	wg.Wait()
}

// What a run answers lies where the one before did, once that is given back; what was
// copied of it stays.
func TestTheMemoryOfAnswersIsUsedAgain(t *testing.T) {
	g := load(t, open(t), double(t), "double")
	run := func(rows int64, x float32) answers {
		t.Helper()
		out, err := g.Run(bundle.Tensor{Shape: []int64{rows, 2}, Floats: slices.Repeat([]float32{x}, int(2*rows))})
		if err != nil || !slices.Equal(out.tensors[0].Floats, slices.Repeat([]float32{2 * x}, int(2*rows))) || out.tensors[0].Shape[0] != rows {
			t.Fatalf("%d rows of %v: %+v, %v", rows, x, out.tensors, err)
		}
		return out
	}
	first := run(8, 1)
	place, kept := &first.tensors[0].Floats[0], first.copyOf(0)
	if other := run(8, 2); &other.tensors[0].Floats[0] == place {
		t.Error("two that are asked for at once share their memory")
	}
	first.done()
	for rows := int64(8); rows > 0; rows-- {
		out := run(rows, float32(rows))
		if &out.tensors[0].Floats[0] != place {
			t.Errorf("%d rows lie elsewhere", rows)
		}
		out.done()
	}
	run(16, 5).done()
	if !slices.Equal(kept, slices.Repeat([]float32{2}, 16)) {
		t.Errorf("what was kept is now %v", kept)
	}
}

func TestWhatCannotRunIsRefused(t *testing.T) {
	r := open(t)
	if _, err := r.Load(context.Background(), shipped(t), Options{Device: "abacus", Threads: 1}); err == nil || !strings.Contains(err.Error(), "abacus") {
		t.Errorf("an unknown device: %v", err)
	}
	if _, err := Open("nowhere.so"); err == nil {
		t.Error("a second runtime was opened")
	}
	g := load(t, r, double(t), "double")
	if _, err := g.Run(bundle.Tensor{Shape: []int64{2, 2}, Floats: []float32{1, 2, 3}}); err == nil {
		t.Error("three values passed for a shape of two by two")
	}
	if _, err := g.Run(bundle.Tensor{Shape: []int64{2}, Floats: []float32{1, 2}}); err == nil {
		t.Error("a row passed for a table")
	}
	if _, err := g.Run(); err == nil {
		t.Error("the graph ran without its input")
	}
}

// Who gives up while a model is loaded waits for one graph of it at the most.
func TestLoadingLooksWhetherItIsCalledOffBeforeEachGraph(t *testing.T) {
	r, b := open(t), wholeBundle(t)
	for looks := range len(b.Manifest.Graphs) {
		ctx := canceltest.After(looks)
		if m, err := r.Load(ctx, b, Options{Device: device.CPU, Threads: 1}); !errors.Is(err, context.Canceled) || m != nil || ctx.Looks != looks+1 {
			t.Errorf("called off at look %d: error %v after %d", looks+1, err, ctx.Looks)
		}
	}
}

func TestTheErrorSaysWhereTheLibraryWasLookedFor(t *testing.T) {
	t.Setenv(LibraryVariable, "")
	_, err := Library("first", "second")
	if err == nil || !strings.Contains(err.Error(), "first, second") || !strings.Contains(err.Error(), LibraryVariable) {
		t.Errorf("error %v", err)
	}
	t.Setenv(LibraryVariable, "nowhere.so")
	if _, err := Library(); err == nil || !strings.Contains(err.Error(), LibraryVariable) {
		t.Errorf("error %v", err)
	}
}

func TestALibraryThatCannotBeLoadedIsAnError(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "libonnxruntime.so")
	if err := os.WriteFile(broken, []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(broken); err == nil || !strings.Contains(err.Error(), broken) {
		t.Errorf("error %v", err)
	}
}

func BenchmarkSmallestGraph(b *testing.B) {
	g := load(b, open(b), double(b), "double")
	x := bundle.Tensor{Shape: []int64{1, 2}, Floats: []float32{1, 2}}
	b.ReportAllocs()
	for b.Loop() {
		out, err := g.Run(x)
		if err != nil {
			b.Fatal(err)
		}
		out.done()
	}
}

// One run for a batch of 32 trips.
func BenchmarkGraphsOfTheBundle(b *testing.B) {
	r, shipped := open(b), shipped(b)
	for _, entry := range shipped.Manifest.Graphs {
		golden, err := shipped.Golden(entry.Name)
		if err != nil {
			b.Fatal(err)
		}
		batch := make([]bundle.Tensor, len(golden.Inputs))
		for i, t := range golden.Inputs {
			batch[i] = repeat(t, entry.Inputs[i], 32)
		}
		g := load(b, r, shipped, entry.Name)
		run := func(b *testing.B) {
			out, err := g.Run(batch...)
			if err != nil {
				b.Error(err)
				return
			}
			out.done()
		}
		b.Run(entry.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				run(b)
			}
		})
		b.Run(entry.Name+"/several at once", func(b *testing.B) {
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					run(b)
				}
			})
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	r, shipped := open(b), shipped(b)
	for b.Loop() {
		m, err := r.Load(context.Background(), shipped, Options{Device: device.CPU, Threads: 1})
		if err != nil {
			b.Fatal(err)
		}
		if err := m.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
