package state

import "slices"

// StepKind says what a step of the history did.
type StepKind string

// The kinds of steps.
const (
	PinStep      StepKind = "pin"
	ForbidStep   StepKind = "forbid"
	UnpinStep    StepKind = "unpin"
	WayStep      StepKind = "way" // another way through a gap was taken
	RemoveStep   StepKind = "remove"
	ReadStep     StepKind = "read"
	RecoverStep  StepKind = "recover"
	RenameStep   StepKind = "rename"
	CheckStep    StepKind = "check"
	UncheckStep  StepKind = "uncheck"
	HideStep     StepKind = "hide"
	ShowStep     StepKind = "show"
	SettingsStep StepKind = "settings"
	TruthStep    StepKind = "truth" // how trips were driven became known
	ForgetStep   StepKind = "forget truth"
)

// Step is one change of the workspace that can be undone. It holds, of what it
// changed, what was there before; once it is undone, what was there after. So
// undo and redo are the same: what is held and what is there change places.
type Step struct {
	Number  uint64 // rises by one from step to step
	Kind    StepKind
	N       int    // how many trips, or which input point, from 1
	Name    string // of the trip, where it is one
	Undone  bool
	Held    []*Held
	Options *RecoveryOptions // held of the settings; nil: it did not change them

	index map[string]int // into Held, by trip
	gone  bool           // it is no longer in the history
}

// history is the steps in order: those that are done, then those undone.
type history struct {
	steps     []*Step
	done      int   // of the steps
	recording *Step // that what changes now belongs to; nil: to none
	none      *Trip // of which nothing is held, shared by many and never changed
}

// nothing is what is held of a trip before anything is.
func (h *history) nothing() *Trip {
	if h.none == nil {
		h.none = &Trip{}
	}
	return h.none
}

// Bounds of how far back undo goes. The last step stays whatever it holds.
const (
	maxSteps = 200
	maxHeld  = 20000 // trips that all steps hold together
)

// Do begins a step and does its first change in it. Where that changes nothing
// there is no step, and Do returns nil.
func (m *Model) Do(kind StepKind, n int, name string, change func()) *Step {
	s := &Step{Kind: kind, N: n, Name: name, index: map[string]int{}}
	m.Change(func() {
		m.push(s)
		m.During(s, change)
		if len(s.Held) == 0 && s.Options == nil {
			m.Drop(s)
			s = nil
		}
	})
	return s
}

// DoLater begins a step whose changes come later, by During.
func (m *Model) DoLater(kind StepKind, n int, name string) *Step {
	s := &Step{Kind: kind, N: n, Name: name, index: map[string]int{}}
	m.Change(func() { m.push(s) })
	return s
}

// During has what change changes belong to a step. Where the step was undone
// meanwhile, nothing is changed; where it is nil, the change is of no step and
// not kept.
func (m *Model) During(s *Step, change func()) {
	if s != nil && s.Undone {
		return
	}
	before := m.history.recording
	m.history.recording = s
	m.Change(change)
	m.history.recording = before
}

// Drop takes a step that changed nothing in the end out of the history.
func (m *Model) Drop(s *Step) {
	h := &m.history
	i := slices.Index(h.steps, s)
	if i < 0 || len(s.Held) > 0 || s.Options != nil {
		return
	}
	h.steps = slices.Delete(h.steps, i, i+1)
	if i < h.done {
		h.done--
	}
	m.forget(s)
	m.touch(History)
}

// push puts a step behind those that are done. What was undone is forgotten.
func (m *Model) push(s *Step) {
	h := &m.history
	for _, old := range h.steps[h.done:] {
		m.forget(old)
	}
	h.steps = h.steps[:h.done]
	s.Number = 1
	if h.done > 0 {
		s.Number = h.steps[h.done-1].Number + 1
	}
	h.steps = append(h.steps, s)
	h.done++
	m.noteStep(s)
	m.trim()
	m.touch(History)
}

// trim forgets the oldest steps beyond the bounds.
func (m *Model) trim() {
	h := &m.history
	held := 0
	for _, s := range h.steps {
		held += len(s.Held)
	}
	for len(h.steps) > 1 && h.done > 1 && (len(h.steps) > maxSteps || held > maxHeld) {
		held -= len(h.steps[0].Held)
		m.forget(h.steps[0])
		h.steps, h.done = h.steps[1:], h.done-1
	}
}

// Undo takes the last change back. What it holds must be loaded.
func (m *Model) Undo() {
	if s := m.ToUndo(); s != nil {
		m.Change(func() {
			m.history.done--
			m.exchange(s, true)
			s.Undone = true
			m.touch(History)
		})
	}
}

// Redo does the last change that was taken back again. What it holds must be
// loaded.
func (m *Model) Redo() {
	if s := m.ToRedo(); s != nil {
		m.Change(func() {
			m.history.done++
			s.Undone = false
			m.exchange(s, false)
			m.touch(History)
		})
	}
}

// ToUndo is the step that Undo takes back, nil where there is none.
func (m *Model) ToUndo() *Step {
	if n := m.history.done; n > 0 {
		return m.history.steps[n-1]
	}
	return nil
}

// ToRedo is the step that Redo does again, nil where there is none.
func (m *Model) ToRedo() *Step {
	if h := m.history; h.done < len(h.steps) {
		return h.steps[h.done]
	}
	return nil
}

// Steps lists the history in order.
func (m *Model) Steps() []*Step { return m.history.steps }

// SetHistory takes the steps of a workspace in order, those that are undone
// last. They are kept already.
func (m *Model) SetHistory(steps []*Step) {
	h := history{steps: steps}
	for _, s := range steps {
		s.index = make(map[string]int, len(s.Held))
		for i, held := range s.Held {
			s.index[held.ID] = i
		}
		if !s.Undone {
			h.done++
		}
	}
	m.history = h
	m.touch(History)
}

// ForgetUntil forgets a step and all on its side of where the history stands,
// because the step is not whole: those before it where it is done, those after
// it where it is undone.
func (m *Model) ForgetUntil(s *Step) {
	h := &m.history
	for i, x := range h.steps {
		if x != s {
			continue
		}
		gone := h.steps[i:]
		if i < h.done {
			gone = h.steps[:i+1]
			h.steps, h.done = h.steps[i+1:], h.done-i-1
		} else {
			h.steps = h.steps[:i]
		}
		for _, old := range gone {
			m.forget(old)
		}
		m.touch(History)
		return
	}
}

// forget has a step forgotten where it is kept too.
func (m *Model) forget(s *Step) {
	s.gone = true
	m.unsaved.forget(s)
}

// ClearHistory leaves the history, e.g. that of the sample. Where it is kept it
// stays.
func (m *Model) ClearHistory() {
	for _, s := range m.history.steps {
		s.gone = true
	}
	m.history = history{}
	m.unsaved = Unsaved{}
	m.touch(History)
}
