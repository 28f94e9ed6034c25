package command

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"retrace/engine/bundle"
)

type modelCommand struct {
	Show   modelShowCommand   `cmd:"" default:"withargs" help:"Tell what a model is."`
	Verify modelVerifyCommand `cmd:"" help:"Check that a model is whole and answers rightly."`
}

type modelShowCommand struct {
	Dir string `arg:"" optional:"" help:"Folder of the bundle. Default: the one built in."`
}

func (modelShowCommand) Help() string {
	return "Examples:\n  retrace model\n  retrace model my-bundle"
}

// modelInfo is a model as it is printed with --json.
type modelInfo struct {
	Name    string             `json:"name"`
	Hash    string             `json:"sha256"`
	Schema  int                `json:"schema_version"`
	Hashed  string             `json:"schema_sha256"`
	Opset   int                `json:"opset"`
	Encoder bool               `json:"encoder"`
	Commit  string             `json:"commit"`
	Epochs  int                `json:"trained_epochs"`
	Steps   int                `json:"trained_steps,omitempty"`
	System  string             `json:"system,omitempty"`
	City    *bundle.City       `json:"city,omitempty"`
	Data    []bundle.Data      `json:"data"`
	Figures map[string]float64 `json:"validation"`
	Graphs  []graphInfo        `json:"graphs"`
}

type graphInfo struct {
	Name    string   `json:"name"`
	File    string   `json:"file"`
	SHA256  string   `json:"sha256"`
	Bytes   int64    `json:"bytes"`
	Weights int      `json:"weights"`
	Inputs  []string `json:"inputs"`
	Outputs []string `json:"outputs"`
}

func (c *modelShowCommand) Run(s *session) error {
	b, err := s.bundle(c.Dir)
	if err != nil {
		return err
	}
	info := infoOf(b)
	if s.globals.JSON {
		return s.printJSON(info)
	}
	_, err = s.stdout.Write([]byte(info.text()))
	return err
}

// bundle reads a bundle.
func (s *session) bundle(folder string) (*bundle.Bundle, error) {
	if s.models == nil {
		return nil, errNoModels
	}
	return s.models.Bundle(folder)
}

func infoOf(b *bundle.Bundle) modelInfo {
	m := b.Manifest
	info := modelInfo{Name: m.Name, Hash: b.Hash, Schema: m.Schema.Version, Hashed: m.Schema.Hash(), Opset: m.Opset, Encoder: m.Model.Encoder,
		Commit: m.Commit, Epochs: m.Epochs, Steps: m.Steps, System: m.System, City: m.City, Data: m.Data, Figures: m.Figures}
	for _, g := range m.Graphs {
		info.Graphs = append(info.Graphs, graphInfo{g.Name, g.File, g.SHA256, int64(len(b.Model(g.Name))), b.Weights(g.Name), portNames(g.Inputs), portNames(g.Outputs)})
	}
	return info
}

func portNames(ports []bundle.Port) []string {
	var names []string
	for _, p := range ports {
		names = append(names, p.Name)
	}
	return names
}

// short is the beginning of a hash, for people.
func short(hash string) string { return hash[:min(len(hash), 12)] }

// text is all that is known of a model, for people.
func (m modelInfo) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (SHA-256 %s)\n", m.Name, short(m.Hash))
	if m.City != nil {
		fmt.Fprintf(&b, "  the system %s; its tables belong to the network %s (%s) of %s\n",
			m.System, m.City.Network, short(m.City.Fingerprint), plural(m.City.Segments, "segment", "segments"))
	}
	encoder := "no encoder"
	if m.Encoder || m.City != nil {
		encoder = "an encoder"
	}
	fmt.Fprintf(&b, "  features of schema version %d (%s), %s, ONNX opset %d\n", m.Schema, short(m.Hashed), encoder, m.Opset)
	fmt.Fprintf(&b, "  trained in %s by the code of commit %s on\n", m.training(), short(m.Commit))
	for _, d := range m.Data {
		var names []string
		for _, n := range d.Networks {
			names = append(names, n.Name)
		}
		fmt.Fprintf(&b, "    %s on %s: %s\n", plural(d.Trips, "trip", "trips"), plural(len(names), "network", "networks"), strings.Join(names, ", "))
	}
	b.WriteString("  graphs\n")
	for _, g := range m.Graphs {
		fmt.Fprintf(&b, "    %-8s %9s, %s (SHA-256 %s): %s to %s\n", g.Name, size(g.Bytes), plural(g.Weights, "weight", "weights"), short(g.SHA256),
			strings.Join(g.Inputs, ", "), strings.Join(g.Outputs, ", "))
	}
	if len(m.Figures) > 0 {
		b.WriteString("  measured on validation trips when it was trained\n")
	}
	for _, name := range slices.Sorted(maps.Keys(m.Figures)) {
		fmt.Fprintf(&b, "    %-22s %.4g\n", name, m.Figures[name])
	}
	return b.String()
}

// training is how long a model was trained.
func (m modelInfo) training() string {
	if m.City != nil {
		return plural(m.Steps, "step", "steps")
	}
	return plural(m.Epochs, "epoch", "epochs")
}

type modelVerifyCommand struct {
	Dir string `arg:"" optional:"" help:"Folder of the bundle. Default: the one built in."`
}

func (modelVerifyCommand) Help() string {
	return "Checks the layout, the schema of the features, the opset, every graph by its SHA-256, and that all weights are numbers; " +
		"then asks the model what is stored with it, on the CPU, and compares the answers.\n\n" +
		"Examples:\n  retrace model verify\n  retrace model verify my-bundle"
}

func (c *modelVerifyCommand) Run(s *session) error {
	b, err := s.bundle(c.Dir)
	if err != nil {
		return err
	}
	weights := 0
	for _, g := range b.Manifest.Graphs {
		weights += b.Weights(g.Name)
	}
	fmt.Fprintf(s.stdout, "%s (SHA-256 %s)\n  manifest, features and opset fit this program\n  the SHA-256 of %s is right, all %s are numbers\n",
		b.Manifest.Name, short(b.Hash), plural(len(b.Manifest.Graphs), "graph", "graphs"), plural(weights, "weight", "weights"))
	v := s.models.Check(s.ctx, c.Dir)
	if s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	if v.Refused != "" {
		return fmt.Errorf("model %q does not give its stored answers: %s", b.Manifest.Name, v.Refused)
	}
	_, err = fmt.Fprintf(s.stdout, "  the stored answers are given, off by at most %.1g (ONNX Runtime %s, CPU)\n", v.Worst, v.Version)
	return err
}
