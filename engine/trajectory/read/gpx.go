package read

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"retrace/engine/trajectory"
)

// maxDepth is how deep XML elements may be nested.
const maxDepth = 64

func isGPX(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(head), []byte("<")) && bytes.Contains(head, []byte("<gpx"))
}

// gpxReader reads one track after another; no more than one is in memory.
type gpxReader struct {
	in     *input
	data   *bounded
	xml    *xml.Decoder
	times  *looseTimes
	tracks int
	track  *trajectory.Trajectory // being read; nil: none
	line   int                    // where it begins
	full   bool                   // the track has reached the limit
	point  gpxPoint
	text   *string // where the characters of the current element go; nil: nowhere
}

// gpxPoint is a point as it stands in the file.
type gpxPoint struct {
	line           int
	lon, lat, time string
}

// readGPX reads the tracks, and the routes if they have times. A track that the
// file breaks off in is kept as far as it goes.
func readGPX(in *input) error {
	r := &gpxReader{in: in, data: newBounded(in.text, in.opt.Limits.Row), times: newLooseTimes(in.opt.Zone)}
	r.xml = xml.NewDecoder(r.data)
	r.xml.CharsetReader = latinReader
	err := r.each()
	if errors.Is(err, errStop) || in.ctx.Err() != nil {
		return err
	}
	if done := r.endTrack(); done != nil {
		return done
	}
	return err
}

func (r *gpxReader) each() error {
	for depth := 0; ; {
		r.data.next()
		token, err := r.xml.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return r.syntax(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if depth++; depth > maxDepth {
				return fmt.Errorf("line %d: elements are nested more than %d deep", r.lineNumber(), maxDepth)
			}
			r.start(token)
		case xml.EndElement:
			depth--
			if err := r.end(token.Name.Local); err != nil {
				return err
			}
		case xml.CharData:
			if r.text != nil && len(*r.text) < 1000 {
				*r.text += string(token)
			}
		}
	}
}

// syntax says in plain words where the XML breaks.
func (r *gpxReader) syntax(err error) error {
	if s, ok := errors.AsType[*xml.SyntaxError](err); ok {
		return fmt.Errorf("line %d: broken XML: %s", s.Line, s.Msg)
	}
	if errors.Is(err, errTooLarge) {
		return fmt.Errorf("line %d: %w of %d bytes", r.lineNumber(), err, r.in.opt.Limits.Row)
	}
	return err
}

func (r *gpxReader) lineNumber() int {
	line, _ := r.xml.InputPos()
	return line
}

func (r *gpxReader) start(e xml.StartElement) {
	r.text = nil
	switch e.Name.Local {
	case "trk", "rte":
		r.tracks++
		r.line = r.lineNumber()
		r.track, r.full = &trajectory.Trajectory{}, false
	case "trkpt", "rtept":
		r.point = gpxPoint{line: r.lineNumber()}
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
}

func (r *gpxReader) end(name string) error {
	r.text = nil
	switch name {
	case "trkpt", "rtept":
		r.endPoint()
	case "trk", "rte":
		return r.endTrack()
	}
	return nil
}

// endPoint adds the point to the track, or says what is wrong with it.
func (r *gpxReader) endPoint() {
	p := r.point
	r.point = gpxPoint{}
	if r.track == nil || r.full {
		return
	}
	s, reason, value := r.sample(p)
	if reason == "" && len(r.track.Samples) == r.in.opt.Limits.Samples {
		reason, r.full = tooMany, true
	}
	if reason != "" {
		r.in.problem(Problem{Line: p.line, Trajectory: strings.TrimSpace(r.track.ID), Reason: reason, Value: value})
		return
	}
	r.track.Samples = append(r.track.Samples, s)
}

func (r *gpxReader) sample(p gpxPoint) (s trajectory.Sample, reason, value string) {
	var ok bool
	if s.Lon, ok = number(strings.TrimSpace(p.lon), false); !ok {
		return s, badLonNumber, p.lon
	}
	if s.Lat, ok = number(strings.TrimSpace(p.lat), false); !ok {
		return s, badLatNumber, p.lat
	}
	if p.time == "" {
		return s, noTime, ""
	}
	if s.Time, ok = r.times.parse(p.time); !ok {
		return s, badTime, p.time
	}
	return s, checkSample(s), p.lon + " " + p.lat + " " + p.time
}

// endTrack hands the track on, if there is one with points.
func (r *gpxReader) endTrack() error {
	t := r.track
	r.track, r.point = nil, gpxPoint{}
	if t == nil || len(t.Samples) == 0 {
		return nil
	}
	if t.ID = strings.TrimSpace(t.ID); t.ID == "" {
		t.ID = r.in.stem()
	}
	return r.in.emit(t, r.line)
}

// latinReader decodes the encodings besides UTF-8 that GPX files come in.
func latinReader(label string, r io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "iso-8859-1", "latin1", "windows-1252", "us-ascii", "ascii":
		return charmap.Windows1252.NewDecoder().Reader(r), nil
	case "utf-16", "utf-16le", "utf-16be": // the byte order mark has been seen to
		return r, nil
	}
	return nil, fmt.Errorf("the encoding %s is not known", label)
}
