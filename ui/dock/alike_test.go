package dock

import (
	"testing"

	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/state"
)

// spanned is a state with two trips, each with one span in doubt.
func spanned() *state.Model {
	m := state.New()
	net := roadnettest.GridCity(3)
	m.SetNetwork(net, nil)
	var trips []*state.Trip
	for _, id := range []string{"a", "b"} {
		trips = append(trips, state.NewTrip(&trajectory.Trajectory{ID: id}, &trajectory.Recovery{
			Provenance: trajectory.Provenance{Fingerprint: net.Info().Fingerprint},
			Ticks:      []trajectory.Tick{{Time: 0, Probability: 1}, {Time: 30_000, Probability: 1}},
			Spans:      []trajectory.Span{{Enter: 0, Exit: 20_000, Road: "Bridge", Kind: trajectory.OnDeck, Probability: 0.55, Margin: 0.1}},
		}, nil))
	}
	m.AddTrips(trips)
	return m
}

// Both tables that list places of all trips say what was checked as soon as it is,
// and follow what lists are narrowed to.
func TestPlacesOfAllTripsAreShownAsTheyAre(t *testing.T) {
	themed(t)
	for name, newRows := range map[string]func(*state.Model) source{
		"doubts": func(m *state.Model) source { return newDoubts(m) },
		"spans":  func(m *state.Model) source { return newSpans(m) },
	} {
		m := spanned()
		s := newRows(m)
		shows := func(when, want string) {
			t.Helper()
			s.load()
			got := ""
			for row := range s.count() {
				got += s.item(row).Trip
				for _, c := range s.columns() {
					cell := kit.Cell{Text: c.show(row, styleOf(m))}
					if c.cell != nil {
						c.cell(row, &cell)
					}
					if c.name == "probability" && (cell.Bar == nil || !cell.Bar.Hollow || cell.Bar.Value != 0.55) {
						t.Errorf("%s, %s: the probability of row %d is drawn as %+v", name, when, row, cell.Bar)
					}
					if c.name == "checked" && cell.Text == "checked" && cell.Icon == "check" {
						got += "!"
					}
				}
			}
			if got != want {
				t.Errorf("%s, %s: %q, want %q", name, when, got, want)
			}
		}
		shows("at first", "ab")
		m.SetChecked(render.Item{Kind: render.SpanItem, Trip: "b"}, true)
		shows("checked", "ab!")
		m.Narrow("b", []string{"b"})
		shows("narrowed", "b!")
		m.Widen()
		m.RemoveTrips([]string{"a"})
		shows("without a", "b!")
	}
}
