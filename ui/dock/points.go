package dock

import (
	"sort"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/query"
	"retrace/ui/state"
	"retrace/ui/words"
)

// pointRows is the table POINTS: the recovered points of the current trip, or
// its input points where it is not recovered.
type pointRows struct {
	m      *state.Model
	trip   *state.Trip
	ticks  []trajectory.Tick // nil: not recovered
	places []facts.Place     // of the ticks
}

func newPoints(m *state.Model) *pointRows { return &pointRows{m: m} }

func (s *pointRows) title() string { return lang.L("Points") }

func (s *pointRows) columns() []column {
	right := fyne.TextAlignTrailing
	at := known(s.time)
	return []column{
		{Column: kit.Column{Title: lang.L("Point"), Width: 60, Min: 44, Align: right}, name: "point", kind: query.Number,
			value: known(func(row int) float64 { return float64(row + 1) })},
		{Column: kit.Column{Title: lang.L("Time"), Width: 90, Min: 76}, name: "time", kind: query.Instant, value: at,
			text: func(row int) string { return words.Clock(int64(s.time(row)), s.m.Zone()) }, tip: utcTip(at)},
		{Column: kit.Column{Title: lang.L("Input"), Width: 80, Min: 50}, name: "input", kind: query.Number, value: s.input},
		{Column: kit.Column{Title: lang.L("Road"), Width: 220, Min: 100, Grow: 1}, name: "road", text: s.ofSegment(words.Road)},
		{Column: kit.Column{Title: lang.L("Class"), Width: 210, Min: 90, Grow: 0.6}, name: "class", text: s.ofSegment(words.Kind)},
		{Column: kit.Column{Title: lang.L("Deck"), Width: 150, Min: 70}, name: "deck", text: s.deck, cell: s.unsure},
		{Column: kit.Column{Title: lang.L("Speed"), Width: 90, Min: 70, Align: right}, name: "speed", kind: query.Speed,
			value: func(row int) (float64, bool) { return facts.SpeedAfter(s.ticks, row) }},
		probabilityColumn(s.probability),
		{Column: kit.Column{Title: lang.L("Doubt along the way"), Width: 130, Min: 90, Align: right}, name: "doubt along the way", kind: query.Length, value: s.along},
		{Column: kit.Column{Title: lang.L("Position"), Width: 160, Min: 100}, name: "position",
			text: func(row int) string { return words.Place(s.place(row)) }},
	}
}

func (s *pointRows) load() {
	s.trip, s.ticks, s.places = s.m.Current(), nil, nil
	if s.trip == nil {
		return
	}
	if r := s.trip.Shown(); r != nil {
		s.ticks, s.places = r.Ticks, facts.Places(r)
	}
}

func (s *pointRows) count() int {
	switch {
	case s.trip == nil:
		return 0
	case s.ticks != nil:
		return len(s.ticks)
	}
	return len(s.trip.Trajectory().Samples)
}

func (s *pointRows) time(row int) float64 {
	if s.ticks == nil {
		return float64(s.trip.Trajectory().Samples[row].Time)
	}
	return float64(s.ticks[row].Time)
}

// input is the number of the input point that a recovered point stands for.
func (s *pointRows) input(row int) (float64, bool) {
	if s.ticks == nil {
		return float64(row + 1), true
	}
	return float64(s.ticks[row].Sample + 1), s.ticks[row].Observed
}

func (s *pointRows) place(row int) roadnet.Point {
	if s.ticks == nil {
		p := s.trip.Trajectory().Samples[row]
		return roadnet.Point{Lon: p.Lon, Lat: p.Lat}
	}
	return roadnet.Point{Lon: s.ticks[row].Lon, Lat: s.ticks[row].Lat}
}

// ofSegment is a text about the road that a recovered point lies on.
func (s *pointRows) ofSegment(f func(roadnet.Segment) string) func(int) string {
	return func(row int) string {
		if s.ticks == nil {
			return ""
		}
		return f(s.m.Network().Segment(s.ticks[row].At.Segment))
	}
}

func (s *pointRows) deck(row int) string {
	if s.ticks == nil {
		return ""
	}
	return deckOf(s.ticks[row].Deck, s.ticks[row].Uncertain())
}

func deckOf(d trajectory.Deck, unsure bool) string {
	if unsure {
		return words.Deck(d) + " ?"
	}
	return words.Deck(d)
}

func (s *pointRows) unsure(row int, c *kit.Cell) {
	if s.ticks != nil && s.ticks[row].Uncertain() {
		c.Icon, c.Colour = "warning", look.Warning
	}
}

func (s *pointRows) probability(row int) (float64, bool) {
	if s.ticks == nil {
		return 0, false
	}
	return float64(s.places[row].Road), true
}

// along is how many metres along its way a recovered point is in doubt.
func (s *pointRows) along(row int) (float64, bool) {
	if s.ticks == nil || s.places[row].Along == 0 {
		return 0, false
	}
	return float64(s.places[row].Along), true
}

func (s *pointRows) item(row int) render.Item {
	kind := render.SampleItem
	if s.ticks != nil {
		kind = render.TickItem
	}
	return render.Item{Kind: kind, Trip: s.trip.ID(), Index: row}
}

func (s *pointRows) selected(row int) bool { return row == s.chosen() }

// chosen is the last point that was passed when the clock stands; selecting a
// point, here, on the map or in the strip, moves the clock there.
func (s *pointRows) chosen() int {
	if s.trip == nil || s.m.Current() != s.trip {
		return -1
	}
	at := float64(s.m.InstantOf(s.trip))
	return sort.Search(s.count(), func(i int) bool { return s.time(i) > at }) - 1
}

func (s *pointRows) pick(row int) { s.m.Select(s.item(row)) }

func (s *pointRows) empty() string { return lang.L("Select a trip to see its points.") }

func (s *pointRows) sortedBy() (int, bool)    { return -1, false }
func (s *pointRows) tools() fyne.CanvasObject { return nil }

// segmentNumber is the number of a segment as texts show it.
func segmentNumber(id roadnet.SegmentID) string { return strconv.FormatUint(uint64(id), 10) }
