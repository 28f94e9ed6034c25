package read

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding/htmlindex"

	"retrace/engine/trajectory"
)

// maxDepth is how deep XML elements may be nested.
const maxDepth = 64

// xmlReader reads the elements of an XML file one by one. Formats embed it and
// say what they make of an element.
type xmlReader struct {
	in    *input
	data  *bounded
	xml   *xml.Decoder
	times *looseTimes
	text  *string // where the characters of the current element go; nil: nowhere
}

// elements is what a format makes of elements.
type elements interface {
	start(e xml.StartElement) error
	end(name string) error
}

func newXMLReader(in *input) xmlReader {
	r := xmlReader{in: in, data: newBounded(in.text, in.opt.Limits.Row), times: newLooseTimes(in.opt.Zone)}
	r.xml = xml.NewDecoder(r.data)
	r.xml.CharsetReader = charsetReader
	return r
}

// each reads all elements.
func (r *xmlReader) each(to elements) error {
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
			r.text = nil
			if err := to.start(token); err != nil {
				return err
			}
		case xml.EndElement:
			depth--
			r.text = nil
			if err := to.end(token.Name.Local); err != nil {
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
func (r *xmlReader) syntax(err error) error {
	if s, ok := errors.AsType[*xml.SyntaxError](err); ok {
		return fmt.Errorf("line %d: broken XML: %s", s.Line, s.Msg)
	}
	if errors.Is(err, errTooLarge) {
		return fmt.Errorf("line %d: %w of %d bytes", r.lineNumber(), err, r.in.opt.Limits.Row)
	}
	return err
}

func (r *xmlReader) lineNumber() int {
	line, _ := r.xml.InputPos()
	return line
}

// rawPoint is a point as it stands in the file.
type rawPoint struct {
	line           int
	lon, lat, time string
}

// sample reads a point, or says what is wrong with it.
func (r *xmlReader) sample(p rawPoint) (s trajectory.Sample, reason, value string) {
	var ok bool
	if s.Lon, ok = number(strings.TrimSpace(p.lon), false); !ok {
		return s, badLonNumber, p.lon
	}
	if s.Lat, ok = number(strings.TrimSpace(p.lat), false); !ok {
		return s, badLatNumber, p.lat
	}
	s.Lon, s.Lat = r.in.place(s.Lon, s.Lat)
	if p.time == "" {
		return s, noTime, ""
	}
	if s.Time, ok = r.times.parse(p.time); !ok {
		return s, badTime, p.time
	}
	return s, checkSample(s), p.lon + " " + p.lat + " " + p.time
}

// track is a trajectory that is read point by point.
type track struct {
	trajectory.Trajectory
	line int  // where it begins
	full bool // it has reached the limit
}

// add adds a point to a track, or tells what is wrong with it.
func (r *xmlReader) add(t *track, p rawPoint) error {
	if t == nil || t.full {
		return nil
	}
	s, reason, value := r.sample(p)
	if reason == "" && len(t.Samples) == r.in.opt.Limits.Samples {
		reason, t.full = tooMany, true
	}
	if reason != "" {
		r.in.problem(Problem{Line: p.line, Trajectory: strings.TrimSpace(t.ID), Reason: reason, Value: value})
		return nil
	}
	t.Samples = append(t.Samples, s)
	return r.in.spend()
}

// finish hands a track on, if there is one with points.
func (r *xmlReader) finish(t *track) error {
	if t == nil || len(t.Samples) == 0 {
		return nil
	}
	if t.ID = strings.TrimSpace(t.ID); t.ID == "" {
		t.ID = r.in.stem()
	}
	return r.in.emit(&t.Trajectory, t.line)
}

// charsetReader decodes the encodings besides UTF-8 that XML files come in.
func charsetReader(label string, r io.Reader) (io.Reader, error) {
	label = strings.ToLower(label)
	if strings.HasPrefix(label, "utf-16") { // decoded already
		return r, nil
	}
	enc, err := htmlindex.Get(label)
	if err != nil {
		return nil, fmt.Errorf("the encoding %s is not known", label)
	}
	return enc.NewDecoder().Reader(r), nil
}

// isXML reports whether a head is XML with an element of a name.
func isXML(head []byte, element string) bool {
	text := strings.TrimSpace(string(head))
	return strings.HasPrefix(text, "<") && (strings.Contains(text, "<"+element) || strings.Contains(text, ":"+element+" "))
}
