package dock

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

func noMatch() string { return lang.L("No row passes the filter.") }

func text(s string) state.Field { return state.Field{Text: s} }

func number(v float64, shown string) state.Field {
	return state.Field{Text: shown, Number: v, Numeric: true}
}

// tripRows is the table TRIPS.
type tripRows struct {
	m *state.Model
}

func newTrips(m *state.Model, _ Acts) *tripRows { return &tripRows{m: m} }

// The columns of TRIPS.
const (
	tripEye = iota
	tripName
	tripStart
	tripDuration
	tripLength
	tripPoints
	tripLowest
	tripElevated
	tripWarnings
	tripState
)

func (s *tripRows) title() string { return lang.L("Trips") }
func (s *tripRows) columns() []kit.Column {
	right := fyne.TextAlignTrailing
	return []kit.Column{
		{Width: 40, Min: 32, Fixed: true},
		{Title: lang.L("Name"), Width: 160, Min: 80, Grow: 1},
		{Title: lang.L("Start"), Width: 160, Min: 140},
		{Title: lang.L("Duration"), Width: 84, Min: 66, Align: right},
		{Title: lang.L("Length"), Width: 90, Min: 72, Align: right},
		{Title: lang.L("Points"), Width: 104, Min: 78, Align: right},
		{Title: lang.L("Lowest probability"), Width: 172, Min: 120, Grow: 0.3},
		{Title: lang.L("Elevated"), Width: 84, Min: 70, Align: right, Grow: 0.2},
		{Title: lang.L("Warnings"), Width: 230, Min: 120, Grow: 2},
		{Title: lang.L("State"), Width: 130, Min: 96},
	}
}

func (s *tripRows) load()                {}
func (s *tripRows) count() int           { return len(s.m.Trips()) }
func (s *tripRows) at(i int) *state.Trip { return s.m.Trips()[i] }

func (s *tripRows) field(row, column int) state.Field {
	t := s.at(row)
	f := t.Facts
	switch column {
	case tripName:
		return text(t.ID())
	case tripStart:
		return number(float64(f.Start), words.At(f.Start, words.Zone(s.m)))
	case tripDuration:
		return number(f.Duration().Minutes(), words.Duration(f.Duration()))
	case tripLength:
		return number(f.Distance(), words.Length(f.Distance()))
	case tripPoints:
		return number(float64(f.Points), pointsOf(f))
	case tripWarnings:
		return text(words.Warnings(t))
	case tripState:
		return text(words.Status(t.Status))
	}
	if t.Shown() == nil {
		return text("")
	}
	switch column {
	case tripLowest:
		return number(float64(f.Lowest), words.Probability(float64(f.Lowest)))
	case tripElevated:
		return number(f.Elevated, words.Length(f.Elevated))
	}
	return text("")
}

func pointsOf(f state.Facts) string {
	if f.Ticks == 0 {
		return words.Count(f.Points)
	}
	return fmt.Sprintf("%s » %s", words.Count(f.Points), words.Count(f.Ticks))
}

func (s *tripRows) cell(row, column int) kit.Cell {
	t := s.at(row)
	current := s.m.Current() == t
	c := kit.Cell{Text: s.field(row, column).Text}
	c.Style.Bold = column == tripName && current
	switch column {
	case tripEye:
		c.Icon, c.Colour = "eye-off", look.Muted
		if s.m.Visible(t) {
			c.Icon = "eye"
		}
		if s.m.Visible(t) && current {
			c.Colour = look.Accent
		}
	case tripLowest:
		if t.Shown() != nil {
			c.Bar = &kit.Gauge{Value: t.Facts.Lowest, Hollow: t.Facts.Lowest < hollowUnder}
		}
	case tripWarnings:
		if c.Text != "" {
			c.Icon, c.Colour = "warning", look.Warning
		} else if t.Shown() != nil {
			c.Text, c.Style.Colour = lang.L("none"), look.Muted
		}
	case tripState:
		c.Icon = stateIcon(t.Status)
	}
	return c
}

// hollowUnder is the probability under which a point is drawn hollow.
const hollowUnder = 0.6

func stateIcon(s state.Status) string {
	switch s {
	case state.Recovered:
		return "check"
	case state.Queued:
		return "wait"
	case state.Failed:
		return "cross"
	}
	return ""
}

func (s *tripRows) selected(row int) bool {
	t := s.at(row)
	return s.m.IsMarked(t.ID()) || s.m.Current() == t
}

func (s *tripRows) chosen() int {
	for i, t := range s.m.Trips() {
		if t == s.m.Current() {
			return i
		}
	}
	return -1
}

func (s *tripRows) pick(k kit.Picked, at func(int) int) {
	t := s.at(at(k.Index))
	if k.Toggle || k.Extend {
		s.m.ToggleMark(t.ID())
		return
	}
	s.m.SelectTrip(t.ID())
}

func (s *tripRows) item(row int) render.Item {
	return render.Item{Kind: render.TripItem, Trip: s.at(row).ID()}
}

func (s *tripRows) empty() string {
	return lang.L("No trips yet: drop trajectory files on the window.")
}

func (s *tripRows) sortedBy() int { return -1 }
