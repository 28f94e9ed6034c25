package read

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	pq "github.com/parquet-go/parquet-go/format"
)

func isParquet(head []byte) bool { return bytes.HasPrefix(head, []byte("PAR1")) }

// readParquet reads a table of points with a time, or of lines whose measures
// are times: with columns of longitude and latitude, or a geometry as GeoParquet
// has it.
func readParquet(in *input) error {
	f, size, err := in.file()
	if err != nil {
		return err
	}
	defer f.Close()
	if err := checkFooter(f, size); err != nil {
		return err
	}
	p, err := parquet.OpenFile(f, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	rows, names, geometry, err := newParquetRows(in, p)
	if err != nil {
		return err
	}
	defer rows.close()
	rows.check = func(group int) error { return checkGroup(in, f, size, &p.Metadata().RowGroups[group], group) }
	if geometry >= 0 {
		return readTable(in, flatten(in, names, rows, geometry))
	}
	return readTable(in, table{names: names, rows: rows, row: -1})
}

// parquetRows are the rows of all row groups.
type parquetRows struct {
	groups  []parquet.RowGroup
	check   func(group int) error // looks a row group over before it is read
	group   int
	rows    parquet.Rows // of the current group; nil: none
	buffer  []parquet.Row
	at, got int
	columns []parquetColumn // by the leaf columns of the file
	fields  [][]byte
	n       int
}

// parquetColumn says where the values of a leaf column go, and how they become
// text.
type parquetColumn struct {
	field int // -1: nowhere
	text  func(b []byte, v parquet.Value) []byte
}

// newParquetRows chooses the columns that hold single values.
func newParquetRows(in *input, p *parquet.File) (rows *parquetRows, names []string, geometry int, err error) {
	rows, geometry = &parquetRows{groups: p.RowGroups(), buffer: make([]parquet.Row, 64)}, -1
	geo, _ := p.Lookup("geo")
	main, crs := geoColumn(geo)
	for _, path := range p.Schema().Columns() {
		leaf, _ := p.Schema().Lookup(path...)
		name := path[len(path)-1]
		c := parquetColumn{field: -1}
		if leaf.MaxRepetitionLevel == 0 && len(names) < maxColumns {
			c = parquetColumn{field: len(names), text: parquetText(leaf.Node)}
			if leaf.Node.Type().Kind() == parquet.ByteArray && (name == main || main == "" && isGeometryName(name)) {
				geometry = len(names)
			}
			names = append(names, name)
		}
		rows.columns = append(rows.columns, c)
	}
	if geometry >= 0 && in.opt.CRS == "" {
		in.projection, err = projectionOfJSON(crs)
	}
	rows.fields = make([][]byte, len(names))
	return rows, names, geometry, err
}

func (r *parquetRows) close() {
	if r.rows != nil {
		_ = r.rows.Close()
		r.rows = nil
	}
}

func (r *parquetRows) next() ([][]byte, int, error) {
	for r.at == r.got {
		if err := r.read(); err != nil {
			return nil, r.n, err
		}
	}
	for i := range r.fields {
		r.fields[i] = r.fields[i][:0]
	}
	for _, v := range r.buffer[r.at] {
		if c := r.columns[v.Column()]; c.field >= 0 && !v.IsNull() {
			r.fields[c.field] = c.text(r.fields[c.field], v)
		}
	}
	r.at++
	r.n++
	return r.fields, r.n, nil
}

// read reads the next few rows.
func (r *parquetRows) read() error {
	if r.rows == nil {
		if r.group == len(r.groups) {
			return io.EOF
		}
		if err := r.check(r.group); err != nil {
			return err
		}
		r.rows = r.groups[r.group].Rows()
		r.group++
	}
	n, err := r.rows.ReadRows(r.buffer)
	r.at, r.got = 0, n
	if n > 0 {
		return nil
	}
	r.close()
	if err != nil && err != io.EOF {
		return fmt.Errorf("row group %d, behind row %d: %w", r.group, r.n, err)
	}
	return nil
}

// parquetText is how the values of a column become text.
func parquetText(n parquet.Node) func([]byte, parquet.Value) []byte {
	switch t := n.Type(); {
	case t.Kind() == parquet.Int96:
		return func(b []byte, v parquet.Value) []byte {
			w := v.Int96() // nanoseconds of the day, Julian day
			nanos := int64(w[1])<<32 | int64(w[0])
			return time.Unix((int64(w[2])-2440588)*86400, nanos).UTC().AppendFormat(b, time.RFC3339Nano)
		}
	case t.LogicalType() != nil:
		switch logical := t.LogicalType().Value.(type) {
		case *pq.TimestampType:
			return timestampText(logical)
		case *pq.DateType:
			return func(b []byte, v parquet.Value) []byte {
				return time.Unix(int64(v.Int32())*86400, 0).UTC().AppendFormat(b, time.DateOnly)
			}
		}
	}
	return plainText
}

func plainText(b []byte, v parquet.Value) []byte {
	switch v.Kind() {
	case parquet.ByteArray, parquet.FixedLenByteArray:
		return append(b, v.ByteArray()...)
	case parquet.Double:
		return strconv.AppendFloat(b, v.Double(), 'f', -1, 64)
	case parquet.Float:
		return strconv.AppendFloat(b, float64(v.Float()), 'f', -1, 32)
	case parquet.Int32:
		return strconv.AppendInt(b, int64(v.Int32()), 10)
	case parquet.Int64:
		return strconv.AppendInt(b, v.Int64(), 10)
	}
	return fmt.Append(b, v)
}

// timestampText writes instants as ISO 8601, with a zone where they have one.
func timestampText(t *pq.TimestampType) func([]byte, parquet.Value) []byte {
	layout := "2006-01-02T15:04:05.999999999"
	if t.IsAdjustedToUTC {
		layout = time.RFC3339Nano
	}
	unit := t.Unit.String()
	return func(b []byte, v parquet.Value) []byte {
		at := time.UnixMilli(v.Int64())
		switch {
		case strings.HasPrefix(unit, "NANO"):
			at = time.Unix(0, v.Int64())
		case strings.HasPrefix(unit, "MICRO"):
			at = time.UnixMicro(v.Int64())
		}
		return at.UTC().AppendFormat(b, layout)
	}
}

// geoColumn reads what GeoParquet says of its main geometry: the name of the
// column, and its coordinate system.
func geoColumn(geo string) (name string, crs json.RawMessage) {
	var meta struct {
		Primary string `json:"primary_column"`
		Columns map[string]struct {
			Encoding string          `json:"encoding"`
			CRS      json.RawMessage `json:"crs"`
		} `json:"columns"`
	}
	if json.Unmarshal([]byte(geo), &meta) != nil {
		return "", nil
	}
	c := meta.Columns[meta.Primary]
	if c.Encoding != "WKB" {
		return "", c.CRS // its coordinates are columns of their own
	}
	return meta.Primary, c.CRS
}

// projectionOfJSON is the projection of a coordinate system as PROJ writes it in
// JSON; none is WGS 84.
func projectionOfJSON(crs json.RawMessage) (projection, error) {
	var p struct {
		Name string          `json:"name"`
		CRS  json.RawMessage `json:"crs"`
		ID   struct {
			Authority string          `json:"authority"`
			Code      json.RawMessage `json:"code"`
		} `json:"id"`
	}
	if len(crs) == 0 || json.Unmarshal(crs, &p) != nil {
		var name string
		if json.Unmarshal(crs, &name) == nil && name != "" {
			return projectionOf(name)
		}
		return nil, nil
	}
	if len(p.CRS) > 0 {
		return projectionOfJSON(p.CRS)
	}
	code, err := strconv.Atoi(strings.Trim(string(p.ID.Code), `"`))
	switch {
	case p.ID.Authority == "OGC" || p.Name == "":
		return nil, nil
	case err == nil && p.ID.Authority == "EPSG":
		return epsg(code)
	}
	return projectionOfName(strings.ToUpper(p.Name))
}
