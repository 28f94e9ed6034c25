package write

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"retrace/engine/roadnet"
)

// wgs84 is the definition of EPSG:4326 as GeoPackage wants it.
const wgs84 = `GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],` +
	`AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],` +
	`UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]`

// gpkgSchema are the statements that make an empty GeoPackage.
func gpkgSchema() []string {
	return []string{
		"PRAGMA application_id = 0x47504B47", // GPKG
		"PRAGMA user_version = 10300",
		`CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, organization TEXT NOT NULL,
			organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT)`,
		`INSERT INTO gpkg_spatial_ref_sys VALUES
			('Undefined Cartesian SRS', -1, 'NONE', -1, 'undefined', 'undefined Cartesian coordinate reference system'),
			('Undefined geographic SRS', 0, 'NONE', 0, 'undefined', 'undefined geographic coordinate reference system'),
			('WGS 84 geodetic', 4326, 'EPSG', 4326, '` + wgs84 + `', 'longitude and latitude in degrees on the WGS 84 ellipsoid')`,
		`CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE, description TEXT DEFAULT '',
			last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')), min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE,
			srs_id INTEGER, CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id))`,
		`CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL,
			srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL,
			CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name), CONSTRAINT uk_gc_table_name UNIQUE (table_name),
			CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
			CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id))`,
		`CREATE TABLE gpkg_extensions (table_name TEXT, column_name TEXT, extension_name TEXT NOT NULL, definition TEXT NOT NULL,
			scope TEXT NOT NULL, CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name))`,
		"CREATE TABLE about (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL)",
		`INSERT INTO gpkg_contents (table_name, data_type, identifier, description, srs_id)
			VALUES ('about', 'attributes', 'about', 'where this comes from', 0), ('layer_styles', 'attributes', 'layer_styles', 'how the layers look', 0)`,
		// As QGIS makes it, which takes the style of a layer from it.
		`CREATE TABLE layer_styles (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, f_table_catalog TEXT, f_table_schema TEXT, f_table_name TEXT,
			f_geometry_column TEXT, styleName TEXT, styleQML TEXT, styleSLD TEXT, useAsDefault BOOLEAN, description TEXT, owner TEXT, ui TEXT,
			update_time DATETIME DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')))`,
	}
}

// describe is what a layer holds, in words.
func (l Layer) describe() string {
	switch l {
	case Points:
		return "recovered instants"
	case Path:
		return "driven paths, a line for each unbroken part"
	case Spans:
		return "stretches driven on and below elevated roads"
	case Gaps:
		return "ways from one reported point to the next, with the probability that they are wrong"
	case alternatives:
		return "other paths for single gaps"
	case Samples:
		return "points as they were reported"
	}
	return "counts and speeds by road segment"
}

// schema are the statements that make a layer's table and its empty index.
func (t *gpkgTable) schema() []string {
	geometry := "LINESTRING"
	if t.layer.ofPoints() {
		geometry = "POINT"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE TABLE %s (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom %s", t.layer.Layer, geometry)
	for _, c := range t.columns {
		fmt.Fprintf(&b, ", %s %s", c.name, c.kind.sqlType())
	}
	b.WriteString(")")
	return []string{
		b.String(),
		fmt.Sprintf("INSERT INTO gpkg_contents (table_name, data_type, identifier, description, srs_id) VALUES ('%s', 'features', '%s', '%s', 4326)",
			t.layer.Layer, t.layer.Layer, t.layer.describe()),
		fmt.Sprintf("INSERT INTO gpkg_geometry_columns VALUES ('%s', 'geom', '%s', 4326, 0, 0)", t.layer.Layer, geometry),
		fmt.Sprintf("CREATE VIRTUAL TABLE rtree_%s_geom USING rtree(id, minx, maxx, miny, maxy)", t.layer.Layer),
		fmt.Sprintf("INSERT INTO gpkg_extensions VALUES ('%s', 'geom', 'gpkg_rtree_index', 'http://www.geopackage.org/spec120/#extension_rtree', 'write-only')", t.layer.Layer),
	}
}

// sqlType is the type of a column of the kind.
func (k kind) sqlType() string {
	switch k {
	case words:
		return "TEXT"
	case whole:
		return "INTEGER"
	case instant:
		return "DATETIME"
	}
	return "DOUBLE"
}

// triggers are the statements of the standard (1.3; 1.4 has others) that keep an index up to date
// when somebody edits the table.
func (t *gpkgTable) triggers() []string {
	const (
		solid  = "(NEW.geom NOTNULL AND NOT ST_IsEmpty(NEW.geom))"
		hollow = "(NEW.geom ISNULL OR ST_IsEmpty(NEW.geom))"
		values = "(NEW.fid, ST_MinX(NEW.geom), ST_MaxX(NEW.geom), ST_MinY(NEW.geom), ST_MaxY(NEW.geom))"
	)
	texts := []string{
		"TRIGGER rtree_T_geom_insert AFTER INSERT ON T WHEN " + solid + " BEGIN INSERT OR REPLACE INTO rtree_T_geom VALUES " + values + "; END",
		"TRIGGER rtree_T_geom_update1 AFTER UPDATE OF geom ON T WHEN OLD.fid = NEW.fid AND " + solid + " BEGIN INSERT OR REPLACE INTO rtree_T_geom VALUES " + values + "; END",
		"TRIGGER rtree_T_geom_update2 AFTER UPDATE OF geom ON T WHEN OLD.fid = NEW.fid AND " + hollow + " BEGIN DELETE FROM rtree_T_geom WHERE id = OLD.fid; END",
		"TRIGGER rtree_T_geom_update3 AFTER UPDATE ON T WHEN OLD.fid != NEW.fid AND " + solid +
			" BEGIN DELETE FROM rtree_T_geom WHERE id = OLD.fid; INSERT OR REPLACE INTO rtree_T_geom VALUES " + values + "; END",
		"TRIGGER rtree_T_geom_update4 AFTER UPDATE ON T WHEN OLD.fid != NEW.fid AND " + hollow + " BEGIN DELETE FROM rtree_T_geom WHERE id IN (OLD.fid, NEW.fid); END",
		"TRIGGER rtree_T_geom_delete AFTER DELETE ON T WHEN OLD.geom NOTNULL BEGIN DELETE FROM rtree_T_geom WHERE id = OLD.fid; END",
	}
	name := strings.NewReplacer("rtree_T_", "rtree_"+string(t.layer.Layer)+"_", " T WHEN", " "+string(t.layer.Layer)+" WHEN")
	for i, text := range texts {
		texts[i] = "CREATE " + name.Replace(text)
	}
	return texts
}

// appendBlob appends a geometry as GeoPackage stores it: a header with the
// envelope (lines only) and well-known binary, little-endian.
func appendBlob(b []byte, points []roadnet.Point, single bool) []byte {
	const littleEndian, envelopeXY = 1, 1 << 1
	le := binary.LittleEndian
	if single {
		b = le.AppendUint32(append(b, 'G', 'P', 0, littleEndian), 4326)
		return appendWKB(b, points, true)
	}
	b = le.AppendUint32(append(b, 'G', 'P', 0, littleEndian|envelopeXY), 4326)
	box := boundsOf(points)
	for _, v := range []float64{box.MinLon, box.MaxLon, box.MinLat, box.MaxLat} {
		b = le.AppendUint64(b, math.Float64bits(v))
	}
	return appendWKB(b, points, false)
}
