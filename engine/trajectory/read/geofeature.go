package read

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"retrace/engine/trajectory"
)

// properties are the properties of a feature, not yet decoded.
type properties map[string]json.RawMessage

// value is the text of the property whose name has the surest claim to a role;
// empty: there is none.
func (p properties) value(r Role) string {
	best, found := math.MaxInt, ""
	for name, raw := range p {
		n := rank(name, r)
		if n < 0 || n > best || n == best && name > found {
			continue
		}
		if plainValue(raw) != "" {
			best, found = n, name
		}
	}
	if found == "" {
		return ""
	}
	return plainValue(p[found])
}

// plainValue is the text of a string or number; empty for anything else.
func plainValue(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return ""
	}
	if raw[0] == '"' {
		var s string
		_ = json.Unmarshal(raw, &s)
		return s
	}
	if raw[0] == '-' || isDigit(raw[0]) {
		return string(raw)
	}
	return ""
}

// position is a GeoJSON position: longitude, latitude, perhaps height and
// perhaps a time.
type position struct {
	v   [4]float64
	n   int
	bad string // its text, where it is no list of numbers
}

// UnmarshalJSON takes anything; what is no position is marked as bad.
func (p *position) UnmarshalJSON(b []byte) error {
	inner := bytes.TrimSpace(b)
	*p = position{bad: shorten(string(inner))}
	if len(inner) < 2 || inner[0] != '[' {
		return nil
	}
	for field := range bytes.SplitSeq(inner[1:len(inner)-1], []byte{','}) {
		if p.n == len(p.v) {
			break
		}
		v, err := strconv.ParseFloat(string(bytes.TrimSpace(field)), 64)
		if err != nil {
			return nil
		}
		p.v[p.n] = v
		p.n++
	}
	if p.n >= 2 {
		p.bad = ""
	}
	return nil
}

// feature reads one feature; what is wrong with it is a problem, not an error.
func (r *geoReader) feature(raw json.RawMessage, line int) error {
	var f geoFeature
	if err := json.Unmarshal(raw, &f); err != nil {
		r.in.problem(Problem{Line: line, Reason: "not a GeoJSON feature", Value: err.Error()})
		return nil
	}
	r.seen = true
	if f.Moving == nil && isMoving(f.Type) {
		f.Moving = &moving{Type: f.Type, Coordinates: f.Coordinates, Datetimes: f.Datetimes, Sequences: f.Sequences}
	}
	if f.Moving != nil {
		return r.moving(&f, line)
	}
	if f.Geometry == nil {
		f.Geometry = &geoGeometry{Type: f.Type, Coordinates: f.Coordinates}
	}
	switch f.Geometry.Type {
	case "Point":
		return r.point(&f, line)
	case "LineString", "MultiPoint", "MultiLineString":
		return r.lineString(&f, line)
	}
	r.in.problem(Problem{Line: line, Reason: "the geometry is neither point nor line", Value: f.Geometry.Type})
	return nil
}

// name is the id of a feature's trajectory; empty: none is given.
func (f *geoFeature) name() string {
	if id := f.Properties.value(TrajectoryID); id != "" {
		return id
	}
	if f.Geometry == nil || f.Geometry.Type != "Point" {
		return plainValue(f.ID)
	}
	return ""
}

// point adds a point to its trajectory: that of its id, else of its vehicle,
// else the one of the whole file.
func (r *geoReader) point(f *geoFeature, line int) error {
	id, vehicle := f.name(), f.Properties.value(VehicleID)
	if id == "" {
		id = vehicle
	}
	if id == "" {
		id = r.in.stem()
	}
	var p position
	_ = json.Unmarshal(f.Geometry.Coordinates, &p) // says itself what is bad
	s, reason, value := r.sample(p, f.Properties.value(Time))
	if reason != "" {
		r.in.problem(Problem{Line: line, Trajectory: id, Reason: reason, Value: value})
		return nil
	}
	return r.points.add([]byte(id), []byte(vehicle), s, line)
}

