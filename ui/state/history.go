package state

// Change is one step that can be undone. Do and Undo run on the window's
// goroutine; they start a task for what takes long.
type Change struct {
	Name     string // as the Edit menu says it
	Do, Undo func()
}

// history is what was done and what was undone, the latest last.
type history struct{ done, undone []Change }

// maxHistory bounds how far back undo goes.
const maxHistory = 200

// Apply does a change and keeps it for undo.
func (m *Model) Apply(c Change) {
	m.Change(func() {
		c.Do()
		m.history.done = append(m.history.done, c)
		if n := len(m.history.done); n > maxHistory {
			m.history.done = m.history.done[n-maxHistory:]
		}
		m.history.undone = nil
		m.touch(History)
	})
}

// Undo takes the last change back.
func (m *Model) Undo() {
	h := &m.history
	if len(h.done) == 0 {
		return
	}
	c := h.done[len(h.done)-1]
	m.Change(func() {
		h.done = h.done[:len(h.done)-1]
		h.undone = append(h.undone, c)
		c.Undo()
		m.touch(History)
	})
}

// Redo does the last change that was taken back again.
func (m *Model) Redo() {
	h := &m.history
	if len(h.undone) == 0 {
		return
	}
	c := h.undone[len(h.undone)-1]
	m.Change(func() {
		h.undone = h.undone[:len(h.undone)-1]
		h.done = append(h.done, c)
		c.Do()
		m.touch(History)
	})
}

// NextUndo is the name of the change that Undo takes back.
func (m *Model) NextUndo() (string, bool) {
	if n := len(m.history.done); n > 0 {
		return m.history.done[n-1].Name, true
	}
	return "", false
}

// NextRedo is the name of the change that Redo does again.
func (m *Model) NextRedo() (string, bool) {
	if n := len(m.history.undone); n > 0 {
		return m.history.undone[n-1].Name, true
	}
	return "", false
}

// ClearHistory forgets all steps, where what they changed is gone.
func (m *Model) ClearHistory() {
	m.history = history{}
	m.touch(History)
}
