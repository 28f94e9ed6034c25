package dock

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/trajectory"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/query"
	"retrace/ui/state"
	"retrace/ui/words"
)

// spanRows is the table ELEVATED: every span on, below or near an elevated
// road, of all trips that lists are narrowed to, the most doubtful first.
type spanRows struct {
	m    *state.Model
	rows []spanRow
	made version // that rows are of
}

type spanRow struct {
	trip  *state.Trip
	index int
	span  *trajectory.Span
}

// The column of ELEVATED that it is sorted by at first.
const spanMargin = 7

func newSpans(m *state.Model) *spanRows { return &spanRows{m: m} }

func (s *spanRows) title() string { return lang.L("Elevated") }

func (s *spanRows) columns() []column {
	right := fyne.TextAlignTrailing
	enter := known(func(row int) float64 { return float64(s.rows[row].span.Enter) })
	exit := known(func(row int) float64 { return float64(s.rows[row].span.Exit) })
	probability := known(func(row int) float64 { return float64(s.rows[row].span.Probability) })
	return []column{
		{Column: kit.Column{Title: lang.L("Trip"), Width: 130, Min: 80, Grow: 0.5}, name: "trip",
			text: func(row int) string { return s.rows[row].trip.Title() }},
		{Column: kit.Column{Title: lang.L("Entry"), Width: 160, Min: 140}, name: "entry", kind: query.Instant, value: enter, tip: utcTip(enter)},
		{Column: kit.Column{Title: lang.L("Exit"), Width: 84, Min: 70}, name: "exit", kind: query.Instant, value: exit, tip: utcTip(exit),
			text: func(row int) string { return words.Clock(s.rows[row].span.Exit, s.m.Zone()) }},
		{Column: kit.Column{Title: lang.L("Road"), Width: 200, Min: 100, Grow: 1}, name: "road",
			text: func(row int) string { return words.SpanRoad(s.rows[row].span.Road) }},
		{Column: kit.Column{Title: lang.L("Where"), Width: 140, Min: 90}, name: "where",
			text: func(row int) string {
				return deckOf(s.rows[row].span.Kind, s.rows[row].span.Margin < trajectory.UncertainMargin)
			}},
		{Column: kit.Column{Title: lang.L("Length"), Width: 90, Min: 70, Align: right}, name: "length", kind: query.Length,
			value: known(func(row int) float64 { return s.rows[row].span.To - s.rows[row].span.From })},
		probabilityColumn(probability),
		{Column: kit.Column{Title: lang.L("Margin"), Width: 90, Min: 80}, name: "margin", kind: query.Share,
			value: known(func(row int) float64 { return float64(s.rows[row].span.Margin) }), cell: s.doubt},
		{Column: kit.Column{Title: lang.L("Runner-up"), Width: 180, Min: 90, Grow: 0.8}, name: "runner-up",
			text: func(row int) string { return words.SpanRoad(s.rows[row].span.RunnerUp) }},
		checkedColumn(s.checked),
	}
}

func (s *spanRows) doubt(row int, c *kit.Cell) {
	if s.rows[row].span.Margin < trajectory.UncertainMargin {
		c.Icon, c.Colour = "warning", look.Warning
	}
}

// checked reports whether a person has looked at a span.
func (s *spanRows) checked(row int) bool { return s.m.Checked(s.item(row)) }

func (s *spanRows) load() {
	if !s.made.stale(s.m) {
		return
	}
	s.rows = s.rows[:0]
	for _, t := range s.m.Trips() {
		if spans := t.Spans(); s.m.Within(t) {
			for i := range spans {
				s.rows = append(s.rows, spanRow{t, i, &spans[i]})
			}
		}
	}
}

func (s *spanRows) count() int { return len(s.rows) }

func (s *spanRows) item(row int) render.Item {
	return render.Item{Kind: render.SpanItem, Trip: s.rows[row].trip.ID(), Index: s.rows[row].index}
}

func (s *spanRows) selected(row int) bool {
	sel := s.m.Selected()
	return sel.Kind == render.SpanItem && sel.Index == s.rows[row].index && sel.Trip == s.rows[row].trip.ID()
}

func (s *spanRows) chosen() int {
	if s.m.Selected().Kind != render.SpanItem {
		return -1
	}
	for i := range s.rows {
		if s.selected(i) {
			return i
		}
	}
	return -1
}

func (s *spanRows) pick(row int) { s.m.Select(s.item(row)) }

func (s *spanRows) empty() string {
	return lang.L("No recovered trip drove on, below or near an elevated road.")
}

// sortedBy implements source: what is most in doubt comes first.
func (s *spanRows) sortedBy() (int, bool)    { return spanMargin, false }
func (s *spanRows) tools() fyne.CanvasObject { return nil }
