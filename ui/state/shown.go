package state

import (
	"strings"

	"retrace/engine/roadnet"
)

// SetHidden shows or hides trips on the map.
func (m *Model) SetHidden(ids []string, hidden bool) {
	for _, id := range ids {
		if t := m.byID[id]; t != nil && t.Hidden != hidden {
			m.hold(id, t, Hiding)
			t.Hidden = hidden
		}
	}
	m.choices++
	m.changedTrips()
}

// Hide hides trips on the map, or shows them, which undo takes back.
func (m *Model) Hide(trips []*Trip, hidden bool) {
	kind := ShowStep
	if hidden {
		kind = HideStep
	}
	ids := make([]string, len(trips))
	for i, t := range trips {
		ids[i] = t.ID()
	}
	m.Do(kind, len(trips), NameOf(trips), func() { m.SetHidden(ids, hidden) })
}

// NameOf is what a trip is called where there is one, else empty.
func NameOf(trips []*Trip) string {
	if len(trips) == 1 {
		return trips[0].Title()
	}
	return ""
}

// Urge has the map show at once how the trips are now, also while work is under
// way.
func (m *Model) Urge() {
	m.choices++
	m.touch(Trips)
}

// Solo is the trip that is shown alone; empty where all are.
func (m *Model) Solo() string { return m.solo }

// SetSolo shows one trip alone, or all again where id is empty.
func (m *Model) SetSolo(id string) {
	m.solo = id
	m.choices++
	m.changedTrips()
}

// Choices changes whenever the user shows or hides trips.
func (m *Model) Choices() int { return m.choices }

// Visible reports whether the map shows a trip.
func (m *Model) Visible(t *Trip) bool {
	if m.solo != "" {
		return t.ID() == m.solo
	}
	return !t.Hidden && m.Within(t)
}

// SetSearch searches the trips list.
func (m *Model) SetSearch(text string) {
	if text != m.search {
		m.search = text
		m.touch(Search)
	}
}

// Found lists the trips, of those that lists are narrowed to, whose id, vehicle or file hold every word of the search.
func (m *Model) Found() []*Trip {
	words := strings.Fields(strings.ToLower(m.search))
	if len(words) == 0 && m.narrow.ids == nil {
		return m.trips
	}
	var found []*Trip
	for _, t := range m.trips {
		if !m.Within(t) {
			continue
		}
		text := strings.ToLower(t.ID() + " " + t.Name + " " + t.Vehicle() + " " + t.Source())
		if containsAll(text, words) {
			found = append(found, t)
		}
	}
	return found
}

func containsAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// Counts are the trips by what is known of them.
type Counts struct{ All, Recovered, Warned, Outside, Failed, Pending int }

// Count counts the trips.
func (m *Model) Count() Counts {
	c := Counts{All: len(m.trips)}
	for _, t := range m.trips {
		switch t.Status {
		case Recovered:
			c.Recovered++
		case Outside:
			c.Outside++
		case Failed:
			c.Failed++
		default:
			c.Pending++
		}
		if t.Facts.Doubtful() {
			c.Warned++
		}
	}
	return c
}

// Bounds is the box around the samples and ticks of trips; false where there
// are none.
func Bounds(trips []*Trip) (roadnet.Bounds, bool) {
	var b roadnet.Bounds
	found := false
	add := func(box roadnet.Bounds) {
		b = widened(b, !found, box.MinLon, box.MinLat)
		b = widened(b, false, box.MaxLon, box.MaxLat)
		found = true
	}
	for _, t := range trips {
		if t.journey.facts.Points > 0 {
			add(t.journey.bounds)
		}
		if t.fits && !t.finding.empty {
			add(t.finding.bounds)
		}
	}
	return b, found
}
