package preview

import (
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/trajectory/read"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/work"
)

// table shows the first rows, a column below its role.
type table struct {
	p       *Panel
	object  *container.Scroll
	columns []*column
	key     string // of the rows that are shown
	filling bool   // what changes is not of the user's doing
}

// column is one column of the table.
type column struct {
	role  *kit.Select
	cells []*kit.Text
}

const (
	maxColumns = 60 // that are shown
	maxCell    = 60 // runes of a cell that are shown
)

func newTable(p *Panel) *table {
	return &table{p: p, object: container.NewScroll(container.NewStack())}
}

// roleNames are the names of the roles in the order of [read.Roles].
func roleNames() []string {
	return []string{lang.L("leave out"), lang.L("trajectory"), lang.L("vehicle"), lang.L("time"), lang.L("date"), lang.L("time of day"),
		lang.L("longitude"), lang.L("latitude"), lang.L("geometry"), lang.L("altitude (not used)"), lang.L("speed (not used)"), lang.L("heading (not used)"), lang.L("occupancy (not used)")}
}

// fill shows the rows of a glance, and what its columns hold.
func (t *table) fill(g *work.Glance) {
	t.filling = true
	defer func() { t.filling = false }()
	if g.Dialect == nil || len(g.Rows) == 0 {
		t.key, t.columns = "", nil
		t.object.Content = kit.NewPad(12, 12, 12, 12, kit.NewParagraph(lang.L("What the columns of this file hold is known by its format."), look.Muted, fyne.TextAlignLeading))
		t.object.Refresh()
		return
	}
	if key := keyOf(g.Rows, len(g.Dialect.Columns)); key != t.key {
		t.key = key
		t.build(g)
	}
	for i, c := range t.columns {
		role := g.Dialect.Columns[i].Role
		c.role.SetSelectedIndex(slices.Index(read.Roles(), role))
		for row, cell := range c.cells {
			cell.Set(cell.Text(), cellStyle(role, g.Dialect.Header && row == 0))
		}
	}
}

func keyOf(rows [][]string, columns int) string {
	var b strings.Builder
	b.WriteString(strconv.Itoa(columns))
	for _, r := range rows {
		b.WriteString("\x1e" + strings.Join(r, "\x1f"))
	}
	return b.String()
}

func cellStyle(r read.Role, header bool) kit.Style {
	s := kit.Style{Bold: header}
	if !r.Used() {
		s.Colour = look.Muted
	}
	return s
}

// build makes the columns anew.
func (t *table) build(g *work.Glance) {
	t.columns = nil
	objects := []fyne.CanvasObject{t.numbers(g)}
	for i := range g.Dialect.Columns[:min(len(g.Dialect.Columns), maxColumns)] {
		c := &column{}
		c.role = kit.NewSelect(roleNames(), func(string) { t.chosen(i, c.role.SelectedIndex()) })
		parts := []fyne.CanvasObject{c.role}
		for _, row := range g.Rows {
			text := ""
			if i < len(row) {
				text = shorten(row[i])
			}
			cell := kit.NewCutText(text, kit.Style{}, min(cellWidth(text), 170))
			c.cells = append(c.cells, cell)
			parts = append(parts, cell)
		}
		t.columns = append(t.columns, c)
		objects = append(objects, kit.NewColumn(3, parts...))
	}
	t.object.Content = kit.NewPad(6, 10, 10, 10, container.New(beside{}, objects...))
	t.object.Refresh()
}

// numbers is the column of the rows' numbers, those that cannot be read marked.
func (t *table) numbers(g *work.Glance) fyne.CanvasObject {
	bad := map[int]bool{}
	for _, p := range g.Problems {
		bad[p.Line] = bad[p.Line] || !p.Kept && p.Rule == ""
	}
	space := kit.NewFixed(1, kit.NewSelect(nil, nil).MinSize().Height/kit.Scale(), container.NewStack())
	parts := []fyne.CanvasObject{space}
	for i := range g.Rows {
		style := kit.Style{Colour: look.Muted, Align: fyne.TextAlignTrailing}
		if bad[i+1] {
			style.Colour, style.Bold = look.Warning, true
		}
		parts = append(parts, kit.NewText(strconv.Itoa(i+1), style))
	}
	return kit.NewColumn(3, parts...)
}

func cellWidth(text string) float32 { return fyne.MeasureText(text, 13, fyne.TextStyle{}).Width + 4 }

func shorten(s string) string {
	if r := []rune(s); len(r) > maxCell {
		return string(r[:maxCell]) + "…"
	}
	return s
}

// chosen gives a column a role; what had it before is left out.
func (t *table) chosen(column, index int) {
	g := t.p.glance
	if t.filling || g == nil || g.Dialect == nil || index < 0 {
		return
	}
	d := withRole(g.Dialect, column, read.Roles()[index])
	d.Time = read.GuessTime(d, dataRows(g, d.Header))
	if d.Time == "" {
		d.Time = g.Dialect.Time
	}
	t.p.choose(func(c *work.Choice) { c.Dialect = &d })
}

// withRole is a dialect in which a column has a role. A role is of one column;
// a time is one column, or a date and a time of day; a position is one column,
// or two.
func withRole(before *read.Dialect, column int, r read.Role) read.Dialect {
	d := *before
	d.Columns = slices.Clone(d.Columns)
	gone := map[read.Role]bool{r: r != read.Ignore}
	for role, others := range map[read.Role][]read.Role{
		read.Time: {read.Date, read.Clock}, read.Date: {read.Time}, read.Clock: {read.Time},
		read.Geometry: {read.Lon, read.Lat}, read.Lon: {read.Geometry}, read.Lat: {read.Geometry},
	} {
		for _, other := range others {
			gone[other] = gone[other] || role == r
		}
	}
	for i := range d.Columns {
		if gone[d.Columns[i].Role] {
			d.Columns[i].Role = read.Ignore
		}
	}
	d.Columns[column].Role = r
	return d
}

// dataRows are the first rows without the header.
func dataRows(g *work.Glance, header bool) [][]string {
	if header && len(g.Rows) > 0 {
		return g.Rows[1:]
	}
	return g.Rows
}

// beside lays columns beside one another, each as wide as it needs.
type beside struct{}

const columnGap = 14

func (beside) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	x := float32(0)
	for _, o := range objects {
		w := o.MinSize().Width
		o.Move(fyne.NewPos(x, 0))
		o.Resize(fyne.NewSize(w, size.Height))
		x += w + columnGap
	}
}

func (beside) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var all fyne.Size
	for _, o := range objects {
		m := o.MinSize()
		all.Width += m.Width + columnGap
		all.Height = max(all.Height, m.Height)
	}
	return all
}
