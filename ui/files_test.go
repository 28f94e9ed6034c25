package ui

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
)

// A town of 8 by 8 streets, 200 m apart, in the open sea.
const (
	townLon, townLat = -20.0, 30.0
	townStep         = 0.002 // degrees
	townSide         = 8
)

// townExtract writes the town as an OSM XML file.
func townExtract(t *testing.T, dir string) string {
	t.Helper()
	return townAt(t, dir, townLon, townLat)
}

// townAt writes the town with its lower left corner at a place.
func townAt(t *testing.T, dir string, lon, lat float64) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><osm version="0.6">` + "\n")
	node := func(x, y int) int { return 1 + y*townSide + x }
	for y := range townSide {
		for x := range townSide {
			fmt.Fprintf(&b, `<node id="%d" version="1" lat="%.7f" lon="%.7f"/>`+"\n", node(x, y), lat+float64(y)*townStep, lon+float64(x)*townStep)
		}
	}
	for i := range townSide {
		for way, at := range map[int]func(j int) int{
			100 + i: func(j int) int { return node(j, i) },
			200 + i: func(j int) int { return node(i, j) },
		} {
			fmt.Fprintf(&b, `<way id="%d" version="1">`, way)
			for j := range townSide {
				fmt.Fprintf(&b, `<nd ref="%d"/>`, at(j))
			}
			fmt.Fprintf(&b, `<tag k="highway" v="residential"/><tag k="name" v="Street %d"/></way>`+"\n", way)
		}
	}
	b.WriteString("</osm>\n")
	return write(t, filepath.Join(dir, "town.osm"), b.String())
}

// townTrips writes n trips eastward, each along its own street, a point a
// minute, with one row that cannot be read.
func townTrips(t *testing.T, dir string, n int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("trajectory,time,lon,lat\n")
	for i := range n {
		for j := range 5 {
			fmt.Fprintf(&b, "bus %d,2024-05-06T10:%02d:00Z,%.6f,%.6f\n", i+1, i%50+j,
				townLon+float64(j)*1.6*townStep, townLat+float64(i%townSide)*townStep+0.00003)
		}
	}
	b.WriteString("bus 1,yesterday,nowhere,0\n")
	return write(t, filepath.Join(dir, "trips.csv"), b.String())
}

func write(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// drop drops files on the window.
func (s *stage) drop(paths ...string) {
	var uris []fyne.URI
	for _, p := range paths {
		uris = append(uris, storage.NewFileURI(p))
	}
	s.dropped(fyne.NewPos(500, 300), uris)
}

// writeLarge writes a table of trips of at least so many bytes.
func writeLarge(b *testing.B, path string, size int) {
	b.Helper()
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	fmt.Fprintln(w, "trip,time,lon,lat")
	for n, i := 0, 0; n < size; i++ {
		k, _ := fmt.Fprintf(w, "%d,2024-05-06 10:%02d:%02d,%.6f,%.6f\n", i/100, i/60%60, i%60, townLon+float64(i%100)*1e-5, townLat)
		n += k
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
}
