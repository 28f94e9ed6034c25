package dock

import (
	"slices"

	"retrace/ui/query"
)

// sortRows sorts by a column; what is empty comes last either way. Keys are made
// once a row.
func (v *view) sortRows() {
	if c := &v.columns[v.column]; c.value != nil {
		sortBy(v.order, v.falling, c.value)
	} else {
		in := styleOf(v.m)
		sortBy(v.order, v.falling, func(row int) (string, bool) {
			s := c.show(row, in)
			return query.NaturalKey(s), s != ""
		})
	}
}

// sortBy sorts rows by their keys; those without one come last.
func sortBy[K float64 | string](rows []int, falling bool, key func(row int) (K, bool)) {
	type keyed struct {
		key K
		row int
		ok  bool
	}
	all := make([]keyed, len(rows))
	for i, r := range rows {
		k, ok := key(r)
		all[i] = keyed{k, r, ok}
	}
	slices.SortFunc(all, func(a, b keyed) int {
		switch {
		case a.ok != b.ok:
			if a.ok {
				return -1
			}
			return 1
		case a.key == b.key: // as they come
			return a.row - b.row
		case a.key < b.key != falling:
			return -1
		}
		return 1
	})
	for i, k := range all {
		rows[i] = k.row
	}
}
