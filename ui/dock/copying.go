package dock

import (
	"encoding/csv"
	"strings"

	"retrace/internal/sheet"
)

// all reports whether every row that is shown is selected.
func (v *view) all() bool {
	for _, row := range v.order {
		if !v.marked[row] && !v.source.selected(row) {
			return false
		}
	}
	return true
}

// several are the rows that are selected, as they are shown, where these are
// more than one; else all.
func (v *view) several() []int {
	var some []int
	for _, row := range v.order {
		if v.marked[row] || v.source.selected(row) {
			some = append(some, row)
		}
	}
	if len(some) > 1 {
		return some
	}
	return v.order
}

// csv is rows with a header.
func (v *view) csv(rows []int) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	var line []string
	for i := range v.columns {
		if v.columns[i].name != "" {
			line = append(line, v.columns[i].head())
		}
	}
	w.Write(line)
	in := styleOf(v.m)
	for _, row := range rows {
		line = line[:0]
		for i := range v.columns {
			if v.columns[i].name != "" {
				line = append(line, sheet.Field(v.columns[i].plain(row, in)))
			}
		}
		w.Write(line)
	}
	w.Flush() // a strings.Builder does not fail
	return b.String()
}
