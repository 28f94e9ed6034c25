package write

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"

	"retrace/engine/roadnet"
)

// counts are a table of two rows, one of which is withheld.
func counts(t *testing.T, path string) {
	t.Helper()
	w, err := CreateTable(path, Table{Name: "links", Holds: "counts by road", Columns: []Column{
		{Name: "name", Kind: Words, Means: "name of the road"}, {Name: "trips", Kind: Whole, Sums: true}, {Name: "count", Kind: Fine, Means: "drives expected", Sums: true},
	}}, About{Version: "1", Network: roadnet.Info{Name: "drawn", Attribution: "© somebody"}})
	if err != nil {
		t.Fatal(err)
	}
	line := []roadnet.Point{{Lon: 1, Lat: 2}, {Lon: 3, Lat: 4}}
	if err := w.Add([]any{"=Main, Street", int64(3), 2.66666}, line); err != nil {
		t.Fatal(err)
	}
	if err := w.Add([]any{"Quiet", NoValue, math.NaN()}, line); err != nil {
		t.Fatal(err)
	}
	if err := w.Add([]any{"too few"}, line); err == nil {
		t.Error("a row of one value is taken")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestTablesAreWrittenInEachFormat(t *testing.T) {
	dir := t.TempDir()
	for _, ext := range TableExtensions() {
		counts(t, filepath.Join(dir, "a"+ext))
	}
	csv, err := os.ReadFile(filepath.Join(dir, "a.csv"))
	if want := "name,trips,count\n\"'=Main, Street\",3,2.667\nQuiet,,\n"; err != nil || string(csv) != want {
		t.Errorf("CSV is %q, %v, want %q", csv, err, want)
	}
	beside, err := os.ReadFile(filepath.Join(dir, "a.csv-metadata.json"))
	if err != nil || !strings.Contains(string(beside), "drives expected") || !strings.Contains(string(beside), "© somebody") {
		t.Errorf("%v, %s", err, beside)
	}
	var collection struct {
		Features []struct {
			Properties map[string]any
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "a.geojson"))
	if err != nil || json.Unmarshal(text, &collection) != nil || len(collection.Features) != 2 || collection.Features[0].Properties["count"] != 2.667 || collection.Features[1].Properties["trips"] != nil {
		t.Errorf("%v: %s", err, text)
	}
	checkGeoPackage(t, filepath.Join(dir, "a.gpkg"))
	checkWorkbook(t, filepath.Join(dir, "a.xlsx"))
	data, err := os.ReadFile(filepath.Join(dir, "a.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil || f.NumRows() != 2 {
		t.Errorf("Parquet: %v", err)
	}
	if _, err := CreateTable(filepath.Join(dir, "a.gpx"), Table{Name: "links"}, About{}); err == nil {
		t.Error("a table is written as GPX")
	}
}

func checkGeoPackage(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var count sql.NullFloat64
	var rows int
	if err := db.QueryRow("SELECT count FROM links WHERE name LIKE '%Main%'").Scan(&count); err != nil || math.Abs(count.Float64-2.66666) > 1e-9 {
		t.Errorf("GeoPackage: %v, %v", count, err)
	}
	if err := db.QueryRow("SELECT count(*) FROM links WHERE trips IS NULL").Scan(&rows); err != nil || rows != 1 {
		t.Errorf("GeoPackage: %d rows are empty, %v", rows, err)
	}
}

func checkWorkbook(t *testing.T, path string) {
	t.Helper()
	f, err := excelize.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := f.GetRows("links")
	if err != nil || len(rows) != 3 || rows[0][2] != "count" || rows[1][1] != "3" {
		t.Errorf("%v, %v", rows, err)
	}
	panes, err := f.GetPanes("links")
	if err != nil || !panes.Freeze || panes.YSplit != 1 {
		t.Errorf("the head is not frozen: %+v, %v", panes, err)
	}
	if sum, err := f.CalcCellValue("columns", "C4"); err != nil || !strings.HasPrefix(sum, "2.66666") {
		t.Errorf("the sum of the counts is %q, %v", sum, err)
	}
	if formula, err := f.GetCellFormula("columns", "C2"); err != nil || formula != "" {
		t.Errorf("names are summed: %q, %v", formula, err)
	}
}
