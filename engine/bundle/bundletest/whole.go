package bundletest

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"retrace/engine/feature"
)

//go:embed whole.zip
var whole []byte

// Whole are the files of a tiny model with all there is: an encoder, a decoder of
// routes that looks at it, and one of ticks. It was trained for seconds, with d = 8,
// two heads, one block and two layers of roads, on forty trips that retrace dataset
// simulated in the city of retrace sample (--keep 60s --encoder --ticks --candidates 4
// --sub 16). It is read as if trained on the features that the program makes.
func Whole(t testing.TB) fstest.MapFS {
	t.Helper()
	files := unpacked(t, whole)
	describe(t, files, func(map[string]any) {})
	return files
}

// unpacked are the files of an archive.
func unpacked(t testing.TB, archive []byte) fstest.MapFS {
	t.Helper()
	packed, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, f := range packed.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = &fstest.MapFile{Data: data}
	}
	return files
}

// describe changes what a manifest says, and has it tell of the features that the
// program makes.
func describe(t testing.TB, files fstest.MapFS, change func(map[string]any)) {
	t.Helper()
	var manifest map[string]any
	if err := json.Unmarshal(files["manifest.json"].Data, &manifest); err != nil {
		t.Fatal(err)
	}
	manifest["schema"] = feature.CurrentSchema()
	change(manifest)
	text, err := json.MarshalIndent(manifest, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	files["manifest.json"].Data = text
}

// Both are the files of a bundle as it may be shipped: the decoder of routes that the
// program carries, which looks at no encoder and is used by default, and beside it the
// encoder and the decoder of ticks of [Whole].
func Both(t testing.TB) fstest.MapFS {
	t.Helper()
	files, more := Files(t), Whole(t)
	var from map[string]any
	if err := json.Unmarshal(more["manifest.json"].Data, &from); err != nil {
		t.Fatal(err)
	}
	describe(t, files, func(to map[string]any) {
		var graphs []any
		for _, g := range to["graphs"].([]any) {
			if name := g.(map[string]any)["name"]; name == "routes" || name == "time" {
				graphs = append(graphs, g)
			}
		}
		for _, g := range from["graphs"].([]any) {
			if name := g.(map[string]any)["name"]; name != "routes" && name != "time" {
				graphs = append(graphs, g)
			}
		}
		to["graphs"], to["decoder"] = graphs, "routes"
		model, features := to["model"].(map[string]any), to["features"].(map[string]any)
		wide := from["model"].(map[string]any)
		for _, name := range []string{"d", "heads", "road_layers", "blocks", "road_gat", "encoder", "ticks"} {
			model[name] = wide[name]
		}
		model["routes_context"], model["time_context"] = false, false
		for _, name := range []string{"points", "ticks"} {
			features[name] = from["features"].(map[string]any)[name]
		}
	})
	for name, f := range more {
		routes := strings.Contains(name, "routes") || strings.Contains(name, "time")
		if name != "manifest.json" && !routes {
			files[name] = f
		}
	}
	return files
}
