package feature

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// Group says what a column is learned from, so that training can drop together
// what networks lack together.
type Group string

// The groups.
const (
	Geometry Group = "geometry" // always known
	Tags     Group = "tags"     // what the tags of a way say
	Derived  Group = "derived"  // from the tags where there are any, else from the geometry: always known
	Controls Group = "controls" // signals, signs, crossings, stops
	Calendar Group = "calendar" // the date of a trip
	Gathered Group = "gathered" // from other trips, see Traffic
)

// Column is one value of a tensor's last axis.
type Column struct {
	Name    string  `json:"name"`
	Unit    string  `json:"unit"` // of the unscaled value, and how it is scaled
	Group   Group   `json:"group"`
	Min     float32 `json:"min"` // every value lies in Min..Max
	Max     float32 `json:"max"`
	Unknown float32 `json:"unknown"` // the value where the group is not known
}

// Tensor is one flat array.
type Tensor struct {
	Name    string   `json:"name"`
	Axes    []string `json:"axes"` // outermost first; the last is the columns, where there are any
	Type    string   `json:"type"` // float32 or int32
	Columns []Column `json:"columns,omitempty"`
}

// Schema describes every tensor that this version of Retrace makes.
type Schema struct {
	Version int      `json:"version"`
	Tensors []Tensor `json:"tensors"`
}

// schemaVersion grows when the meaning of a column changes and its name does not.
const schemaVersion = 3

// CurrentSchema is the schema of the features that this package makes.
func CurrentSchema() Schema {
	return Schema{Version: schemaVersion, Tensors: []Tensor{
		{Name: "roads", Axes: []string{"segment", "column"}, Type: "float32", Columns: roadColumns()},
		{Name: "cells", Axes: []string{"segment", "cell", "column"}, Type: "float32", Columns: cellColumns()},
		{Name: "cell_count", Axes: []string{"segment"}, Type: "int32"},
		{Name: "successors", Axes: []string{"segment", "neighbour"}, Type: "int32"},
		{Name: "predecessors", Axes: []string{"segment", "neighbour"}, Type: "int32"},
		{Name: "points", Axes: []string{"sample", "column"}, Type: "float32", Columns: pointColumns()},
		{Name: "sub_segments", Axes: []string{"sample", "sub"}, Type: "int32"},
		{Name: "sub_weights", Axes: []string{"sample", "sub"}, Type: "float32"},
		{Name: "sub_pairs", Axes: []string{"sample", "sub", "column"}, Type: "float32", Columns: pairColumns()},
		{Name: "sub_successors", Axes: []string{"sample", "sub", "neighbour"}, Type: "int32"},
		{Name: "sub_predecessors", Axes: []string{"sample", "sub", "neighbour"}, Type: "int32"},
		{Name: "candidates", Axes: []string{"candidate", "column"}, Type: "float32", Columns: candidateColumns()},
		{Name: "routes", Axes: []string{"option", "column"}, Type: "float32", Columns: routeColumns()},
		{Name: "pieces", Axes: []string{"piece", "column"}, Type: "float32", Columns: pieceColumns()},
		{Name: "moves", Axes: []string{"move", "column"}, Type: "float32", Columns: moveColumns()},
		{Name: "environment", Axes: []string{"column"}, Type: "float32", Columns: environmentColumns()},
	}}
}

// Hash identifies a schema: SHA-256 over its canonical JSON, in hex.
func (s Schema) Hash() string {
	text, err := json.Marshal(s)
	if err != nil { // a Schema holds nothing that JSON cannot
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Check refuses a schema with a tensor that this program does not make just so,
// and names the first difference. A schema may lack tensors: it then belongs to
// a data set or a model without them.
func (s Schema) Check() error {
	want := CurrentSchema()
	if s.Version != want.Version {
		return fmt.Errorf("features of schema version %d, but this program makes version %d", s.Version, want.Version)
	}
	for _, t := range s.Tensors {
		i := slices.IndexFunc(want.Tensors, func(w Tensor) bool { return w.Name == t.Name })
		if i < 0 {
			return fmt.Errorf("features with the tensor %q, which this program does not make", t.Name)
		}
		if err := want.Tensors[i].differs(t); err != nil {
			return err
		}
	}
	return nil
}

func (t Tensor) differs(o Tensor) error {
	for i, c := range t.Columns {
		if i >= len(o.Columns) || o.Columns[i] != c {
			return fmt.Errorf("tensor %q: column %d is not %q as this program makes it", t.Name, i, c.Name)
		}
	}
	if len(o.Columns) != len(t.Columns) || o.Type != t.Type || fmt.Sprint(o.Axes) != fmt.Sprint(t.Axes) {
		return fmt.Errorf("tensor %q has another shape or type than this program makes", t.Name)
	}
	return nil
}

// Width is the number of columns of a tensor, 0 where the schema has none of
// the name.
func (s Schema) Width(tensor string) int {
	for _, t := range s.Tensors {
		if t.Name == tensor {
			return len(t.Columns)
		}
	}
	return 0
}
