package osmimport

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"

	"google.golang.org/protobuf/encoding/protowire"
)

// format is how an extract is written.
type format uint8

const (
	formatUnknown format = iota
	formatPBF
	formatXML
	formatGzip
	formatBzip2
)

// String is the format in words.
func (f format) String() string {
	return [...]string{"unknown", "pbf", "xml", "xml gzip", "xml bzip2"}[f]
}

// headSize is how many bytes of a file tell its format.
const headSize = 512

// IsExtract tells by the first bytes of a file (512 are enough) whether it is
// an extract that Import may be able to read.
func IsExtract(head []byte) bool { return formatOf(head) != formatUnknown }

// formatOf tells the format by the first bytes.
func formatOf(head []byte) format {
	switch {
	case isPBF(head):
		return formatPBF
	case bytes.HasPrefix(head, []byte("BZh")) && len(head) > 10 && string(head[4:10]) == "1AY&SY":
		return formatBzip2
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}) && isXML(gunzipHead(head)):
		return formatGzip
	case isXML(head):
		return formatXML
	}
	return formatUnknown
}

// isPBF tells a PBF file by the header of its first block.
func isPBF(head []byte) bool {
	if len(head) < 4 {
		return false
	}
	n := int(binary.BigEndian.Uint32(head))
	if n < 4 || n > maxBlobHeader {
		return false
	}
	num, typ, size := protowire.ConsumeTag(head[4:])
	if size < 0 || num != 1 || typ != protowire.BytesType {
		return false
	}
	kind, size := protowire.ConsumeBytes(head[4+size:])
	return size >= 0 && (string(kind) == "OSMHeader" || string(kind) == "OSMData")
}

// gunzipHead unpacks what it can of the start of a gzip file.
func gunzipHead(head []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return nil
	}
	out := make([]byte, 4*headSize)
	n, _ := io.ReadFull(r, out)
	return out[:n]
}

// isXML tells an OSM XML file by its first element. Where the head ends before
// that (long comments), it may be one.
func isXML(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	prolog := false
	for {
		head = bytes.TrimLeft(head, " \t\r\n")
		end := ""
		switch {
		case len(head) == 0:
			return prolog
		case bytes.HasPrefix(head, []byte("<?")):
			end = "?>"
		case bytes.HasPrefix(head, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(head, []byte("<!DOCTYPE osm")):
			return true // to be refused with a better word
		default:
			return bytes.HasPrefix(head, []byte("<osm")) && (len(head) < 5 || bytes.IndexByte([]byte(" \t\r\n/>"), head[4]) >= 0)
		}
		prolog = true
		i := bytes.Index(head, []byte(end))
		if i < 0 {
			return true
		}
		head = head[i+len(end):]
	}
}

// notAnExtract is the refusal of a file of another kind.
func notAnExtract(path string, head []byte) error {
	problem := "not an OpenStreetMap extract"
	switch {
	case len(head) == 0:
		problem = "an empty file"
	case bytes.HasPrefix(head, []byte("PK")):
		problem = "a zip archive"
	case bytes.Contains(head, []byte("<gpx")):
		problem = "a GPX file, which holds trajectories"
	case bytes.Contains(head, []byte("<osmChange")):
		problem = "a file of changes to the map, not the map"
	}
	return &FormatError{Path: path, Problem: problem, Advice: "take a file that ends in .osm.pbf, .osm, .osm.gz or .osm.bz2"}
}
