package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"math"
	"regexp"
	"runtime/metrics"
	"strings"
	"testing"
	"testing/fstest"

	"google.golang.org/protobuf/encoding/protowire"

	"retrace/engine/bundle/bundletest"
)

// replace replaces a part of the manifest that must be there.
func replace(t *testing.T, m fstest.MapFS, old, new string) {
	t.Helper()
	text := string(m["manifest.json"].Data)
	if !strings.Contains(text, old) {
		t.Fatalf("the manifest does not say %s", old)
	}
	m["manifest.json"].Data = []byte(strings.Replace(text, old, new, 1))
}

// seal makes the manifest tell the SHA-256 of a graph as it now is.
func seal(t *testing.T, m fstest.MapFS, file string, before []byte) {
	t.Helper()
	old, now := sha256.Sum256(before), sha256.Sum256(m[file].Data)
	replace(t, m, hex.EncodeToString(old[:]), hex.EncodeToString(now[:]))
}

// poison puts a value in the place of the first weights that are long enough to
// be a matrix.
func poison(t *testing.T, m fstest.MapFS, value float32) {
	t.Helper()
	before := m["time.onnx"].Data
	after := bytes.Clone(before)
	b, err := Read(m)
	if err != nil {
		t.Fatal(err)
	}
	at := weightsAt(t, b.Model("time"))
	binary.LittleEndian.PutUint32(after[at:], math.Float32bits(value))
	m["time.onnx"] = &fstest.MapFile{Data: after}
	seal(t, m, "time.onnx", before)
}

// weightsAt is where the first large initializer lies in a model.
func weightsAt(t *testing.T, model []byte) int {
	t.Helper()
	at := -1
	note := func(number protowire.Number, value []byte, _ uint64) error {
		if number == tensorRaw && at < 0 && len(value) >= 1000 {
			at = bytes.Index(model, value)
		}
		return nil
	}
	within := func(wanted protowire.Number, next func(protowire.Number, []byte, uint64) error) func(protowire.Number, []byte, uint64) error {
		return func(number protowire.Number, value []byte, _ uint64) error {
			if number != wanted {
				return nil
			}
			return fields(value, next)
		}
	}
	if err := fields(model, within(modelGraph, within(graphInitializer, note))); err != nil || at < 0 {
		t.Fatalf("no weights found: %v", err)
	}
	return at
}

// routes changes a setting of the search for routes.
func routes(t *testing.T, m fstest.MapFS) func(name string, value any) {
	return func(name string, value any) {
		bundletest.Change(t, m, func(manifest map[string]any) {
			manifest["features"].(map[string]any)["routes"].(map[string]any)[name] = value
		})
	}
}

func TestTheBundleThatIsShippedIsWhole(t *testing.T) {
	b, err := Read(bundletest.Shipped(t))
	if err != nil {
		t.Fatal(err)
	}
	if b.Manifest.Name == "" || len(b.Hash) != 64 || b.Manifest.Epochs == 0 || len(b.Manifest.Figures) == 0 || b.Manifest.Data[0].Trips == 0 {
		t.Errorf("read as %+v", b.Manifest)
	}
	for _, g := range b.Manifest.Graphs {
		if b.Weights(g.Name) < 1000 {
			t.Errorf("the graph %s has %d weights", g.Name, b.Weights(g.Name))
		}
		golden, err := b.Golden(g.Name)
		if err != nil || len(golden.Inputs) != len(g.Inputs) || len(golden.Outputs) != len(g.Outputs) {
			t.Errorf("the stored answers of %s: %v", g.Name, err)
		}
	}
}

func TestSpoiltBundlesAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(fstest.MapFS)
		says  string
	}{
		"no manifest":        {func(m fstest.MapFS) { delete(m, "manifest.json") }, "no manifest"},
		"manifest cut short": {func(m fstest.MapFS) { m["manifest.json"].Data = m["manifest.json"].Data[:100] }, "manifest.json cannot be read"},
		"no graph":           {func(m fstest.MapFS) { delete(m, "time.onnx") }, "time.onnx"},
		"graph cut short":    {func(m fstest.MapFS) { m["routes.onnx"].Data = m["routes.onnx"].Data[:1000] }, "routes.onnx is cut short"},
		"a bit flipped":      {func(m fstest.MapFS) { m["routes.onnx"].Data[5000] ^= 4 }, "SHA-256"},
		"another layout":     {func(m fstest.MapFS) { replace(t, m, "\"version\": 1\n}", "\"version\": 9\n}") }, "layout 9"},
		"other features":     {func(m fstest.MapFS) { replace(t, m, `"class_unknown"`, `"class_unheard_of"`) }, "other features"},
		"too new an opset":   {func(m fstest.MapFS) { replace(t, m, `"opset": 17`, `"opset": 99`) }, "opset 99"},
		"another opset":      {func(m fstest.MapFS) { replace(t, m, `"opset": 17`, `"opset": 18`) }, "the manifest says 18"},
		"weights of NaN":     {func(m fstest.MapFS) { poison(t, m, float32(math.NaN())) }, "no number"},
		"infinite weights":   {func(m fstest.MapFS) { poison(t, m, float32(math.Inf(1))) }, "no number"},
		"no model at all": {func(m fstest.MapFS) {
			before := m["time.onnx"].Data
			m["time.onnx"] = &fstest.MapFile{Data: []byte("it is no model")}
			seal(t, m, "time.onnx", before)
		}, "no ONNX model"},
		"no reach": {func(m fstest.MapFS) {
			routes(t, m)("candidates", map[string]any{"radius": 0, "max_radius": 250, "cap": 8})
		}, "candidates out of range"},
		"endless routes": {func(m fstest.MapFS) { routes(t, m)("examined", 2_000_000_000) }, "routes out of range"},
		"a file outside": {func(m fstest.MapFS) { replace(t, m, `"file": "time.onnx"`, `"file": "../time.onnx"`) }, "../time.onnx"},
	} {
		m := bundletest.Files(t)
		c.spoil(m)
		_, err := Read(m)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.says)
		}
		if name == "no graph" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v hides its cause", name, err)
		}
	}
}

