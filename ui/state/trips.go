package state

import (
	"retrace/engine"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
	"retrace/mapview/render"
)

// Status says what is known of a trip.
type Status uint8

// The states of a trip.
const (
	Waiting   Status = iota // read, not recovered
	Queued                  // a recovery that is under way will come to it
	Recovered               // recovered on the network that is shown
	Outdated                // recovered on another network
	Outside                 // no point lies on the network's map
	Failed                  // recovery gave an error
)

// Trip is one trajectory and all that the window knows of it. Its fields change
// only through the [Model].
type Trip struct {
	Trajectory *trajectory.Trajectory
	Recovery   *trajectory.Recovery // nil: none; never one of another network
	Truth      [][]roadnet.Point    // the driven path where known, a slice a part
	True       *trajectory.Recovery // the same as it was driven, on the network; nil: not known
	Pins       []engine.Pin
	Checked    []Mark // places that a person has found right
	Status     Status
	Fault      error // of a failed recovery
	Hidden     bool
	Facts      Facts
}

// ID names the trip.
func (t *Trip) ID() string { return t.Trajectory.ID }

// NewTrip is a trip that is not recovered yet. Stale is a recovery that was made
// on another network, or nil.
func NewTrip(t *trajectory.Trajectory, r *trajectory.Recovery, truth [][]roadnet.Point) *Trip {
	return &Trip{Trajectory: t, Recovery: r, Truth: truth}
}

// measure sorts out status and facts on a network.
func (t *Trip) measure(net *roadnet.Network) {
	t.Facts = facts.Of(t.Trajectory)
	switch {
	case net == nil:
		t.Status = Waiting
	case t.Recovery != nil && t.Recovery.Provenance.Fingerprint == net.Info().Fingerprint:
		t.Status = Recovered
		t.Facts.AddRecovery(t.Recovery, net)
	case t.Recovery != nil:
		t.Status = Outdated
	case !touches(t.Trajectory, net.Info().Bounds):
		t.Status = Outside
	case t.Fault != nil:
		t.Status = Failed
	case t.Status != Queued:
		t.Status = Waiting
	}
}

func touches(t *trajectory.Trajectory, b roadnet.Bounds) bool {
	for _, s := range t.Samples {
		if b.Contains(roadnet.Point{Lon: s.Lon, Lat: s.Lat}) {
			return true
		}
	}
	return false
}

// Shown is the recovery where it fits the network that is shown, else nil.
func (t *Trip) Shown() *trajectory.Recovery {
	if t.Status == Recovered {
		return t.Recovery
	}
	return nil
}

// Trips lists all trips in the order in which they came.
func (m *Model) Trips() []*Trip { return m.trips }

// Revision changes whenever a trip does.
func (m *Model) Revision() int { return m.revision }

// Trip is a trip by its id, nil where there is none.
func (m *Model) Trip(id string) *Trip { return m.byID[id] }

// AddTrips adds trips at the end; one whose id is there already takes the place
// of the old.
func (m *Model) AddTrips(trips []*Trip) {
	for _, t := range trips {
		t.measure(m.net)
		if old := m.byID[t.ID()]; old != nil {
			m.trips[m.indexOf(t.ID())] = t
		} else {
			m.trips = append(m.trips, t)
		}
		m.byID[t.ID()] = t
	}
	m.changedTrips()
}

func (m *Model) indexOf(id string) int {
	for i, t := range m.trips {
		if t.ID() == id {
			return i
		}
	}
	return -1
}

func (m *Model) changedTrips() {
	m.revision++
	m.keepComparison()
	m.touch(Trips)
}

// Places says where trips stood, so that undo puts them back there.
type Places map[int]*Trip

// RemoveTrips takes trips away and says where they were.
func (m *Model) RemoveTrips(ids []string) Places {
	gone := map[string]bool{}
	for _, id := range ids {
		gone[id] = true
	}
	places := Places{}
	kept := make([]*Trip, 0, len(m.trips))
	for i, t := range m.trips {
		if gone[t.ID()] {
			places[i] = t
			delete(m.byID, t.ID())
			delete(m.marked, t.ID())
			continue
		}
		kept = append(kept, t)
	}
	m.Change(func() {
		m.trips = kept
		if gone[m.selected.Trip] || gone[m.current] {
			m.Select(render.Item{})
			m.setCurrent("")
		}
		if gone[m.solo] {
			m.solo = ""
		}
		m.changedTrips()
	})
	return places
}

// PutBack undoes RemoveTrips.
func (m *Model) PutBack(places Places) {
	all := make([]*Trip, 0, len(m.trips)+len(places))
	rest := m.trips
	for len(all) < cap(all) {
		t := places[len(all)]
		if t == nil && len(rest) > 0 {
			t, rest = rest[0], rest[1:]
		}
		if t == nil {
			break
		}
		t.measure(m.net)
		all = append(all, t)
		m.byID[t.ID()] = t
	}
	m.trips = all
	m.changedTrips()
}

// SetQueued marks trips as waiting in a recovery that is under way, or not.
func (m *Model) SetQueued(ids []string, queued bool) {
	for _, id := range ids {
		t := m.byID[id]
		switch {
		case t == nil:
		case queued:
			t.Status = Queued
		case t.Status == Queued:
			t.Status = Waiting
			t.measure(m.net)
		}
	}
	m.changedTrips()
}

// Result is what recovery made of one trip.
type Result struct {
	ID       string
	Recovery *trajectory.Recovery // nil with an error
	Err      error
}

// SetResults takes what a recovery has finished.
func (m *Model) SetResults(results []Result) {
	for _, r := range results {
		t := m.byID[r.ID]
		if t == nil {
			continue // removed meanwhile
		}
		t.Status, t.Fault = Waiting, r.Err
		if r.Recovery != nil {
			t.Recovery = r.Recovery
		}
		t.measure(m.net)
		if r.Err != nil && t.Recovery == nil {
			t.Status = Failed
		}
	}
	m.changedTrips()
}

// SetPins sets what the user knows of a trip's samples.
func (m *Model) SetPins(id string, pins []engine.Pin) {
	if t := m.byID[id]; t != nil {
		t.Pins = pins
		m.changedTrips()
	}
}
