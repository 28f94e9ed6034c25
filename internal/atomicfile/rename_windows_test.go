package atomicfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A table that a spreadsheet has open stays as it is, the error says so, and nothing
// is left beside it. Once it is closed it can be written.
func TestAFileThatIsOpenElsewhere(t *testing.T) {
	dir, err := os.MkdirTemp("", "open-*") // not the test's: wine cannot remove that
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "Übersicht.csv")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	open, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("new")); err == nil || !strings.Contains(err.Error(), "close it there") {
		t.Errorf("the error is %v", err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("left beside it: %v, %v", list, err)
	}
	time.AfterFunc(3*renamePause, func() { _ = open.Close() })
	if err := Write(path, []byte("new")); err != nil {
		t.Errorf("a file that is open for a moment is not written: %v", err)
	}
	if b, err := os.ReadFile(path); string(b) != "new" {
		t.Errorf("it holds %q, %v", b, err)
	}
}

func TestPathsLongerThanWindowsTakes(t *testing.T) {
	dir, err := os.MkdirTemp("", "long-*")
	if err != nil {
		t.Fatal(err)
	}
	for range 8 {
		dir = filepath.Join(dir, strings.Repeat("straße ", 6)+"x")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "out.csv")
	if len(path) < 300 {
		t.Fatalf("%d letters are not long", len(path))
	}
	if err := Write(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); string(b) != "new" {
		t.Errorf("it holds %q, %v", b, err)
	}
}
