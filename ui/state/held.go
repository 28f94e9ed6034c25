package state

import (
	"slices"

	"retrace/engine/trajectory"
	"retrace/mapview/render"
)

// Facet is a part of what is known of a trip that changes by itself.
type Facet uint8

// The facets of a trip.
const (
	Presence   Facet = 1 << iota // the trip as a whole: there or not
	Recoveries                   // its recovery
	Pinning                      // its pins
	Checks                       // the places that are checked
	Hiding                       // whether it is hidden
	Naming                       // its name
	Truths                       // how it was driven
)

// Held is what a step holds of one trip: the facets that it changed, as they
// are on the other side of the step.
type Held struct {
	ID     string
	Facets Facet
	After  bool  // as they were after the step; false: before it
	Place  int   // in the list of trips, where it is held as a whole
	Trip   *Trip // with those facets; nil: held as a whole, and not there
	Stored bool  // its trajectory and recovery are in the workspace, not in memory

	kept bool // it was put into the workspace
}

// hold has the step that is recorded hold facets of a trip as they are now, and
// notes that they are about to change. Without a step nothing is held or noted.
func (m *Model) hold(id string, t *Trip, f Facet) {
	s := m.history.recording
	if s == nil {
		return
	}
	t.hold(f)
	i, known := s.index[id]
	if !known {
		i = len(s.Held)
		s.index[id] = i
		s.Held = append(s.Held, &Held{ID: id, Trip: m.history.nothing()})
	}
	h := s.Held[i]
	if missing := f &^ h.Facets; missing != 0 && h.Facets&Presence == 0 {
		h.Facets |= f
		switch {
		case f == Recoveries && t.finding == nil && h.Trip == m.history.none:
			// As nothing was recovered, nothing is to be held: many share it.
		case f&Presence == 0:
			if h.Trip == m.history.none {
				h.Trip = &Trip{}
			}
			h.Trip.take(t, missing)
		case t == nil:
			h.Trip = nil
		default:
			whole := *t
			whole.take(h.Trip, h.Facets&^f) // what the step changed before
			h.Trip = &whole
		}
	}
	m.unsaved.note(id, withTruth(f, t))
	m.unsaved.noteHeld(s, i)
}

// withTruth is what changes of a trip that is held: with it as a whole comes and
// goes how it was driven, where that is known.
func withTruth(f Facet, t *Trip) Facet {
	if f&Presence != 0 && t != nil && t.True != nil {
		f |= Truths
	}
	return f
}

// take takes facets from another trip.
func (t *Trip) take(from *Trip, f Facet) {
	if f&Recoveries != 0 {
		t.finding = from.finding
	}
	if f&Pinning != 0 {
		t.Pins = from.Pins
	}
	if f&Checks != 0 {
		t.Checked = from.Checked
	}
	if f&Hiding != 0 {
		t.Hidden = from.Hidden
	}
	if f&Naming != 0 {
		t.Name = from.Name
	}
	if f&Truths != 0 {
		t.True, t.Truth = from.True, from.Truth
	}
}

// exchange has what a step holds and what is there change places, for those
// trips of which it holds the side that is asked for: a step that a crash has
// left half undone is undone to its end.
func (m *Model) exchange(s *Step, undo bool) {
	m.noteStep(s)
	if s.Options != nil {
		now := m.settings.Recovering()
		m.setRecovering(*s.Options)
		s.Options = &now
	}
	var leave, come []*Held
	for i, h := range s.Held {
		if h.After == undo {
			continue
		}
		t := m.byID[h.ID]
		changed := withTruth(h.Facets, t) | withTruth(h.Facets, h.Trip)
		switch {
		case h.Facets&Presence == 0 && t == nil:
			continue // another program has removed it
		case h.Facets&Presence == 0:
			m.swap(t, h)
		case t != nil && h.Trip == nil:
			leave = append(leave, h)
		case t == nil && h.Trip != nil:
			come = append(come, h)
		case t != nil:
			m.replace(t, h)
		}
		h.After = undo
		m.unsaved.note(h.ID, changed)
		m.unsaved.noteHeld(s, i)
	}
	m.takeOut(leave)
	m.putIn(come)
	m.choices++
	m.keepTruth()
	m.changedTrips()
}

func (m *Model) swap(t *Trip, h *Held) {
	t.hold(h.Facets)
	now := *t
	t.take(h.Trip, h.Facets)
	h.Trip = &Trip{}
	h.Trip.take(&now, h.Facets)
	if h.Facets&(Recoveries|Pinning) != 0 {
		t.edition++
		t.Fault = nil
		t.remeasure(m.net)
	}
}

// replace has the whole trip change places with another one of its id.
func (m *Model) replace(t *Trip, h *Held) {
	t.hold(Presence)
	h.Trip.edition = t.edition + 1
	h.Trip.remeasure(m.net)
	m.trips[m.indexOf(t.ID())] = h.Trip
	m.byID[t.ID()] = h.Trip
	h.Trip = t
}

// takeOut takes trips out of the list; they are held.
func (m *Model) takeOut(leave []*Held) {
	if len(leave) == 0 {
		return
	}
	ids := make([]string, len(leave))
	for i, h := range leave {
		h.Trip = m.byID[h.ID]
		h.Trip.hold(Presence)
		ids[i] = h.ID
	}
	places := m.remove(ids)
	for _, h := range leave {
		h.Place = places[h.ID]
	}
}

// putIn puts trips that are held back to their places in the list.
func (m *Model) putIn(come []*Held) {
	if len(come) == 0 {
		return
	}
	come = slices.Clone(come)
	slices.SortStableFunc(come, func(a, b *Held) int { return a.Place - b.Place })
	all := make([]*Trip, 0, len(m.trips)+len(come))
	rest := m.trips
	for len(come)+len(rest) > 0 {
		if len(rest) > 0 && (len(come) == 0 || come[0].Place > len(all)) {
			all, rest = append(all, rest[0]), rest[1:]
			continue
		}
		h := come[0]
		come = come[1:]
		h.Trip.edition++
		h.Trip.remeasure(m.net)
		m.byID[h.ID] = h.Trip
		all = append(all, h.Trip)
		h.Trip = nil
	}
	m.trips = all
}

// remove takes trips out of the list and says where they were.
func (m *Model) remove(ids []string) map[string]int {
	gone := map[string]bool{}
	for _, id := range ids {
		gone[id] = true
	}
	places := map[string]int{}
	kept := make([]*Trip, 0, len(m.trips))
	for i, t := range m.trips {
		if !gone[t.ID()] {
			kept = append(kept, t)
			continue
		}
		places[t.ID()] = i
		delete(m.byID, t.ID())
		delete(m.marked, t.ID())
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

// Version is a recovery of a trip that a step holds: how it was before it.
type Version struct {
	Step     *Step
	Index    int                  // in Step.Held
	Recovery *trajectory.Recovery // nil: it is in the workspace
}

// Earlier lists the recoveries that a trip had before, the latest first.
func (m *Model) Earlier(id string) []Version {
	var list []Version
	for i := m.history.done - 1; i >= 0; i-- {
		s := m.history.steps[i]
		k, ok := s.index[id]
		if !ok {
			continue
		}
		h := s.Held[k]
		if h.Facets&(Recoveries|Presence) != 0 && !h.After && h.Trip != nil && (h.Stored || h.Trip.finding != nil) {
			list = append(list, Version{s, k, h.Trip.Recovery()})
		}
	}
	return list
}
