package ort

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"

	"retrace/engine/feature"
)

// bundleVersion is the layout of bundles that this program reads.
const bundleVersion = 1

// Manifest says what a bundle holds: the file manifest.json.
type Manifest struct {
	Name     string         `json:"name"`
	Version  int            `json:"version"`
	Schema   feature.Schema `json:"schema"` // of the features it was trained on
	Features struct {
		Points feature.Settings      `json:"points"`
		Routes feature.RouteSettings `json:"routes"`
	} `json:"features"`
	Model struct {
		Encoder bool `json:"encoder"`
	} `json:"model"`
	Commit string       `json:"commit"`
	Opset  int          `json:"opset"`
	Graphs []GraphEntry `json:"graphs"`
}

// GraphEntry is one graph of a bundle.
type GraphEntry struct {
	Name    string `json:"name"`
	File    string `json:"file"`
	SHA256  string `json:"sha256"`
	Inputs  []Port `json:"inputs"`
	Outputs []Port `json:"outputs"`
}

// Port is an input or output of a graph.
type Port struct {
	Name string   `json:"name"`
	Type string   `json:"type"`
	Axes []string `json:"axes"`
}

// Bundle is a model on disk or in the program: checked, not loaded.
type Bundle struct {
	Manifest Manifest
	models   map[string][]byte // by name of graph
}

// ReadBundle reads a bundle and checks it: the layout, the schema of the
// features, and every file by its SHA-256. The error says what does not fit.
func ReadBundle(files fs.FS) (*Bundle, error) {
	text, err := fs.ReadFile(files, "manifest.json")
	if err != nil {
		return nil, fmt.Errorf("the bundle has no manifest: %w", err)
	}
	b := &Bundle{models: make(map[string][]byte)}
	if err := json.Unmarshal(text, &b.Manifest); err != nil {
		return nil, fmt.Errorf("the bundle's manifest.json cannot be read: %w", err)
	}
	if b.Manifest.Version != bundleVersion {
		return nil, fmt.Errorf("bundle %q has layout %d, this program reads %d", b.Manifest.Name, b.Manifest.Version, bundleVersion)
	}
	if err := b.Manifest.Schema.Check(); err != nil {
		return nil, fmt.Errorf("bundle %q was trained on other features: %w", b.Manifest.Name, err)
	}
	for _, g := range b.Manifest.Graphs {
		if err := b.read(files, g); err != nil {
			return nil, fmt.Errorf("bundle %q: %w", b.Manifest.Name, err)
		}
	}
	return b, nil
}

func (b *Bundle) read(files fs.FS, g GraphEntry) error {
	model, err := fs.ReadFile(files, g.File)
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(model); hex.EncodeToString(sum[:]) != g.SHA256 {
		return fmt.Errorf("%s is not the file that the manifest tells of (SHA-256 %x)", g.File, sum)
	}
	b.models[g.Name] = model
	return nil
}

// load makes one graph ready.
func (b *Bundle) load(r *Runtime, name string, device Device, threads int) (*Graph, error) {
	for _, g := range b.Manifest.Graphs {
		if g.Name == name {
			return r.Load(b.models[name], names(g.Inputs), names(g.Outputs), device, threads)
		}
	}
	return nil, fmt.Errorf("bundle %q has no graph %q", b.Manifest.Name, name)
}

func names(ports []Port) []string {
	all := make([]string, len(ports))
	for i, p := range ports {
		all[i] = p.Name
	}
	return all
}
