package ort

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sbinet/npyio"
)

// bundled is the folder of the bundle that the program carries.
func bundled() string { return filepath.Join("..", "..", "assets", "models", "porto") }

// vector reads a golden vector that PyTorch wrote.
func vector[T any](t *testing.T, graph, name string) []T {
	t.Helper()
	f, err := os.Open(filepath.Join(bundled(), "golden", graph, name+".npy"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var values []T
	if err := npyio.Read(f, &values); err != nil {
		t.Fatal(err)
	}
	return values
}

func loadBundled(t *testing.T) *Model {
	t.Helper()
	r := open(t)
	b, err := ReadBundle(os.DirFS(bundled()))
	if err != nil {
		t.Fatal(err)
	}
	m, err := b.Load(r, CPU, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// What the bundle answers through Go is what PyTorch answered.
func TestTheBundleAnswersAsPyTorchDid(t *testing.T) {
	m := loadBundled(t)
	u, v, err := m.Routes(vector[float32](t, "routes", "candidates"), vector[float32](t, "routes", "routes"))
	if err != nil {
		t.Fatal(err)
	}
	alike(t, "u", u, vector[float32](t, "routes", "u"))
	alike(t, "v", v, vector[float32](t, "routes", "v"))

	lengths, counts := vector[float32](t, "time", "lengths"), vector[int32](t, "time", "counts")
	share, spread, err := m.Times(vector[float32](t, "time", "pieces"), lengths, counts, len(lengths)/len(counts))
	if err != nil {
		t.Fatal(err)
	}
	alike(t, "share", share, vector[float32](t, "time", "share"))
	alike(t, "spread", spread, vector[float32](t, "time", "spread"))
}

func alike(t *testing.T, name string, got, want []float32) {
	t.Helper()
	if len(got) != len(want) || len(want) == 0 {
		t.Fatalf("%s has %d values, PyTorch wrote %d", name, len(got), len(want))
	}
	for i := range want {
		if math.Abs(float64(got[i]-want[i])) > 1e-4 {
			t.Fatalf("%s[%d] is %v, PyTorch answered %v", name, i, got[i], want[i])
		}
	}
}

// files reads the bundle into memory, where a test can spoil it.
func files(t *testing.T) fstest.MapFS {
	t.Helper()
	m := fstest.MapFS{}
	for _, name := range []string{"manifest.json", "routes.onnx", "time.onnx"} {
		data, err := os.ReadFile(filepath.Join(bundled(), name))
		if err != nil {
			t.Fatal(err)
		}
		m[name] = &fstest.MapFile{Data: data}
	}
	return m
}

func TestSpoiltBundlesAreRefused(t *testing.T) {
	replace := func(old, new string) func(fstest.MapFS) {
		return func(m fstest.MapFS) {
			text := string(m["manifest.json"].Data)
			if !strings.Contains(text, old) {
				t.Fatalf("the manifest does not say %s", old)
			}
			m["manifest.json"].Data = []byte(strings.Replace(text, old, new, 1))
		}
	}
	for name, c := range map[string]struct {
		spoil func(fstest.MapFS)
		says  string
	}{
		"no manifest":        {func(m fstest.MapFS) { delete(m, "manifest.json") }, "manifest"},
		"manifest cut short": {func(m fstest.MapFS) { m["manifest.json"].Data = m["manifest.json"].Data[:100] }, "manifest.json"},
		"no graph":           {func(m fstest.MapFS) { delete(m, "time.onnx") }, "time.onnx"},
		"graph cut short":    {func(m fstest.MapFS) { m["routes.onnx"].Data = m["routes.onnx"].Data[:1000] }, "SHA-256"},
		"another layout":     {replace(`"version": 1,`, `"version": 9,`), "layout 9"},
		"other features":     {replace(`"class_unknown"`, `"class_unheard_of"`), "other features"},
	} {
		m := files(t)
		c.spoil(m)
		_, err := ReadBundle(m)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.says)
		}
		if name == "no graph" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v hides its cause", name, err)
		}
	}
}
