package write

import (
	"bufio"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"retrace/engine/roadnet"
	"retrace/internal/atomicfile"
)

// spec is what a sink is to know of a layer.
type spec struct {
	Layer
	columns []column
	points  bool   // its features are points; else lines
	holds   string // in words; empty: as the layer says
}

func (s spec) ofPoints() bool { return s.points }

func (s spec) describe() string {
	if s.holds != "" {
		return s.holds
	}
	return s.Layer.describe()
}

// kind is the word for its features in GeoJSON.
func (s spec) kind() string {
	if s.holds != "" {
		return string(s.Layer)
	}
	return kindOf(s.Layer)
}

// specsOf are those of the layers of recoveries.
func specsOf(layers []Layer) []spec {
	all := make([]spec, len(layers))
	for i, l := range layers {
		all[i] = spec{Layer: l, columns: columnsOf(l), points: l.ofPoints()}
	}
	return all
}

// Kind is what the values of a column of a [Table] are, and how they are written.
type Kind = kind

// The kinds of columns. A NaN, and a whole number that is [NoValue], is written as
// an empty cell.
const (
	Words   = words   // string
	Whole   = whole   // int64
	Instant = instant // int64, Unix milliseconds
	Degrees = degrees // float64, 7 digits
	Chance  = share   // float64 from 0 to 1, 6 digits
	Decimal = decimal // float64, 1 digit
	Fine    = fine    // float64, 3 digits
)

// NoValue stands for an empty whole number.
const NoValue = int64(noValue)

// Column is one column of a [Table].
type Column struct {
	Name  string
	Kind  Kind
	Means string // in words, with the unit
	Sums  bool   // a sum over rows means something
}

// Table is a table of its own, with a geometry for each row, which is a point or a
// line.
type Table struct {
	Name    string // a word: the layer's name
	Holds   string // in words
	Columns []Column
	Points  bool // the geometries are points; else lines
}

func (t Table) spec() spec {
	s := spec{Layer: Layer(t.Name), points: t.Points, holds: t.Holds}
	for _, c := range t.Columns {
		s.columns = append(s.columns, column{name: c.Name, kind: c.Kind, means: c.Means, sums: c.Sums})
	}
	return s
}

// TableWriter writes the rows of a table to a file. After Close or Abort it is of no
// further use.
type TableWriter struct {
	file   *atomicfile.File
	sink   sink
	table  spec
	beside *sidecar // nil: the file says itself where it comes from
}

// TableExtensions are those of the formats that CreateTable makes.
func TableExtensions() []string { return []string{".csv", ".geojson", ".gpkg", ".parquet", ".xlsx"} }

// TableKnown reports whether CreateTable takes a file of this name.
func TableKnown(path string) bool {
	return slices.Contains(TableExtensions(), strings.ToLower(filepath.Ext(path)))
}

// CreateTable makes a writer for the file at path; its extension chooses the format.
// Where it comes from stands in the file, or in one beside it.
func CreateTable(path string, t Table, about About) (*TableWriter, error) {
	ext := strings.ToLower(filepath.Ext(path))
	if !TableKnown(path) {
		return nil, fmt.Errorf("%s: the extension says no format that a table can be written in (%s)", path, strings.Join(TableExtensions(), ", "))
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	w := &TableWriter{file: f, table: t.spec()}
	switch ext {
	case ".csv":
		e := &csvEncoder{w: bufio.NewWriter(f), columns: w.table.columns}
		w.sink, w.beside = plainSink{e}, &sidecar{path, e.columns, about}
	case ".xlsx":
		w.sink, err = newWorkbook(f, w.table, about)
	default:
		format, _ := formatOf(ext)
		w.sink, err = newSink(f, format, []spec{w.table}, about)
	}
	if err != nil {
		f.Abort()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return w, nil
}

// Add writes a row: a value for each column, of the type that its kind says, and the
// geometry. Formats without geometries leave it out.
func (w *TableWriter) Add(values []any, geometry []roadnet.Point) error {
	if len(values) != len(w.table.columns) {
		return fmt.Errorf("table %s: a row has %d values for %d columns", w.table.Layer, len(values), len(w.table.columns))
	}
	if !w.table.points {
		geometry = asLine(geometry)
	}
	return w.sink.add(w.table.Layer, row{values, geometry})
}

// Close writes what is left, syncs the file and gives it its final name. Where it
// fails, nothing is left behind.
func (w *TableWriter) Close() error {
	if err := w.sink.finish(); err != nil {
		w.Abort()
		return err
	}
	if err := w.file.Commit(); err != nil || w.beside == nil || w.file.Device() {
		return err
	}
	return w.beside.write()
}

// Abort leaves nothing behind. After Close it does nothing.
func (w *TableWriter) Abort() {
	if a, ok := w.sink.(interface{ abort() }); ok {
		a.abort()
	}
	w.file.Abort()
}

// plainSink makes a sink of a table without geometries.
type plainSink struct{ *csvEncoder }

func (s plainSink) add(_ Layer, r row) error { return s.write(r.values) }
func (s plainSink) finish() error {
	if err := s.header(); err != nil {
		return err
	}
	return s.w.Flush()
}

// empty reports whether a value stands for none.
func empty(v any) bool {
	switch v := v.(type) {
	case int64:
		return v == noValue
	case float64:
		return math.IsNaN(v)
	}
	return false
}
