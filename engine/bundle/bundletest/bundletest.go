// Package bundletest makes bundles for tests.
package bundletest

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/fstest"

	"retrace/engine/feature"
)

// Shipped is the folder of the bundle that the program carries.
func Shipped() fs.FS {
	_, here, _, _ := runtime.Caller(0)
	return os.DirFS(filepath.Join(filepath.Dir(here), "..", "..", "..", "assets", "models", "universal"))
}

// Files are those of the bundle that the program carries, in memory, where a
// test can spoil them. They are as if trained on the features that the program
// makes, so that they can be read while a new bundle is being trained.
func Files(t testing.TB) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	err := fs.WalkDir(Shipped(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(Shipped(), name)
		files[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var manifest map[string]any
	if err := json.Unmarshal(files["manifest.json"].Data, &manifest); err != nil {
		t.Fatal(err)
	}
	manifest["schema"] = feature.CurrentSchema()
	if files["manifest.json"].Data, err = json.MarshalIndent(manifest, "", " "); err != nil {
		t.Fatal(err)
	}
	return files
}
