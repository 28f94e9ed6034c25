package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"retrace/engine/bundle/bundletest"
)

const system = "mtrajrec"

func TestABundleOfASystemSaysWhereItBelongs(t *testing.T) {
	b, err := Read(bundletest.City(t, system))
	if err != nil {
		t.Fatal(err)
	}
	if m := b.Manifest; m.System != system || m.City.Network != "roads" || len(m.City.Fingerprint) != 64 || m.City.Segments == 0 || m.City.Tick != 15 {
		t.Errorf("read as %+v", m.City)
	}
}

func TestSpoiltBundlesOfSystemsAreRefused(t *testing.T) {
	city := func(name string, value any) func(*testing.T, fstest.MapFS) {
		return func(t *testing.T, m fstest.MapFS) {
			bundletest.Change(t, m, func(manifest map[string]any) { manifest["city"].(map[string]any)[name] = value })
		}
	}
	of := func(name string, value any) func(*testing.T, fstest.MapFS) {
		return func(t *testing.T, m fstest.MapFS) {
			bundletest.Change(t, m, func(manifest map[string]any) { manifest[name] = value })
		}
	}
	for name, c := range map[string]struct {
		spoil func(*testing.T, fstest.MapFS)
		says  string
	}{
		"no manifest":       {func(_ *testing.T, m fstest.MapFS) { delete(m, "manifest.json") }, "no manifest"},
		"no graph":          {func(_ *testing.T, m fstest.MapFS) { delete(m, "tick.onnx") }, "tick.onnx"},
		"a graph cut short": {func(_ *testing.T, m fstest.MapFS) { m["tick.onnx"].Data = m["tick.onnx"].Data[:1000] }, "tick.onnx is cut short"},
		"weights of NaN":    {func(t *testing.T, m fstest.MapFS) { poisonTick(t, m) }, "no number"},
		"other features":    {func(t *testing.T, m fstest.MapFS) { replace(t, m, `"no_previous"`, `"no_one"`) }, "other features"},
		"another layout":    {of("version", 9), "layout 9"},
		"no network":        {of("city", nil), "needs a network"},
		"no system":         {of("system", ""), "needs a system"},
		"no states":         {of("model", map[string]any{"d": 0}), "states of 0 values"},
		"no fingerprint":    {city("fingerprint", ""), "which network"},
		"no segments":       {city("segments", 0), "which network"},
		"no ticks":          {city("tick", 0), "ticks every 0 s"},
		"no mask":           {city("beta", -1), "mask of -1 m"},
		"no grid":           {city("columns", 0), "grid of 0"},
	} {
		m := bundletest.City(t, system)
		c.spoil(t, m)
		if _, err := Read(m); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.says)
		}
	}
}

// poisonTick puts what is no number in the place of a weight.
func poisonTick(t *testing.T, m fstest.MapFS) {
	t.Helper()
	before := m["tick.onnx"].Data
	after := bytes.Clone(before)
	binary.LittleEndian.PutUint32(after[weightsAt(t, before):], math.Float32bits(float32(math.NaN())))
	m["tick.onnx"] = &fstest.MapFile{Data: after}
	sum := sha256.Sum256(after)
	bundletest.Change(t, m, func(manifest map[string]any) {
		for _, g := range manifest["graphs"].([]any) {
			if g := g.(map[string]any); g["name"] == "tick" {
				g["sha256"] = hex.EncodeToString(sum[:])
			}
		}
	})
}
