package roadnet

// State is what a search over the network must know of where a car is: the
// segment, and how much of a restriction over several junctions it has driven
// already. A restriction such as "from A over B not to C" depends on more than
// one segment; so B appears twice: as itself, and as "B, having come from A",
// from where C cannot be driven.
//
// States 0 to NumSegments-1 are the segments themselves, and a search starts
// there. Those beyond are such copies. A search goes from state to state by
// [Network.NextStates]; a U-turn, where allowed, goes from any state of a
// segment to the plain state of the reverse. Any state of a segment is an
// arrival on it. Networks without such restrictions have no copies, and states
// and segments are the same.
type State uint32

// stateGraph holds the copies and the moves between states.
type stateGraph struct {
	segment []uint32 // of the copies
	start   []uint32 // per state, one more
	items   []State
}

// NumStates is the number of states, NumSegments or a little more.
func (n *Network) NumStates() int { return len(n.segLine) + len(n.states.segment) }

// StateSegment is the segment that a state is on.
func (n *Network) StateSegment(s State) SegmentID {
	if int(s) < len(n.segLine) {
		return SegmentID(s)
	}
	return SegmentID(n.states.segment[int(s)-len(n.segLine)])
}

// NextStates are the states that a car may be in after a state, all turn
// restrictions kept. U-turns are not among them. A view, not to be modified.
func (n *Network) NextStates(s State) []State {
	lo, hi := n.states.start[s], n.states.start[s+1]
	return n.states.items[lo:hi:hi]
}
