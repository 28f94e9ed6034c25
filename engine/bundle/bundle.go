package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
)

// The most bytes that a file of a bundle may have, and its manifest.
const largest, largestManifest = 1 << 30, 16 << 20

// Bundle is a model on disk or in the program: checked, not loaded.
type Bundle struct {
	Manifest Manifest
	Hash     string // SHA-256 of the manifest, which holds those of the graphs; in hex

	files   fs.FS
	models  map[string][]byte // by name of graph
	weights map[string]int
}

// Read reads a bundle and checks it: the layout, the schema of the features, the
// opset, every graph by its SHA-256, and that all weights are numbers. The error
// says what does not fit.
func Read(files fs.FS) (*Bundle, error) {
	text, err := readFile(files, "manifest.json", largestManifest)
	if err != nil {
		return nil, fmt.Errorf("the bundle has no manifest: %w", err)
	}
	sum := sha256.Sum256(text)
	b := &Bundle{Hash: hex.EncodeToString(sum[:]), files: files, models: map[string][]byte{}, weights: map[string]int{}}
	if err := json.Unmarshal(text, &b.Manifest); err != nil {
		return nil, fmt.Errorf("the bundle's manifest.json cannot be read: %w", err)
	}
	if err := b.Manifest.check(); err != nil {
		return nil, err
	}
	for _, g := range b.Manifest.Graphs {
		if err := b.read(g); err != nil {
			return nil, fmt.Errorf("bundle %q: %w", b.Manifest.Name, err)
		}
	}
	return b, nil
}

// read reads and checks one graph.
func (b *Bundle) read(g Graph) error {
	model, err := readFile(b.files, g.File, largest)
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(model); hex.EncodeToString(sum[:]) != g.SHA256 {
		return fmt.Errorf("%s is cut short or another file than the manifest tells of (SHA-256 %x)", g.File, sum)
	}
	facts, err := inspect(model)
	if err != nil {
		return fmt.Errorf("%s: %w", g.File, err)
	}
	if facts.opset != int64(b.Manifest.Opset) {
		return fmt.Errorf("%s is written in opset %d of ONNX, the manifest says %d", g.File, facts.opset, b.Manifest.Opset)
	}
	if facts.broken != "" {
		return fmt.Errorf("%s: the weights %q hold what is no number", g.File, facts.broken)
	}
	b.models[g.Name], b.weights[g.Name] = model, facts.weights
	return nil
}

// Model is the ONNX file of a graph.
func (b *Bundle) Model(graph string) []byte { return b.models[graph] }

// Weights is the number of weights of a graph.
func (b *Bundle) Weights(graph string) int { return b.weights[graph] }

// readFile reads a file that is not too large.
func readFile(files fs.FS, name string, most int64) ([]byte, error) {
	info, err := fs.Stat(files, name)
	if err != nil {
		return nil, err
	}
	if info.Size() > most {
		return nil, fmt.Errorf("%s has %d bytes, at most %d are read", name, info.Size(), most)
	}
	return fs.ReadFile(files, name)
}
