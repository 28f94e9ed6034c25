package dock

import (
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/state"
	"retrace/ui/words"
)

// linkRows is the table LINKS: how often and how fast each segment was driven.
// It is counted beside the window, and again when trips have changed.
type linkRows struct {
	m       *state.Model
	do      func(func())
	loaded  func()
	rows    []state.Link
	net     *roadnet.Network // that rows are of
	counted int              // revision of the trips that rows are of
	busy    bool
}

// countEvery is how long a count stands while trips are still coming in.
const countEvery = 2 * time.Second

func newLinks(m *state.Model, do func(func())) *linkRows {
	return &linkRows{m: m, do: do, counted: -1}
}

// The columns of LINKS.
const (
	linkRoad = iota
	linkKind
	linkWay
	linkTrips
	linkSpeed
	linkLimit
	linkLength
)

func (s *linkRows) title() string { return lang.L("Links") }
func (s *linkRows) columns() []kit.Column {
	right := fyne.TextAlignTrailing
	return []kit.Column{
		{Title: lang.L("Road"), Width: 240, Min: 110, Grow: 1},
		{Title: lang.L("Class"), Width: 230, Min: 110, Grow: 0.7},
		{Title: lang.L("Way"), Width: 120, Min: 90, Align: right},
		{Title: lang.L("Trips"), Width: 80, Min: 60, Align: right},
		{Title: lang.L("Mean speed"), Width: 110, Min: 80, Align: right},
		{Title: lang.L("Speed limit"), Width: 110, Min: 80, Align: right},
		{Title: lang.L("Length"), Width: 100, Min: 70, Align: right},
	}
}

// load counts anew where trips have changed, unless a count is under way.
func (s *linkRows) load() {
	net := s.m.Network()
	if net != s.net {
		s.net, s.rows = net, nil
	}
	if s.busy || s.counted == s.m.Revision() {
		return
	}
	var recoveries []*trajectory.Recovery
	for _, t := range s.m.Trips() {
		if r := t.Shown(); r != nil {
			recoveries = append(recoveries, r)
		}
	}
	s.counted = s.m.Revision()
	if net == nil || len(recoveries) == 0 {
		s.rows = nil
		return
	}
	s.busy = true
	go func() {
		links := state.Links(net, recoveries)
		s.do(func() { s.show(net, links) })
		time.Sleep(countEvery)
		s.do(s.rest)
	}()
}

func (s *linkRows) show(net *roadnet.Network, links []state.Link) {
	if net == s.net {
		s.rows = links
		s.loaded()
	}
}

// rest ends a count; where trips have changed meanwhile another begins.
func (s *linkRows) rest() {
	s.busy = false
	if s.counted != s.m.Revision() {
		s.load()
		s.loaded()
	}
}

func (s *linkRows) count() int { return len(s.rows) }

func (s *linkRows) field(row, column int) state.Field {
	l := s.rows[row]
	seg := s.net.Segment(l.Segment)
	switch column {
	case linkRoad:
		return text(words.Road(seg))
	case linkKind:
		return text(words.Kind(seg))
	case linkWay:
		return number(float64(seg.Way), strconv.FormatInt(seg.Way, 10))
	case linkTrips:
		return number(float64(l.Trips), words.Count(l.Trips))
	case linkSpeed:
		if l.Speed > 0 {
			return number(l.Speed*3.6, words.Speed(l.Speed))
		}
	case linkLimit:
		if seg.Limit != 0 {
			return number(float64(seg.Limit), words.Limit(seg.Limit))
		}
	case linkLength:
		return number(seg.Length, words.Length(seg.Length))
	}
	return text("")
}

func (s *linkRows) cell(row, column int) kit.Cell {
	return kit.Cell{Text: s.field(row, column).Text}
}

func (s *linkRows) item(row int) render.Item {
	l := s.rows[row]
	return render.Item{Kind: render.RoadItem, Segment: l.Segment, At: middle(s.net, l.Segment)}
}

func (s *linkRows) selected(row int) bool {
	sel := s.m.Selected()
	return sel.Kind == render.RoadItem && sel.Segment == s.rows[row].Segment
}

func (s *linkRows) chosen() int {
	for i := range s.rows {
		if s.selected(i) {
			return i
		}
	}
	return -1
}

func (s *linkRows) pick(k kit.Picked, at func(int) int) { s.m.Select(s.item(at(k.Index))) }

func (s *linkRows) empty() string { return lang.L("No trip is recovered yet.") }

func (s *linkRows) sortedBy() int { return -1 }
