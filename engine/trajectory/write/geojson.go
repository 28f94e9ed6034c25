package write

import (
	"bufio"
	"encoding/json"
	"math"
	"strconv"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// geojsonEncoder writes one feature collection; the property kind of each
// feature says what it is: point, path, span, alternative or link.
type geojsonEncoder struct {
	w     *bufio.Writer
	rows  *rows
	links *LinkCounter
	about About
	begun bool
	buf   []byte
}

func newGeoJSON(w *bufio.Writer, net *roadnet.Network, about About) *geojsonEncoder {
	return &geojsonEncoder{w: w, rows: newRows(net), links: NewLinkCounter(net), about: about}
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
	case alternatives:
		return "alternative"
	}
	return "link"
}

func (e *geojsonEncoder) Write(r *trajectory.Recovery) error {
	e.links.Add(r)
	if err := e.rows.points(r, e.feature(Points)); err != nil {
		return err
	}
	if err := e.rows.paths(r, e.feature(Path)); err != nil {
		return err
	}
	if err := e.rows.spans(r, e.feature(Spans)); err != nil {
		return err
	}
	return e.rows.alternatives(r, e.feature(alternatives))
}

func (e *geojsonEncoder) finish() error {
	if err := e.rows.links(e.links, e.feature(Links)); err != nil {
		return err
	}
	if err := e.begin(); err != nil {
		return err
	}
	if _, err := e.w.WriteString("\n]}\n"); err != nil {
		return err
	}
	return e.w.Flush()
}

// begin opens the collection once, with where it comes from.
func (e *geojsonEncoder) begin() error {
	if e.begun {
		return nil
	}
	e.begun = true
	b := []byte(`{"type":"FeatureCollection"`)
	for _, m := range e.about.members() {
		b = append(b, ',')
		b = appendJSON(b, m[0])
		b = append(b, ':')
		b = appendJSON(b, m[1])
	}
	_, err := e.w.Write(append(b, `,"features":[`...))
	return err
}

// members are the names and values of all that is known of where recoveries
// come from.
func (a About) members() [][2]string {
	all := [][2]string{
		{"generator", "Retrace " + a.Version},
		{"method", a.Method},
		{"model", a.Model},
		{"settings", a.Settings},
		{"network", a.Network.Name},
		{"network_fingerprint", a.Network.Fingerprint},
		{"network_data_date", a.Network.DataDate},
		{"attribution", a.Network.Attribution},
	}
	var known [][2]string
	for _, m := range all {
		if m[1] != "" {
			known = append(known, m)
		}
	}
	return known
}

// feature gives a function that writes a row of a layer.
func (e *geojsonEncoder) feature(l Layer) func(row) error {
	columns := columnsOf(l)
	return func(r row) error {
		sep := ",\n"
		if !e.begun {
			sep = "\n"
		}
		if err := e.begin(); err != nil {
			return err
		}
		b := append(e.buf[:0], sep...)
		b = append(b, `{"type":"Feature","properties":{"kind":"`+kindOf(l)+`"`...)
		for i, c := range columns {
			name := c.name
			if name == "kind" { // taken
				name = "deck"
			}
			b = append(b, `,"`+name+`":`...)
			b = c.kind.json(b, r.values[i])
		}
		b = append(b, `},"geometry":`...)
		b = appendGeometry(b, r.geometry, l == Points)
		b = append(b, '}')
		e.buf = b
		_, err := e.w.Write(b)
		return err
	}
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
