package dock

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/query"
	"retrace/ui/state"
	"retrace/ui/words"
)

func noMatch() string { return lang.L("No row passes the filter.") }

// tripRows is the table TRIPS.
type tripRows struct {
	m        *state.Model
	trips    []*state.Trip
	states   map[state.Status]string // in words: a filter asks for them of every row
	warnings map[warned]string
	figures  words.Figures
}

// The column of TRIPS that it is sorted by at first.
const tripRisk = 6

// warned is what the words of a trip's warnings depend on.
type warned struct{ breaks, offRoad, outliers, unsure, wild int }

func newTrips(m *state.Model) *tripRows {
	return &tripRows{m: m, states: map[state.Status]string{}, warnings: map[warned]string{}}
}

func (s *tripRows) title() string { return lang.L("Trips") }

func (s *tripRows) columns() []column {
	right := fyne.TextAlignTrailing
	start := known(func(row int) float64 { return float64(s.trips[row].Facts.Start) })
	return []column{
		{Column: kit.Column{Width: 40, Min: 32, Fixed: true}, cell: s.eye},
		{Column: kit.Column{Title: lang.L("Name"), Width: 160, Min: 80, Grow: 1}, name: "name",
			text: func(row int) string { return s.trips[row].Title() },
			cell: func(row int, c *kit.Cell) { c.Style.Bold = s.m.Current() == s.trips[row] }},
		{Column: kit.Column{Title: lang.L("Start"), Width: 160, Min: 140}, name: "start", kind: query.Instant, value: start, tip: utcTip(start)},
		{Column: kit.Column{Title: lang.L("Duration"), Width: 84, Min: 66, Align: right}, name: "duration", kind: query.Duration,
			value: known(func(row int) float64 { return s.trips[row].Facts.Duration().Seconds() })},
		{Column: kit.Column{Title: lang.L("Length"), Width: 90, Min: 72, Align: right}, name: "length", kind: query.Length,
			value: known(func(row int) float64 { return s.trips[row].Facts.Distance() })},
		{Column: kit.Column{Title: lang.L("Points"), Width: 104, Min: 78, Align: right}, name: "points", kind: query.Number,
			value: known(func(row int) float64 { return float64(s.trips[row].Facts.Points) }), text: s.points},
		riskColumn(s.judged(func(f state.Facts) float64 { return float64(f.Risk) })),
		{Column: kit.Column{Title: lang.L("Expected error"), Width: 136, Min: 96, Align: right}, name: "expected error", kind: query.Length,
			value: s.judged(func(f state.Facts) float64 { return float64(f.Error) })},
		{Column: kit.Column{Title: lang.L("Elevated"), Width: 84, Min: 70, Align: right, Grow: 0.2}, name: "elevated", kind: query.Length,
			value: s.recovered(func(t *state.Trip) float64 { return t.Facts.Elevated })},
		{Column: kit.Column{Title: lang.L("Warnings"), Width: 230, Min: 120, Grow: 2}, name: "warnings",
			text: s.warning, cell: s.warningCell, tip: s.warning},
		{Column: kit.Column{Title: lang.L("State"), Width: 130, Min: 96}, name: "state",
			text: s.state,
			cell: func(row int, c *kit.Cell) { c.Icon = stateIcon(s.trips[row].Status) }},
	}
}

// recovered is a value that only trips with a recovery have.
func (s *tripRows) recovered(f func(*state.Trip) float64) func(int) (float64, bool) {
	return func(row int) (float64, bool) { return f(s.trips[row]), s.trips[row].IsShown() }
}

func (s *tripRows) eye(row int, c *kit.Cell) {
	t := s.trips[row]
	c.Icon, c.Colour = "eye-off", look.Muted
	if s.m.Visible(t) {
		c.Icon = "eye"
		if s.m.Current() == t {
			c.Colour = look.Accent
		}
	}
}

func (s *tripRows) points(row int) string {
	f := s.trips[row].Facts
	if f.Ticks == 0 {
		return s.figures.Count(f.Points)
	}
	return s.figures.Count(f.Points) + " » " + s.figures.Count(f.Ticks)
}

// judged is a value that only trips have whose risk is known.
func (s *tripRows) judged(f func(state.Facts) float64) func(int) (float64, bool) {
	return func(row int) (float64, bool) {
		t := s.trips[row]
		return f(t.Facts), t.IsShown() && t.Facts.Judged
	}
}

// state is a trip's state in words.
func (s *tripRows) state(row int) string {
	status := s.trips[row].Status
	text, ok := s.states[status]
	if !ok {
		text = words.Status(status)
		s.states[status] = text
	}
	return text
}

// warning is what a person should look at in a trip, in words.
func (s *tripRows) warning(row int) string {
	t := s.trips[row]
	f := t.Facts
	key := warned{f.Breaks, f.OffRoad, f.Outliers, f.Unsure, f.Wild}
	switch {
	case t.Status == state.Failed:
		return words.Warnings(t)
	case t.Status == state.Outside:
		key = warned{breaks: -1}
	case key == (warned{}):
		return ""
	}
	text, ok := s.warnings[key]
	if !ok {
		text = words.Warnings(t)
		s.warnings[key] = text
	}
	return text
}

func (s *tripRows) warningCell(row int, c *kit.Cell) {
	if c.Text != "" {
		c.Icon, c.Colour = "warning", look.Warning
	} else if s.trips[row].IsShown() {
		c.Text, c.Style.Colour = lang.L("none"), look.Muted
	}
}

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

// load takes the trips that lists are narrowed to.
func (s *tripRows) load() {
	s.figures = words.InUse()
	if _, _, narrowed := s.m.Narrowed(); !narrowed {
		s.trips = s.m.Trips()
		return
	}
	s.trips = nil
	for _, t := range s.m.Trips() {
		if s.m.Within(t) {
			s.trips = append(s.trips, t)
		}
	}
}

func (s *tripRows) count() int { return len(s.trips) }

func (s *tripRows) selected(row int) bool {
	t := s.trips[row]
	return s.m.IsMarked(t.ID()) || s.m.Current() == t
}

func (s *tripRows) chosen() int {
	current := s.m.Current()
	for i, t := range s.trips {
		if t == current {
			return i
		}
	}
	return -1
}

func (s *tripRows) pick(row int) { s.m.SelectTrip(s.trips[row].ID()) }

// mark implements marker.
func (s *tripRows) mark(rows []int) {
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = s.trips[r].ID()
	}
	s.m.Mark(ids)
}

// toggle implements marker.
func (s *tripRows) toggle(row int) { s.m.ToggleMark(s.trips[row].ID()) }

func (s *tripRows) item(row int) render.Item {
	return render.Item{Kind: render.TripItem, Trip: s.trips[row].ID()}
}

func (s *tripRows) empty() string {
	return lang.L("No trips yet: drop trajectory files on the window.")
}

// sortedBy implements source: the trips of the highest risk come first.
func (s *tripRows) sortedBy() (int, bool) { return tripRisk, true }

func (s *tripRows) tools() fyne.CanvasObject { return nil }
