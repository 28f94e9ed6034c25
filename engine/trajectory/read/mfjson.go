package read

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/tidwall/gjson"
)

// moving is a point that moves, as MF-JSON writes it, or as MobilityDB and
// MovingPandas do.
type moving struct {
	kind                        string // its type
	coordinates, datetimes, crs gjson.Result
	sequences, prisms           gjson.Result // lists of such
}

// movingOf reads a point that moves; nil where it is none.
func movingOf(v gjson.Result) *moving {
	if !v.IsObject() {
		return nil
	}
	m := &moving{}
	v.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "type":
			m.kind = value.Str
		case "coordinates":
			m.coordinates = value
		case "datetimes":
			m.datetimes = value
		case "crs":
			m.crs = value
		case "sequences":
			m.sequences = value
		case "prisms":
			m.prisms = value
		}
		return true
	})
	return m
}

// isMoving reports whether a type is that of a point that moves, or of several.
func isMoving(kind string) bool {
	switch kind {
	case "MovingPoint", "MovingGeomPoint", "MovingGeogPoint", "MovingGeometryCollection":
		return true
	}
	return false
}

// path is where the point was, and when; the sequences of one follow one another.
func (m *moving) path(depth int) (positions []position, times []string, err error) {
	if depth > maxDepth {
		return nil, nil, errors.New("the sequences are nested too deep")
	}
	for _, parts := range []gjson.Result{m.sequences, m.prisms} {
		for _, v := range parts.Array() {
			part := movingOf(v)
			if part == nil {
				continue
			}
			p, t, err := part.path(depth + 1)
			if err != nil {
				return nil, nil, err
			}
			positions, times = append(positions, p...), append(times, t...)
		}
	}
	if !m.coordinates.Exists() {
		return positions, times, nil
	}
	own, when := appendPositions(nil, m.coordinates), timeList(m.datetimes)
	if one := plainValue(m.datetimes); one != "" { // a single instant
		own, when = []position{positionOf(m.coordinates)}, []string{one}
	}
	if len(when) != len(own) {
		return nil, nil, fmt.Errorf("%d positions, %d times", len(own), len(when))
	}
	return append(positions, own...), append(times, when...), nil
}

// parseJSON reads a geometry that is written as JSON: a point that moves, or a
// plain point.
func parseJSON(b []byte) (shape, error) {
	text := string(b)
	m := movingOf(gjson.Parse(text))
	if m == nil || !gjson.Valid(text) {
		return shape{}, errGeometry
	}
	s := shape{line: true, srid: sridOf(m.crs.Raw)}
	if !isMoving(m.kind) {
		p := positionOf(m.coordinates)
		if m.kind != "Point" || p.bad != "" {
			return s, errNoLine
		}
		s.line, s.vertices = false, []vertex{{x: p.v[0], y: p.v[1]}}
		return s, nil
	}
	positions, times, err := m.path(0)
	if err != nil {
		return s, errors.New("the line has not one time for each position")
	}
	for i, p := range positions {
		if p.bad != "" {
			return s, errGeometry
		}
		s.vertices = append(s.vertices, vertex{x: p.v[0], y: p.v[1], when: times[i]})
	}
	if len(s.vertices) == 0 {
		return s, errGeometry
	}
	return s, nil
}

// sridOf is the EPSG code of a coordinate system as GeoJSON of 2008 and MF-JSON
// name it; 0 where there is none, or WGS 84.
func sridOf(crs string) int {
	code := regexp.MustCompile(`EPSG:+(\d{1,6})"`).FindStringSubmatch(crs)
	if code == nil {
		return 0
	}
	n, _ := strconv.Atoi(code[1])
	if n == 4326 {
		return 0
	}
	return n
}
