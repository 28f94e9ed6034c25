package dock

import (
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/query"
	"retrace/ui/state"
)

// source is what a table shows. Rows are numbered as they come.
type source interface {
	title() string
	columns() []column
	load()      // reads the rows anew
	count() int // rows in all
	selected(row int) bool
	chosen() int                          // the row to bring into view; negative: none
	pick(row int)                         // selects what a row stands for, and nothing else
	item(row int) render.Item             // what the map highlights under the pointer
	empty() string                        // what to say where there are no rows
	sortedBy() (column int, falling bool) // at first; a negative column: as they come
	tools() fyne.CanvasObject             // what stands above the rows; nil: nothing
}

// marker is a source whose rows can be marked for more than copying.
type marker interface {
	mark(rows []int)
	toggle(row int)
}

// view is a table over a source, filtered and sorted.
type view struct {
	source  source
	m       *state.Model
	columns []column
	table   *kit.Table
	object  *fyne.Container
	none    *kit.Text
	fault   *fyne.Container // says what is wrong with the filter
	says    *kit.Text
	in      style        // of the rows
	order   []int        // rows that pass the filter, sorted
	marked  map[int]bool // of a source that is no marker
	text    string
	filter  query.Filter
	wrong   *query.Error // with the text; the filter is the one before
	column  int          // sorted by; negative: as they come
	falling bool
	onMark  func() // hears of other marks
	show    func(render.Item)
}

func newView(m *state.Model, s source, acts Acts) *view {
	v := &view{source: s, m: m, columns: s.columns(), marked: map[int]bool{}, onMark: func() {}, show: acts.Show}
	v.column, v.falling = s.sortedBy()
	titles := make([]kit.Column, len(v.columns))
	for i, c := range v.columns {
		titles[i] = c.Column
	}
	v.table = kit.NewTable(titles, v.cell)
	v.table.OnSort = v.sort
	v.table.Tip = v.tip
	v.listen(acts)
	v.table.Init()
	v.table.SetSort(v.column, v.falling)
	v.none = kit.NewText("", kit.Style{Colour: look.Muted})
	v.says = kit.NewCutText("", kit.Style{Colour: look.Warning}, 80)
	v.fault = container.NewStack(kit.NewFill(look.WarningBack), kit.NewPad(4, 12, 4, 12, kit.NewLine(8, 1, kit.NewFixed(16, 16, kit.NewIcon("warning", look.Warning)), v.says)))
	v.fault.Hide()
	rows := container.NewStack(kit.NewFill(look.Surface), v.table, container.NewCenter(v.none))
	v.object = kit.NewBorder(v.fault, nil, nil, nil, rows)
	if s, ok := s.(interface{ beside() fyne.CanvasObject }); ok {
		v.object = kit.NewBorder(nil, nil, s.beside(), nil, v.object)
	}
	if tools := s.tools(); tools != nil {
		v.object = kit.NewBorder(tools, nil, nil, nil, v.object)
	}
	return v
}

// listen sets what the table's rows do.
func (v *view) listen(acts Acts) {
	l := &v.table.List
	l.Count = func() int { return len(v.order) }
	l.Selected = func(i int) bool {
		row, ok := v.row(i)
		return ok && (v.marked[row] || v.source.selected(row))
	}
	l.OnPick = v.pick
	l.OnOpen = func(i int) { acts.Fit(v.item(i)) }
	l.OnHover = func(i int) { v.m.Hover(v.item(i)) }
	l.OnMenu = func(i int, at fyne.Position) {
		if !l.Selected(i) {
			v.pick(kit.Picked{Index: i})
		}
		acts.Menu(at)
	}
}

// row is the source's row at place i; false where there is none any more. The
// table of a hidden tab is arranged when it is shown, and its source may hold
// fewer rows by then.
func (v *view) row(i int) (int, bool) {
	if i < 0 || i >= len(v.order) || v.order[i] >= v.source.count() {
		return 0, false
	}
	return v.order[i], true
}

