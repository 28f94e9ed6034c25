package read

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

func isGeoPackage(head []byte) bool { return bytes.HasPrefix(head, []byte("SQLite format 3\x00")) }

// gpkgLayer is a table with geometries.
type gpkgLayer struct {
	name, geometry string
	srid           int
}

// readGeoPackage reads the tables of points with a time, and of lines whose
// measures are times. A table that holds neither is told and left.
func readGeoPackage(in *input) error {
	f, _, err := in.file()
	if err != nil {
		return err
	}
	defer f.Close()
	db, conn, err := openDatabase(in, f)
	if err != nil {
		return err
	}
	defer db.Close()
	defer conn.Close()
	layers, err := gpkgLayers(in.ctx, conn)
	if err != nil {
		return fmt.Errorf("this is no GeoPackage: %w", err)
	}
	if len(layers) == 0 {
		return errors.New("there is no table of points or lines in it")
	}
	asked := in.projection
	for _, l := range layers {
		in.projection = asked
		err := in.gpkgLayer(conn, l)
		if err == nil {
			continue
		}
		if errors.Is(err, errStop) || errors.Is(err, errBudget) || in.ctx.Err() != nil {
			return err
		}
		if _, broken := errors.AsType[*sqlite.Error](err); broken {
			return fmt.Errorf("table %s: %w", l.name, err)
		}
		in.problem(Problem{Reason: noteNotTrips, Value: l.name + ": " + err.Error()})
	}
	return nil
}

// openDatabase opens a database that is not trusted: nothing is written, no view
// or trigger can call functions, no value is larger than a row may be.
func openDatabase(in *input, f *os.File) (*sql.DB, *sql.Conn, error) {
	name := (&url.URL{Scheme: "file", Opaque: url.PathEscape(f.Name())}).String()
	db, err := sql.Open("sqlite", name+"?mode=ro&immutable=1&_pragma=trusted_schema(0)&_pragma=query_only(1)")
	if err != nil {
		return nil, nil, err
	}
	conn, err := db.Conn(in.ctx)
	if err == nil {
		_, err = sqlite.Limit(conn, sqlite3.SQLITE_LIMIT_LENGTH, in.opt.Limits.Row)
	}
	if err != nil {
		_ = db.Close()
		return nil, nil, err
	}
	return db, conn, nil
}

// gpkgLayers lists the tables with geometries. Views are left out: what they
// compute has no bound.
func gpkgLayers(ctx context.Context, conn *sql.Conn) ([]gpkgLayer, error) {
	rows, err := conn.QueryContext(ctx, `SELECT g.table_name, g.column_name, g.srs_id FROM gpkg_geometry_columns g
		JOIN sqlite_master m ON m.name = g.table_name AND m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND m.sql NOT LIKE '%GENERATED ALWAYS%'
		ORDER BY g.table_name LIMIT 1000`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []gpkgLayer
	for rows.Next() {
		var l gpkgLayer
		if err := rows.Scan(&l.name, &l.geometry, &l.srid); err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, rows.Err()
}

func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// gpkgLayer reads one table.
func (in *input) gpkgLayer(conn *sql.Conn, l gpkgLayer) error {
	if in.opt.CRS == "" && l.srid > 0 {
		var err error
		if in.projection, err = in.gpkgSystem(conn, l.srid); err != nil {
			return err
		}
	}
	rows, err := conn.QueryContext(in.ctx, "SELECT * FROM "+quoteName(l.name))
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	at := slices.Index(names, l.geometry)
	if at < 0 {
		return fmt.Errorf("there is no column %s", l.geometry)
	}
	r := &sqlRows{rows: rows, geometry: at, values: make([]any, len(names)), into: make([]any, len(names)), fields: make([][]byte, len(names))}
	for i := range r.values {
		r.into[i] = &r.values[i]
	}
	return readTable(in, flatten(in, names, r, at))
}

// gpkgSystem is the projection of a coordinate system of the file.
func (in *input) gpkgSystem(conn *sql.Conn, srid int) (projection, error) {
	var organization, definition string
	var code int
	err := conn.QueryRowContext(in.ctx, "SELECT organization, organization_coordsys_id, definition FROM gpkg_spatial_ref_sys WHERE srs_id = ?", srid).
		Scan(&organization, &code, &definition)
	if err != nil || strings.EqualFold(organization, "EPSG") {
		if code == 0 {
			code = srid
		}
		return epsg(code)
	}
	return projectionOfWKT(definition)
}

// sqlRows are the rows of a table of a database.
type sqlRows struct {
	rows     *sql.Rows
	geometry int
	values   []any
	into     []any
	fields   [][]byte
	n        int
}

func (r *sqlRows) next() ([][]byte, int, error) {
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return nil, r.n, err
		}
		return nil, r.n, io.EOF
	}
	r.n++
	if err := r.rows.Scan(r.into...); err != nil {
		return nil, r.n, err
	}
	for i, v := range r.values {
		r.fields[i] = appendValue(r.fields[i][:0], v)
	}
	blob, ok := r.values[r.geometry].([]byte)
	if !ok {
		return nil, r.n, &rowError{reason: "there is no geometry"}
	}
	var err error
	if r.fields[r.geometry], err = gpkgGeometry(blob); err != nil {
		return nil, r.n, err
	}
	return r.fields, r.n, nil
}

// appendValue appends a value of a database or column file as text.
func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return b
	case []byte:
		return append(b, v...)
	case string:
		return append(b, v...)
	case time.Time:
		return v.UTC().AppendFormat(b, time.RFC3339Nano)
	}
	return fmt.Append(b, v)
}

// gpkgGeometry is the well-known binary in a geometry as GeoPackage stores it.
func gpkgGeometry(b []byte) ([]byte, error) {
	bad := &rowError{reason: errGeometry.Error()}
	if len(b) < 8 || b[0] != 'G' || b[1] != 'P' {
		return nil, bad
	}
	if b[3]&0x10 != 0 {
		return nil, &rowError{reason: "the geometry is empty"}
	}
	envelope := []int{0, 32, 48, 48, 64, 0, 0, 0}[b[3]>>1&7]
	if len(b) < 8+envelope+5 {
		return nil, bad
	}
	wkb := b[8+envelope:]
	if wkb[0] > 1 || binary.LittleEndian.Uint32(wkb[1:]) == 0 {
		return nil, bad
	}
	return wkb, nil
}
