package read

import (
	"fmt"
	"slices"
	"strconv"
)

// flatten makes a row for each position of a table that has a column of
// geometries. Longitude, latitude and the time of a position stand before the
// other columns, and what tells the rows apart.
func flatten(in *input, names []string, rows rowSource, geometry int) table {
	f := &flattener{in: in, rows: rows, geometry: geometry}
	all := append([]string{"lon", "lat", "timestamp", "row"}, slices.Delete(slices.Clone(names), geometry, geometry+1)...)
	return table{names: all, rows: f, row: rowColumn, geometry: geometry}
}

// rowColumn is where the number of the row stands in a flattened table.
const rowColumn = 3

// flattener is a table of geometries while its positions are read one by one.
type flattener struct {
	in       *input
	rows     rowSource
	geometry int // column
	latFirst bool
	srid     int // of the last geometry that named one
	left     []vertex
	fields   [][]byte // of the row that is read
	line     int
	scratch  [3][]byte
}

func (f *flattener) next() ([][]byte, int, error) {
	for len(f.left) == 0 {
		fields, line, err := f.rows.next()
		if f.line = line; err != nil {
			return nil, line, err
		}
		if err := f.row(fields); err != nil {
			return nil, line, err
		}
	}
	v := f.left[0]
	f.left = f.left[1:]
	f.scratch[0] = strconv.AppendFloat(f.scratch[0][:0], v.x, 'f', -1, 64)
	f.scratch[1] = strconv.AppendFloat(f.scratch[1][:0], v.y, 'f', -1, 64)
	f.scratch[2] = append(f.scratch[2][:0], v.when...)
	f.fields[0], f.fields[1], f.fields[2] = f.scratch[0], f.scratch[1], f.scratch[2]
	return f.fields, f.line, nil
}

// row reads the positions of a row.
func (f *flattener) row(fields [][]byte) error {
	if len(fields) <= f.geometry {
		return &rowError{reason: "too few columns"}
	}
	blob := fields[f.geometry]
	if len(blob) > f.in.opt.Limits.Row {
		return &rowError{reason: "the geometry is too large"}
	}
	shape, err := parseGeometry(blob)
	if err != nil {
		return &rowError{reason: err.Error(), value: text(blob[:min(len(blob), 80)])}
	}
	if err := f.system(shape.srid); err != nil {
		return err
	}
	if shape.line && slices.ContainsFunc(shape.vertices, func(v vertex) bool { return v.when == "" }) {
		return &rowError{reason: "the line has not one time for each position"}
	}
	id := fmt.Sprintf("%s-%d", f.in.stem(), f.line)
	if !shape.line {
		id = f.in.stem()
	}
	if f.latFirst {
		for i, v := range shape.vertices {
			shape.vertices[i].x, shape.vertices[i].y = v.y, v.x
		}
	}
	f.left = shape.vertices
	f.fields = append(f.fields[:0], nil, nil, nil, []byte(id))
	f.fields = append(f.fields, fields[:f.geometry]...)
	f.fields = append(f.fields, fields[f.geometry+1:]...)
	return nil
}

// system takes the coordinate system that a geometry names, unless one was asked
// for.
func (f *flattener) system(srid int) error {
	if srid == f.srid || srid == 0 || f.in.opt.CRS != "" {
		return nil
	}
	f.srid = srid
	var err error
	f.in.projection, err = epsg(srid)
	return err
}
