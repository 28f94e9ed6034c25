package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAFileIsCompleteOrNotThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("half"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a partial file stands under its final name: %v", err)
	}
	f.Abort()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := Write(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	if f, err = Create(path); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(path); string(b) != "old" {
		t.Errorf("the old file was touched: %q", b)
	}
	if _, err := f.WriteString("new"); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	f.Abort()
	if b, _ := os.ReadFile(path); string(b) != "new" {
		t.Errorf("got %q", b)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWhatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	if _, err := Create(filepath.Join(dir, "missing", "out.csv")); err == nil {
		t.Error("no error in a folder that is not there")
	}
	if _, err := Create(dir); err == nil {
		t.Error("no error for a folder")
	}
}