func (v *view) cell(i, column int) kit.Cell {
	row, ok := v.row(i)
	if !ok {
		return kit.Cell{}
	}
	c := kit.Cell{Text: v.columns[column].show(row, v.in)}
	if add := v.columns[column].cell; add != nil {
		add(row, &c)
	}
	return c
}

func (v *view) tip(i, column int) string {
	row, ok := v.row(i)
	if tip := v.columns[column].tip; tip != nil && ok {
		return tip(row)
	}
	return ""
}

// pick selects a row alone, or marks it, or marks all from another to it.
func (v *view) pick(k kit.Picked) {
	row, there := v.row(k.Index)
	if !there {
		return
	}
	m, ok := v.source.(marker)
	switch {
	case k.Extend && ok:
		m.mark(v.rows(k.Range()))
	case k.Extend:
		v.mark(v.rows(k.Range()))
	case k.Toggle && ok:
		m.toggle(row)
	case k.Toggle:
		v.toggle(row)
	default:
		v.mark(nil)
		item := v.source.item(row)
		v.source.pick(row)
		v.show(item)
	}
}

// rows are the rows of the source that stand at places of the table.
func (v *view) rows(places []int) []int {
	rows := make([]int, len(places))
	for i, p := range places {
		rows[i] = v.order[p]
	}
	return rows
}

func (v *view) mark(rows []int) {
	v.marked = map[int]bool{}
	for _, r := range rows {
		v.marked[r] = true
	}
	v.table.List.Reload()
	v.onMark()
}

func (v *view) toggle(row int) {
	if len(v.marked) == 0 && v.source.chosen() >= 0 {
		v.marked[v.source.chosen()] = true
	}
	if v.marked[row] {
		delete(v.marked, row)
	} else {
		v.marked[row] = true
	}
	v.table.List.Reload()
	v.onMark()
}

// markAll marks all rows that are shown.
func (v *view) markAll() {
	if m, ok := v.source.(marker); ok {
		m.mark(v.order)
		return
	}
	v.mark(v.order)
}

// item is what row i as shown stands for on the map; nothing beyond the rows.
func (v *view) item(i int) render.Item {
	row, ok := v.row(i)
	if !ok {
		return render.Item{}
	}
	return v.source.item(row)
}

// reload reads the rows anew and shows those that pass the filter.
func (v *view) reload() {
	before := v.source.count()
	v.source.load()
	if v.source.count() != before && len(v.marked) > 0 {
		v.marked = map[int]bool{} // rows have other numbers now
		v.onMark()
	}
	v.arrange()
}

// setFilter filters by another text; one that is wrong says so and leaves the
// rows as they are.
func (v *view) setFilter(text string) {
	if text == v.text {
		return
	}
	v.text, v.wrong = text, nil
	filter, err := grammar(v.columns, v.m).Parse(text)
	if errors.As(err, &v.wrong) {
		v.says.SetText(explain(v.wrong, v.columns))
	} else {
		v.filter = filter
	}
	if v.fault.Hidden == (v.wrong != nil) {
		v.fault.Hidden = v.wrong == nil
		v.object.Refresh()
	}
	if v.wrong == nil {
		v.arrange()
	}
}

func (v *view) sort(column int, falling bool) {
	v.column, v.falling = column, falling
	v.table.SetSort(column, falling)
	v.arrange()
}

func (v *view) arrange() {
	n := v.source.count()
	v.order = v.order[:0]
	v.in = styleOf(v.m)
	row := &rowOf{columns: v.columns, in: v.in}
	for i := range n {
		if row.row = i; v.filter.Match(row) {
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

// relabel heads the columns of the two directions of CROSSINGS.
func (v *view) relabel(ways [2]string) {
	for i, w := range ways {
		v.columns[firstWay+i].Title = w
		v.table.Columns[firstWay+i].Title = w
	}
	v.table.SetSort(v.column, v.falling)
}
