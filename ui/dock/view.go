package dock

import (
	"encoding/csv"
	"sort"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
)

// source is what a table shows. Rows are numbered as they come.
type source interface {
	title() string
	columns() []kit.Column
	load()      // reads the rows anew
	count() int // rows in all
	field(row, column int) state.Field
	cell(row, column int) kit.Cell
	selected(row int) bool
	chosen() int // the row to bring into view; negative: none
	pick(k kit.Picked, at func(int) int)
	item(row int) render.Item // what the map highlights under the pointer
	empty() string            // what to say where there are no rows
	sortedBy() int            // column at first; negative: as they come
}

// view is a table over a source, filtered and sorted.
type view struct {
	source  source
	table   *kit.Table
	object  *fyne.Container
	none    *kit.Text
	order   []int // rows that pass the filter, sorted
	text    string
	query   state.Query
	column  int // sorted by; negative: as they come
	falling bool
}

func newView(m *state.Model, s source, acts Acts) *view {
	v := &view{source: s, column: s.sortedBy()}
	v.table = kit.NewTable(s.columns(), func(row, column int) kit.Cell { return s.cell(v.order[row], column) })
	v.table.OnSort = v.sort
	l := &v.table.List
	l.Count = func() int { return len(v.order) }
	l.Selected = func(i int) bool { return s.selected(v.order[i]) }
	l.OnPick = func(k kit.Picked) { s.pick(k, func(i int) int { return v.order[i] }) }
	l.OnOpen = func(int) { acts.Fit() }
	l.OnHover = func(i int) { m.Hover(v.item(i)) }
	l.OnMenu = func(i int, at fyne.Position) {
		s.pick(kit.Picked{Index: i}, func(i int) int { return v.order[i] })
		acts.Menu(at)
	}
	v.table.Init()
	v.table.SetSort(v.column, false)
	v.none = kit.NewText("", kit.Style{Colour: look.Muted})
	v.object = container.NewStack(kit.NewFill(look.Surface), v.table, container.NewCenter(v.none))
	return v
}

// item is what row i as shown stands for on the map; nothing beyond the rows.
func (v *view) item(i int) render.Item {
	if i < 0 || i >= len(v.order) {
		return render.Item{}
	}
	return v.source.item(v.order[i])
}

// reload reads the rows anew and shows those that pass the filter.
func (v *view) reload() {
	v.source.load()
	v.arrange()
}

func (v *view) filter(text string) {
	if text == v.text {
		return
	}
	v.text = text
	titles := make([]string, len(v.source.columns()))
	for i, c := range v.source.columns() {
		titles[i] = c.Title
	}
	v.query = state.ParseQuery(text, titles)
	v.arrange()
}

func (v *view) sort(column int, falling bool) {
	v.column, v.falling = column, falling
	v.table.SetSort(column, falling)
	v.arrange()
}

func (v *view) arrange() {
	n := v.source.count()
	v.order = v.order[:0]
	for i := range n {
		if v.query.Empty() || v.query.Match(v.fields(i)) {
			v.order = append(v.order, i)
		}
	}
	if v.column >= 0 {
		v.sortRows()
	}
	v.none.Hidden = len(v.order) > 0
	v.none.SetText(v.source.empty())
	if n > 0 && len(v.order) == 0 {
		v.none.SetText(noMatch())
	}
	v.table.List.Reload()
	v.object.Refresh()
}

// sortRows sorts by a column; fields are made once a row.
func (v *view) sortRows() {
	keys := make(map[int]state.Field, len(v.order))
	for _, i := range v.order {
		keys[i] = v.source.field(i, v.column)
	}
	sort.SliceStable(v.order, func(a, b int) bool {
		x, y := keys[v.order[a]], keys[v.order[b]]
		if v.falling {
			x, y = y, x
		}
		return x.Less(y)
	})
}

func (v *view) fields(row int) []state.Field {
	fields := make([]state.Field, len(v.source.columns()))
	for c := range fields {
		fields[c] = v.source.field(row, c)
	}
	return fields
}

func (v *view) reselect() {
	chosen := v.source.chosen()
	for i, row := range v.order {
		if row == chosen {
			v.table.List.ScrollTo(i)
			return
		}
	}
	v.table.List.Reload()
}

// csv is the rows as they are shown, with a header.
func (v *view) csv() string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	var head []string
	for _, c := range v.source.columns() {
		if c.Title != "" {
			head = append(head, c.Title)
		}
	}
	w.Write(head)
	for _, row := range v.order {
		var line []string
		for c, col := range v.source.columns() {
			if col.Title != "" {
				line = append(line, v.source.field(row, c).Text)
			}
		}
		w.Write(line)
	}
	w.Flush() // a strings.Builder does not fail
	return b.String()
}
