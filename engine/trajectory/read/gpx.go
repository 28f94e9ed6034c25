package read

import (
	"encoding/xml"
)

func isGPX(head []byte) bool { return isXML(head, "gpx") }

// gpxReader reads one track after another; no more than one is in memory.
type gpxReader struct {
	xmlReader
	track *track // being read; nil: none
	point rawPoint
}

// readGPX reads the tracks of GPX 1.0 and 1.1, and the routes if they have times.
func readGPX(in *input) error {
	r := &gpxReader{xmlReader: newXMLReader(in)}
	err := r.each(r)
	if err != nil && in.opt.Partial && in.ctx.Err() == nil {
		if done := r.finish(r.track); done != nil {
			return done
		}
	}
	return err
}

func (r *gpxReader) start(e xml.StartElement) error {
	switch e.Name.Local {
	case "trk", "rte":
		r.track = &track{line: r.lineNumber()}
	case "trkpt", "rtept":
		r.point = rawPoint{line: r.lineNumber()}
		for _, a := range e.Attr {
			switch a.Name.Local {
			case "lon":
				r.point.lon = a.Value
			case "lat":
				r.point.lat = a.Value
			}
		}
	case "wpt":
		r.in.problem(Problem{Line: r.lineNumber(), Reason: "a waypoint, not part of a track"})
	case "time":
		if r.point.line > 0 && r.point.time == "" {
			r.text = &r.point.time
		}
	case "name":
		if r.track != nil && r.point.line == 0 && r.track.ID == "" {
			r.text = &r.track.ID
		}
	}
	return nil
}

func (r *gpxReader) end(name string) error {
	switch name {
	case "trkpt", "rtept":
		p := r.point
		r.point = rawPoint{}
		return r.add(r.track, p)
	case "trk", "rte":
		t := r.track
		r.track, r.point = nil, rawPoint{}
		return r.finish(t)
	}
	return nil
}
