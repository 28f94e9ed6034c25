package write

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"retrace/internal/atomicfile"
)

// sidecar is a file beside a table that has no place for where it comes from:
// NAME-metadata.json, as the W3C's "CSV on the Web" has it.
type sidecar struct {
	path    string // of the table
	columns []column
	about   About
}

// write writes the file.
func (s sidecar) write() error {
	type csvwColumn struct {
		Name string `json:"name"`
		Type string `json:"datatype"`
	}
	schema := []csvwColumn{}
	for _, c := range s.columns {
		schema = append(schema, csvwColumn{c.name, c.kind.xsdType()})
	}
	meta := map[string]any{"@context": "http://www.w3.org/ns/csvw", "url": filepath.Base(s.path), "tableSchema": map[string]any{"columns": schema},
		"dialect": map[string]any{"encoding": "utf-8", "header": true}}
	for _, m := range s.about.members() {
		meta["retrace:"+m[0]] = m[1]
	}
	if s.about.Network.Attribution != "" {
		meta["dc:rights"] = s.about.Network.Attribution
	}
	b, err := json.MarshalIndent(meta, "", "  ")
	if err != nil {
		return err
	}
	f, err := atomicfile.Create(s.path + "-metadata.json")
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("%s-metadata.json: %w", s.path, err)
	}
	return f.Commit()
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
