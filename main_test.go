package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// rule says who may import a package.
type rule struct {
	imported string   // the package and all below it
	allowed  []string // folders whose packages may; "." is the main package
	why      string
}

// rules are the directions in which data flows through the rooms.
func rules() []rule {
	return []rule{
		{"fyne.io/fyne/v2/app", []string{"."}, "only main links a driver"},
		{"fyne.io/fyne/v2", []string{".", "ui", "mapview"}, "the toolkit stays in the window"},
		{"github.com/yalue/onnxruntime_go", []string{"engine/ort"}, "one place knows the runtime"},
		{"go.etcd.io/bbolt", []string{"storage"}, "one place knows the file"},
		{"github.com/paulmach/osm", []string{"osmimport"}, "one place knows OpenStreetMap's formats"},
		{"retrace/osmimport", []string{"ui", "tools"}, "only ui composes import, storage and engine"},
		{"retrace/storage", []string{"storage", "ui", "tools"}, "only ui composes import, storage and engine"},
		{"retrace/ui", []string{".", "ui", "tools"}, "nothing below knows the window"},
		{"retrace/mapview", []string{"mapview", "ui", "tools"}, "nothing below knows the map"},
	}
}

// centre are the packages that osmimport and storage may use of the engine.
func centre() []string {
	return []string{"retrace/engine/roadnet", "retrace/engine/basemap", "retrace/engine/trajectory"}
}

// pure are folders that know no toolkit, though those above them do: drawing and
// the command line.
func pure() []string { return []string{"mapview/render", "ui/command", "ui/sample"} }

func TestImportsFollowTheRules(t *testing.T) {
	seen := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || path == "out") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			seen++
			checkImport(t, filepath.ToSlash(path), name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 100 {
		t.Errorf("only %d imports were looked at", seen)
	}
}

func checkImport(t *testing.T, path, name string) {
	dir := filepath.ToSlash(filepath.Dir(path))
	for _, r := range rules() {
		if !within(name, r.imported) {
			continue
		}
		// Tests may set up what they test, but know no more libraries.
		test := strings.HasSuffix(path, "_test.go") && strings.HasPrefix(name, "retrace/")
		if !anyWithin(dir, r.allowed) && !test {
			t.Errorf("%s imports %s: %s", path, name, r.why)
		}
		break
	}
	if within(name, "fyne.io/fyne/v2") && anyWithin(dir, pure()) {
		t.Errorf("%s imports %s: it needs no display", path, name)
	}
	if anyWithin(dir, []string{"osmimport", "storage"}) && within(name, "retrace/engine") &&
		!anyWithin(name, centre()) && !strings.HasSuffix(path, "_test.go") {
		t.Errorf("%s imports %s: of the engine only %v", path, name, centre())
	}
}

// within reports whether a package or folder is another or lies below it.
func within(name, parent string) bool {
	return name == parent || parent != "." && strings.HasPrefix(name, parent+"/")
}

func anyWithin(name string, parents []string) bool {
	for _, p := range parents {
		if within(name, p) {
			return true
		}
	}
	return false
}
