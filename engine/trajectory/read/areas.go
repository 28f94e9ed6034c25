package read

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/twpayne/go-geom"
	"github.com/twpayne/go-geom/encoding/geojson"
	"github.com/twpayne/go-geom/encoding/wkb"

	"retrace/engine/roadnet"
	"retrace/internal/filehead"
)

// Area is an area on the map, such as a zone of traffic.
type Area struct {
	ID    string
	Rings [][]roadnet.Point // a place lies in the area where an odd number of rings is around it
}

// mostAreas and mostAreaBytes bound what a file of areas may hold.
const (
	mostAreas     = 200_000
	mostAreaBytes = 512 << 20
)

// Areas reads the areas of a GeoPackage, a GeoJSON file or a shapefile, which its
// content tells. The column id names them; empty: id, zone, name or code, whichever
// there is, else they are numbered from 1. The coordinate system is that which the file
// names.
func Areas(ctx context.Context, path, id string) ([]Area, error) {
	head, err := filehead.Read(path, 512)
	if err != nil {
		return nil, err
	}
	a := &areaReader{ctx: ctx, path: path, id: id}
	switch {
	case isGeoPackage(head):
		err = a.geoPackage()
	case isShapefile(head):
		err = a.shapefile()
	case bytes.HasPrefix(bytes.TrimLeft(head, "\ufeff \t\r\n"), []byte("{")):
		err = a.geoJSON()
	default:
		err = errors.New("zones are read from GeoPackage, GeoJSON and shapefiles (the .shp)")
	}
	if err == nil && len(a.all) == 0 {
		err = errors.New("it holds no polygon")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return a.all, nil
}

// areaReader gathers areas.
type areaReader struct {
	ctx        context.Context
	path       string
	id         string
	projection projection
	all        []Area
}

// idColumn chooses the column that names areas; -1: there is none.
func (a *areaReader) idColumn(names []string) (int, error) {
	find := func(want string) int {
		return slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, want) })
	}
	if a.id != "" {
		if k := find(a.id); k >= 0 {
			return k, nil
		}
		return -1, fmt.Errorf("there is no column %s, but %s", a.id, strings.Join(names, ", "))
	}
	for _, usual := range []string{"id", "zone", "zone_id", "taz", "code", "name"} {
		if k := find(usual); k >= 0 {
			return k, nil
		}
	}
	return -1, nil
}

// add takes an area; one that is no polygon is passed over.
func (a *areaReader) add(id string, g geom.T) error {
	var rings [][]roadnet.Point
	var err error
	take := func(p *geom.Polygon) {
		for i := range p.NumLinearRings() {
			ring, wrong := a.ring(p.LinearRing(i).Coords())
			rings, err = append(rings, ring), errors.Join(err, wrong)
		}
	}
	switch g := g.(type) {
	case *geom.Polygon:
		take(g)
	case *geom.MultiPolygon:
		for i := range g.NumPolygons() {
			take(g.Polygon(i))
		}
	}
	if err != nil {
		return fmt.Errorf("zone %d: %w", len(a.all)+1, err)
	}
	return a.keep(id, rings)
}

func (a *areaReader) keep(id string, rings [][]roadnet.Point) error {
	if len(rings) == 0 {
		return nil
	}
	if len(a.all) == mostAreas {
		return fmt.Errorf("it holds more than %d zones", mostAreas)
	}
	if id == "" {
		id = fmt.Sprint(len(a.all) + 1)
	}
	a.all = append(a.all, Area{ID: id, Rings: rings})
	return a.ctx.Err()
}

func (a *areaReader) ring(coords []geom.Coord) ([]roadnet.Point, error) {
	ring := make([]roadnet.Point, 0, len(coords))
	for _, c := range coords {
		lon, lat := a.projection.apply(c[0], c[1])
		if !(math.Abs(lon) <= 180 && math.Abs(lat) <= 90) {
			return nil, fmt.Errorf("the corner %v, %v is no place on the earth: the file names another coordinate system than it has", c[0], c[1])
		}
		ring = append(ring, roadnet.Point{Lon: lon, Lat: lat})
	}
	return ring, nil
}

func (a *areaReader) geoJSON() error {
	f, err := os.Open(a.path)
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostAreaBytes+1))
	if err != nil {
		return err
	}
	if len(data) > mostAreaBytes {
		return fmt.Errorf("a file of zones may have %d MiB", mostAreaBytes>>20)
	}
	var in struct{ Features []geojson.Feature }
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &in); err != nil {
		return fmt.Errorf("it cannot be read as GeoJSON: %w", err)
	}
	for i, feature := range in.Features {
		names := make([]string, 0, len(feature.Properties))
		for name := range feature.Properties {
			names = append(names, name)
		}
		slices.Sort(names)
		k, err := a.idColumn(names)
		if err != nil {
			return fmt.Errorf("feature %d: %w", i+1, err)
		}
		id := feature.ID
		if k >= 0 && (a.id != "" || id == "") {
			id = fmt.Sprint(feature.Properties[names[k]])
		}
		if err := a.add(id, feature.Geometry); err != nil {
			return err
		}
	}
	return nil
}

