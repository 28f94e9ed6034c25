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
		Ticks  feature.TickSettings  `json:"ticks"` // with a decoder of ticks
	} `json:"features"`
	// Calibration corrects what the model is too sure of, or not sure enough, as
	// measured on validation trips.
	Calibration struct {
		Spread      float64 `json:"spread"`      // the doubt about times is multiplied by it; 0: 1
		Temperature float64 `json:"temperature"` // the logarithms of the probabilities of ticks' beams are divided by it; 0: 1
	} `json:"calibration"`

	// Of a system whose tables belong to one network; empty and nil of a model that
	// runs on any.
	System string `json:"system"`
	City   *City  `json:"city"`

	Model   Shape              `json:"model"`
	Decoder string             `json:"decoder"` // the one that is used unless another is named; empty: that of routes
	Data    []Data             `json:"data"`    // that it was trained on
	Epochs  int                `json:"trained_epochs"`
	Steps   int                `json:"trained_steps"` // of a system of one network
	Figures map[string]float64 `json:"validation"`    // measured when it was trained
	Commit  string             `json:"commit"`        // of the code that trained it
	Opset   int                `json:"opset"`
	Graphs  []Graph            `json:"graphs"`
}

// City says which network the tables of a system belong to, and what it is told of
// samples there.
type City struct {
	Network     string  `json:"network"` // its name
	Fingerprint string  `json:"fingerprint"`
	Segments    int     `json:"segments"`
	Tick        float64 `json:"tick"` // between two ticks, seconds
	Beta        float64 `json:"beta"` // scale of the constraint mask, metres (eq. 24)
	feature.Frame
}

// check refuses what a system cannot be run by.
func (c *City) check() error {
	switch {
	case c.Fingerprint == "" || c.Segments < 1 || c.Segments > 1<<28:
		return fmt.Errorf("it does not say which network its tables belong to")
	case !(c.Tick >= 0.001 && c.Tick <= 3600) || !(c.Beta > 0 && c.Beta < 1e6):
		return fmt.Errorf("ticks every %v s with a mask of %v m are out of range", c.Tick, c.Beta)
	}
	return c.Frame.Check()
}

// Shape says which parts a model has and how large they are.
type Shape struct {
	D             int  `json:"d"` // width of the encoder's states
	RoadLayers    int  `json:"road_layers"`
	RoadGAT       bool `json:"road_gat"`
	Encoder       bool `json:"encoder"`
	Routes        bool `json:"routes"`
	Time          bool `json:"time"`
	Ticks         bool `json:"ticks"`
	RoutesContext bool `json:"routes_context"`
	TimeContext   bool `json:"time_context"`
}

// Check says which model this program cannot run.
func (s Shape) Check() error {
	switch {
	case s.Ticks && !s.Encoder:
		return fmt.Errorf("its decoder of ticks lacks an encoder")
	case s.Routes != s.Time:
		return fmt.Errorf("its decoder of routes lacks that of time, or that one it")
	case !s.Routes && !s.Ticks:
		return fmt.Errorf("it has no decoder")
	case s.Encoder && (s.D < 1 || s.D > 4096 || s.RoadLayers < 0 || s.RoadLayers > 16):
		return fmt.Errorf("an encoder of %d values and %d layers is out of range", s.D, s.RoadLayers)
	}
	return nil
}

// SeesRoutes reports whether the model that scores routes looks at the encoder.
func (s Shape) SeesRoutes() bool { return s.Encoder && s.Routes && s.RoutesContext }

// SeesTimes reports whether the one of times does.
func (s Shape) SeesTimes() bool { return s.Encoder && s.Time && s.TimeContext }

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
	if s := m.Calibration.Spread; s < 0 || s > 100 {
		return fmt.Errorf("bundle %q: the calibration's spread is %g, want 0 to 100", m.Name, s)
	}
	if t := m.Calibration.Temperature; t < 0 || t > 100 {
		return fmt.Errorf("bundle %q: the calibration's temperature is %g, want 0 to 100", m.Name, t)
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
	if err := m.checkFeatures(); err != nil {
		return fmt.Errorf("bundle %q: %w", m.Name, err)
	}
	return m.checkCity()
}

// checkFeatures refuses settings that would take all memory, or never end.
func (m *Manifest) checkFeatures() error {
	if m.Model.Encoder {
		if err := m.Features.Points.Check(); err != nil {
			return err
		}
	}
	if m.Model.Routes {
		return m.Features.Routes.Check()
	}
	return nil
}

// checkCity refuses a system without a network, and a network without a system.
func (m *Manifest) checkCity() error {
	if (m.System == "") != (m.City == nil) {
		return fmt.Errorf("bundle %q: a system needs a network that its tables belong to, and that needs a system", m.Name)
	}
	if m.City == nil {
		return nil
	}
	if err := m.City.check(); err != nil {
		return fmt.Errorf("bundle %q: %w", m.Name, err)
	}
	if m.Model.D < 1 || m.Model.D > 4096 {
		return fmt.Errorf("bundle %q: states of %d values are out of range", m.Name, m.Model.D)
	}
	return nil
}

// Varies reports whether an axis of a name may be of any length. The others are
// as long as the model was made.
func Varies(axis string) bool { return axis != "columns" && axis != "d" && axis != "one" }
