package osmimport

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"io"
	"regexp"

	"google.golang.org/protobuf/encoding/protowire"

	"retrace/internal/filehead"
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
// an extract that Import may be able to read. An XML file of another kind that
// begins with a comment longer than that passes for one; see [IsExtractFile].
func IsExtract(head []byte) bool { return formatOf(head) != formatUnknown }

// IsExtractFile tells whether the file at path is an extract that Import may be
// able to read. It reads no more than the beginning, and the comments there.
func IsExtractFile(path string) bool {
	head, err := filehead.Read(path, headSize)
	if err != nil {
		return false
	}
	kind := formatOf(head)
	if kind == formatUnknown || kind == formatPBF || bytes.Contains(head, []byte("<osm")) {
		return kind != formatUnknown
	}
	name, err := rootOf(path, kind)
	return name == "osm" || err != nil && kind != formatXML // a damaged extract is refused with a better word
}

// rootOf is the name of the first element of an XML file.
func rootOf(path string, kind format) (string, error) {
	limits := Limits{}.withDefaults()
	s, err := openXML(context.Background(), path, kind, limits)
	if err != nil {
		return "", err
	}
	defer s.close()
	tag, err := newXMLReader(path, s, limits).next()
	if err != nil {
		return "", err
	}
	return tag.name, nil
}

// Foreign is the refusal of a file that holds OpenStreetMap's data in a way that
// Import does not read, by the first bytes of the file (512 are enough); nil for
// any other file.
func Foreign(path string, head []byte) error {
	if problem, advice := foreign(head); problem != "" {
		return &FormatError{Path: path, Problem: problem, Advice: advice}
	}
	return nil
}

// foreign says what a file is and what to do.
func foreign(head []byte) (problem, advice string) {
	plain := head
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		plain = gunzipHead(head)
	}
	const convert = "turn it into .osm.pbf first: osmium cat FILE -o FILE.osm.pbf"
	switch {
	case bytes.HasPrefix(plain, []byte{0xff, 0xe0, 0x04, 'o', '5', 'm', '2'}):
		return "an OpenStreetMap extract in the format o5m, which is not read", convert
	case bytes.HasPrefix(plain, []byte{0xff, 0xe0, 0x04, 'o', '5', 'c', '2'}):
		return "changes to OpenStreetMap in the format o5c, not the map", changes
	case oplLine.Match(plain):
		return "an OpenStreetMap extract in the format OPL, which is not read", convert
	case bytes.Contains(plain, []byte("<osmChange")):
		return "a file of changes to OpenStreetMap (.osc), not the map", changes
	}
	return "", ""
}

const changes = "take the extract that they belong to; osmium apply-changes brings it up to date"

// oplLine is the first line of a file in OPL: an object and its attributes.
var oplLine = regexp.MustCompile(`^[nwr]-?\d+( [vdctiuTxyNM]\S*){2,}`)

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
	}
	advice := "take a file that ends in .osm.pbf, .osm, .osm.gz or .osm.bz2"
	if known, instead := foreign(head); known != "" {
		problem, advice = known, instead
	}
	return &FormatError{Path: path, Problem: problem, Advice: advice}
}