func (a *areaReader) geoPackage() error {
	f, err := os.Open(a.path)
	if err != nil {
		return err
	}
	defer f.Close()
	in := &input{ctx: a.ctx, opt: Options{Limits: Limits{Row: mostAreaBytes}}}
	db, conn, err := openDatabase(in, f)
	if err != nil {
		return err
	}
	defer db.Close()
	defer conn.Close()
	layers, err := gpkgLayers(a.ctx, conn)
	if err != nil {
		return err
	}
	for _, l := range layers {
		if l.srid > 0 {
			if a.projection, err = in.gpkgSystem(conn, l.srid); err != nil {
				return err
			}
		}
		if err := a.table(conn, l); err != nil {
			return fmt.Errorf("table %s: %w", l.name, err)
		}
	}
	return nil
}

// table reads the polygons of a table.
func (a *areaReader) table(conn *sql.Conn, l gpkgLayer) error {
	rows, err := conn.QueryContext(a.ctx, "SELECT * FROM "+quoteName(l.name))
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	at := slices.Index(names, l.geometry)
	k, err := a.idColumn(names)
	if err != nil || at < 0 {
		return err
	}
	values, into := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		blob, _ := values[at].([]byte)
		body, err := gpkgGeometry(blob)
		if err != nil {
			continue // empty
		}
		g, err := wkb.Unmarshal(body)
		if err != nil {
			return fmt.Errorf("zone %d: %w", len(a.all)+1, err)
		}
		id := ""
		if k >= 0 && values[k] != nil {
			id = string(appendValue(nil, values[k]))
		}
		if err := a.add(id, g); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (a *areaReader) shapefile() error {
	f, err := os.Open(a.path)
	if err != nil {
		return err
	}
	defer f.Close()
	definition, err := readPart(a.path, ".prj", 64<<10)
	if err != nil {
		return err
	}
	if a.projection, err = projectionOfWKT(string(definition)); err != nil {
		return err
	}
	table, closer, err := openDBF(&input{path: a.path})
	if err != nil {
		return err
	}
	defer closer.Close()
	k, err := a.idColumn(table.names)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(io.LimitReader(f, mostAreaBytes+1))
	if err != nil || len(data) > mostAreaBytes {
		return errors.Join(err, fmt.Errorf("a file of zones may have %d MiB", mostAreaBytes>>20))
	}
	for at, n := 100, 1; at+8 <= len(data); n++ {
		size := int(binary.BigEndian.Uint32(data[at+4:])) * 2
		if size < 4 || size > len(data)-at-8 {
			return fmt.Errorf("record %d breaks off", n)
		}
		fields, deleted, err := table.next()
		if err != nil {
			return fmt.Errorf("record %d of the .dbf: %w", n, err)
		}
		id := ""
		if k >= 0 {
			id = text(fields[k])
		}
		rings, err := a.shape(data[at+8 : at+8+size])
		if err == nil && !deleted {
			err = a.keep(id, rings)
		}
		if err != nil {
			return fmt.Errorf("record %d: %w", n, err)
		}
		at += 8 + size
	}
	return nil
}

// shape is the rings of a polygon of a shapefile, of any of its three kinds.
func (a *areaReader) shape(b []byte) ([][]roadnet.Point, error) {
	le := binary.LittleEndian
	if kind := le.Uint32(b); kind != 5 && kind != 15 && kind != 25 {
		return nil, nil
	}
	if len(b) < 44 {
		return nil, errGeometry
	}
	parts, points := int(le.Uint32(b[36:])), int(le.Uint32(b[40:]))
	if parts < 0 || points < 0 || parts > len(b)/4 || points > len(b)/16 || 44+4*parts+16*points > len(b) {
		return nil, errGeometry
	}
	var rings [][]roadnet.Point
	for i := range parts {
		from, to := int(le.Uint32(b[44+4*i:])), points
		if i+1 < parts {
			to = int(le.Uint32(b[48+4*i:]))
		}
		if from < 0 || from > to || to > points {
			return nil, errGeometry
		}
		coords := make([]geom.Coord, 0, to-from)
		for k := from; k < to; k++ {
			corner := b[44+4*parts+16*k:]
			coords = append(coords, geom.Coord{float64At(corner, 0), float64At(corner, 1)})
		}
		ring, err := a.ring(coords)
		if err != nil {
			return nil, err
		}
		rings = append(rings, ring)
	}
	return rings, nil
}
