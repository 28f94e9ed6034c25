package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"retrace/engine"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/write"
	"retrace/ui/sample"
)

//go:embed check.py
var checkScript []byte

// check reads files of one kind with another program.
type check struct {
	name   string // of the function in check.py
	ending string
	heavy  bool // it starts a whole application
	table  bool // the file is a table of links
}

// checks are all that other programs are asked.
func checks() []check {
	var all []check
	for _, ending := range []string{".csv", ".gpx", ".kml", ".geojson", ".gpkg", ".zip", ".parquet"} {
		all = append(all, check{name: "gdal", ending: ending})
	}
	return append(all, check{name: "gpx", ending: ".gpx"}, check{name: "gpkg", ending: ".gpkg"}, check{name: "qgis", ending: ".gpkg", heavy: true},
		check{name: "pandas", ending: ".csv"}, check{name: "duckdb", ending: ".parquet"}, check{name: "geopandas", ending: ".parquet"},
		check{name: "movingpandas", ending: ".mfjson"})
}

// errAbsent says that a program is not installed.
var errAbsent = errors.New("left out")

// run reads a file with the program, and gives its name and version. Python of
// the environment that scripts/formats.sh makes is asked first, then the
// system's, which has the packages of the system.
func (c check) run(ctx context.Context, dir string, w *written) (version string, err error) {
	script := filepath.Join(dir, "check.py")
	if err := os.WriteFile(script, checkScript, 0o600); err != nil {
		return "", err
	}
	why := errors.New("there is no Python")
	for _, python := range pythons() {
		rows := w.points
		if c.table {
			rows = w.links
		}
		cmd := exec.CommandContext(ctx, python, script, c.name, w.file(c.ending), fmt.Sprint(rows), fmt.Sprint(w.trips))
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		err := cmd.Run()
		said := strings.TrimSpace(out.String())
		var exit *exec.ExitError
		switch {
		case err == nil:
			lines := strings.Split(said, "\n")
			return lines[len(lines)-1], nil
		case errors.As(err, &exit) && exit.ExitCode() == 77:
			why = errors.New(said)
		default:
			return "", fmt.Errorf("%s of %s: %w\n%s", c.name, c.ending, err, said)
		}
	}
	return "", fmt.Errorf("%w: %w", errAbsent, why)
}

// pythons are the Pythons that may have what a check needs.
func pythons() []string {
	var all []string
	for _, path := range []string{filepath.Join(".cache", "formats", "bin", "python"), filepath.Join("..", "..", ".cache", "formats", "bin", "python"), "/usr/bin/python3", "python3"} {
		if found, err := exec.LookPath(path); err == nil {
			if full, err := filepath.Abs(found); err == nil {
				all = append(all, full)
			}
		}
	}
	return all
}

// written are recoveries in a file of every format.
type written struct {
	dir           string
	points, trips int
	links         int // rows of the table of links
}

func (w *written) file(ending string) string { return filepath.Join(w.dir, "recovered"+ending) }

// checkedTrips is how many trips other programs are given.
const checkedTrips = 5

// writeRecoveries recovers a few trips of the sample and writes them in every
// format into a folder.
func writeRecoveries(ctx context.Context, dir string) (*written, error) {
	net, recoveries, err := recoverSample(ctx)
	if err != nil {
		return nil, err
	}
	w := &written{dir: dir, trips: len(recoveries)}
	about := write.About{Network: net.Info(), Version: "formats"}
	for _, r := range recoveries {
		w.points += len(r.Ticks)
		about.Add(r)
	}
	for _, format := range write.Formats() {
		out, err := write.Create(w.file(format.Extension), net, about)
		if err != nil {
			return nil, err
		}
		defer out.Abort()
		for _, r := range recoveries {
			if err := out.Write(r); err != nil {
				return nil, err
			}
		}
		if err := out.Close(); err != nil {
			return nil, err
		}
	}
	return w, w.writeTables(net, recoveries, about)
}

// recoverSample recovers a few trips of the sample.
func recoverSample(ctx context.Context) (*roadnet.Network, []*trajectory.Recovery, error) {
	city, err := sample.Import(ctx, 1)
	if err != nil {
		return nil, nil, err
	}
	settings := engine.DefaultSettings()
	settings.Alternatives = 1
	recoverer, err := engine.NewRecoverer(city.Network, settings)
	if err != nil {
		return nil, nil, err
	}
	var all []*trajectory.Recovery
	for t, err := range sample.Trips(ctx, city.Network, 1, 1) {
		if err != nil {
			return nil, nil, err
		}
		r, err := recoverer.Recover(ctx, t.Trajectory, nil)
		if err != nil {
			return nil, nil, err
		}
		if all = append(all, r); len(all) == checkedTrips {
			break
		}
	}
	return city.Network, all, nil
}
