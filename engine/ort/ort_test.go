package ort

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
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

// double is y = x + x for rows of two numbers.
func double(t testing.TB) []byte {
	t.Helper()
	model, err := os.ReadFile(filepath.Join("testdata", "double.onnx"))
	if err != nil {
		t.Fatal(err)
	}
	return model
}

func TestAGraphRunsWithAnyNumberOfRows(t *testing.T) {
	r := open(t)
	g, err := r.Load(double(t), []string{"x"}, []string{"y"}, CPU, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	var wg sync.WaitGroup
	for rows := int64(1); rows <= 8; rows++ {
		wg.Go(func() {
			x := make([]float32, 2*rows)
			for i := range x {
				x[i] = float32(i)
			}
			out, err := g.Run(Tensor{Shape: []int64{rows, 2}, Floats: x})
			if err != nil {
				t.Error(err)
				return
			}
			for i, y := range out[0].Floats {
				if y != 2*x[i] {
					t.Errorf("%d rows: %v twice is %v", rows, x[i], y)
				}
			}
		})
	}
	wg.Wait()
}

func TestWhatCannotRunIsRefused(t *testing.T) {
	r := open(t)
	if _, err := r.Load([]byte("no model"), []string{"x"}, []string{"y"}, CPU, 1); err == nil {
		t.Error("a broken model was loaded")
	}
	if _, err := r.Load(double(t), []string{"x"}, []string{"y"}, Device("abacus"), 1); err == nil || !strings.Contains(err.Error(), "abacus") {
		t.Errorf("an unknown device: %v", err)
	}
	if _, err := Open("nowhere.so"); err == nil {
		t.Error("a second runtime was opened")
	}
	g, err := r.Load(double(t), []string{"x"}, []string{"y"}, CPU, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if _, err := g.Run(Tensor{Shape: []int64{2, 2}, Floats: []float32{1, 2, 3}}); err == nil {
		t.Error("three values passed for a shape of two by two")
	}
	if _, err := g.Run(); err == nil {
		t.Error("the graph ran without its input")
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

func BenchmarkRun(b *testing.B) {
	r := open(b)
	g, err := r.Load(double(b), []string{"x"}, []string{"y"}, CPU, 1)
	if err != nil {
		b.Fatal(err)
	}
	defer g.Close()
	x := Tensor{Shape: []int64{1, 2}, Floats: []float32{1, 2}}
	for b.Loop() {
		if _, err := g.Run(x); err != nil {
			b.Fatal(err)
		}
	}
}
