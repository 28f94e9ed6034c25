// Package write writes recoveries: points, driven paths, spans on elevated
// roads and counts by link, as CSV, GeoJSON, GPX and GeoPackage.
//
// Everything is streamed. A file is written beside its final name, synced and
// renamed when complete, so that a partial output never stands under its final
// name.
package write

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/internal/atomicfile"
)

// Writer takes recoveries one after another. It is used by one goroutine at a
// time. After Close or Abort it is of no further use.
type Writer interface {
	// Write adds one recovery.
	Write(r *trajectory.Recovery) error
	// Close writes what is left, syncs the file and gives it its final name.
	// Where it fails, nothing is left behind.
	Close() error
	// Abort leaves nothing behind. After Close it does nothing.
	Abort()
}

// About says where recoveries come from. Formats that have a place for it carry
// it.
type About struct {
	Network  roadnet.Info
	Method   string
	Model    string // name@hash of its bundle; empty: the method has none
	Settings string // canonical text
	Version  string // of Retrace

	Alternatives bool // the recoveries hold other paths: the geographic formats get a layer for them
}

// Layer is one table of an output.
type Layer string

// The layers.
const (
	Points Layer = "points" // recovered instants
	Path   Layer = "path"   // driven paths
	Spans  Layer = "spans"  // stretches on and below elevated roads
	Links  Layer = "links"  // counts and speeds by segment

	alternatives Layer = "alternatives" // other paths for single gaps
)

// Formats are the extensions that Create takes.
func Formats() []string { return []string{".csv", ".geojson", ".gpkg", ".gpx"} }

// Known reports whether Create takes a file of this name, or CreateAs this
// extension.
func Known(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	for _, f := range Formats() {
		if ext == f || ext == ".json" {
			return true
		}
	}
	return false
}

// Create makes a writer for the file at path; its extension chooses the format:
// .csv and .gpx (points only), .geojson, .json or .gpkg (all layers).
func Create(path string, net *roadnet.Network, about About) (Writer, error) {
	return CreateAs(path, filepath.Ext(path), Points, net, about)
}

// CreateAs makes a writer for the file at path in the format of an extension,
// whatever its own is. Layer says what a CSV file holds.
func CreateAs(path, ext string, layer Layer, net *roadnet.Network, about About) (Writer, error) {
	ext = strings.ToLower(ext)
	if !Known(ext) {
		return nil, fmt.Errorf("%s: the extension says no format that can be written (%s)", path, strings.Join(Formats(), ", "))
	}
	if ext == ".csv" {
		return CreateCSV(path, layer, net)
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	switch ext {
	case ".gpkg":
		return newGeoPackage(f, net, about)
	case ".gpx":
		return newOutput(f, newGPX(bufio.NewWriter(f), about)), nil
	}
	return newOutput(f, newGeoJSON(bufio.NewWriter(f), net, about)), nil
}

// CreateCSV makes a writer of one layer as a CSV file.
func CreateCSV(path string, layer Layer, net *roadnet.Network) (Writer, error) {
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	return newOutput(f, newCSV(bufio.NewWriter(f), layer, net)), nil
}

// StreamCSV makes a writer of one layer as CSV that goes to w as it comes.
func StreamCSV(w io.Writer, layer Layer, net *roadnet.Network) Writer {
	return &stream{newCSV(bufio.NewWriter(w), layer, net)}
}

// encoder writes recoveries in one format.
type encoder interface {
	Write(r *trajectory.Recovery) error
	finish() error // writes what is left and flushes
}

// output is an encoder whose text goes to a file.
type output struct {
	encoder
	file *atomicfile.File
}

func newOutput(f *atomicfile.File, e encoder) *output { return &output{e, f} }

func (o *output) Close() error {
	if err := o.finish(); err != nil {
		o.file.Abort()
		return err
	}
	return o.file.Commit()
}

func (o *output) Abort() { o.file.Abort() }

// stream is an encoder whose text goes somewhere at once.
type stream struct{ encoder }

func (s *stream) Close() error { return s.finish() }
func (s *stream) Abort()       {}

// All are several writers that take the same recoveries.
type All []Writer

// Write adds one recovery to each.
func (a All) Write(r *trajectory.Recovery) error {
	for _, w := range a {
		if err := w.Write(r); err != nil {
			return err
		}
	}
	return nil
}

// Close closes each. The error joins those of all.
func (a All) Close() error {
	var errs []error
	for _, w := range a {
		errs = append(errs, w.Close())
	}
	return errors.Join(errs...)
}

// Abort aborts each.
func (a All) Abort() {
	for _, w := range a {
		w.Abort()
	}
}
