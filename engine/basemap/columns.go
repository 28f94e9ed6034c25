package basemap

import (
	"fmt"
	"unicode/utf8"

	"retrace/engine/roadnet"
)

// The names of the columns.
const (
	colKind      = "base.kind"
	colRank      = "base.rank"
	colName      = "base.name"
	colRingStart = "base.ring"
	colStart     = "base.point"
	colLon       = "base.lon"
	colLat       = "base.lat"
	colTextStart = "base.textstart"
	colText      = "base.text"
)

// Columns are the arrays of the map for a workspace to keep. Some are views,
// which must not be modified.
func (m *Map) Columns() []roadnet.Column {
	c := m.columns
	if c.start == nil {
		c.ringStart, c.start, c.textStart = []uint32{0}, []uint32{0}, []uint32{0, 0}
	}
	lon, lat := make([]int32, len(c.coords)), make([]int32, len(c.coords))
	for i, p := range c.coords {
		lon[i], lat[i] = p.Lon, p.Lat
	}
	return []roadnet.Column{
		{Name: colKind, Data: c.kind}, {Name: colRank, Data: c.rank}, {Name: colName, Data: c.name},
		{Name: colRingStart, Data: c.ringStart}, {Name: colStart, Data: c.start},
		{Name: colLon, Data: lon}, {Name: colLat, Data: lat},
		{Name: colTextStart, Data: c.textStart}, {Name: colText, Data: []uint8(c.text)},
	}
}

// FromColumns makes a map of what Columns gave; of no columns an empty one. It
// checks every length and index; an error names the column.
func FromColumns(cols []roadnet.Column) (*Map, error) {
	m := &Map{}
	if len(cols) == 0 {
		return m, nil
	}
	var lon, lat []int32
	var text []uint8
	r := columnReader{byName: make(map[string]any, len(cols))}
	for _, c := range cols {
		r.byName[c.Name] = c.Data
	}
	take(&r, colKind, &m.kind)
	take(&r, colRank, &m.rank)
	take(&r, colName, &m.name)
	take(&r, colRingStart, &m.ringStart)
	take(&r, colStart, &m.start)
	take(&r, colLon, &lon)
	take(&r, colLat, &lat)
	take(&r, colTextStart, &m.textStart)
	take(&r, colText, &text)
	if r.err != nil {
		return nil, r.err
	}
	if len(lon) != len(lat) {
		return nil, fmt.Errorf("column %s: %d entries, %s has %d", colLat, len(lat), colLon, len(lon))
	}
	m.coords = make([]roadnet.Coord, len(lon))
	for i := range lon {
		m.coords[i] = roadnet.Coord{Lon: lon[i], Lat: lat[i]}
	}
	m.text = string(text)
	if err := m.columns.check(); err != nil {
		return nil, err
	}
	m.derive()
	return m, nil
}

// columnReader takes columns by name and type.
type columnReader struct {
	byName map[string]any
	err    error // the first
}

func take[T any](r *columnReader, name string, into *[]T) {
	data, ok := r.byName[name]
	typed, right := data.([]T)
	switch {
	case r.err != nil:
	case !ok:
		r.err = fmt.Errorf("column %s: missing", name)
	case !right:
		r.err = fmt.Errorf("column %s: holds %T, not %T", name, data, typed)
	}
	*into = typed
}

// check makes sure that no index leads out of the arrays.
func (c *columns) check() error {
	n := len(c.kind)
	if len(c.rank) != n || len(c.name) != n || len(c.ringStart) != n+1 {
		return fmt.Errorf("column %s: %d entries, but %s has %d, %s %d and %s %d",
			colKind, n, colRank, len(c.rank), colName, len(c.name), colRingStart, len(c.ringStart))
	}
	if err := checkStarts(colRingStart, c.ringStart, len(c.start)-1, 1); err != nil {
		return err
	}
	if err := checkStarts(colStart, c.start, len(c.coords), 1); err != nil {
		return err
	}
	if err := checkStarts(colTextStart, c.textStart, len(c.text), 0); err != nil {
		return err
	}
	if !utf8.ValidString(c.text) {
		return fmt.Errorf("column %s: not UTF-8", colText)
	}
	return c.checkFeatures()
}

func (c *columns) checkFeatures() error {
	for i := range c.kind {
		if c.kind[i] >= NumKinds || i > 0 && c.kind[i] < c.kind[i-1] {
			return fmt.Errorf("column %s: entry %d is %d, unknown or out of order", colKind, i, c.kind[i])
		}
		if int(c.name[i]) >= len(c.textStart)-1 {
			return fmt.Errorf("column %s: entry %d is %d, there are %d texts", colName, i, c.name[i], len(c.textStart)-1)
		}
	}
	for i, p := range c.coords {
		if p.Lon < -180e7 || p.Lon > 180e7 || p.Lat < -90e7 || p.Lat > 90e7 {
			return fmt.Errorf("column %s: entry %d lies outside the earth", colLon, i)
		}
	}
	return nil
}

// checkStarts makes sure that starts rise by at least step from 0 to end.
func checkStarts(name string, starts []uint32, end, step int) error {
	if len(starts) == 0 || starts[0] != 0 || int(starts[len(starts)-1]) != end {
		return fmt.Errorf("column %s: does not run from 0 to %d", name, end)
	}
	for i := 1; i < len(starts); i++ {
		if int(starts[i]) < int(starts[i-1])+step {
			return fmt.Errorf("column %s: entry %d is %d after %d", name, i, starts[i], starts[i-1])
		}
	}
	return nil
}
