package state

import "retrace/engine/trajectory"

// Unsaved is what has changed since the changes were last taken to be kept.
type Unsaved struct {
	Trips     []string         // ids, in the order of their first change
	Facets    map[string]Facet // that changed, by trip
	Steps     []*Step          // in the order of their first change
	Held      map[*Step][]int  // what of them changed, by index
	Forgotten []uint64         // numbers of steps
}

// Empty reports whether nothing has changed.
func (u *Unsaved) Empty() bool { return len(u.Trips)+len(u.Steps)+len(u.Forgotten) == 0 }

func (u *Unsaved) note(id string, f Facet) {
	if u.Facets == nil {
		u.Facets = map[string]Facet{}
	}
	if u.Facets[id] == 0 {
		u.Trips = append(u.Trips, id)
	}
	u.Facets[id] |= f
}

func (u *Unsaved) noteStep(s *Step) {
	if s.gone {
		return
	}
	if u.Held == nil {
		u.Held = map[*Step][]int{}
	}
	if _, known := u.Held[s]; !known {
		u.Held[s] = nil
		u.Steps = append(u.Steps, s)
	}
}

func (u *Unsaved) noteHeld(s *Step, i int) {
	u.noteStep(s)
	if s.gone {
		return
	}
	if list := u.Held[s]; len(list) == 0 || list[len(list)-1] != i {
		u.Held[s] = append(list, i)
	}
}

// forget has nothing of a step kept any more.
func (u *Unsaved) forget(s *Step) {
	u.Forgotten = append(u.Forgotten, s.Number)
	delete(u.Held, s)
	for i, x := range u.Steps {
		if x == s {
			u.Steps = append(u.Steps[:i:i], u.Steps[i+1:]...)
			break
		}
	}
}

func (m *Model) noteStep(s *Step) { m.unsaved.noteStep(s) }

// TakeUnsaved hands over what has changed since it was taken last.
func (m *Model) TakeUnsaved() Unsaved {
	u := m.unsaved
	m.unsaved = Unsaved{}
	return u
}

// Keeping notes that something held is on its way into the workspace, and
// returns how many of the step's are by then.
func (s *Step) Keeping(indices []int) int {
	for _, i := range indices {
		s.Held[i].kept = true
	}
	n := 0
	for _, h := range s.Held {
		if h.kept {
			n++
		}
	}
	return n
}

// Unload takes what the older steps hold out of memory where it is kept: the
// latest trips that are held stay, as many as most.
func (m *Model) Unload(most int) {
	loaded := 0
	for i := len(m.history.steps) - 1; i >= 0; i-- {
		for _, h := range m.history.steps[i].Held {
			if h.Trip == nil || h.Stored || h.Trip.finding == nil && h.Trip.journey == nil {
				continue
			}
			if loaded++; loaded > most && h.kept {
				bare := *h.Trip
				bare.finding, bare.journey = nil, nil
				h.Trip, h.Stored = &bare, true
			}
		}
	}
}

// Loaded reports whether all that a step holds is in memory.
func (s *Step) Loaded() bool {
	for _, h := range s.Held {
		if h.Stored {
			return false
		}
	}
	return true
}

// Load takes the records that a step holds of a trip from the workspace into
// memory.
func (h *Held) Load(t *trajectory.Trajectory, r *trajectory.Recovery) {
	h.Trip.load(t, r)
	h.Stored = false
}

// Kept is what is held of a trip as the workspace has it.
func Kept(h Held) *Held {
	h.kept = true
	return &h
}
