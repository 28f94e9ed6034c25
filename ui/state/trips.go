package state

import (
	"slices"

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
	Name       string // that the user gave it; empty: its id
	Status     Status
	Fault      error // of a failed recovery
	Hidden     bool
	Facts      Facts

	edition int  // changes with what its recovery depends on
	fits    bool // its recovery is of the network that is shown
}

// ID tells the trip from all others.
func (t *Trip) ID() string { return t.Trajectory.ID }

// Title is what the trip is called: the name that the user gave it, or its id.
func (t *Trip) Title() string {
	if t.Name != "" {
		return t.Name
	}
	return t.ID()
}

// Edition changes whenever the trip's pins or recovery change: what was
// recovered for an edition before is of no use any more.
func (t *Trip) Edition() int { return t.edition }

// NewTrip is a trip that is not recovered yet. Stale is a recovery that was made
// on another network, or nil.
func NewTrip(t *trajectory.Trajectory, r *trajectory.Recovery, truth [][]roadnet.Point) *Trip {
	return &Trip{Trajectory: t, Recovery: r, Truth: truth}
}

// measure sorts out status and facts on a network.
func (t *Trip) measure(net *roadnet.Network) {
	t.Facts = facts.Of(t.Trajectory)
	t.fits = net != nil && t.Recovery != nil && t.Recovery.Provenance.Fingerprint == net.Info().Fingerprint
	if t.fits {
		t.Facts.AddRecovery(t.Recovery, net)
	}
	t.rank(net)
}

// rank sorts out the status alone.
func (t *Trip) rank(net *roadnet.Network) {
	switch {
	case net == nil:
		t.Status = Waiting
	case t.fits:
		t.Status = Recovered
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

// remeasure is measure for a trip that no recovery under way will come to.
func (t *Trip) remeasure(net *roadnet.Network) {
	t.Status = Waiting
	t.measure(net)
}

func touches(t *trajectory.Trajectory, b roadnet.Bounds) bool {
	for _, s := range t.Samples {
		if b.Contains(roadnet.Point{Lon: s.Lon, Lat: s.Lat}) {
			return true
		}
	}
	return false
}

// Shown is the recovery where it fits the network that is shown, else nil. While
// the trip is being recovered again it is the one before.
func (t *Trip) Shown() *trajectory.Recovery {
	if t.fits {
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
		old := m.byID[t.ID()]
		m.hold(t.ID(), old, Presence)
		t.measure(m.net)
		if old != nil {
			t.edition = old.edition + 1
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
	m.endOffers()
	m.touch(Trips)
}

// RemoveTrips takes trips away.
func (m *Model) RemoveTrips(ids []string) {
	for _, id := range ids {
		if t := m.byID[id]; t != nil {
			m.hold(id, t, Presence)
		}
	}
	places := m.remove(ids)
	if s := m.history.recording; s != nil {
		for id, place := range places {
			s.Held[s.index[id]].Place = place
		}
	}
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
			t.rank(m.net)
		}
	}
	m.changedTrips()
}

// Result is what recovery made of one trip.
type Result struct {
	ID       string
	Edition  int                  // of the trip, as it was recovered
	Recovery *trajectory.Recovery // nil with an error
	Err      error
}

// SetResults takes what a recovery has finished. What was recovered of a trip
// that has changed since is passed over.
func (m *Model) SetResults(results []Result) {
	for _, r := range results {
		t := m.byID[r.ID]
		if t == nil || t.edition != r.Edition {
			continue
		}
		if r.Recovery != nil {
			m.hold(r.ID, t, Recoveries)
			t.Recovery = r.Recovery
		}
		t.Fault = r.Err
		t.remeasure(m.net)
		if r.Err != nil && t.Recovery == nil {
			t.Status = Failed
		}
	}
	m.changedTrips()
}

// SetPins sets what the user knows of a trip's samples.
func (m *Model) SetPins(id string, pins []engine.Pin) {
	if t := m.byID[id]; t != nil {
		m.hold(id, t, Pinning)
		t.Pins = pins
		t.edition++
		m.changedTrips()
	}
}

// SetChecked says whether a person has found a place of a trip right: a span or
// a recovered point.
func (m *Model) SetChecked(item render.Item, checked bool) {
	t := m.byID[item.Trip]
	if t == nil || t.checked(item) == checked {
		return
	}
	mark, ok := t.MarkOf(item)
	if !ok {
		return
	}
	m.hold(t.ID(), t, Checks)
	marks := slices.DeleteFunc(slices.Clone(t.Checked), func(x Mark) bool { return x == mark })
	if checked {
		marks = append(marks, mark)
	}
	t.Checked = marks
	m.changedTrips()
}

// SetName gives a trip a name; an empty one gives it its id back.
func (m *Model) SetName(id, name string) {
	t := m.byID[id]
	if t == nil || t.Title() == name {
		return
	}
	if name == id {
		name = ""
	}
	m.hold(id, t, Naming)
	t.Name = name
	m.choices++
	m.changedTrips()
}
