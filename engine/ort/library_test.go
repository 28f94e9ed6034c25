package ort

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is loaded is named by its full path, and never found by where the user
// happens to stand: anyone may have put a library there.
func TestTheLibraryIsLoadedByFullPath(t *testing.T) {
	t.Setenv(LibraryVariable, "")
	here := t.TempDir()
	t.Chdir(here)
	for _, folder := range []string{".", ".cache/onnxruntime", "named"} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		name := strings.Replace(libraryNames()[0], "*", "1", 1)
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if found, err := Library(); err == nil {
		t.Errorf("%s is found though no folder was named", found)
	}
	found, err := Library("named")
	if err != nil || !filepath.IsAbs(found) || filepath.Base(filepath.Dir(found)) != "named" {
		t.Errorf("found %q, %v", found, err)
	}
	t.Setenv(LibraryVariable, filepath.Join("named", filepath.Base(found)))
	if found, err = Library(); err != nil || !filepath.IsAbs(found) {
		t.Errorf("found %q, %v", found, err)
	}
}
