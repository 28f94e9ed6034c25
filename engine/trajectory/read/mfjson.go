package read

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
)

// moving is a point that moves, as MF-JSON writes it, or as MobilityDB and
// MovingPandas do.
type moving struct {
	Type        string          `json:"type"`
	Coordinates json.RawMessage `json:"coordinates"`
	Datetimes   json.RawMessage `json:"datetimes"`
	Sequences   []moving        `json:"sequences"`
	Prisms      []moving        `json:"prisms"`
	CRS         json.RawMessage `json:"crs"`
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
	for _, parts := range [][]moving{m.Sequences, m.Prisms} {
		for i := range parts {
			p, t, err := parts[i].path(depth + 1)
			if err != nil {
				return nil, nil, err
			}
			positions, times = append(positions, p...), append(times, t...)
		}
	}
	if len(m.Coordinates) == 0 {
		return positions, times, nil
	}
	var own []position
	when := timeList(m.Datetimes)
	if one := plainValue(m.Datetimes); one != "" { // a single instant
		when = []string{one}
		own = make([]position, 1)
		_ = json.Unmarshal(m.Coordinates, &own[0]) // says itself what is bad
	} else if err := json.Unmarshal(m.Coordinates, &own); err != nil {
		return nil, nil, err
	}
	if len(when) != len(own) {
		return nil, nil, fmt.Errorf("%d positions, %d times", len(own), len(when))
	}
	return append(positions, own...), append(times, when...), nil
}

// parseJSON reads a geometry that is written as JSON: a point that moves, or a
// plain point.
func parseJSON(b []byte) (shape, error) {
	var m moving
	if err := json.Unmarshal(b, &m); err != nil {
		return shape{}, errGeometry
	}
	s := shape{line: true, srid: sridOf(m.CRS)}
	if !isMoving(m.Type) {
		var p position
		if m.Type != "Point" || json.Unmarshal(m.Coordinates, &p) != nil || p.bad != "" {
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
func sridOf(crs json.RawMessage) int {
	code := regexp.MustCompile(`EPSG:+(\d{1,6})"`).FindSubmatch(crs)
	if code == nil {
		return 0
	}
	n, _ := strconv.Atoi(string(code[1]))
	if n == 4326 {
		return 0
	}
	return n
}
