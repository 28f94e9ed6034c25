package bundle

import (
	"fmt"

	"retrace/engine/feature"
)

// layout is that of the bundles that this program reads.
const layout = 1

// The opsets of ONNX that this program runs.
const lowestOpset, highestOpset = 13, 22

// Manifest says what a bundle holds: the file manifest.json.
type Manifest struct {
	Name     string         `json:"name"`
	Version  int            `json:"version"` // of the layout
	Schema   feature.Schema `json:"schema"`  // of the features it was trained on
	Features struct {
		Points feature.Settings      `json:"points"`
		Routes feature.RouteSettings `json:"routes"`
	} `json:"features"`
	Model struct {
		Encoder bool `json:"encoder"`
	} `json:"model"`
	Data    []Data             `json:"data"` // that it was trained on
	Epochs  int                `json:"trained_epochs"`
	Figures map[string]float64 `json:"validation"` // measured when it was trained
	Commit  string             `json:"commit"`     // of the code that trained it
	Opset   int                `json:"opset"`
	Graphs  []Graph            `json:"graphs"`
}

// Data is one data set that a model was trained on.
type Data struct {
	Networks []struct {
		Name        string `json:"name"`
		Fingerprint string `json:"fingerprint"`
	} `json:"networks"`
	Trips int `json:"trips"`
}

// Graph is one graph of a bundle.
type Graph struct {
	Name    string `json:"name"`
	File    string `json:"file"`
	SHA256  string `json:"sha256"`
	Inputs  []Port `json:"inputs"`
	Outputs []Port `json:"outputs"`
}

// Port is an input or output of a graph.
type Port struct {
	Name string   `json:"name"`
	Type string   `json:"type"` // float32 or int32
	Axes []string `json:"axes"` // the same name is the same length
}

// Graph is the entry of the graph of a name.
func (m *Manifest) Graph(name string) (Graph, error) {
	for _, g := range m.Graphs {
		if g.Name == name {
			return g, nil
		}
	}
	return Graph{}, fmt.Errorf("bundle %q has no graph %q", m.Name, name)
}

// check refuses a manifest that is not for this program.
func (m *Manifest) check() error {
	if m.Version != layout {
		return fmt.Errorf("bundle %q has layout %d, this program reads %d", m.Name, m.Version, layout)
	}
	if err := m.Schema.Check(); err != nil {
		return fmt.Errorf("bundle %q was trained on other features: %w", m.Name, err)
	}
	if m.Opset < lowestOpset || m.Opset > highestOpset {
		return fmt.Errorf("bundle %q is written in opset %d of ONNX, this program runs %d to %d", m.Name, m.Opset, lowestOpset, highestOpset)
	}
	if len(m.Graphs) == 0 {
		return fmt.Errorf("bundle %q has no graphs", m.Name)
	}
	return nil
}

// Varies reports whether an axis of a name may be of any length. The others are
// as long as the model was made.
func Varies(axis string) bool { return axis != "columns" && axis != "d" && axis != "one" }
