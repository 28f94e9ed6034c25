// Package write writes recoveries: points, driven paths, spans on elevated
// roads and counts by link; and trajectories as they were reported. See
// [Formats] for the kinds of files.
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

// About says where recoveries come from. Every file carries it, or has a file
// beside it that does.
type About struct {
	Network  roadnet.Info
	Method   string
	Model    string // name@hash of its bundle; empty: the method has none
	Settings string // canonical text
	Version  string // of Retrace

	Alternatives bool // the recoveries hold other paths: the geographic formats get a layer for them
	Gaps         bool // the recoveries say how far each gap can be trusted: likewise
}

// Layer is one table of an output.
type Layer string

// The layers.
const (
	Points Layer = "points" // recovered instants
	Path   Layer = "path"   // driven paths
	Spans  Layer = "spans"  // stretches on and below elevated roads
	Links  Layer = "links"  // counts and speeds by segment
	Gaps   Layer = "gaps"   // ways from one reported point to the next, and how far they can be trusted

	Samples Layer = "samples" // points as they were reported

	alternatives Layer = "alternatives" // other paths for single gaps
)

// ofPoints reports whether the features of a layer are points; else they are
// lines.
func (l Layer) ofPoints() bool { return l == Points || l == Samples }

// Format is a kind of file that can be written.
type Format struct {
	Extension string
	Name      string
	Single    bool // a file holds one layer, which is to be chosen; else all there is a place for
	Tracks    bool // it holds positions with times alone, as lines
}

// Formats are all kinds of files that Create makes.
func Formats() []Format {
	return []Format{
		{Extension: ".csv", Name: "CSV", Single: true},
		{Extension: ".geojson", Name: "GeoJSON"},
		{Extension: ".gpkg", Name: "GeoPackage"},
		{Extension: ".gpx", Name: "GPX", Tracks: true},
		{Extension: ".kml", Name: "KML", Tracks: true},
		{Extension: ".mfjson", Name: "MF-JSON", Tracks: true},
		{Extension: ".parquet", Name: "GeoParquet", Single: true},
		{Extension: ".zip", Name: "Shapefile"}, // the parts of which need one file around them
	}
}

// Extensions are those of all formats, for people.
func Extensions() string {
	var all []string
	for _, f := range Formats() {
		all = append(all, f.Extension)
	}
	return strings.Join(all, ", ")
}

// formatOf is the format of an extension.
func formatOf(ext string) (Format, bool) {
	ext = strings.ToLower(ext)
	if ext == ".json" {
		ext = ".geojson"
	}
	for _, f := range Formats() {
		if f.Extension == ext {
			return f, true
		}
	}
	return Format{}, false
}

// Known reports whether Create takes a file of this name, or CreateAs this
// extension.
func Known(path string) bool {
	_, ok := formatOf(filepath.Ext(path))
	return ok
}

// Create makes a writer for the file at path; its extension chooses the format.
// Formats of a single layer get the points.
func Create(path string, net *roadnet.Network, about About) (Writer, error) {
	return CreateAs(path, filepath.Ext(path), Points, net, about)
}

// CreateAs makes a writer for the file at path in the format of an extension,
// whatever its own is. Layer says what a file of a single layer holds.
func CreateAs(path, ext string, layer Layer, net *roadnet.Network, about About) (Writer, error) {
	format, ok := formatOf(ext)
	if !ok {
		return nil, fmt.Errorf("%s: the extension says no format that can be written (%s)", path, Extensions())
	}
	if format.Extension == ".csv" {
		return CreateCSV(path, layer, net, about)
	}
	all := layers(about)
	if format.Single {
		all = []Layer{layer}
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	if format.Tracks {
		return newOutput(f, recoveredTracks{newTracks(f, format, about)}), nil
	}
	s, err := newSink(f, format, specsOf(all), about)
	if err != nil {
		f.Abort()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return newOutput(f, newLayered(net, all, s)), nil
}

// CreateCSV makes a writer of one layer as a CSV file. Where it comes from is
// said in a file beside it; see [sidecar].
func CreateCSV(path string, layer Layer, net *roadnet.Network, about About) (Writer, error) {
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	e := newCSV(bufio.NewWriter(f), layer, net)
	return &withSidecar{newOutput(f, e), sidecar{path, e.columns, about}}, nil
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
		o.Abort()
		return err
	}
	return o.file.Commit()
}

func (o *output) Abort() {
	if a, ok := o.encoder.(interface{ abort() }); ok {
		a.abort()
	}
	o.file.Abort()
}

// Note says what of the content the format of the file has no room for, and what
// became of it; empty: all is there. It is known when the file is closed.
func (o *output) Note() string {
	e := o.encoder
	if l, ok := e.(*layered); ok {
		if n, ok := l.sink.(interface{ note() string }); ok {
			return n.note()
		}
	}
	return ""
}

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

// Note is the note of a writer that was closed, or of several; see [SampleWriter.Note].
func Note(w Writer) string {
	switch w := w.(type) {
	case interface{ Note() string }:
		return w.Note()
	case All:
		var notes []string
		for _, one := range w {
			if note := Note(one); note != "" {
				notes = append(notes, note)
			}
		}
		return strings.Join(notes, "; ")
	}
	return ""
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
