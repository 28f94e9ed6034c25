package state

import (
	"slices"

	"retrace/engine"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
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
	Truth   [][]roadnet.Point    // the driven path where known, a slice a part
	True    *trajectory.Recovery // the same as it was driven, on the network; nil: not known
	Pins    []engine.Pin
	Checked []Mark // places that a person has found right
	Name    string // that the user gave it; empty: its id
	Status  Status
	Fault   error // of a failed recovery
	Hidden  bool
	Facts   Facts

	journey *Journey
	finding *Finding // nil: it is not recovered; it may be of another network
	edition int      // changes with what its recovery depends on
	fits    bool     // its recovery is of the network that is shown
}

// ID tells the trip from all others.
func (t *Trip) ID() string { return t.journey.id }

// Vehicle is whose trip it is; empty: not known.
func (t *Trip) Vehicle() string { return t.journey.vehicle.Value() }

// Source is the file that the trip was read from.
func (t *Trip) Source() string { return t.journey.Source() }

// Trajectory is what was reported, read from the workspace where it is not held.
func (t *Trip) Trajectory() *trajectory.Trajectory {
	if t.journey == nil {
		return nil
	}
	return t.journey.Trajectory()
}

// Recovery is what was recovered, on whatever network, read from the workspace where it
// is not held; nil: nothing was.
func (t *Trip) Recovery() *trajectory.Recovery {
	if t.finding == nil {
		return nil
	}
	return t.finding.Recovery()
}

// Journey is the trip's trajectory.
func (t *Trip) Journey() *Journey { return t.journey }

// Finding is the trip's recovery, on whatever network; nil: there is none.
func (t *Trip) Finding() *Finding { return t.finding }

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
	trip := &Trip{Truth: truth}
	trip.load(t, r)
	return trip
}

// TripOf is a trip of records, as yet without what the user has said of it. The finding
// may be nil.
func TripOf(j *Journey, f *Finding) *Trip { return &Trip{journey: j, finding: f} }

// load has a trip hold records, which may be nil.
func (t *Trip) load(whole *trajectory.Trajectory, r *trajectory.Recovery) {
	if whole != nil {
		t.journey = NewJourney(whole)
	}
	if r != nil {
		t.finding = NewFinding(r)
	}
}

// measure sorts out status and facts on a network.
func (t *Trip) measure(net *roadnet.Network) {
	t.fits = net != nil && t.finding != nil && t.finding.Provenance().Fingerprint == net.Info().Fingerprint
	t.Facts = Facts{}
	if t.fits {
		t.Facts = t.finding.facts
	}
	own := &t.journey.facts
	t.Facts.Start, t.Facts.End, t.Facts.Points, t.Facts.Straight = own.Start, own.End, own.Points, own.Straight
	t.rank(net)
}

// rank sorts out the status alone.
func (t *Trip) rank(net *roadnet.Network) {
	switch {
	case net == nil:
		t.Status = Waiting
	case t.fits:
		t.Status = Recovered
	case t.finding != nil:
		t.Status = Outdated
	case !t.touches(net.Info().Bounds):
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

// touches reports whether a point lies within a box. The points themselves are looked at
// where the boxes overlap in part alone.
func (t *Trip) touches(b roadnet.Bounds) bool {
	own := t.journey.bounds
	low, high := roadnet.Point{Lon: own.MinLon, Lat: own.MinLat}, roadnet.Point{Lon: own.MaxLon, Lat: own.MaxLat}
	switch {
	case t.journey.facts.Points == 0:
		return false
	case b.Contains(low) && b.Contains(high):
		return true
	case own.MinLon > b.MaxLon || own.MaxLon < b.MinLon || own.MinLat > b.MaxLat || own.MaxLat < b.MinLat:
		return false
	}
	return slices.ContainsFunc(t.Trajectory().Samples, func(s trajectory.Sample) bool { return b.Contains(roadnet.Point{Lon: s.Lon, Lat: s.Lat}) })
}

// Shown is the recovery where it fits the network that is shown, else nil. While
// the trip is being recovered again it is the one before.
func (t *Trip) Shown() *trajectory.Recovery {
	if t.fits {
		return t.finding.Recovery()
	}
	return nil
}

// IsShown reports whether there is a recovery that fits the network that is shown: what
// [Trip.Shown] gives, without reading it.
func (t *Trip) IsShown() bool { return t.fits }

// Spans are the elevated spans of the recovery that is shown.
func (t *Trip) Spans() []trajectory.Span {
	if !t.fits {
		return nil
	}
	return t.finding.spans
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
			t.finding = NewFinding(r.Recovery)
		}
		t.Fault = r.Err
		t.remeasure(m.net)
		if r.Err != nil && t.finding == nil {
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
