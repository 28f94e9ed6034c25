package basemap

import "retrace/engine/roadnet"

// Map is an immutable collection of features.
type Map struct{}

// Visit calls f with the features of a kind whose box meets b, until f
// returns false.
func (m *Map) Visit(b roadnet.Bounds, k Kind, f func(Feature) bool) {}

// Len is the number of features of a kind.
func (m *Map) Len(k Kind) int { return 0 }

// Columns are the arrays of the map, views that must not be modified, for a
// workspace to keep.
func (m *Map) Columns() []roadnet.Column { return nil }

// FromColumns makes a map of what Columns gave. It checks every length and
// index; an error names the column.
func FromColumns(cols []roadnet.Column) (*Map, error) { return &Map{}, nil }
