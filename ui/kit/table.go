package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/look"
)

// Column is one column of a [Table].
type Column struct {
	Title string
	Width float32 // pixels at text size 1
	Min   float32 // what it may shrink to
	Grow  float32 // its share of the width that is left
	Align fyne.TextAlign
	Fixed bool // not to be sorted by
}

// Table is a table with a header that sorts, of which only the visible rows
// exist.
type Table struct {
	widget.BaseWidget
	List    Rows
	Columns []Column
	Cell    func(row, column int) Cell
	OnSort  func(column int, falling bool)
	Tip     func(row, column int) string // what to say of a field that says less; empty: nothing

	header  *tableHeader
	sorted  int // column; negative: none
	falling bool
}

// NewTable is a table; set the functions of its List too, and call Init.
func NewTable(columns []Column, cell func(row, column int) Cell) *Table {
	t := &Table{Columns: columns, Cell: cell, sorted: -1}
	t.List.New = func() Row { return newTableRow(t) }
	t.List.Height = func() float32 { return theme.Size(look.SizeRow) }
	return t
}

// Init makes the table usable, once its functions are set.
func (t *Table) Init() {
	if t.Tip != nil {
		t.List.Tip = func(row int, x float32) string { return t.tip(row, x) }
	}
	t.List.Init()
	t.header = newTableHeader(t)
	t.ExtendBaseWidget(t)
}

// tip is what is said of the place x in a row: what Tip says, else the whole of
// a text that is cut.
func (t *Table) tip(row int, x float32) string {
	if row < 0 {
		return ""
	}
	at := float32(tableSide)
	for i, w := range t.widths(t.List.Size().Width) {
		if x >= at && x < at+w {
			if tip := t.Tip(row, i); tip != "" {
				return tip
			}
			c := t.Cell(row, i)
			size := fyne.MeasureText(c.Text, theme.Size(theme.SizeNameText), fyne.TextStyle{Bold: c.Style.Bold})
			if c.Bar == nil && c.Icon == "" && size.Width > w-tableColGap+0.5 {
				return c.Text
			}
			return ""
		}
		at += w
	}
	return ""
}

// SetSort shows by which column the rows are sorted.
func (t *Table) SetSort(column int, falling bool) {
	t.sorted, t.falling = column, falling
	t.header.Refresh()
}

// widths shares the width among the columns.
func (t *Table) widths(total float32) []float32 {
	w := make([]float32, len(t.Columns))
	scale := Scale()
	spare, grow, give := total-2*tableSide, float32(0), float32(0)
	for i, c := range t.Columns {
		w[i] = c.Width * scale
		spare -= w[i]
		grow += c.Grow
		give += max(w[i]-c.Min*scale, 0)
	}
	for i, c := range t.Columns {
		switch {
		case spare > 0 && grow > 0:
			w[i] += spare * c.Grow / grow
		case spare < 0 && give > 0:
			w[i] += max(spare/give, -1) * max(w[i]-c.Min*scale, 0)
		}
	}
	return w
}

const (
	tableSide   = 12 // free at both ends of a row
	tableColGap = 16
)

// place lays one object a column into a row.
func (t *Table) place(size fyne.Size, object func(i int) fyne.CanvasObject) {
	x := float32(tableSide)
	for i, w := range t.widths(size.Width) {
		o := object(i)
		o.Move(fyne.NewPos(x, 0))
		o.Resize(fyne.NewSize(max(w-tableColGap, 0), size.Height))
		x += w
	}
}

// tableRow is one visible row.
type tableRow struct {
	widget.BaseWidget
	t     *Table
	cells []*cell
}

func newTableRow(t *Table) *tableRow {
	r := &tableRow{t: t}
	for range t.Columns {
		r.cells = append(r.cells, newCell())
	}
	r.ExtendBaseWidget(r)
	return r
}

// Bind implements Row.
func (r *tableRow) Bind(index int) {
	for i, c := range r.cells {
		n := r.t.Cell(index, i)
		n.Style.Align = r.t.Columns[i].Align
		c.set(n)
	}
}

// CreateRenderer implements fyne.Widget.
func (r *tableRow) CreateRenderer() fyne.WidgetRenderer {
	objects := make([]fyne.CanvasObject, len(r.cells))
	for i, c := range r.cells {
		objects[i] = c
	}
	return Laid(widget.NewSimpleRenderer(container.New(tableLayout{r.t}, objects...)), r.Size())
}

type tableLayout struct{ t *Table }

func (l tableLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.t.place(size, func(i int) fyne.CanvasObject { return objects[i] })
}

func (l tableLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, 0) }

// CreateRenderer implements fyne.Widget.
func (t *Table) CreateRenderer() fyne.WidgetRenderer {
	return Laid(widget.NewSimpleRenderer(NewBorder(t.header, nil, nil, nil, &t.List)), t.Size())
}

// tableHeader is the row of column titles.
type tableHeader struct {
	widget.BaseWidget
	t      *Table
	titles []fyne.Widget
}

func newTableHeader(t *Table) *tableHeader {
	h := &tableHeader{t: t}
	for i := range t.Columns {
		h.titles = append(h.titles, newColumnTitle(t, i))
	}
	h.ExtendBaseWidget(h)
	return h
}

func (h *tableHeader) CreateRenderer() fyne.WidgetRenderer {
	objects := make([]fyne.CanvasObject, len(h.titles))
	for i, c := range h.titles {
		objects[i] = c
	}
	row := container.New(tableLayout{h.t}, objects...)
	height := NewFixed(0, 27, row)
	return Laid(widget.NewSimpleRenderer(container.NewStack(NewFill(look.Surface), NewBorder(nil, NewRule(), nil, nil, height))), h.Size())
}

func (h *tableHeader) Refresh() {
	for _, c := range h.titles {
		c.Refresh()
	}
	h.BaseWidget.Refresh()
}
