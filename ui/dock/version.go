package dock

import "retrace/ui/state"

// version says of which trips the rows of a table were read, and to which of them
// lists were narrowed.
type version struct{ revision, choices int }

// stale reports whether rows of this version have to be read anew, and takes it
// that they will be. Before the first trips there are none to be read.
func (v *version) stale(m *state.Model) bool {
	now := version{m.Revision(), m.Choices()}
	stale := *v != now
	*v = now
	return stale
}
