package read

import (
	"fmt"
	"strconv"

	"github.com/tidwall/gjson"

	"retrace/engine/trajectory"
)

// feature reads one feature; what is wrong with it is a problem, not an error.
func (r *geoReader) feature(raw []byte, line int) error {
	f, ok := r.parse(raw)
	if !ok {
		r.in.problem(Problem{Line: line, Reason: "not a GeoJSON feature", Value: string(raw)})
		return nil
	}
	r.seen = true
	if f.moving != nil {
		return r.moving(&f, line)
	}
	switch f.geometry.kind {
	case "Point":
		return r.point(&f, line)
	case "LineString", "MultiPoint", "MultiLineString":
		return r.lineString(&f, line)
	}
	r.in.problem(Problem{Line: line, Reason: "the geometry is neither point nor line", Value: f.geometry.kind})
	return nil
}

// name is the id of a feature's trajectory; empty: none is given.
func (f *geoFeature) name() string {
	if id := f.properties.value(TrajectoryID); id != "" {
		return id
	}
	if f.geometry.kind != "Point" {
		return plainValue(f.id)
	}
	return ""
}

// point adds a point to its trajectory: that of its id, else of its vehicle,
// else the one of the whole file.
func (r *geoReader) point(f *geoFeature, line int) error {
	id, vehicle := f.name(), f.properties.value(VehicleID)
	if id == "" {
		id = vehicle
	}
	if id == "" {
		id = r.in.stem()
	}
	s, reason, value := r.sample(positionOf(f.geometry.coordinates), f.properties.value(Time))
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
	s.Lon, s.Lat = r.in.place(p.v[0], p.v[1])
	if when == "" {
		return s, noTime, ""
	}
	var ok bool
	if s.Time, ok = r.times.parse(when); !ok {
		return s, badTime, when
	}
	if reason = checkSample(s); reason != "" {
		value = fmt.Sprintf("%v %v %s", s.Lon, s.Lat, when)
	}
	return s, reason, value
}

// lineString reads a line with a time for each position.
func (r *geoReader) lineString(f *geoFeature, line int) error {
	positions, ok := f.geometry.positions()
	if !ok {
		r.in.problem(Problem{Line: line, Trajectory: f.lineName(r.in), Reason: "the coordinates cannot be read", Value: f.geometry.coordinates.Raw})
		return nil
	}
	return r.path(f, positions, f.properties.times(positions), line)
}

// moving reads a point that moves.
func (r *geoReader) moving(f *geoFeature, line int) error {
	if sridOf(f.moving.crs.Raw) != 0 {
		if err := r.system(f.moving.crs.Raw); err != nil {
			r.in.problem(Problem{Line: line, Reason: "the coordinate system cannot be taken", Value: err.Error()})
			return nil
		}
	}
	positions, times, err := f.moving.path(0)
	if err != nil {
		r.in.problem(Problem{Line: line, Trajectory: f.lineName(r.in), Reason: "the line has not one time for each position", Value: err.Error()})
		return nil
	}
	return r.path(f, positions, times, line)
}

// lineName is the name of a line's trajectory.
func (f *geoFeature) lineName(in *input) string {
	for _, name := range []string{f.name(), f.properties.value(VehicleID)} {
		if name != "" {
			return name
		}
	}
	return in.stem()
}

// path reads the positions of a trajectory with their times.
func (r *geoReader) path(f *geoFeature, positions []position, times []string, line int) error {
	t := &trajectory.Trajectory{ID: f.lineName(r.in), Vehicle: f.properties.value(VehicleID)}
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
func (g *geoGeometry) positions() (list []position, ok bool) {
	if !g.coordinates.IsArray() {
		return nil, false
	}
	if g.kind != "MultiLineString" {
		return appendPositions(nil, g.coordinates), true
	}
	ok = true
	g.coordinates.ForEach(func(_, line gjson.Result) bool {
		ok = line.IsArray()
		list = appendPositions(list, line)
		return ok
	})
	return list, ok
}

func appendPositions(list []position, line gjson.Result) []position {
	line.ForEach(func(_, p gjson.Result) bool {
		list = append(list, positionOf(p))
		return true
	})
	return list
}

// times are the times of a line's positions, from the properties that other
// programs write them to, else from the fourth number of each position.
func (p properties) times(positions []position) []string {
	nested := p.get("coordinateProperties")
	for _, list := range []gjson.Result{p.get("coordTimes"), p.get("times"), p.get("timestamps"), p.get("time"),
		nested.Get("times"), nested.Get("coordTimes")} {
		if times := timeList(list); len(times) > 0 {
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
func timeList(list gjson.Result) []string {
	if !list.IsArray() {
		return nil
	}
	var times []string
	list.ForEach(func(_, v gjson.Result) bool {
		if v.IsArray() {
			times = append(times, timeList(v)...)
		} else {
			times = append(times, plainValue(v))
		}
		return true
	})
	return times
}
