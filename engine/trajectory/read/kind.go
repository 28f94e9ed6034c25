package read

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kind is a format of trajectory files.
type Kind string

// The formats that can be read.
const (
	CSV        Kind = "CSV"
	Porto      Kind = "Porto CSV" // TRIP_ID, TIMESTAMP, POLYLINE; a point every 15 s
	PLT        Kind = "PLT"       // of GeoLife and OziExplorer
	GPX        Kind = "GPX"
	KML        Kind = "KML" // also in KMZ, which is an archive
	TCX        Kind = "TCX"
	GeoJSON    Kind = "GeoJSON" // also text sequences, and MF-JSON
	NMEA       Kind = "NMEA 0183"
	FIT        Kind = "FIT"
	GeoPackage Kind = "GeoPackage"
	Shapefile  Kind = "Shapefile"
	Parquet    Kind = "Parquet" // also GeoParquet
	Arrow      Kind = "Arrow IPC"
)

// format is how files of a kind are told and read. To read a new kind, add it to
// formats.
type format struct {
	kind   Kind
	binary bool                   // it is no text
	is     func(head []byte) bool // by the first bytes, as UTF-8 if it is a text
	read   func(*input) error     // emits every trajectory
}

// formats are all formats, the most particular first.
func formats() []format {
	return []format{
		{GeoPackage, true, isGeoPackage, readGeoPackage},
		{Parquet, true, isParquet, readParquet},
		{Arrow, true, isArrow, readArrow},
		{Shapefile, true, isShapefile, readShapefile},
		{FIT, true, isFIT, readFIT},
		{GPX, false, isGPX, readGPX},
		{KML, false, isKML, readKML},
		{TCX, false, isTCX, readTCX},
		{GeoJSON, false, isGeoJSON, readGeoJSON},
		{NMEA, false, isNMEA, readNMEA},
		{PLT, false, isPLT, readPLT},
		{Porto, false, isPorto, readPorto},
		{CSV, false, isCSV, readCSV},
	}
}

// Kinds are all formats that can be read.
func Kinds() []Kind {
	var kinds []Kind
	for _, f := range formats() {
		kinds = append(kinds, f.kind)
	}
	slices.Sort(kinds)
	return kinds
}

// kindNames are the names of all formats.
func kindNames() string {
	var names []string
	for _, k := range Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
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

// format is the format of the input: what its head tells or, where a separator or
// columns were asked for, a table.
func (in *input) format() (format, bool) {
	f, ok := formatOf(in.head)
	asked := in.opt.Dialect != nil || in.opt.Separator != "" || len(in.opt.Columns) > 0
	if !ok && asked && isText(in.head) {
		return format{CSV, false, isCSV, readCSV}, true
	}
	return f, ok
}

// KindOf tells the format by the first bytes of a file, compressed or not
// (64 KiB are enough). It reports false where no reader takes the file; of an
// archive it says nothing.
func KindOf(head []byte) (Kind, bool) {
	in, err := open(&source{ctx: context.Background(), r: bytes.NewReader(head)}, input{opt: Options{}.withDefaults()})
	if err != nil {
		return "", false
	}
	f, ok := formatOf(in.head)
	return f.kind, ok
}

// KindOfFile tells the format of the file at path, as [KindOf] does, also where
// an XML file begins with long comments.
func KindOfFile(path string) (Kind, bool) {
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	in, err := open(&source{ctx: context.Background(), r: f}, input{opt: Options{}.withDefaults()})
	if err != nil {
		return "", false
	}
	kind, ok := formatOf(in.head)
	return kind.kind, ok
}

// peekHead is the first bytes of a text; of an XML file that begins with comments
// longer than that, those behind the comments.
func (in *input) peekHead() ([]byte, error) {
	for size := headSize; ; {
		head, err := in.text.Peek(size)
		behind, open := cutProlog(head)
		if !open || len(head) < size || size >= in.opt.Limits.Row {
			if size > headSize {
				head = behind[:min(len(behind), headSize)]
			}
			return head, err
		}
		size *= 2
		in.text = bufio.NewReaderSize(in.text, size)
	}
}

// cutProlog cuts declarations and comments off the beginning of an XML file; open
// says that the head ends before they do. Anything else it leaves as it is.
func cutProlog(head []byte) (rest []byte, open bool) {
	for rest = head; ; {
		rest = bytes.TrimLeft(rest, " \t\r\n")
		end := ""
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(rest, []byte("<?")):
			end = "?>"
		default:
			return rest, len(rest) == 0 && len(head) > 0 || len(rest) < 4 && bytes.HasPrefix([]byte("<!--"), rest)
		}
		i := bytes.Index(rest, []byte(end))
		if i < 0 {
			return rest, true
		}
		rest = rest[i+len(end):]
	}
}

// isCSV takes any text in which a table can be found.
func isCSV(head []byte) bool { return isText(head) && isTable(head) }

// isText reports whether a head is of characters, but not of XML.
func isText(head []byte) bool {
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
	return bad <= len(head)/100
}
