package write

import (
	"slices"

	"retrace/engine/trajectory"
)

// tableColumns are the columns of a layer where it is a table without geometry: points
// have their position behind the time, paths have a row a vertex.
func tableColumns(l Layer) []column {
	switch l {
	case Points:
		return slices.Insert(columnsOf(l), 2, column{name: "lon", kind: degrees}, column{name: "lat", kind: degrees})
	case Path:
		return []column{{name: "trajectory", kind: words}, {name: "part", kind: whole}, {name: "seq", kind: whole}, {name: "lon", kind: degrees}, {name: "lat", kind: degrees}, {name: "node", kind: whole}, {name: "way", kind: whole}}
	}
	return columnsOf(l)
}

// table calls f with the values of every row of such a table, for any layer but that of
// links, which is of many recoveries.
func (w *rows) table(l Layer, r *trajectory.Recovery, f func([]any) error) error {
	switch l {
	case Points:
		return w.points(r, func(p row) error {
			return f(slices.Insert(p.values, 2, any(p.geometry[0].Lon), any(p.geometry[0].Lat)))
		})
	case Path:
		return w.vertices(r, f)
	case Spans:
		return w.spans(r, func(s row) error { return f(s.values) })
	}
	return w.gaps(r, func(s row) error { return f(s.values) })
}

// vertices calls f with every vertex of the driven path. Each part begins and ends at an
// exact position, with no node.
func (w *rows) vertices(r *trajectory.Recovery, f func([]any) error) error {
	for i, p := range r.Parts {
		vertices := w.walk.path(p)
		for seq, v := range vertices {
			node := v.node
			if seq == 0 || seq == len(vertices)-1 {
				node = noValue
			}
			if err := f([]any{r.Trajectory, int64(i), int64(seq), v.Lon, v.Lat, node, v.way}); err != nil {
				return err
			}
		}
	}
	return nil
}
