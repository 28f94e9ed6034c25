package read

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// twoZones are a square with a hole and a triangle.
const twoZones = `{"type":"FeatureCollection","features":[
{"type":"Feature","id":"f1","properties":{"Name":"Old town","nr":7},"geometry":{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,4],[0,0]],[[1,1],[2,1],[2,2],[1,2],[1,1]]]}},
{"type":"Feature","properties":{"Name":"Harbour","nr":8},"geometry":{"type":"MultiPolygon","coordinates":[[[[5,5],[6,5],[6,6],[5,5]]]]}},
{"type":"Feature","properties":{"Name":"a point","nr":9},"geometry":{"type":"Point","coordinates":[1,1]}}]}`

func areaFile(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func namesOf(all []Area) string {
	var names []string
	for _, a := range all {
		names = append(names, fmt.Sprintf("%s:%d", a.ID, len(a.Rings)))
	}
	return strings.Join(names, " ")
}

func TestAreasOfGeoJSON(t *testing.T) {
	path := areaFile(t, "zones.geojson", []byte(twoZones))
	for id, want := range map[string]string{"": "f1:2 Harbour:1", "NR": "7:2 8:1"} {
		all, err := Areas(context.Background(), path, id)
		if err != nil || namesOf(all) != want {
			t.Errorf("by %q: %s, %v, want %s", id, namesOf(all), err, want)
		}
	}
	for content, want := range map[string]string{
		twoZones:         "there is no column district, but Name, nr",
		"{}":             "holds no polygon",
		"{":              "cannot be read as GeoJSON",
		"name,lon,lat\n": "zones are read from",
		strings.ReplaceAll(twoZones, "[4,4]", "[400000,4]"): "is no place on the earth",
	} {
		column := ""
		if content == twoZones {
			column = "district"
		}
		if _, err := Areas(context.Background(), areaFile(t, "zones.geojson", []byte(content)), column); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %v, want %s", content, err, want)
		}
	}
}

// UTM zone 29 north: 500000 m east lies on the meridian of -9 degrees.
func TestAreasOfGeoPackageInTheirCoordinateSystem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zones.gpkg")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	corners := [][2]float64{{500000, 4500000}, {501000, 4500000}, {501000, 4501000}, {500000, 4500000}}
	body := binary.LittleEndian.AppendUint32([]byte{'G', 'P', 0, 1, 0, 0, 0, 0, 1, 3, 0, 0, 0, 1, 0, 0, 0}, uint32(len(corners)))
	for _, c := range corners {
		body = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(body, math.Float64bits(c[0])), math.Float64bits(c[1]))
	}
	for _, statement := range []string{
		"CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, geometry_type_name TEXT, srs_id INTEGER, z TINYINT, m TINYINT)",
		"CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER, organization TEXT, organization_coordsys_id INTEGER, definition TEXT, description TEXT)",
		"INSERT INTO gpkg_spatial_ref_sys VALUES ('UTM', 32629, 'EPSG', 32629, '', '')",
		"INSERT INTO gpkg_geometry_columns VALUES ('zones', 'geom', 'POLYGON', 32629, 0, 0)",
		"CREATE TABLE zones (fid INTEGER PRIMARY KEY, geom BLOB, taz INTEGER)",
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Exec("INSERT INTO zones VALUES (1, ?, 42), (2, NULL, 43)", body); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	all, err := Areas(context.Background(), path, "")
	if err != nil || namesOf(all) != "42:1" {
		t.Fatalf("%s, %v", namesOf(all), err)
	}
	if p := all[0].Rings[0][0]; math.Abs(p.Lon+9) > 1e-6 || math.Abs(p.Lat-40.65) > 0.01 {
		t.Errorf("the first corner lies at %v", p)
	}
}

// shapeOfAreas is a shapefile of a polygon with a hole, with its table beside it.
func shapeOfAreas(t testing.TB) string {
	t.Helper()
	le := binary.LittleEndian
	rings := [][][2]float64{{{0, 0}, {0, 4}, {4, 4}, {0, 0}}, {{1, 2}, {2, 3}, {1, 3}, {1, 2}}}
	body := le.AppendUint32(nil, 5)
	body = append(body, make([]byte, 32)...)
	body = le.AppendUint32(le.AppendUint32(body, 2), 8)
	body = le.AppendUint32(le.AppendUint32(body, 0), 4)
	for _, ring := range rings {
		for _, c := range ring {
			body = le.AppendUint64(le.AppendUint64(body, math.Float64bits(c[0])), math.Float64bits(c[1]))
		}
	}
	file := make([]byte, 100)
	binary.BigEndian.PutUint32(file, 9994)
	le.PutUint32(file[28:], 1000)
	file = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(file, 1), uint32(len(body)/2))
	path := areaFile(t, "zones.shp", append(file, body...))
	table := make([]byte, 32)
	le.PutUint32(table[4:], 1)
	le.PutUint16(table[8:], 65)
	le.PutUint16(table[10:], 5)
	field := make([]byte, 32)
	copy(field, "ZONE")
	field[11], field[16] = 'C', 4
	table = append(append(append(table, field...), 13), " N12 "...)
	if err := os.WriteFile(strings.TrimSuffix(path, ".shp")+".dbf", table, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAreasOfAShapefile(t *testing.T) {
	path := shapeOfAreas(t)
	all, err := Areas(context.Background(), path, "")
	if err != nil || namesOf(all) != "N12:2" || all[0].Rings[1][0].Lat != 2 {
		t.Errorf("%+v, %v", all, err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := 101; cut < len(whole); cut += 7 {
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if all, err := Areas(context.Background(), path, ""); err == nil {
			t.Errorf("cut after %d bytes it holds %v", cut, all)
		}
	}
}

// Whatever a file holds, reading zones ends without a panic, and they lie on the earth.
func FuzzAreas(f *testing.F) {
	f.Add([]byte(twoZones))
	shape, err := os.ReadFile(shapeOfAreas(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(shape)
	f.Fuzz(func(t *testing.T, content []byte) {
		all, err := Areas(context.Background(), areaFile(t, "zones.shp", content), "")
		if err != nil {
			return
		}
		for _, a := range all {
			for _, ring := range a.Rings {
				for _, p := range ring {
					if !(math.Abs(p.Lon) <= 180 && math.Abs(p.Lat) <= 90) {
						t.Fatalf("a corner lies at %v", p)
					}
				}
			}
		}
	})
}
