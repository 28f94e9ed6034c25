package write

import (
	"database/sql"
	"fmt"
	"math"
	"net/url"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver

	"retrace/engine/roadnet"
)

// geoPackage writes a GeoPackage 1.3 with a table for each
// layer, each with its spatial index, and a table about that says where the
// recoveries come from.
type geoPackage struct {
	db     *sql.DB
	tx     *sql.Tx
	about  About
	layers []spec
	table  map[Layer]*gpkgTable
}

// gpkgTable is one layer while it is written.
type gpkgTable struct {
	layer   spec
	columns []column
	insert  *sql.Stmt
	index   *sql.Stmt
	rows    int64
	bounds  roadnet.Bounds
	blob    []byte
	args    []any
}

// newGeoPackage makes a GeoPackage of some layers in the file at path, which is
// empty.
func newGeoPackage(path string, layers []spec, about About) (*geoPackage, error) {
	g := &geoPackage{about: about, layers: layers, table: map[Layer]*gpkgTable{}}
	if err := g.create(path); err != nil {
		g.abort()
		return nil, err
	}
	return g, nil
}

// create makes the tables. The file is not seen under its name before it is
// complete, so nothing is lost by writing without a journal, and nobody is to be
// locked out: that it has an owner is told by a lock of our own.
func (g *geoPackage) create(path string) error {
	name := (&url.URL{Scheme: "file", Opaque: url.PathEscape(path)}).String()
	db, err := sql.Open("sqlite", name+"?nolock=1&_pragma=journal_mode(off)&_pragma=synchronous(off)")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	g.db = db
	if g.tx, err = db.Begin(); err != nil {
		return err
	}
	for _, statement := range gpkgSchema() {
		if _, err := g.tx.Exec(statement); err != nil {
			return err
		}
	}
	for _, l := range g.layers {
		if err := g.addTable(l); err != nil {
			return err
		}
	}
	return nil
}

func (g *geoPackage) addTable(l spec) error {
	t := &gpkgTable{layer: l, columns: l.columns}
	g.table[l.Layer] = t
	for _, statement := range t.schema() {
		if _, err := g.tx.Exec(statement); err != nil {
			return err
		}
	}
	var err error
	marks := strings.Repeat(", ?", len(t.columns))
	if t.insert, err = g.tx.Prepare(fmt.Sprintf("INSERT INTO %s VALUES (?, ?%s)", l.Layer, marks)); err != nil {
		return err
	}
	t.index, err = g.tx.Prepare(fmt.Sprintf("INSERT INTO rtree_%s_geom VALUES (?, ?, ?, ?, ?)", l.Layer))
	return err
}

func (g *geoPackage) add(l Layer, r row) error { return g.table[l].add(r) }

// add inserts a row and indexes its geometry.
func (t *gpkgTable) add(r row) error {
	t.rows++
	box := boundsOf(r.geometry)
	if t.rows == 1 {
		t.bounds = box
	}
	t.bounds = roadnet.Bounds{MinLon: min(t.bounds.MinLon, box.MinLon), MinLat: min(t.bounds.MinLat, box.MinLat),
		MaxLon: max(t.bounds.MaxLon, box.MaxLon), MaxLat: max(t.bounds.MaxLat, box.MaxLat)}
	t.blob = appendBlob(t.blob[:0], r.geometry, t.layer.ofPoints())
	t.args = append(t.args[:0], t.rows, t.blob)
	for i, v := range r.values {
		t.args = append(t.args, t.columns[i].kind.sqlValue(v))
	}
	if _, err := t.insert.Exec(t.args...); err != nil {
		return err
	}
	_, err := t.index.Exec(t.rows, box.MinLon, box.MaxLon, box.MinLat, box.MaxLat)
	return err
}

// sqlValue is a value as the database takes it.
func (k kind) sqlValue(v any) any {
	switch v := v.(type) {
	case int64:
		if k == instant {
			return time.UnixMilli(v).UTC().Format("2006-01-02T15:04:05.000Z")
		}
		if v == noValue {
			return nil
		}
	case float64:
		if math.IsNaN(v) {
			return nil
		}
	}
	return v
}

// finish adds what the tables hold, how they look and where they come from.
func (g *geoPackage) finish() error {
	for _, l := range g.layers {
		if err := g.table[l.Layer].finish(g.tx); err != nil {
			return err
		}
		if _, err := g.tx.Exec(insertStyle, string(l.Layer), l.title(), l.style(), l.describe()); err != nil {
			return err
		}
	}
	for _, m := range g.about.Members() {
		if _, err := g.tx.Exec("INSERT INTO about (name, value) VALUES (?, ?)", m[0], m[1]); err != nil {
			return err
		}
	}
	if err := g.tx.Commit(); err != nil {
		return err
	}
	g.tx = nil
	return g.db.Close()
}

// finish records how far a table reaches and keeps its index up to date from
// now on.
func (t *gpkgTable) finish(tx *sql.Tx) error {
	for _, statement := range t.triggers() {
		if _, err := tx.Exec(statement); err != nil {
			return err
		}
	}
	if t.rows == 0 {
		return nil
	}
	_, err := tx.Exec("UPDATE gpkg_contents SET min_x = ?, min_y = ?, max_x = ?, max_y = ? WHERE table_name = ?",
		t.bounds.MinLon, t.bounds.MinLat, t.bounds.MaxLon, t.bounds.MaxLat, string(t.layer.Layer))
	return err
}

// abort lets go of the file.
func (g *geoPackage) abort() {
	if g.tx != nil {
		_ = g.tx.Rollback()
	}
	if g.db != nil {
		_ = g.db.Close()
	}
}
