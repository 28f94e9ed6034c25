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
	e := &csvEncoder{w: w, layer: layer, rows: newRows(net), columns: tableColumns(layer)}
	if layer == Links {
		e.links = NewLinkCounter(net)
	}
	return e
}

func (e *csvEncoder) Write(r *trajectory.Recovery) error {
	if e.layer == Links {
		e.links.Add(r)
		return nil
	}
	return e.rows.table(e.layer, r, e.write)
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
