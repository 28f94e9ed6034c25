package filehead

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHeadsOfShortAndLongFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, content := range []string{"", "abc", "abcd", "abcde"} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if head, err := Read(path, 4); err != nil || string(head) != content[:min(4, len(content))] {
			t.Errorf("of %q: %q, %v", content, head, err)
		}
	}
}

func TestWhatCannotBeReadIsNamed(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(dir, 4); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("a folder gave %v", err)
	}
	if _, err := Read(filepath.Join(dir, "no"), 4); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
