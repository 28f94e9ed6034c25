package dock

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/trajectory"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/query"
	"retrace/ui/state"
	"retrace/ui/words"
)

// doubtRows is the table DOUBTS: every place where a recovery may be wrong, of
// all trips that lists are narrowed to, those of the highest risk first. The keys of
// the next doubt and the one before step through it.
type doubtRows struct {
	m    *state.Model
	rows []state.Doubt
	made version // that rows are of
}

func newDoubts(m *state.Model) *doubtRows { return &doubtRows{m: m} }

func (s *doubtRows) title() string { return lang.L("Doubts") }

func (s *doubtRows) columns() []column {
	at := known(func(row int) float64 { return float64(s.rows[row].At) })
	off := func(row int) (float64, bool) { return s.rows[row].Error, s.rows[row].Error > 0 }
	return []column{
		{Column: kit.Column{Title: lang.L("Trip"), Width: 150, Min: 80, Grow: 0.5}, name: "trip",
			text: func(row int) string { return s.trip(row).Title() }},
		{Column: kit.Column{Title: lang.L("Time"), Width: 160, Min: 140}, name: "time", kind: query.Instant, value: at, tip: utcTip(at)},
		{Column: kit.Column{Title: lang.L("In doubt"), Width: 160, Min: 100}, name: "what", text: s.what},
		{Column: kit.Column{Title: lang.L("Road"), Width: 240, Min: 100, Grow: 1}, name: "road", text: s.road},
		{Column: kit.Column{Title: lang.L("Where"), Width: 140, Min: 90}, name: "where", text: s.where},
		riskColumn(known(func(row int) float64 { return s.rows[row].Risk })),
		{Column: kit.Column{Title: lang.L("Expected error"), Width: 136, Min: 96, Align: fyne.TextAlignTrailing}, name: "expected error", kind: query.Length, value: off},
		checkedColumn(s.checked),
	}
}

func (s *doubtRows) trip(row int) *state.Trip { return s.m.Trip(s.rows[row].Item.Trip) }

// what says what is in doubt.
func (s *doubtRows) what(row int) string {
	return words.InDoubt(s.rows[row].Doubt)
}

// place is the road and the deck that were recovered there.
func (s *doubtRows) place(row int) (road string, deck trajectory.Deck) {
	r, item := s.trip(row).Shown(), s.rows[row].Item
	switch {
	case r == nil:
	case item.Kind == render.SpanItem && item.Index < len(r.Spans):
		return words.SpanRoad(r.Spans[item.Index].Road), r.Spans[item.Index].Kind
	case item.Index < len(r.Ticks):
		k := r.Ticks[item.Index]
		return words.Road(s.m.Network().Segment(k.At.Segment)), k.Deck
	}
	return "", 0
}

func (s *doubtRows) road(row int) string {
	road, _ := s.place(row)
	return road
}

func (s *doubtRows) where(row int) string {
	_, deck := s.place(row)
	return words.Deck(deck)
}

// checked reports whether a person has looked at a place.
func (s *doubtRows) checked(row int) bool { return s.rows[row].Checked }

func (s *doubtRows) load() {
	if !s.made.stale(s.m) {
		return
	}
	s.rows = s.rows[:0]
	for _, d := range s.m.Doubts() {
		if t := s.m.Trip(d.Item.Trip); t != nil && s.m.Within(t) {
			s.rows = append(s.rows, d)
		}
	}
}

func (s *doubtRows) count() int               { return len(s.rows) }
func (s *doubtRows) item(row int) render.Item { return s.rows[row].Item }
func (s *doubtRows) selected(row int) bool    { return s.m.Selected() == s.rows[row].Item }

func (s *doubtRows) chosen() int {
	for i := range s.rows {
		if s.selected(i) {
			return i
		}
	}
	return -1
}

func (s *doubtRows) pick(row int) { s.m.Select(s.item(row)) }

func (s *doubtRows) empty() string { return lang.L("No recovered trip has a place in doubt.") }

// sortedBy implements source: they come with the most doubtful first.
func (s *doubtRows) sortedBy() (int, bool)    { return -1, false }
func (s *doubtRows) tools() fyne.CanvasObject { return nil }
