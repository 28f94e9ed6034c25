// Package storagetest opens workspaces for tests and checks whole files.
package storagetest

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"retrace/storage"
)

// Must opens an empty workspace in a temporary folder. When the test ends it
// closes the workspace and fails the test if the file is not whole.
func Must(t testing.TB) *storage.Workspace {
	t.Helper()
	return MustOpen(t, filepath.Join(t.TempDir(), "test.retrace"), storage.Options{})
}

// MustOpen is Must for a given file.
func MustOpen(t testing.TB, path string, opt storage.Options) *storage.Workspace {
	t.Helper()
	w, err := storage.Open(path, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Errorf("closing %s: %v", path, err)
		}
		Check(t, path)
	})
	return w
}

// Check fails the test if the closed workspace at path is not whole: by its own
// account, and by that of the database underneath.
func Check(t testing.TB, path string) {
	t.Helper()
	checkContent(t, path)
	db, err := bbolt.Open(path, 0o644, &bbolt.Options{ReadOnly: true, PreLoadFreelist: true, Timeout: time.Second})
	if err != nil {
		t.Errorf("checking %s: %v", path, err)
		return
	}
	defer db.Close()
	err = db.View(func(tx *bbolt.Tx) error {
		for err := range tx.Check() {
			t.Errorf("checking %s: %v", path, err)
		}
		return nil
	})
	if err != nil {
		t.Errorf("checking %s: %v", path, err)
	}
}

func checkContent(t testing.TB, path string) {
	t.Helper()
	w, err := storage.Open(path, storage.Options{ReadOnly: true})
	if err != nil {
		t.Errorf("checking %s: %v", path, err)
		return
	}
	defer w.Close()
	if _, err := w.Verify(context.Background(), nil); err != nil {
		t.Errorf("checking %s: %v", path, err)
	}
	for _, d := range w.Damage() {
		t.Errorf("checking %s: %v", path, d)
	}
	if _, lost, err := w.Steps(context.Background()); len(lost) > 0 || err != nil {
		t.Errorf("checking %s: steps %d of the history are not whole, %v", path, lost, err)
	}
}
