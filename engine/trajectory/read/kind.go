package read

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"unicode/utf8"
)

// Kind is a format of trajectory files.
type Kind string

// The formats that can be read.
const (
	CSV     Kind = "CSV"
	Porto   Kind = "Porto CSV" // TRIP_ID, TIMESTAMP, POLYLINE; a point every 15 s
	GPX     Kind = "GPX"
	GeoJSON Kind = "GeoJSON" // also one feature a line
)

// format is how files of a kind are told and read. To read a new kind, add it to
// formats.
type format struct {
	kind Kind
	is   func(head []byte) bool // by the first bytes, as UTF-8
	read func(*input) error     // emits every trajectory
}

// formats are all formats, the most particular first.
func formats() []format {
	return []format{
		{GPX, isGPX, readGPX},
		{GeoJSON, isGeoJSON, readGeoJSON},
		{Porto, isPorto, readPorto},
		{CSV, isCSV, readCSV},
	}
}

// formatOf is the format that a head belongs to.
func formatOf(head []byte) (format, bool) {
	for _, f := range formats() {
		if f.is(head) {
			return f, true
		}
	}
	return format{}, false
}

// KindOf tells the format by the first bytes of a file, compressed or not
// (64 KiB are enough). It reports false where no reader takes the file.
func KindOf(head []byte) (Kind, bool) {
	r := bufio.NewReaderSize(bytes.NewReader(head), headSize)
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(r)
		if err != nil {
			return "", false
		}
		r = bufio.NewReaderSize(z, headSize)
	}
	// The head of a compressed file ends within a block: what comes before
	// its end is enough.
	plain, _ := io.ReadAll(io.LimitReader(decoded(r), headSize))
	f, ok := formatOf(plain)
	return f.kind, ok
}

// isCSV takes any text in which a table can be found.
func isCSV(head []byte) bool {
	if bytes.IndexByte(head, 0) >= 0 || bytes.HasPrefix(bytes.TrimSpace(head), []byte("<")) {
		return false
	}
	bad := 0
	for rest := head; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if r < ' ' && r != '\t' && r != '\r' && r != '\n' {
			bad++
		}
		rest = rest[n:]
	}
	if bad > len(head)/100 {
		return false
	}
	g, _ := guessDialect(head)
	return g != nil
}
