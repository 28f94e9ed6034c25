package dock

import (
	"strconv"
	"time"

	"fyne.io/fyne/v2/lang"

	"retrace/engine/trajectory/facts"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/query"
	"retrace/ui/state"
	"retrace/ui/words"
)

// column is a column of a table: how it is headed, and what its fields are. Rows
// are numbered as they come from the source.
type column struct {
	kit.Column
	name  string // in English, which filters always understand; empty: it has no fields
	kind  query.Kind
	value func(row int) (float64, bool) // of a column of numbers, in the unit of its kind
	text  func(row int) string          // of a column of texts; of others as they are shown, nil: as their kind is
	cell  func(row int, c *kit.Cell)    // adds to what is shown; nil: nothing
	tip   func(row int) string          // what to say under the pointer; nil: nothing
}

// style is how fields are written: in which zone times are, and how numbers.
type style struct {
	zone    *time.Location
	figures words.Figures
}

func styleOf(m *state.Model) style { return style{m.Zone(), words.InUse()} }

// show is a field as it is shown.
func (c *column) show(row int, in style) string {
	if c.text != nil {
		return c.text(row)
	}
	if c.value == nil {
		return ""
	}
	v, ok := c.value(row)
	if !ok {
		return ""
	}
	switch c.kind {
	case query.Length:
		return in.figures.Length(v)
	case query.Speed:
		return in.figures.Speed(v)
	case query.Duration:
		return words.Duration(time.Duration(v * float64(time.Second)))
	case query.Share:
		return in.figures.Probability(v)
	case query.Instant:
		return in.figures.At(int64(v), in.zone)
	}
	return in.figures.Count(int(v))
}

// unit is the unit that a column's values have in CSV.
func (c *column) unit() string {
	return [...]string{query.Length: "m", query.Speed: "km/h", query.Duration: "s", query.Instant: ""}[min(c.kind, query.Instant)]
}

// head is the title of a column in CSV.
func (c *column) head() string {
	if u := c.unit(); u != "" {
		return c.Title + " (" + u + ")"
	}
	return c.Title
}

// plain is a field for CSV: a bare number that any program can read.
func (c *column) plain(row int, in style) string {
	if c.value == nil {
		return c.show(row, in)
	}
	v, ok := c.value(row)
	if !ok {
		return ""
	}
	switch c.kind {
	case query.Instant:
		return words.ISO(int64(v), in.zone)
	case query.Speed:
		v *= 3.6
	}
	digits := [...]int{query.Length: 1, query.Speed: 1, query.Duration: 0, query.Share: 4, query.Number: 0}[min(c.kind, query.Share)]
	return strconv.FormatFloat(v, 'f', digits, 64)
}

// known is a value that every row has.
func known(f func(row int) float64) func(int) (float64, bool) {
	return func(row int) (float64, bool) { return f(row), true }
}

// probabilityColumn shows probabilities as bars too.
func probabilityColumn(value func(row int) (float64, bool)) column {
	return column{Column: kit.Column{Title: lang.L("Probability"), Width: 170, Min: 110}, name: "probability", kind: query.Share, value: value,
		cell: func(row int, c *kit.Cell) {
			if v, ok := value(row); ok {
				c.Bar = &kit.Gauge{Value: float32(v), Hollow: v < render.HollowBelow}
			}
		}}
}

// riskColumn shows risks as bars too, in the colour of warnings where a person should
// look.
func riskColumn(value func(row int) (float64, bool)) column {
	return column{Column: kit.Column{Title: lang.L("Risk"), Width: 150, Min: 100}, name: "risk", kind: query.Share, value: value,
		cell: func(row int, c *kit.Cell) {
			if v, ok := value(row); ok {
				c.Bar = &kit.Gauge{Value: float32(v), Warn: v >= facts.Risky}
			}
		}}
}

// checkedColumn says of which rows a person has looked at the place.
func checkedColumn(checked func(row int) bool) column {
	return column{Column: kit.Column{Title: lang.L("Checked"), Width: 90, Min: 70}, name: "checked",
		text: func(row int) string {
			if checked(row) {
				return lang.L("checked")
			}
			return ""
		},
		cell: func(row int, c *kit.Cell) {
			if c.Text != "" {
				c.Icon, c.Colour = "check", look.Accent
			}
		}}
}

// utcTip says an instant in UTC.
func utcTip(value func(row int) (float64, bool)) func(int) string {
	return func(row int) string {
		if v, ok := value(row); ok {
			return words.UTC(int64(v))
		}
		return ""
	}
}

// rowOf is a row as a filter sees it.
type rowOf struct {
	columns []column
	in      style
	row     int
}

func (r *rowOf) Text(c int) string           { return r.columns[c].show(r.row, r.in) }
func (r *rowOf) Value(c int) (float64, bool) { return r.columns[c].value(r.row) }

// grammar is what filters may say of columns.
func grammar(columns []column, m *state.Model) query.Grammar {
	g := query.Grammar{And: conjunctions("and"), Or: conjunctions("or"), Not: conjunctions("not"), Instant: instantIn(m), OfDay: ofDayIn(m), Miles: words.InUse().Miles()}
	for i := range columns {
		c := &columns[i]
		if c.name == "" {
			g.Columns = append(g.Columns, query.Column{})
			continue
		}
		g.Columns = append(g.Columns, query.Column{Names: []string{c.Title, c.name}, Kind: c.kind})
	}
	return g
}

func instantIn(m *state.Model) func(y, mo, d int, ofDay int64) int64 {
	return func(y, mo, d int, ofDay int64) int64 {
		ms := int(ofDay)
		return time.Date(y, time.Month(mo), d, ms/3_600_000, ms/60_000%60, ms/1000%60, 0, m.Zone()).UnixMilli()
	}
}

func ofDayIn(m *state.Model) func(int64) int64 {
	return func(at int64) int64 {
		t := time.UnixMilli(at).In(m.Zone())
		return int64(t.Hour())*3_600_000 + int64(t.Minute())*60_000 + int64(t.Second())*1000
	}
}
