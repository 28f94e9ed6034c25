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
	"retrace/engine/trajectory"
	"retrace/internal/atomicfile"
)

// geoPackage writes a GeoPackage 1.3 with a table for each
// layer, each with its spatial index, and a table about that says where the
// recoveries come from.
type geoPackage struct {
	file  *atomicfile.File
	db    *sql.DB
	tx    *sql.Tx
	rows  *rows
	links *LinkCounter
	about About
	table map[Layer]*gpkgTable
	done  bool
}

// gpkgTable is one layer while it is written.
type gpkgTable struct {
	layer   Layer
	columns []column
	insert  *sql.Stmt
	index   *sql.Stmt
	rows    int64
	bounds  roadnet.Bounds
	blob    []byte
	args    []any
}

func newGeoPackage(f *atomicfile.File, net *roadnet.Network, about About) (Writer, error) {
	g := &geoPackage{file: f, rows: newRows(net), links: NewLinkCounter(net), about: about, table: map[Layer]*gpkgTable{}}
	if err := g.create(); err != nil {
		g.Abort()
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return g, nil
}

// create makes the tables. The file is not seen under its name before it is
// complete, so nothing is lost by writing without a journal.
func (g *geoPackage) create() error {
	name := (&url.URL{Scheme: "file", Opaque: url.PathEscape(g.file.Name())}).String()
	db, err := sql.Open("sqlite", name+"?_pragma=journal_mode(off)&_pragma=synchronous(off)")
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
	for _, l := range layers(g.about) {
		if err := g.addTable(l); err != nil {
			return err
		}
	}
	return nil
}

func (g *geoPackage) addTable(l Layer) error {
	t := &gpkgTable{layer: l, columns: columnsOf(l)}
	g.table[l] = t
	for _, statement := range t.schema() {
		if _, err := g.tx.Exec(statement); err != nil {
			return err
		}
	}
	var err error
	marks := strings.Repeat(", ?", len(t.columns))
	if t.insert, err = g.tx.Prepare(fmt.Sprintf("INSERT INTO %s VALUES (?, ?%s)", l, marks)); err != nil {
		return err
	}
	t.index, err = g.tx.Prepare(fmt.Sprintf("INSERT INTO rtree_%s_geom VALUES (?, ?, ?, ?, ?)", l))
	return err
}

func (g *geoPackage) Write(r *trajectory.Recovery) error {
	g.links.Add(r)
	if err := g.rows.points(r, g.table[Points].add); err != nil {
		return err
	}
	if err := g.rows.paths(r, g.table[Path].add); err != nil {
		return err
	}
	if err := g.rows.spans(r, g.table[Spans].add); err != nil {
		return err
	}
	if t := g.table[alternatives]; t != nil {
		return g.rows.alternatives(r, t.add)
	}
	return nil
}

// add inserts a row and indexes its geometry.
func (t *gpkgTable) add(r row) error {
	t.rows++
	box := boundsOf(r.geometry)
	if t.rows == 1 {
		t.bounds = box
	}
	t.bounds = roadnet.Bounds{MinLon: min(t.bounds.MinLon, box.MinLon), MinLat: min(t.bounds.MinLat, box.MinLat),
		MaxLon: max(t.bounds.MaxLon, box.MaxLon), MaxLat: max(t.bounds.MaxLat, box.MaxLat)}
	t.blob = appendBlob(t.blob[:0], r.geometry, t.layer == Points)
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

// Close adds the links and what the tables hold, and gives the file its name.
func (g *geoPackage) Close() error {
	if g.done {
		return nil
	}
	err := g.finish()
	if closing := g.db.Close(); err == nil {
		err = closing
	}
	if err != nil {
		g.Abort()
		return fmt.Errorf("%s: %w", g.file.Name(), err)
	}
	g.done = true
	return g.file.Commit()
}

func (g *geoPackage) finish() error {
	if err := g.rows.links(g.links, g.table[Links].add); err != nil {
		return err
	}
	for _, l := range layers(g.about) {
		if err := g.table[l].finish(g.tx); err != nil {
			return err
		}
	}
	for _, m := range g.about.members() {
		if _, err := g.tx.Exec("INSERT INTO about (name, value) VALUES (?, ?)", m[0], m[1]); err != nil {
			return err
		}
	}
	return g.tx.Commit()
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
		t.bounds.MinLon, t.bounds.MinLat, t.bounds.MaxLon, t.bounds.MaxLat, string(t.layer))
	return err
}

// Abort leaves nothing behind.
func (g *geoPackage) Abort() {
	if g.done {
		return
	}
	g.done = true
	if g.tx != nil {
		_ = g.tx.Rollback()
	}
	if g.db != nil {
		_ = g.db.Close()
	}
	g.file.Abort()
}
