// Formats writes docs/formats.md: which kinds of files are read and written, what
// checked them, and how fast they are. It writes a table of simulated positions in
// every format and reads it again, takes trips through every pair of formats, runs
// the fuzz targets over their seeds, and has what it wrote read by the other
// programs that are installed: the page names those that did.
//
//	make check-formats
//	go run -tags ci ./tools/formats > docs/formats.md
package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
	"retrace/engine/trajectory/write"
	"retrace/internal/cputime"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "formats:", err)
		os.Exit(1)
	}
}

// trips and points are what every format is measured with.
const trips, points = 200, 500

// line is one row of the matrix.
type line struct {
	kind     read.Kind
	write    string   // extension; empty: not written
	checked  []string // with what, in this run
	notes    string
	readRow  float64
	writeRow float64
	pairs    int // of formats that it is in, through which trips came as they were
}

// lines are the rows of the matrix; every kind that is read has one.
func lines() []line {
	return []line{
		{kind: read.CSV, write: ".csv", notes: "comma, semicolon, tab, bar; decimal comma; quotes; UTF-8, UTF-16, Windows-1252, GB18030; header or none; epoch s, ms, us, ns, ISO 8601, day first, date and time apart, zones; WKT, WKB, MobilityDB and MF-JSON columns; T-Drive"},
		{kind: read.Porto, notes: "the taxi data of Porto and Kaggle"},
		{kind: read.PLT, notes: "GeoLife, OziExplorer; a folder of GeoLife gives vehicles their names"},
		{kind: read.GPX, write: ".gpx", notes: "1.0 and 1.1; tracks, and routes with times"},
		{kind: read.KML, write: ".kml", notes: "gx:Track, gx:MultiTrack, points with a TimeStamp; KMZ"},
		{kind: read.TCX, notes: "activities and courses"},
		{kind: read.GeoJSON, write: ".geojson", notes: "also text sequences and a feature a line"},
		{kind: read.GeoJSON, write: ".mfjson", notes: "MF-JSON of the OGC, of MobilityDB and MovingPandas"},
		{kind: read.NMEA, notes: "RMC; else GGA with ZDA"},
		{kind: read.FIT, notes: "records of activities, also several in a file"},
		{kind: read.GeoPackage, write: ".gpkg", notes: "points with a time, lines with measures; written with styles"},
		{kind: read.Shapefile, write: ".zip", notes: "points with a time, lines with measures; written into an archive"},
		{kind: read.Parquet, write: ".parquet", notes: "columns, or GeoParquet 1.1 with WKB; none, snappy, gzip, zstd, brotli (LZ4_RAW is refused: the library reads it wrong, [issue 608](https://github.com/parquet-go/parquet-go/issues/608))"},
		{kind: read.Arrow, notes: "streams and files (Feather 2); columns, or WKB"},
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "retrace-formats-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	all := simulated()
	rows := lines()
	missing := map[read.Kind]bool{}
	for _, k := range read.Kinds() {
		missing[k] = true
	}
	for i := range rows {
		delete(missing, rows[i].kind)
		if rows[i].write == "" {
			if err := measureForeign(&rows[i], filepath.Join(dir, fmt.Sprint(i)), all); err != nil {
				return err
			}
			continue
		}
		if err := measure(&rows[i], filepath.Join(dir, "trips"+rows[i].write), all); err != nil {
			return err
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("no row for %v", missing)
	}
	if err := checkRows(context.Background(), dir, rows, all); err != nil {
		return err
	}
	tables, err := tablesOf(dir)
	if err != nil {
		return err
	}
	print(rows, tables)
	return nil
}

// checkRows finds out what can be said of each row but its speed.
func checkRows(ctx context.Context, dir string, rows []line, all []*trajectory.Trajectory) error {
	few := slices.Clone(all[:5])
	for i, t := range few {
		one := *t
		one.Samples = one.Samples[:40]
		few[i] = &one
	}
	equal, err := pairs(ctx, dir, few)
	if err != nil {
		return err
	}
	passed, err := fuzzTargets(ctx)
	if err != nil {
		return err
	}
	recovered, err := writeRecoveries(ctx, dir)
	if err != nil {
		return err
	}
	for i := range rows {
		r := &rows[i]
		r.pairs = equal[r.write]
		if !passed[fuzzTarget(r.kind)] {
			return fmt.Errorf("%s has no fuzz target %s that passes", r.kind, fuzzTarget(r.kind))
		}
		r.checked = append(r.checked, fuzzTarget(r.kind))
	}
	for _, c := range checks() {
		version, err := c.run(ctx, dir, recovered)
		if errors.Is(err, errAbsent) {
			fmt.Fprintf(os.Stderr, "formats: %s of %s: %v\n", c.name, c.ending, err)
			continue
		}
		if err != nil {
			return err
		}
		for i := range rows {
			if rows[i].write == c.ending {
				rows[i].checked = append(rows[i].checked, version)
			}
		}
	}
	return nil
}

// simulated are trips that wind about, with seven digits.
func simulated() []*trajectory.Trajectory {
	var all []*trajectory.Trajectory
	round := func(v float64) float64 { return math.Round(v*1e7) / 1e7 }
	for i := range trips {
		t := &trajectory.Trajectory{ID: fmt.Sprintf("trip %d", i), Vehicle: fmt.Sprintf("taxi %d", i%20)}
		for k := range points {
			at := float64(k) / 50
			t.Samples = append(t.Samples, trajectory.Sample{Time: 1_704_182_400_000 + int64(k)*15_000,
				Lon: round(-8.6 + float64(i)*1e-3 + 0.01*math.Sin(at)), Lat: round(41.15 + 0.01*math.Cos(at*1.3))})
		}
		all = append(all, t)
	}
	return all
}

// measure writes the trips, reads them again and compares.
func measure(l *line, path string, all []*trajectory.Trajectory) error {
	began := cputime.Used()
	w, err := write.CreateSamples(path, write.About{Version: "formats"})
	if err != nil {
		return err
	}
	defer w.Abort()
	for _, t := range all {
		if err := w.Write(t); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	l.writeRow = perSecond(began)
	began = cputime.Used()
	n := 0
	exact := true
	for t, err := range read.Files(context.Background(), []string{path}, nil, read.Options{}) {
		if err != nil {
			return err
		}
		if n < len(all) {
			exact = exact && same(t, all[n])
		}
		n++
	}
	l.readRow = perSecond(began)
	if !exact || n != len(all) {
		return fmt.Errorf("%s: what was written was not read back", l.write)
	}
	return nil
}

// perSecond is how many rows went by in a second of a processor since then.
func perSecond(began time.Duration) float64 {
	return trips * points / max(1e-6, (cputime.Used()-began).Seconds())
}

// measureForeign reads what other programs write and Retrace does not.
func measureForeign(l *line, path string, all []*trajectory.Trajectory) error {
	b, err := foreign(l.kind, all)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		return err
	}
	began, n := cputime.Used(), 0
	for t, err := range read.Files(context.Background(), []string{path}, nil, read.Options{}) {
		if err != nil {
			return err
		}
		n += len(t.Samples)
	}
	if n != trips*points {
		return fmt.Errorf("%s: %d rows were read of %d", l.kind, n, trips*points)
	}
	l.readRow = perSecond(began)
	return nil
}

func same(a, b *trajectory.Trajectory) bool {
	if a.ID != b.ID || len(a.Samples) != len(b.Samples) {
		return false
	}
	for i := range a.Samples {
		if a.Samples[i] != b.Samples[i] {
			return false
		}
	}
	return true
}

func print(rows []line, tables string) {
	fmt.Print("# Formats\n\n" +
		"Made by `go run -tags ci ./tools/formats > docs/formats.md`, which writes and reads " +
		fmt.Sprintf("%d trips of %d points in every format that is written (%s/%s). Speeds are rows in a second that one processor works.\n\n", trips, points, runtime.GOOS, runtime.GOARCH) +
		"Files are told by their content, whatever they are called. All are also read compressed with gzip, out of zip archives and from folders. " +
		"Coordinates other than WGS 84 are taken by EPSG code where the file or `--crs` says it; GCJ-02 and BD-09 with `--crs`.\n\n" +
		"| format | read | written | round trip | read, rows a second | written, rows a second | what of it | checked with |\n|---|---|---|---|---:|---:|---|---|\n")
	for _, r := range rows {
		written, trip, in, out := "-", "-", count(r.readRow), "-"
		if r.write != "" {
			written, out = "`"+r.write+"`", count(r.writeRow)
			trip = fmt.Sprintf("equal, %d pairs", r.pairs)
		}
		fmt.Printf("| %s | yes | %s | %s | %s | %s | %s | %s |\n", name(r), written, trip, in, out, r.notes, strings.Join(r.checked, "; "))
	}
	fmt.Print("\nEqual means: the ids, times to the millisecond, positions to seven digits, and vehicles where the format has a place for them (all but GPX), " +
		"through the format and each of those that are written. Checked with: the fuzz targets of `engine/trajectory/read`, over their seeds, and the other programs that " +
		fmt.Sprintf("read %d recovered trips when this page was made; what is not installed is not named. `make check-formats` installs them and runs the same as tests.\n\n", checkedTrips) +
		"Maps are written as PNG, SVG and PDF by `retrace render` and from the window, reports as HTML by `retrace report`.\n\n" + tables + formulas + limits)
}

func name(l line) string {
	if l.write == ".mfjson" {
		return "MF-JSON"
	}
	return string(l.kind)
}

// count is a number with two digits that count.
func count(v float64) string {
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	s := fmt.Sprintf("%.0f", math.Round(v/unit)*unit)
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}

const formulas = `## Names that look like formulas

A spreadsheet runs a cell that begins with ` + "`=`" + `, ` + "`+`" + `, ` + "`-`" + `, ` + "`@`" + `, a tab or a return, in quotes or not. In every table that
Retrace writes, a text that does so gets an apostrophe in front: ` + "`=1+1`" + ` becomes ` + "`'=1+1`" + `. So does one that has
apostrophes there already: ` + "`'=1+1`" + ` becomes ` + "`''=1+1`" + `. Blanks before such a sign do not count, and the full-width forms
of the signs do. Retrace takes the apostrophe away again when it reads the columns ` + "`trajectory`" + ` and ` + "`vehicle`" + ` of CSV, so
every name comes back as it was; other programs should do the same. Numbers stay as they are.

This holds for all CSV, also for tables that are copied or saved from the window, and for the tables of reports. The
other formats keep names as they are, because no spreadsheet takes what is in them for a formula.

`

const limits = `## What is refused

A file is read as a whole or not at all (` + "`--partial`" + ` keeps what came before a break). Rows that cannot be
read are left out one by one, with file, line and reason; ` + "`--problems FILE.csv`" + ` writes all of them.

| limit | |
|---|---|
| a row, an XML element, a JSON feature, a value of a database, a record of a shapefile | 32 MiB |
| XML elements in one another | 64 |
| archives and compressions in one another | 3 |
| what a packed file may unpack to | 32 MiB, and beyond that 200 times its size |
| a page of a Parquet file | 64 MiB, and no more than it says |
| record batches of an Arrow file in memory | 1 GiB; compressed ones as what a packed file may unpack to |
| values of a page of a Parquet file | 16 million |
| counts that a file names (positions of a geometry, parts of a description) | what the bytes that are left can hold |
| samples of one trajectory | 10,000,000 |
| samples in memory while a file is read; more go to disk | 2,000,000 |
| views, virtual tables and computed columns of a GeoPackage | not read: what they compute has no bound |
`
