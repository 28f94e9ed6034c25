// Package write writes recoveries: points, driven paths, spans on elevated
// roads and counts by link, as CSV, GeoJSON, GPX and GeoPackage.
//
// Everything is streamed. A file is written beside its final name, synced and
// renamed when complete, so that a partial output never stands under its final
// name.
package write

import (
	"fmt"
	"io"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Writer takes recoveries one after another. It is used by one goroutine at a
// time. After Close or Abort it is of no further use.
type Writer interface {
	// Write adds one recovery.
	Write(t *trajectory.Trajectory, r *trajectory.Recovery) error
	// Close writes what is left, syncs the file and gives it its final name.
	Close() error
	// Abort leaves nothing behind. After Close it does nothing.
	Abort()
}

// About says where recoveries come from. Formats that have a place for it carry
// it.
type About struct {
	Network  roadnet.Info
	Method   string
	Settings string // canonical text
	Version  string // of Retrace
}

// Layer is one table of an output.
type Layer string

// The layers.
const (
	Points Layer = "points"
	Path   Layer = "path"
	Spans  Layer = "spans"
	Links  Layer = "links"
)

// Create makes a writer for the file at path; its extension chooses the format:
// .csv (points only), .geojson, .gpx (points only) or .gpkg.
func Create(path string, net *roadnet.Network, about About) (Writer, error) {
	return nil, fmt.Errorf("not yet")
}

// CreateCSV makes a writer of one layer as a CSV file.
func CreateCSV(path string, layer Layer, net *roadnet.Network) (Writer, error) {
	return nil, fmt.Errorf("not yet")
}

// StreamCSV makes a writer of one layer as CSV that goes to w at once.
func StreamCSV(w io.Writer, layer Layer, net *roadnet.Network) (Writer, error) {
	return nil, fmt.Errorf("not yet")
}
