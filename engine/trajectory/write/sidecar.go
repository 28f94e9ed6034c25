package write

import (
	"encoding/json"
	"path/filepath"

	"retrace/internal/atomicfile"
)

// sidecar is a file beside a table that has no place for where it comes from, as
// the W3C's "CSV on the Web" has it.
type sidecar struct {
	table   string // its path; empty: it has none
	columns []column
	about   About
}

// Describe writes to the file at path what a table of a layer that went through
// [StreamCSV] holds and where it comes from.
func Describe(path string, layer Layer, about About) error {
	return sidecar{columns: newCSV(nil, layer, nil).columns, about: about}.writeTo(path)
}

// write writes the file as NAME-metadata.json.
func (s sidecar) write() error { return s.writeTo(s.table + "-metadata.json") }

func (s sidecar) writeTo(path string) error {
	type csvwColumn struct {
		Name string `json:"name"`
		Type string `json:"datatype"`
		Help string `json:"dc:description,omitempty"`
	}
	schema := []csvwColumn{}
	for _, c := range s.columns {
		schema = append(schema, csvwColumn{c.name, c.kind.xsdType(), c.means})
	}
	meta := map[string]any{"@context": "http://www.w3.org/ns/csvw", "tableSchema": map[string]any{"columns": schema},
		"dialect": map[string]any{"encoding": "utf-8", "header": true}}
	if s.table != "" {
		meta["url"] = filepath.Base(s.table)
	}
	for _, m := range s.about.Members() {
		meta["retrace:"+m[0]] = m[1]
	}
	if s.about.Network.Attribution != "" {
		meta["dc:rights"] = s.about.Network.Attribution
	}
	b, err := json.MarshalIndent(meta, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(path, append(b, '\n'))
}

// xsdType is the type of a column's values as XML Schema calls it.
func (k kind) xsdType() string {
	switch k {
	case words:
		return "string"
	case whole:
		return "integer"
	case instant:
		return "dateTime"
	}
	return "decimal"
}

// withSidecar writes a table and then the file beside it.
type withSidecar struct {
	*output
	beside sidecar
}

func (w *withSidecar) Close() error {
	if err := w.output.Close(); err != nil {
		return err
	}
	if w.file.Device() {
		return nil // there is nowhere beside a device or a pipe
	}
	return w.beside.write()
}
