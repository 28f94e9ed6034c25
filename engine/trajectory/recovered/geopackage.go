package recovered

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"

	_ "modernc.org/sqlite" // the driver

	"retrace/engine/roadnet"
)

func readGeoPackage(ctx context.Context, path string, d *drafts) error {
	if _, err := os.Stat(path); err != nil {
		return err
	}
	name := (&url.URL{Scheme: "file", Opaque: url.PathEscape(path)}).String()
	db, err := sql.Open("sqlite", name+"?mode=ro&immutable=1")
	if err != nil {
		return err
	}
	defer db.Close()
	if err := readAbout(ctx, db, d); err != nil {
		return err
	}
	there, err := tables(ctx, db)
	if err != nil {
		return err
	}
	for _, layer := range []string{"points", "path", "spans", "gaps", "alternatives"} {
		if !there[layer] && (layer == "gaps" || layer == "alternatives") {
			continue // not every file has them
		}
		if err := readTable(ctx, db, layer, d); err != nil {
			return fmt.Errorf("table %s: %w", layer, err)
		}
	}
	return nil
}

// tables are the names of all tables.
func tables(ctx context.Context, db *sql.DB) (map[string]bool, error) {
	rows, err := db.QueryContext(ctx, "SELECT name FROM sqlite_master WHERE type = 'table'")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		all[name] = true
	}
	return all, rows.Err()
}

func readAbout(ctx context.Context, db *sql.DB, d *drafts) error {
	rows, err := db.QueryContext(ctx, "SELECT name, value FROM about")
	if err != nil {
		return fmt.Errorf("this is no GeoPackage of recoveries: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return err
		}
		if err := d.about(name, value); err != nil {
			return err
		}
	}
	return rows.Err()
}

// readTable reads the rows of one layer.
func readTable(ctx context.Context, db *sql.DB, layer string, d *drafts) error {
	rows, err := db.QueryContext(ctx, "SELECT * FROM "+layer+" ORDER BY fid")
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		f := feature{layer: layer, values: map[string]any{}}
		for i, name := range columns {
			f.values[name] = values[i]
		}
		blob, _ := f.values["geom"].([]byte)
		if f.geometry, err = parseBlob(blob); err != nil {
			return err
		}
		if err := d.add(f); err != nil {
			return err
		}
	}
	return rows.Err()
}

var errBlob = errors.New("a geometry cannot be read")

// parseBlob reads a point or a line as GeoPackage stores it, little-endian.
func parseBlob(b []byte) ([]roadnet.Point, error) {
	if len(b) < 8 || b[0] != 'G' || b[1] != 'P' || b[3]&1 == 0 {
		return nil, errBlob
	}
	envelope := []int{0, 32, 48, 48, 64, 0, 0, 0}[b[3]>>1&7]
	if len(b) < 8+envelope+9 {
		return nil, errBlob
	}
	b = b[8+envelope:]
	count := 1
	kind := binary.LittleEndian.Uint32(b[1:])
	switch kind {
	case 1:
		b = b[5:]
	case 2:
		count = int(binary.LittleEndian.Uint32(b[5:]))
		b = b[9:]
	default:
		return nil, errBlob
	}
	if len(b) != 16*count {
		return nil, errBlob
	}
	points := make([]roadnet.Point, count)
	for i := range points {
		points[i].Lon = math.Float64frombits(binary.LittleEndian.Uint64(b[16*i:]))
		points[i].Lat = math.Float64frombits(binary.LittleEndian.Uint64(b[16*i+8:]))
	}
	return points, nil
}
