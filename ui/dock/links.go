package dock

import (
	"context"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/flow"
	"retrace/engine/roadnet"
	"retrace/mapview/render"
	"retrace/ui/keeper"
	"retrace/ui/kit"
	"retrace/ui/query"
	"retrace/ui/state"
	"retrace/ui/words"
)

// linkRows is the table LINKS: how often and how fast each segment was driven.
// It is counted beside the window.
type linkRows struct {
	m      *state.Model
	acts   Acts
	loaded func()
	rows   []flow.Link
	net    *roadnet.Network // that rows are of
	ready  bool             // they have been counted once
	tool   fyne.CanvasObject
	trips  *kit.Button // shows the trips of the roads marked
}

func newLinks(m *state.Model, acts Acts, tripsOf func()) *linkRows {
	s := &linkRows{m: m, acts: acts}
	s.trips = kit.NewButton(lang.L("Show the trips"), "route", kit.Normal, tripsOf)
	s.trips.SetTip(lang.L("Show only the trips over the selected roads"))
	s.tool = newTraffic(m, s.trips).object
	return s
}

func (s *linkRows) title() string { return lang.L("Links") }

func (s *linkRows) columns() []column {
	right := fyne.TextAlignTrailing
	segment := func(row int) roadnet.Segment { return s.net.Segment(s.rows[row].Segment) }
	return []column{
		{Column: kit.Column{Title: lang.L("Road"), Width: 240, Min: 110, Grow: 1}, name: "road",
			text: func(row int) string { return words.Road(segment(row)) }},
		{Column: kit.Column{Title: lang.L("Class"), Width: 210, Min: 110, Grow: 0.7}, name: "class",
			text: func(row int) string { return words.Kind(segment(row)) }},
		{Column: kit.Column{Title: lang.L("Way"), Width: 110, Min: 90, Align: right}, name: "way", kind: query.Number,
			value: known(func(row int) float64 { return float64(segment(row).Way) }),
			text:  func(row int) string { return strconv.FormatInt(segment(row).Way, 10) }},
		{Column: kit.Column{Title: lang.L("Segment"), Width: 90, Min: 70, Align: right}, name: "segment", kind: query.Number,
			value: known(func(row int) float64 { return float64(s.rows[row].Segment) }),
			text:  func(row int) string { return segmentNumber(s.rows[row].Segment) }},
		{Column: kit.Column{Title: lang.L("Trips"), Width: 80, Min: 60, Align: right}, name: "trips", kind: query.Number,
			value: known(func(row int) float64 { return float64(s.rows[row].Trips) })},
		{Column: kit.Column{Title: lang.L("Drives"), Width: 80, Min: 60, Align: right}, name: "drives", kind: query.Number,
			value: known(func(row int) float64 { return float64(s.rows[row].Passes) })},
		{Column: kit.Column{Title: lang.L("Mean speed"), Width: 110, Min: 80, Align: right}, name: "mean speed", kind: query.Speed,
			value: func(row int) (float64, bool) { return s.rows[row].Speed, s.rows[row].Speed > 0 }},
		{Column: kit.Column{Title: lang.L("Speed limit"), Width: 110, Min: 80, Align: right}, name: "speed limit", kind: query.Speed,
			value: func(row int) (float64, bool) { return limitOf(segment(row).Limit) },
			text:  func(row int) string { return limitText(segment(row).Limit) }},
		{Column: kit.Column{Title: lang.L("Length"), Width: 100, Min: 70, Align: right}, name: "length", kind: query.Length,
			value: known(func(row int) float64 { return s.net.Length(s.rows[row].Segment) })},
	}
}

// limitOf is a speed limit in m/s; false where there is none, or none is known.
func limitOf(l uint8) (float64, bool) {
	return float64(l) / 3.6, l != roadnet.LimitUnknown && l != roadnet.LimitNone
}

func limitText(l uint8) string {
	if l == roadnet.LimitUnknown {
		return ""
	}
	return words.Limit(l)
}

// load drops the rows of another network; ask counts anew.
func (s *linkRows) load() {
	if net := s.m.Network(); net != s.net {
		s.net, s.rows, s.ready = net, nil, false
	}
	s.trips.SetEnabled(s.m.Selected().Kind == render.RoadItem)
}

// ask counts anew beside the window.
func (s *linkRows) ask() {
	ask, net := s.m.TrafficAsk(), s.m.Network()
	keeper.Consult(s.acts.Flows, "links", func(ctx context.Context, x *flow.Index) ([]flow.Link, error) { return x.Links(ctx, ask) },
		func(links []flow.Link) {
			if net == s.m.Network() {
				s.rows, s.net, s.ready = links, net, true
				s.loaded()
				s.acts.Counted(links)
			}
		})
}

func (s *linkRows) count() int { return len(s.rows) }

func (s *linkRows) item(row int) render.Item {
	l := s.rows[row]
	return render.Item{Kind: render.RoadItem, Segment: l.Segment, At: middle(s.net, l.Segment)}
}

func (s *linkRows) selected(row int) bool {
	sel := s.m.Selected()
	return sel.Kind == render.RoadItem && sel.Segment == s.rows[row].Segment
}

func (s *linkRows) chosen() int {
	if s.m.Selected().Kind != render.RoadItem {
		return -1
	}
	for i := range s.rows {
		if s.selected(i) {
			return i
		}
	}
	return -1
}

func (s *linkRows) pick(row int) { s.m.Select(s.item(row)) }

func (s *linkRows) empty() string {
	switch {
	case s.m.Count().Recovered == 0:
	case !s.ready, s.m.Traffic() == (state.Traffic{}): // the index is on its way
		return lang.L("Counting…")
	default:
		return lang.L("None of these trips drove at these times.")
	}
	return lang.L("No trip is recovered yet.")
}

func (s *linkRows) sortedBy() (int, bool)    { return -1, false }
func (s *linkRows) tools() fyne.CanvasObject { return s.tool }
