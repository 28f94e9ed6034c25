package write

import (
	"bufio"
	"encoding/json"
	"math"
	"strconv"

	"retrace/engine/roadnet"
)

// geojsonSink writes one feature collection; the property kind of each feature
// says what it is: point, path, span, alternative, link or sample.
type geojsonSink struct {
	w     *bufio.Writer
	about About
	specs map[Layer]spec
	begun bool
	buf   []byte
}

func newGeoJSON(w *bufio.Writer, layers []spec, about About) *geojsonSink {
	e := &geojsonSink{w: w, about: about, specs: map[Layer]spec{}}
	for _, l := range layers {
		e.specs[l.Layer] = l
	}
	return e
}

// kindOf is the word for the features of a layer.
func kindOf(l Layer) string {
	switch l {
	case Points:
		return "point"
	case Path:
		return "path"
	case Spans:
		return "span"
	case Gaps:
		return "gap"
	case alternatives:
		return "alternative"
	case Samples:
		return "sample"
	}
	return "link"
}

func (e *geojsonSink) finish() error {
	if err := e.begin(); err != nil {
		return err
	}
	if _, err := e.w.WriteString("\n]}\n"); err != nil {
		return err
	}
	return e.w.Flush()
}

// begin opens the collection once, with where it comes from.
func (e *geojsonSink) begin() error {
	if e.begun {
		return nil
	}
	e.begun = true
	b := []byte(`{"type":"FeatureCollection"`)
	for _, m := range e.about.Members() {
		b = append(b, ',')
		b = appendJSON(b, m[0])
		b = append(b, ':')
		b = appendJSON(b, m[1])
	}
	_, err := e.w.Write(append(b, `,"features":[`...))
	return err
}

// add writes a row of a layer.
func (e *geojsonSink) add(l Layer, r row) error {
	sep := ",\n"
	if !e.begun {
		sep = "\n"
	}
	if err := e.begin(); err != nil {
		return err
	}
	b := append(e.buf[:0], sep...)
	b = append(b, `{"type":"Feature","properties":{"kind":"`+e.specs[l].kind()+`"`...)
	for i, c := range e.specs[l].columns {
		name := c.name
		if name == "kind" { // taken
			name = "deck"
		}
		b = append(b, `,"`+name+`":`...)
		b = c.kind.json(b, r.values[i])
	}
	b = append(b, `},"geometry":`...)
	b = appendGeometry(b, r.geometry, e.specs[l].points)
	b = append(b, '}')
	e.buf = b
	_, err := e.w.Write(b)
	return err
}

// json appends a value as JSON.
func (k kind) json(b []byte, v any) []byte {
	switch k {
	case words:
		return appendJSON(b, v.(string))
	case instant:
		b = append(b, '"')
		return append(appendTime(b, v.(int64)), '"')
	}
	before := len(b)
	if b = k.format(b, v); len(b) == before {
		return append(b, "null"...)
	}
	return b
}

func appendJSON(b []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil {
		return strconv.AppendQuote(b, s)
	}
	return append(b, text...)
}

func appendGeometry(b []byte, points []roadnet.Point, single bool) []byte {
	if single {
		b = append(b, `{"type":"Point","coordinates":`...)
		return append(appendPosition(b, points[0]), '}')
	}
	b = append(b, `{"type":"LineString","coordinates":[`...)
	for i, p := range points {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendPosition(b, p)
	}
	return append(b, `]}`...)
}

// appendPosition appends a position with 7 digits, without trailing zeros.
func appendPosition(b []byte, p roadnet.Point) []byte {
	round := func(v float64) float64 { return math.Round(v*1e7) / 1e7 }
	b = append(b, '[')
	b = strconv.AppendFloat(b, round(p.Lon), 'f', -1, 64)
	b = append(b, ',')
	b = strconv.AppendFloat(b, round(p.Lat), 'f', -1, 64)
	return append(b, ']')
}
