package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrace/assets"
)

// Every module that the program is built from stands in the licences that are
// built in, in the version that is used.
func TestLicencesAreOfEveryModule(t *testing.T) {
	all, err := modules(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 40 {
		t.Fatalf("only %d modules were found", len(all))
	}
	lines := map[string]bool{}
	for _, line := range strings.Split(assets.Licences(), "\n") {
		lines[line] = true
	}
	for _, m := range all[1:] { // Go itself may be of another version
		if !lines[m.Path+" "+m.Version] {
			t.Errorf("%s %s has no licence in assets/licences.txt: go run ./tools/licences", m.Path, m.Version)
		}
	}
	others, err := filepath.Glob("others/*.txt")
	if err != nil || len(others) < 3 {
		t.Fatalf("%d other parts, %v", len(others), err)
	}
	for _, path := range others {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if name, _, _ := strings.Cut(string(data), "\n"); !lines[name] {
			t.Errorf("%s is not in assets/licences.txt: go run ./tools/licences", name)
		}
	}
}

// A module without a licence is an error, not left out.
func TestModuleWithoutLicenceIsRefused(t *testing.T) {
	m := module{Path: "example.org/x", Version: "v1.0.0", Dir: t.TempDir()}
	if _, err := write([]module{m}, t.TempDir()); err == nil || !strings.Contains(err.Error(), "example.org/x") {
		t.Errorf("it gives %v", err)
	}
}

// The bill of parts names every module, with what finds it in a registry.
func TestTheBillNamesEveryPart(t *testing.T) {
	got := bill{version: "1.2.3", runtime: "4.5.6"}.of([]module{{Path: "Go", Version: "go1.26"}, {Path: "example.org/x", Version: "v1.0.0"}})
	want := map[string]bool{"pkg:golang/std@go1.26": true, "pkg:golang/example.org/x@v1.0.0": true, "pkg:npm/onnxruntime-node@4.5.6": true}
	for _, c := range got.Components {
		delete(want, c.Purl)
	}
	if len(want) > 0 || got.Metadata.Component.Version != "1.2.3" {
		t.Errorf("%+v lacks %v", got, want)
	}
}
