package state

import "retrace/engine/flow"

// Scope says which trips the traffic is counted of.
type Scope uint8

// The scopes.
const (
	ScopeAll      Scope = iota // all recovered trips
	ScopeShown                 // those that the map shows
	ScopeSelected              // those that are marked
)

// Traffic says what the counts of links and crossings are over.
type Traffic struct {
	Scope Scope
	Hours uint32 // bit h: the hour of the day from h to h+1; 0: all
	Days  uint8  // bit d: the day of the week, 0 is Sunday; 0: all
}

// Traffic says what is counted.
func (m *Model) Traffic() Traffic { return m.traffic }

// SetTraffic says what is counted.
func (m *Model) SetTraffic(t Traffic) {
	if t != m.traffic {
		m.traffic = t
		m.touch(Flows)
	}
}

// TrafficAsk is what is counted, as the index of who drove where is asked.
func (m *Model) TrafficAsk() flow.Ask {
	ask := flow.Ask{When: flow.When{Hours: m.traffic.Hours, Days: m.traffic.Days, Zone: m.Zone()}}
	if m.traffic.Scope == ScopeAll {
		return ask
	}
	ask.Trips = []string{}
	for _, t := range m.trips {
		if m.traffic.Scope == ScopeShown && m.Visible(t) || m.traffic.Scope == ScopeSelected && m.marked[t.ID()] {
			ask.Trips = append(ask.Trips, t.ID())
		}
	}
	return ask
}

// Driven lists the trips that are recovered on the network shown, for the index
// of who drove where.
func (m *Model) Driven() []flow.Trip {
	trips := make([]flow.Trip, 0, len(m.trips))
	for _, t := range m.trips {
		if t.fits {
			trips = append(trips, flow.Trip{ID: t.ID(), Vehicle: t.Vehicle(), Kept: t.finding})
		}
	}
	return trips
}

// Screen is the line or area that crossings are counted of; one without points
// is none.
func (m *Model) Screen() flow.Screen { return m.screen }

// SetScreen counts the crossings of another line or area.
func (m *Model) SetScreen(s flow.Screen) {
	m.screen = s
	m.touch(Flows)
}
