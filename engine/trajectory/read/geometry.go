package read

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/twpayne/go-geom"
	"github.com/twpayne/go-geom/encoding/ewkb"
	"github.com/twpayne/go-geom/encoding/wkb"
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

func parseWKB(b []byte) (shape, error) {
	if len(b) < 9 {
		return shape{}, errGeometry
	}
	order := binary.ByteOrder(binary.LittleEndian)
	if b[0] == 0 {
		order = binary.BigEndian
	}
	var g geom.T
	var err error
	if order.Uint32(b[1:])&0xe0000000 != 0 {
		g, err = ewkb.Unmarshal(b)
	} else {
		g, err = wkb.Unmarshal(b)
	}
	if err != nil {
		return shape{}, errGeometry
	}
	s, err := shapeOf(g)
	s.srid = g.SRID()
	return s, err
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
			if _, ok := epochUnit(flat[m]); ok {
				v.when = strconv.FormatFloat(flat[m], 'f', -1, 64)
			}
		}
		s.vertices = append(s.vertices, v)
	}
	if len(s.vertices) == 0 || math.IsNaN(s.vertices[0].x) {
		return s, errors.New("the geometry is empty")
	}
	if len(s.vertices) == 1 {
		s.line = false
	}
	return s, nil
}

// parseTemporal reads a point that moves as MobilityDB writes it:
// [POINT(1 2)@2024-01-02 08:00:00+00, POINT(3 4)@...), also several such in
// braces.
func parseTemporal(text string) (shape, error) {
	s := shape{line: true}
	for text != "" {
		at := strings.Index(strings.ToUpper(text), "POINT")
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
