package read

import "encoding/xml"

func isTCX(head []byte) bool { return isXML(head, "TrainingCenterDatabase") }

// tcxReader reads one activity or course after another.
type tcxReader struct {
	xmlReader
	track *track
	point rawPoint
}

// readTCX reads the track points of activities and courses.
func readTCX(in *input) error {
	r := &tcxReader{xmlReader: newXMLReader(in)}
	err := r.each(r)
	if err != nil && in.opt.Partial && in.ctx.Err() == nil {
		if done := r.finish(r.track); done != nil {
			return done
		}
	}
	return err
}

func (r *tcxReader) start(e xml.StartElement) error {
	switch e.Name.Local {
	case "Activity", "Course":
		r.track = &track{line: r.lineNumber()}
	case "Trackpoint":
		r.point = rawPoint{line: r.lineNumber()}
	case "Id", "Name":
		if r.track != nil && r.track.ID == "" && r.point.line == 0 {
			r.text = &r.track.ID
		}
	case "Time":
		if r.point.line > 0 {
			r.text = &r.point.time
		}
	case "LongitudeDegrees":
		if r.point.line > 0 {
			r.text = &r.point.lon
		}
	case "LatitudeDegrees":
		if r.point.line > 0 {
			r.text = &r.point.lat
		}
	}
	return nil
}

func (r *tcxReader) end(name string) error {
	switch name {
	case "Trackpoint":
		p := r.point
		r.point = rawPoint{}
		if p.lon == "" && p.lat == "" {
			r.in.problem(Problem{Line: p.line, Reason: noPosition, Value: p.time})
			return nil
		}
		return r.add(r.track, p)
	case "Activity", "Course":
		t := r.track
		r.track, r.point = nil, rawPoint{}
		return r.finish(t)
	}
	return nil
}
