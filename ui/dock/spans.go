package dock

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/trajectory"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

// spanRows is the table ELEVATED: every span on, below or near an elevated
// road, of all trips, the most doubtful first.
type spanRows struct {
	m     *state.Model
	rows  []spanRow
	built int // revision of the trips that rows are of
}

type spanRow struct {
	trip  *state.Trip
	index int
	span  trajectory.Span
}

func newSpans(m *state.Model) *spanRows { return &spanRows{m: m, built: -1} }

// The columns of ELEVATED.
const (
	spanTrip = iota
	spanEnter
	spanExit
	spanRoad
	spanKind
	spanLength
	spanProbability
	spanMargin
	spanRunnerUp
)

func (s *spanRows) title() string { return lang.L("Elevated") }
func (s *spanRows) columns() []kit.Column {
	right := fyne.TextAlignTrailing
	return []kit.Column{
		{Title: lang.L("Trip"), Width: 130, Min: 80, Grow: 0.5},
		{Title: lang.L("Entry"), Width: 160, Min: 140},
		{Title: lang.L("Exit"), Width: 84, Min: 70},
		{Title: lang.L("Road"), Width: 200, Min: 100, Grow: 1},
		{Title: lang.L("Where"), Width: 140, Min: 90},
		{Title: lang.L("Length"), Width: 90, Min: 70, Align: right},
		{Title: lang.L("Probability"), Width: 170, Min: 110},
		{Title: lang.L("Margin"), Width: 84, Min: 64},
		{Title: lang.L("Runner-up"), Width: 200, Min: 90, Grow: 0.8},
	}
}

func (s *spanRows) load() {
	if s.built == s.m.Revision() {
		return
	}
	s.built = s.m.Revision()
	s.rows = s.rows[:0]
	for _, t := range s.m.Trips() {
		if r := t.Shown(); r != nil {
			for i, span := range r.Spans {
				s.rows = append(s.rows, spanRow{t, i, span})
			}
		}
	}
}

func (s *spanRows) count() int { return len(s.rows) }

func (s *spanRows) field(row, column int) state.Field {
	r := s.rows[row]
	zone := words.Zone(s.m)
	switch column {
	case spanTrip:
		return text(r.trip.ID())
	case spanEnter:
		return number(float64(r.span.Enter), words.At(r.span.Enter, zone))
	case spanExit:
		return number(float64(r.span.Exit), words.Clock(r.span.Exit, zone))
	case spanRoad:
		return text(r.span.Road)
	case spanKind:
		return text(deckOf(r.span.Kind, r.span.Margin < trajectory.UncertainMargin))
	case spanLength:
		return number(r.span.To-r.span.From, words.Length(r.span.To-r.span.From))
	case spanProbability:
		return number(float64(r.span.Probability), words.Probability(float64(r.span.Probability)))
	case spanMargin:
		return number(float64(r.span.Margin), words.Probability(float64(r.span.Margin)))
	}
	return text(r.span.RunnerUp)
}

func (s *spanRows) cell(row, column int) kit.Cell {
	f := s.field(row, column)
	c := kit.Cell{Text: f.Text}
	switch {
	case column == spanProbability:
		c.Bar = &kit.Gauge{Value: float32(f.Number), Hollow: f.Number < hollowUnder}
	case column == spanMargin && f.Number < trajectory.UncertainMargin:
		c.Icon, c.Colour = "warning", look.Warning
	}
	return c
}

func (s *spanRows) item(row int) render.Item {
	return render.Item{Kind: render.SpanItem, Trip: s.rows[row].trip.ID(), Index: s.rows[row].index}
}

func (s *spanRows) same(row int) bool {
	sel := s.m.Selected()
	return sel.Kind == render.SpanItem && sel.Trip == s.rows[row].trip.ID() && sel.Index == s.rows[row].index
}

func (s *spanRows) selected(row int) bool { return s.same(row) }

func (s *spanRows) chosen() int {
	for i := range s.rows {
		if s.same(i) {
			return i
		}
	}
	return -1
}

func (s *spanRows) pick(k kit.Picked, at func(int) int) { s.m.Select(s.item(at(k.Index))) }

func (s *spanRows) empty() string {
	return lang.L("No recovered trip drove on, below or near an elevated road.")
}

// sortedBy implements source: what is most in doubt comes first.
func (s *spanRows) sortedBy() int { return spanMargin }
