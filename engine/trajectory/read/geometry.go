package read

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/twpayne/go-geom"
	"github.com/twpayne/go-geom/encoding/wkt"
)

// vertex is one position of a geometry, with its time where it has one.
type vertex struct {
	x, y float64
	when string
}

// shape is a geometry as far as trajectories are concerned.
type shape struct {
	vertices []vertex
	line     bool // of several positions
	srid     int  // EPSG code; 0: not named
}

var (
	errGeometry = errors.New("the geometry cannot be read")
	errNoLine   = errors.New("the geometry is neither point nor line")
)

// parseGeometry reads a geometry as well-known binary (also with hexadecimal
// digits, also that of PostGIS), as well-known text, or as the text or MF-JSON
// of MobilityDB.
func parseGeometry(b []byte) (shape, error) {
	b = bytes.TrimSpace(b)
	switch {
	case len(b) == 0:
		return shape{}, errors.New("there is no geometry")
	case b[0] <= 1:
		return parseWKB(b)
	case b[0] == '0' && len(b) > 8:
		raw := make([]byte, hex.DecodedLen(len(b)))
		if _, err := hex.Decode(raw, b); err != nil {
			return shape{}, errGeometry
		}
		return parseWKB(raw)
	case b[0] == '{' && bytes.Contains(b, []byte(`"type"`)):
		return parseJSON(b)
	}
	text, srid := cutSRID(string(b))
	if strings.Contains(text, "@") {
		s, err := parseTemporal(text)
		s.srid = srid
		return s, err
	}
	g, err := wkt.Unmarshal(text)
	if err != nil {
		return shape{}, errGeometry
	}
	s, err := shapeOf(g)
	s.srid = srid
	return s, err
}

// cutSRID cuts SRID=4326; off a text.
func cutSRID(text string) (rest string, srid int) {
	head, rest, ok := strings.Cut(text, ";")
	if !ok || !strings.HasPrefix(strings.ToUpper(head), "SRID=") {
		return text, 0
	}
	srid, _ = strconv.Atoi(head[len("SRID="):])
	return rest, srid
}

// shapeOf takes points and lines. Measures that are times are the times of the
// positions.
func shapeOf(g geom.T) (shape, error) {
	s := shape{}
	switch g.(type) {
	case *geom.Point:
	case *geom.LineString, *geom.MultiLineString, *geom.MultiPoint:
		s.line = true
	default:
		return s, errNoLine
	}
	flat, stride, m := g.FlatCoords(), g.Stride(), g.Layout().MIndex()
	for ; len(flat) >= stride && stride >= 2; flat = flat[stride:] {
		v := vertex{x: flat[0], y: flat[1]}
		if m >= 0 {
			v.when = measureTime(flat[m])
		}
		s.vertices = append(s.vertices, v)
	}
	return s, s.finish()
}

// parseTemporal reads a point that moves as MobilityDB writes it:
// [POINT(1 2)@2024-01-02 08:00:00+00, POINT(3 4)@...), also several such in
// braces.
func parseTemporal(text string) (shape, error) {
	s := shape{line: true}
	text = upperASCII(text)
	for text != "" {
		at := strings.Index(text, "POINT")
		if at < 0 {
			break
		}
		place, rest, ok := strings.Cut(text[at:], "@")
		if !ok {
			return s, errGeometry
		}
		end := strings.IndexAny(rest, ",]})")
		if end < 0 {
			end = len(rest)
		}
		g, err := wkt.Unmarshal(strings.TrimSpace(place))
		if err != nil {
			return s, errGeometry
		}
		one, err := shapeOf(g)
		if err != nil {
			return s, err
		}
		v := one.vertices[0]
		v.when = strings.Trim(strings.TrimSpace(rest[:end]), `"'`)
		s.vertices = append(s.vertices, v)
		text = rest[end:]
	}
	if len(s.vertices) == 0 {
		return s, errGeometry
	}
	return s, nil
}

// upperASCII is a text in capitals, as long as before.
func upperASCII(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

// looksLikeGeometry reports whether a value of a text table is a geometry.
func looksLikeGeometry(v string) bool {
	if v == "" {
		return false
	}
	rest, _ := cutSRID(strings.ToUpper(strings.TrimLeft(v[:min(len(v), 200)], "{[( \t")))
	for _, word := range []string{"POINT", "LINESTRING", "MULTIPOINT", "MULTILINESTRING"} {
		if after, ok := strings.CutPrefix(strings.TrimLeft(rest, "{[( "), word); ok && strings.ContainsAny(after[:min(len(after), 5)], "( ZM") {
			return true
		}
	}
	if v[0] == '{' {
		return strings.Contains(v[:min(len(v), 200)], "Moving") || strings.Contains(v[:min(len(v), 200)], `"coordinates"`)
	}
	return len(v) >= 42 && (strings.HasPrefix(v, "01") || strings.HasPrefix(v, "00")) && strings.Trim(v, "0123456789abcdefABCDEF") == ""
}

// latFirst reports whether most geometries of a column can only be meant with the
// latitude first: their second number is no latitude.
func latFirst(rows [][]string, column int) bool {
	first, all := 0, 0
	for _, row := range rows {
		if column >= len(row) || row[column] == "" {
			continue
		}
		s, err := parseGeometry([]byte(row[column]))
		if err != nil || s.srid != 0 && s.srid != 4326 {
			continue
		}
		all++
		v := s.vertices[0]
		if math.Abs(v.y) > 90 && math.Abs(v.y) <= 180 && math.Abs(v.x) <= 90 {
			first++
		}
	}
	return first*2 > all
}

// holdsLines reports whether the first geometry of a column that can be read is of
// several positions.
func holdsLines(rows [][]string, column int) bool {
	for _, row := range rows {
		if column >= len(row) {
			continue
		}
		if s, err := parseGeometry([]byte(row[column])); err == nil {
			return s.line
		}
	}
	return false
}

// geometryColumn is the column of most geometries; -1: none.
func geometryColumn(rows [][]string, width int) int {
	for i := range width {
		found, all := 0, 0
		for _, row := range rows {
			if i < len(row) && row[i] != "" {
				all++
				if looksLikeGeometry(row[i]) {
					found++
				}
			}
		}
		if found > 0 && found*2 > all {
			return i
		}
	}
	return -1
}
