package dock

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

// pointRows is the table POINTS: the recovered points of the current trip, or
// its input points where it is not recovered.
type pointRows struct {
	m     *state.Model
	trip  *state.Trip
	ticks []trajectory.Tick
}

func newPoints(m *state.Model) *pointRows { return &pointRows{m: m} }

// The columns of POINTS.
const (
	pointNumber = iota
	pointTime
	pointInput
	pointRoad
	pointKind
	pointDeck
	pointSpeed
	pointProbability
	pointPlace
)

func (s *pointRows) title() string { return lang.L("Points") }
func (s *pointRows) columns() []kit.Column {
	right := fyne.TextAlignTrailing
	return []kit.Column{
		{Title: lang.L("Point"), Width: 60, Min: 44, Align: right},
		{Title: lang.L("Time"), Width: 90, Min: 76},
		{Title: lang.L("Input"), Width: 80, Min: 50},
		{Title: lang.L("Road"), Width: 220, Min: 100, Grow: 1},
		{Title: lang.L("Class"), Width: 210, Min: 90, Grow: 0.6},
		{Title: lang.L("Deck"), Width: 150, Min: 70},
		{Title: lang.L("Speed"), Width: 90, Min: 70, Align: right},
		{Title: lang.L("Probability"), Width: 170, Min: 110},
		{Title: lang.L("Position"), Width: 160, Min: 100},
	}
}

func (s *pointRows) load() {
	s.trip, s.ticks = s.m.Current(), nil
	if s.trip == nil {
		return
	}
	if r := s.trip.Shown(); r != nil {
		s.ticks = r.Ticks
	}
}

func (s *pointRows) count() int {
	switch {
	case s.trip == nil:
		return 0
	case s.trip.Shown() != nil:
		return len(s.ticks)
	}
	return len(s.trip.Trajectory.Samples)
}

func (s *pointRows) field(row, column int) state.Field {
	if s.trip.Shown() == nil {
		return s.sample(row, column)
	}
	k := s.ticks[row]
	seg := func() roadnet.Segment { return s.m.Network().Segment(k.At.Segment) }
	switch column {
	case pointNumber:
		return number(float64(row+1), words.Count(row+1))
	case pointTime:
		return number(float64(k.Time), words.Clock(k.Time, words.Zone(s.m)))
	case pointInput:
		if k.Observed {
			return number(float64(k.Sample+1), fmt.Sprint(k.Sample+1))
		}
	case pointRoad:
		return text(words.Road(seg()))
	case pointKind:
		return text(words.Kind(seg()))
	case pointDeck:
		return text(deckOf(k.Deck, k.Uncertain()))
	case pointSpeed:
		if v, ok := facts.SpeedAfter(s.ticks, row); ok {
			return number(v*3.6, words.Speed(v))
		}
	case pointProbability:
		return number(float64(k.Probability), words.Probability(float64(k.Probability)))
	case pointPlace:
		return text(words.Place(roadnet.Point{Lon: k.Lon, Lat: k.Lat}))
	}
	return text("")
}

func deckOf(d trajectory.Deck, unsure bool) string {
	if unsure {
		return words.Deck(d) + " ?"
	}
	return words.Deck(d)
}

// sample is the field of an input point.
func (s *pointRows) sample(row, column int) state.Field {
	p := s.trip.Trajectory.Samples[row]
	switch column {
	case pointNumber, pointInput:
		return number(float64(row+1), words.Count(row+1))
	case pointTime:
		return number(float64(p.Time), words.Clock(p.Time, words.Zone(s.m)))
	case pointPlace:
		return text(words.Place(roadnet.Point{Lon: p.Lon, Lat: p.Lat}))
	}
	return text("")
}

func (s *pointRows) cell(row, column int) kit.Cell {
	f := s.field(row, column)
	c := kit.Cell{Text: f.Text}
	if column == pointProbability && f.Numeric {
		c.Bar = &kit.Gauge{Value: float32(f.Number), Hollow: f.Number < hollowUnder}
	}
	if column == pointDeck && row < len(s.ticks) && s.ticks[row].Uncertain() {
		c.Icon, c.Colour = "warning", look.Warning
	}
	return c
}

func (s *pointRows) item(row int) render.Item {
	kind := render.SampleItem
	if s.trip.Shown() != nil {
		kind = render.TickItem
	}
	return render.Item{Kind: kind, Trip: s.trip.ID(), Index: row}
}

func (s *pointRows) selected(row int) bool {
	sel := s.m.Selected()
	return row == s.chosen() && sel.Kind != render.NoItem
}

// chosen is the row of the selected point; an input point is found by its tick.
func (s *pointRows) chosen() int {
	sel := s.m.Selected()
	if s.trip == nil || sel.Trip != s.trip.ID() {
		return -1
	}
	switch {
	case sel.Kind == render.TickItem, sel.Kind == render.SampleItem && s.ticks == nil:
		return sel.Index
	case sel.Kind == render.SampleItem:
		for i, k := range s.ticks {
			if k.Observed && int(k.Sample) == sel.Index {
				return i
			}
		}
	}
	return -1
}

func (s *pointRows) pick(k kit.Picked, at func(int) int) { s.m.Select(s.item(at(k.Index))) }

func (s *pointRows) empty() string { return lang.L("Select a trip to see its points.") }

func (s *pointRows) sortedBy() int { return -1 }
