package write

import (
	"bufio"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/internal/atomicfile"
)

// sink takes the rows of layers in one format.
type sink interface {
	add(l Layer, r row) error
	finish() error // writes what is left
}

// newSink makes the sink of a format that has layers.
func newSink(f *atomicfile.File, format Format, layers []spec, about About) (sink, error) {
	switch format.Extension {
	case ".gpkg":
		return newGeoPackage(f.Name(), layers, about)
	case ".parquet":
		return newGeoParquet(f, layers[0], about)
	case ".zip":
		return newShapefiles(f, layers, about)
	}
	return newGeoJSON(bufio.NewWriter(f), layers, about), nil
}

// layered writes recoveries into a sink, row by row.
type layered struct {
	sink
	rows  *rows
	has   map[Layer]bool
	links *LinkCounter
}

func newLayered(net *roadnet.Network, layers []Layer, s sink) *layered {
	l := &layered{sink: s, rows: newRows(net), has: map[Layer]bool{}, links: NewLinkCounter(net)}
	for _, name := range layers {
		l.has[name] = true
	}
	return l
}

func (l *layered) Write(r *trajectory.Recovery) error {
	if l.has[Links] {
		l.links.Add(r)
	}
	for _, part := range []struct {
		layer Layer
		write func(*trajectory.Recovery, func(row) error) error
	}{{Points, l.rows.points}, {Path, l.rows.paths}, {Spans, l.rows.spans}, {Gaps, l.rows.gaps}, {alternatives, l.rows.alternatives}} {
		if !l.has[part.layer] {
			continue
		}
		if err := part.write(r, func(r row) error { return l.add(part.layer, r) }); err != nil {
			return err
		}
	}
	return nil
}

// finish adds the links, which are known in the end.
func (l *layered) finish() error {
	if l.has[Links] {
		if err := l.rows.links(l.links, func(r row) error { return l.add(Links, r) }); err != nil {
			return err
		}
	}
	return l.sink.finish()
}

func (l *layered) abort() {
	if a, ok := l.sink.(interface{ abort() }); ok {
		a.abort()
	}
}