func TestSpoiltAnswersAreRefused(t *testing.T) {
	const name = "golden/routes/u.npy"
	for what, spoil := range map[string]func(fstest.MapFS){
		"missing":   func(m fstest.MapFS) { delete(m, name) },
		"cut short": func(m fstest.MapFS) { m[name].Data = m[name].Data[:len(m[name].Data)-8] },
		"no array":  func(m fstest.MapFS) { m[name].Data = []byte("\x93NUMPY\x01\x00\x04\x00abcd") },
		"too large": func(m fstest.MapFS) {
			m[name].Data = regexp.MustCompile(`\(\d+,`).ReplaceAllFunc(m[name].Data, func(shape []byte) []byte {
				return []byte("(" + strings.Repeat("9", len(shape)-2) + ",")
			})
		},
	} {
		m := bundletest.Files(t)
		spoil(m)
		b, err := Read(m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Golden("routes"); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v does not name %s", what, err, name)
		}
	}
	b, err := Read(bundletest.Files(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Golden("oracle"); err == nil {
		t.Error("a graph that is not there has answers")
	}
}

// No model, however broken, takes the program down before a runtime sees it.
func FuzzInspect(f *testing.F) {
	m := bundletest.Files(f)
	f.Add(m["routes.onnx"].Data)
	f.Add(m["routes.onnx"].Data[:300])
	f.Add([]byte("it is no model"))
	f.Fuzz(func(t *testing.T, model []byte) {
		inMemory(t, len(model), func() {
			if found, err := inspect(model); err == nil && found.opset == 0 {
				t.Error("a model without an opset passed")
			}
		})
	})
}

// The same holds for stored answers.
func FuzzGolden(f *testing.F) {
	f.Add(bundletest.Files(f)["golden/routes/u.npy"].Data)
	f.Add([]byte("\x93NUMPY\x01\x00\x04\x00abcd"))
	f.Add([]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff{}"))
	f.Add(npyOf("(4611686018427387904,)"))
	f.Add(npyOf("(3037000500, 3037000500, 4)"))
	f.Fuzz(func(t *testing.T, data []byte) {
		inMemory(t, len(data), func() {
			v, err := readVector(fstest.MapFS{"v.npy": {Data: data}}, "v.npy", Port{Name: "v", Type: "float32", Axes: []string{"n"}})
			if err == nil && (len(v.Shape) != 1 || int64(len(v.Floats)) != v.Shape[0]) {
				t.Errorf("%d values for a shape of %v", len(v.Floats), v.Shape)
			}
		})
	})
}

// npyOf is an array of a shape without its values.
func npyOf(shape string) []byte {
	head := "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }\n"
	return append([]byte{0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, byte(len(head)), 0}, head...)
}

// And for manifests.
func FuzzManifest(f *testing.F) {
	m := bundletest.Files(f)
	f.Add(m["manifest.json"].Data)
	f.Add(bundletest.City(f, system)["manifest.json"].Data)
	f.Add([]byte(`{"version": 1, "opset": 17, "graphs": [{}]}`))
	f.Fuzz(func(t *testing.T, manifest []byte) {
		inMemory(t, len(manifest)+len(m["routes.onnx"].Data), func() {
			files := maps.Clone(m)
			files["manifest.json"] = &fstest.MapFile{Data: manifest}
			if b, err := Read(files); err == nil && len(b.Manifest.Graphs) == 0 {
				t.Error("a bundle without graphs passed")
			}
		})
	})
}

// inMemory fails where reading so many bytes takes more memory, all in all, than
// they can be worth.
func inMemory(t *testing.T, size int, read func()) {
	allocated := func() uint64 {
		sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	before := allocated()
	read()
	if took := allocated() - before; took > 16<<20+1000*uint64(size) {
		t.Errorf("%d bytes took %d MiB", size, took>>20)
	}
}
