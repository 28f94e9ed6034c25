// Package bundletest makes bundles for tests.
package bundletest

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"retrace/assets"
)

// Shipped is the folder of the bundle that the program carries.
func Shipped(t testing.TB) fs.FS {
	t.Helper()
	files, err := assets.Model(assets.DefaultModel)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Files are those of the bundle that the program carries, in memory, where a
// test can spoil them. They are as if trained on the features that the program
// makes, so that they can be read while a new bundle is being trained.
func Files(t testing.TB) fstest.MapFS {
	t.Helper()
	files, shipped := fstest.MapFS{}, Shipped(t)
	err := fs.WalkDir(shipped, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(shipped, name)
		files[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	describe(t, files, func(map[string]any) {})
	return files
}