func (r *geoReader) sample(p position, when string) (s trajectory.Sample, reason, value string) {
	if p.n < 2 || p.bad != "" {
		return s, "the position cannot be read", p.bad
	}
	s.Lon, s.Lat = r.in.projection.apply(p.v[0], p.v[1])
	if when == "" {
		return s, noTime, ""
	}
	var ok bool
	if s.Time, ok = r.times.parse(when); !ok {
		return s, badTime, when
	}
	return s, checkSample(s), fmt.Sprintf("%v %v %s", s.Lon, s.Lat, when)
}

// lineString reads a line with a time for each position.
func (r *geoReader) lineString(f *geoFeature, line int) error {
	positions, err := f.Geometry.positions()
	if err != nil {
		r.in.problem(Problem{Line: line, Trajectory: f.lineName(r.in), Reason: "the coordinates cannot be read", Value: err.Error()})
		return nil
	}
	return r.path(f, positions, f.Properties.times(positions), line)
}

// moving reads a point that moves.
func (r *geoReader) moving(f *geoFeature, line int) error {
	if code := sridOf(f.Moving.CRS); code != 0 {
		if err := r.system(f.Moving.CRS); err != nil {
			r.in.problem(Problem{Line: line, Reason: "the coordinate system cannot be taken", Value: err.Error()})
			return nil
		}
	}
	positions, times, err := f.Moving.path(0)
	if err != nil {
		r.in.problem(Problem{Line: line, Trajectory: f.lineName(r.in), Reason: "the line has not one time for each position", Value: err.Error()})
		return nil
	}
	return r.path(f, positions, times, line)
}

// lineName is the name of a line's trajectory.
func (f *geoFeature) lineName(in *input) string {
	for _, name := range []string{f.name(), f.Properties.value(VehicleID)} {
		if name != "" {
			return name
		}
	}
	return in.stem()
}

// path reads the positions of a trajectory with their times.
func (r *geoReader) path(f *geoFeature, positions []position, times []string, line int) error {
	t := &trajectory.Trajectory{ID: f.lineName(r.in), Vehicle: f.Properties.value(VehicleID)}
	if len(times) != len(positions) {
		r.in.problem(Problem{Line: line, Trajectory: t.ID, Reason: "the line has not one time for each position",
			Value: fmt.Sprintf("%d positions, %d times", len(positions), len(times))})
		return nil
	}
	for i, p := range positions {
		s, reason, value := r.sample(p, times[i])
		if reason == "" && len(t.Samples) == r.in.opt.Limits.Samples {
			r.in.problem(Problem{Line: line, Trajectory: t.ID, Reason: tooMany})
			break
		}
		if reason != "" {
			r.in.problem(Problem{Line: line, Trajectory: t.ID, Reason: reason, Value: value})
			continue
		}
		t.Samples = append(t.Samples, s)
		if err := r.in.spend(); err != nil {
			return err
		}
	}
	if len(t.Samples) == 0 {
		return nil
	}
	return r.in.emit(t, line)
}

// positions are those of a line, or of several lines end to end.
func (g *geoGeometry) positions() ([]position, error) {
	if g.Type != "MultiLineString" {
		var line []position
		err := json.Unmarshal(g.Coordinates, &line)
		return line, err
	}
	var lines [][]position
	err := json.Unmarshal(g.Coordinates, &lines)
	return slices.Concat(lines...), err
}

// times are the times of a line's positions, from the properties that other
// programs write them to, else from the fourth number of each position.
func (p properties) times(positions []position) []string {
	sources := []json.RawMessage{p["coordTimes"], p["times"], p["timestamps"], p["time"]}
	var nested struct{ Times, CoordTimes json.RawMessage }
	if json.Unmarshal(p["coordinateProperties"], &nested) == nil {
		sources = append(sources, nested.Times, nested.CoordTimes)
	}
	for _, raw := range sources {
		if times := timeList(raw); len(times) > 0 {
			return times
		}
	}
	var times []string
	for _, q := range positions {
		if q.n == 4 {
			times = append(times, strconv.FormatFloat(q.v[3], 'f', -1, 64))
		}
	}
	return times
}

// timeList is a list of times, or of lists of times, in a row.
func timeList(raw json.RawMessage) []string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var times []string
	for _, v := range list {
		if bytes.HasPrefix(bytes.TrimSpace(v), []byte("[")) {
			times = append(times, timeList(v)...)
		} else {
			times = append(times, plainValue(v))
		}
	}
	return times
}
