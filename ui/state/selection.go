package state

import "retrace/mapview/render"

// Selected is the one thing that is selected.
func (m *Model) Selected() render.Item { return m.selected }

// Hovered is what the pointer is over in a list or table.
func (m *Model) Hovered() render.Item { return m.hovered }

// Current is the trip that the points, spans and the strip are of: the one that
// was last selected, itself or a part of it; nil where there is none.
func (m *Model) Current() *Trip { return m.byID[m.current] }

// Select selects one thing; the zero item selects nothing. Selecting a point of
// a trip moves the clock there.
func (m *Model) Select(item render.Item) {
	m.Change(func() {
		m.selected = item
		m.hovered = render.Item{}
		m.touch(Selection)
		if item.Trip != "" {
			m.setCurrent(item.Trip)
			if !m.marked[item.Trip] {
				m.marked = map[string]bool{item.Trip: true}
				m.marking++
			}
		}
		if at, ok := m.instantOf(item); ok {
			m.SetTime(at)
		}
	})
}

// SelectTrip selects a whole trip and marks it alone.
func (m *Model) SelectTrip(id string) {
	m.Change(func() {
		m.marked = map[string]bool{}
		m.marking++
		if m.byID[id] != nil {
			m.marked[id] = true
			m.Select(render.Item{Kind: render.TripItem, Trip: id})
		}
	})
}

// Deselect selects nothing and leaves the current trip.
func (m *Model) Deselect() {
	m.Change(func() {
		m.marked = map[string]bool{}
		m.marking++
		m.setCurrent("")
		m.Select(render.Item{})
	})
}

func (m *Model) setCurrent(id string) {
	if id == m.current {
		return
	}
	m.current = id
	if t := m.byID[id]; m.clock.Over == PlayTrip {
		m.clock.Playing = false
		if t != nil {
			m.clock.At = t.Facts.Start
		}
	}
	m.touch(Selection | Time)
}

// Hover says what the pointer is over in a list or table; the zero item ends it.
func (m *Model) Hover(item render.Item) {
	if item != m.hovered {
		m.hovered = item
		m.touch(Selection)
	}
}

// Mark marks trips, and unmarks all others.
func (m *Model) Mark(ids []string) {
	m.marked = map[string]bool{}
	m.marking++
	for _, id := range ids {
		m.marked[id] = true
	}
	m.touch(Selection)
}

// ToggleMark marks a trip or takes its mark away.
func (m *Model) ToggleMark(id string) {
	m.marking++
	if m.marked[id] {
		delete(m.marked, id)
	} else {
		m.marked[id] = true
	}
	m.touch(Selection)
}

// Marking changes whenever other trips are marked.
func (m *Model) Marking() int { return m.marking }

// IsMarked reports whether a trip is marked.
func (m *Model) IsMarked(id string) bool { return m.marked[id] }

// Marked lists the marked trips in order; where none is, the current one.
func (m *Model) Marked() []*Trip {
	var marked []*Trip
	for _, t := range m.trips {
		if len(m.marked) > 0 && m.marked[t.ID()] {
			marked = append(marked, t)
		}
	}
	if t := m.Current(); len(marked) == 0 && t != nil {
		return []*Trip{t}
	}
	return marked
}

// instantOf is when a point of a trip was passed.
func (m *Model) instantOf(item render.Item) (int64, bool) {
	t := m.byID[item.Trip]
	if t == nil || item.Index < 0 {
		return 0, false
	}
	r := t.Shown()
	switch {
	case item.Kind == render.SampleItem && item.Index < len(t.Trajectory().Samples):
		return t.Trajectory().Samples[item.Index].Time, true
	case item.Kind == render.TickItem && r != nil && item.Index < len(r.Ticks):
		return r.Ticks[item.Index].Time, true
	case item.Kind == render.SpanItem && r != nil && item.Index < len(r.Spans):
		return r.Spans[item.Index].Enter, true
	}
	return 0, false
}

// Neighbour is the trip that follows (step 1) or precedes (-1) the current one
// in the list that is searched; false where there is none.
func (m *Model) Neighbour(step int) (string, bool) {
	list := m.Found()
	if len(list) == 0 {
		return "", false
	}
	for i, t := range list {
		if t.ID() == m.current {
			i += step
			if i < 0 || i >= len(list) {
				return "", false
			}
			return list[i].ID(), true
		}
	}
	return list[0].ID(), true
}

// PointBeside is the recovered point that follows (step 1) or precedes (-1) the
// selected instant on the current trip, or the input point where the trip is
// not recovered.
func (m *Model) PointBeside(step int) (render.Item, bool) {
	t := m.Current()
	if t == nil {
		return render.Item{}, false
	}
	if r := t.Shown(); r != nil {
		i := -1
		if m.selected.Kind == render.TickItem {
			i = m.selected.Index
		} else {
			i = tickBefore(r.Ticks, m.InstantOf(t))
			if step < 0 {
				i++
			}
		}
		i += step
		return render.Item{Kind: render.TickItem, Trip: t.ID(), Index: i}, i >= 0 && i < len(r.Ticks)
	}
	i := -1
	if m.selected.Kind == render.SampleItem {
		i = m.selected.Index
	}
	i += step
	return render.Item{Kind: render.SampleItem, Trip: t.ID(), Index: i}, i >= 0 && i < len(t.Trajectory().Samples)
}
