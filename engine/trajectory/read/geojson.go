package read

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

func isGeoJSON(head []byte) bool {
	head = bytes.TrimLeft(head, "\x1e \t\r\n")
	return (bytes.HasPrefix(head, []byte("{")) || bytes.HasPrefix(head, []byte("["))) && bytes.Contains(head, []byte(`"type"`))
}

// geoReader reads one feature after another; no more than one is in memory
// besides the points that are being grouped.
type geoReader struct {
	in     *input
	data   *bounded
	lines  *lineCounter
	json   *json.Decoder
	times  *looseTimes
	points *grouper
	ranks  nameRanks
	seen   bool // a feature

	raw        json.RawMessage // scratch
	properties []property
}

// readGeoJSON reads lines with a time for each of their positions, and points
// with a time, which are grouped into trajectories.
func readGeoJSON(in *input) error {
	r := &geoReader{in: in, data: newBounded(in.text, in.opt.Limits.Row), times: newLooseTimes(in.opt.Zone), points: newGrouper(in), ranks: nameRanks{}}
	defer r.points.close()
	r.lines = &lineCounter{r: separators{r.data}}
	r.json = json.NewDecoder(r.lines)
	err := r.each()
	if errors.Is(err, errStop) || in.ctx.Err() != nil || err != nil && !in.opt.Partial && !errors.Is(err, errBudget) {
		return err
	}
	if done := r.points.emit(); done != nil {
		return done
	}
	return err
}

// separators makes blanks of the record separators of text sequences.
type separators struct{ r io.Reader }

func (s separators) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	for rest := p[:n]; ; {
		i := bytes.IndexByte(rest, 0x1e)
		if i < 0 {
			return n, err
		}
		rest[i] = ' '
	}
}

// each reads the values that the file holds: one collection or feature, or a
// feature a line.
func (r *geoReader) each() error {
	for {
		err := r.value()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return r.syntax(err)
		}
	}
}

// line is the line on which the last that was read ends.
func (r *geoReader) line() int { return r.lines.line(r.json.InputOffset()) }

// syntax says in plain words where the JSON breaks: the decoder knows no more
// than where the last good value ended.
func (r *geoReader) syntax(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("broken JSON behind line %d: %w", r.line(), err)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	case errors.Is(err, errTooLarge):
		return fmt.Errorf("behind line %d: %w of %d bytes", r.line(), err, r.in.opt.Limits.Row)
	}
	return err
}

// token reads the next token and allows another element.
func (r *geoReader) token() (json.Token, error) {
	r.data.next()
	return r.json.Token()
}

// value reads one value at the top of the file.
func (r *geoReader) value() error {
	token, err := r.token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('{'):
		err = r.object()
	case json.Delim('['):
		err = r.features()
	default:
		err = fmt.Errorf("line %d: this is no GeoJSON object", r.line())
	}
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// object reads an object whose brace is read: a collection, whose features are
// streamed, or a feature.
func (r *geoReader) object() error {
	line := r.line()
	members := map[string]json.RawMessage{}
	for r.json.More() {
		key, err := r.token()
		if err != nil {
			return err
		}
		if key == "features" {
			open, err := r.token()
			if err != nil {
				return err
			}
			if open != json.Delim('[') {
				return fmt.Errorf("line %d: the features are no list", r.line())
			}
			if err := r.features(); err != nil {
				return err
			}
			continue
		}
		var value json.RawMessage
		r.data.next()
		if err := r.json.Decode(&value); err != nil {
			return err
		}
		name, _ := key.(string)
		switch name {
		case "id", "type", "geometry", "properties", "coordinates", "temporalGeometry", "datetimes", "sequences":
			members[name] = value
		case "crs":
			if err := r.system(string(value)); err != nil {
				return err
			}
		}
	}
	if _, err := r.token(); err != nil {
		return err
	}
	if members["geometry"] == nil && members["coordinates"] == nil && members["temporalGeometry"] == nil && members["sequences"] == nil {
		return nil
	}
	whole, err := json.Marshal(members)
	if err != nil {
		return err
	}
	return r.feature(whole, line)
}

// system takes the coordinate system that the file names, unless one was asked
// for.
func (r *geoReader) system(crs string) error {
	code := sridOf(crs)
	if code == 0 || r.in.opt.CRS != "" {
		return nil
	}
	if r.seen {
		return fmt.Errorf("line %d: the coordinate system EPSG:%d stands behind the features: give it with the file", r.line(), code)
	}
	var err error
	r.in.projection, err = epsg(code)
	return err
}

// features reads a list of features whose bracket is read.
func (r *geoReader) features() error {
	for r.json.More() {
		r.data.next()
		if err := r.json.Decode(&r.raw); err != nil {
			return err
		}
		line := r.lines.line(r.json.InputOffset() - int64(len(r.raw)))
		if err := r.feature(r.raw, line); err != nil {
			return err
		}
	}
	_, err := r.token()
	return err
}
