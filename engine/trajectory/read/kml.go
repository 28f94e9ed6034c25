package read

import (
	"encoding/xml"
	"strings"

	"retrace/engine/trajectory"
)

func isKML(head []byte) bool { return isXML(head, "kml") }

// kmlReader reads one placemark after another. Tracks (gx:Track, also several in
// a gx:MultiTrack) are trajectories; points with a time are grouped by the names
// that they carry, else by their folder.
type kmlReader struct {
	xmlReader
	points  *grouper
	folders []string // names of the folders and documents that are open
	mark    *placemark
	field   string // name of the extended data that is open
}

// placemark is one placemark while it is read.
type placemark struct {
	line         int
	name, folder string
	data         map[string]string // extended data
	when         []string
	coords       []kmlCoord
	text         string // of the element that is open
	point        string // coordinates
	begin        string
	lineString   bool
	inTrack      bool
	pending      string // when or coord that is open
	track        *track
}

// kmlCoord is one position of a track.
type kmlCoord struct {
	line int
	text string
}

func readKML(in *input) error {
	r := &kmlReader{xmlReader: newXMLReader(in), points: newGrouper(in)}
	defer r.points.close()
	err := r.each(r)
	if err != nil && (!in.opt.Partial || in.ctx.Err() != nil) {
		return err
	}
	if done := r.points.emit(); done != nil {
		return done
	}
	return err
}

func (r *kmlReader) start(e xml.StartElement) error {
	switch e.Name.Local {
	case "Folder", "Document":
		r.folders = append(r.folders, "")
	case "Placemark":
		r.mark = &placemark{line: r.lineNumber(), data: map[string]string{}}
		if n := len(r.folders); n > 0 {
			r.mark.folder = strings.TrimSpace(r.folders[n-1])
		}
	case "name":
		if r.mark != nil && r.mark.name == "" {
			r.text = &r.mark.name
		} else if n := len(r.folders); r.mark == nil && n > 0 && r.folders[n-1] == "" {
			r.text = &r.folders[n-1]
		}
	}
	if r.mark != nil {
		r.inMark(e)
	}
	return nil
}

// inMark takes what belongs to the placemark that is open.
func (r *kmlReader) inMark(e xml.StartElement) {
	m := r.mark
	switch e.Name.Local {
	case "Track":
		m.inTrack, m.when, m.coords = true, m.when[:0], m.coords[:0]
	case "when", "coord":
		m.pending = ""
		r.text = &m.pending
		if !m.inTrack && e.Name.Local == "when" {
			r.text = &m.begin
		}
		if e.Name.Local == "coord" {
			m.coords = append(m.coords, kmlCoord{line: r.lineNumber()})
		}
	case "begin":
		r.text = &m.begin
	case "LineString", "Polygon":
		m.lineString = true
	case "coordinates":
		if !m.lineString {
			r.text = &m.point
		}
	case "Data", "SimpleData":
		for _, a := range e.Attr {
			if a.Name.Local == "name" {
				r.field = a.Value
			}
		}
		if e.Name.Local == "SimpleData" {
			m.text = ""
			r.text = &m.text
		}
	case "value":
		m.text = ""
		r.text = &m.text
	}
}

func (r *kmlReader) end(name string) error {
	m := r.mark
	switch {
	case name == "Folder" || name == "Document":
		if n := len(r.folders); n > 0 {
			r.folders = r.folders[:n-1]
		}
	case m == nil:
	case name == "when" && m.inTrack:
		m.when = append(m.when, strings.TrimSpace(m.pending))
	case name == "coord" && len(m.coords) > 0:
		m.coords[len(m.coords)-1].text = m.pending
	case name == "Track":
		m.inTrack = false
		return r.endTrack()
	case (name == "value" || name == "SimpleData") && r.field != "" && len(m.data) < maxWidth:
		m.data[r.field] = strings.TrimSpace(m.text)
		r.field = ""
	case name == "Placemark":
		r.mark = nil
		return r.endMark(m)
	}
	return nil
}

// endTrack adds the positions of a track, whose times stand apart from them.
func (r *kmlReader) endTrack() error {
	m := r.mark
	if m.track == nil {
		m.track = &track{line: m.line, Trajectory: trajectory.Trajectory{ID: m.value(TrajectoryID), Vehicle: m.value(VehicleID)}}
		if m.track.ID == "" {
			m.track.ID = strings.TrimSpace(m.name)
		}
	}
	for i, c := range m.coords {
		p := rawPoint{line: c.line}
		if i < len(m.when) {
			p.time = m.when[i]
		}
		fields := strings.Fields(c.text)
		if len(fields) == 0 { // the standard allows it where there was no fix
			r.in.problem(Problem{Line: c.line, Trajectory: m.track.ID, Reason: noPosition, Value: p.time})
			continue
		}
		p.lon = fields[0]
		if len(fields) > 1 {
			p.lat = fields[1]
		}
		if err := r.add(m.track, p); err != nil {
			return err
		}
	}
	return nil
}

// value is what the placemark says of a role.
func (m *placemark) value(role Role) string {
	best, found := -1, ""
	for name, v := range m.data {
		if n := rank(name, role); n >= 0 && v != "" && (best < 0 || n < best || n == best && name < found) {
			best, found = n, name
		}
	}
	return m.data[found]
}

// endMark hands on the track of a placemark, or takes its point.
func (r *kmlReader) endMark(m *placemark) error {
	switch {
	case m.track != nil:
		if m.track.ID == "" {
			m.track.ID = m.folder
		}
		return r.finish(m.track)
	case m.lineString:
		r.in.problem(Problem{Line: m.line, Trajectory: strings.TrimSpace(m.name), Reason: "the line has not one time for each position"})
		return nil
	case m.point == "":
		return nil
	}
	p := rawPoint{line: m.line, time: strings.TrimSpace(m.begin)}
	if p.time == "" {
		p.time = m.value(Time)
	}
	p.lon, p.lat, _ = strings.Cut(strings.TrimSpace(m.point), ",")
	p.lat, _, _ = strings.Cut(p.lat, ",")
	id, vehicle := m.value(TrajectoryID), m.value(VehicleID)
	for _, name := range []string{vehicle, m.folder, r.in.stem()} {
		if id == "" {
			id = name
		}
	}
	s, reason, value := r.sample(p)
	if reason != "" {
		r.in.problem(Problem{Line: m.line, Trajectory: id, Reason: reason, Value: value})
		return nil
	}
	return r.points.add([]byte(id), []byte(vehicle), s, m.line)
}
