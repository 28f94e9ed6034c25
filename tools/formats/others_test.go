package main

import (
	"errors"
	"slices"
	"testing"
)

// What is written is read by other programs as it was meant: GDAL, QGIS, pandas,
// DuckDB and more. A program that is not installed is left out with a word:
// make check-formats installs them.
func TestOthersReadWhatIsWritten(t *testing.T) {
	dir := t.TempDir()
	w, err := writeRecoveries(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range slices.Concat(checks(), tableChecks()) {
		t.Run(c.name+" "+c.ending, func(t *testing.T) {
			if c.heavy && testing.Short() {
				t.Skip("left out of short tests: it starts a whole application")
			}
			version, err := c.run(t.Context(), dir, w)
			if errors.Is(err, errAbsent) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Log(version)
		})
	}
}

// A file that is not as it should be is found out.
func TestChecksCanFail(t *testing.T) {
	dir := t.TempDir()
	w, err := writeRecoveries(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	w.points++
	w.links++
	for _, c := range []check{{name: "gdal", ending: ".gpkg"}, {name: "pandas", ending: ".csv"}, {name: "duckdb", ending: ".parquet"},
		{name: "table", ending: ".links.gpkg", table: true}, {name: "table", ending: ".links.xlsx", table: true}, {name: "openpyxl", ending: ".links.xlsx", table: true}} {
		switch _, err := c.run(t.Context(), dir, w); {
		case errors.Is(err, errAbsent):
			t.Log(err)
		case err == nil:
			t.Errorf("%s finds nothing wrong", c.name)
		}
	}
}
