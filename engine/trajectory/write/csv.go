package write

import (
	"bufio"
	"strings"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/internal/sheet"
)

// csvEncoder writes one layer as CSV.
type csvEncoder struct {
	w       *bufio.Writer
	layer   Layer
	columns []column
	rows    *rows
	links   *LinkCounter
	line    []byte
	begun   bool
}

func newCSV(w *bufio.Writer, layer Layer, net *roadnet.Network) *csvEncoder {
	e := &csvEncoder{w: w, layer: layer, rows: newRows(net), columns: columnsOf(layer)}
	switch layer {
	case Points: // the position stands behind the time
		at := e.columns[2:]
		e.columns = append([]column{e.columns[0], e.columns[1], {name: "lon", kind: degrees}, {name: "lat", kind: degrees}}, at...)
	case Path: // vertex by vertex
		e.columns = []column{{name: "trajectory", kind: words}, {name: "part", kind: whole}, {name: "seq", kind: whole}, {name: "lon", kind: degrees}, {name: "lat", kind: degrees}, {name: "node", kind: whole}, {name: "way", kind: whole}}
	case Links:
		e.links = NewLinkCounter(net)
	}
	return e
}

func (e *csvEncoder) Write(r *trajectory.Recovery) error {
	switch e.layer {
	case Points:
		return e.rows.points(r, func(p row) error {
			at := p.geometry[0]
			return e.write(append([]any{p.values[0], p.values[1], at.Lon, at.Lat}, p.values[2:]...))
		})
	case Path:
		return e.path(r)
	case Spans:
		return e.rows.spans(r, func(s row) error { return e.write(s.values) })
	case Gaps:
		return e.rows.gaps(r, func(s row) error { return e.write(s.values) })
	}
	e.links.Add(r)
	return nil
}

// path writes every vertex of the driven path. Each part begins and ends at an
// exact position, with no node.
func (e *csvEncoder) path(r *trajectory.Recovery) error {
	for i, p := range r.Parts {
		vertices := e.rows.walk.path(p)
		for seq, v := range vertices {
			node := v.node
			if seq == 0 || seq == len(vertices)-1 {
				node = noValue
			}
			if err := e.write([]any{r.Trajectory, int64(i), int64(seq), v.Lon, v.Lat, node, v.way}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *csvEncoder) finish() error {
	if e.layer == Links {
		if err := e.rows.links(e.links, func(l row) error { return e.write(l.values) }); err != nil {
			return err
		}
	}
	if err := e.header(); err != nil {
		return err
	}
	return e.w.Flush()
}

// header writes the names of the columns once.
func (e *csvEncoder) header() error {
	if e.begun {
		return nil
	}
	e.begun = true
	names := make([]string, len(e.columns))
	for i, c := range e.columns {
		names[i] = c.name
	}
	_, err := e.w.WriteString(strings.Join(names, ",") + "\n")
	return err
}

func (e *csvEncoder) write(values []any) error {
	if err := e.header(); err != nil {
		return err
	}
	e.line = e.line[:0]
	for i, v := range values {
		if i > 0 {
			e.line = append(e.line, ',')
		}
		if s, ok := v.(string); ok {
			v = quoted(sheet.Cell(s))
		}
		e.line = e.columns[i].kind.format(e.line, v)
	}
	e.line = append(e.line, '\n')
	_, err := e.w.Write(e.line)
	return err
}

// quoted puts quotes around a text that would not survive without.
func quoted(s string) string {
	if !strings.ContainsAny(s, ",;\"\r\n\t#") && strings.TrimSpace(s) == s {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}
