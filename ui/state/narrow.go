package state

// Narrow shows some trips alone, in the lists and on the map; what says which
// they are, e.g. "on Rua do Bonfim". No ids is no trip.
func (m *Model) Narrow(what string, ids []string) {
	in := make(map[string]bool, len(ids))
	for _, id := range ids {
		in[id] = true
	}
	m.narrow = narrowing{what: what, ids: in}
	m.choices++
	m.touch(Trips | Search)
}

// Widen ends Narrow.
func (m *Model) Widen() {
	if m.narrow.ids == nil {
		return
	}
	m.narrow = narrowing{}
	m.choices++
	m.touch(Trips | Search)
}

// Narrowed says to which trips lists and map are narrowed, and how many of them
// there are; false where they are not.
func (m *Model) Narrowed() (what string, trips int, ok bool) {
	for id := range m.narrow.ids {
		if m.byID[id] != nil {
			trips++
		}
	}
	return m.narrow.what, trips, m.narrow.ids != nil
}

// Within reports whether a trip is among those that lists and map are narrowed
// to; all are where they are not.
func (m *Model) Within(t *Trip) bool { return m.narrow.ids == nil || m.narrow.ids[t.ID()] }

// narrowing is a choice of trips; nil ids are all.
type narrowing struct {
	what string
	ids  map[string]bool
}
