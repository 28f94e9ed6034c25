package storage_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"retrace/storage"
	"retrace/storage/storagetest"
)

func TestReallyFullDiskLosesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "small")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("a small disk can only be made by root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	w := storagetest.MustOpen(t, filepath.Join(dir, "w"), storage.Options{})
	fillUp(t, w)
}
