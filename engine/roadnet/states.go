package roadnet

// State is what a search over the network must know of where a car is: the
// segment, and how much of a restriction over several junctions it has driven
// already. A restriction such as "from A over B not to C" depends on more than
// one segment; so B is there twice: as itself, and as "B, having come from A",
// from where C cannot be driven.
//
// States below NumSegments are the segments themselves, and a search starts
// there. Those beyond are such copies. A search goes from state to state by
// [Network.NextStates]; a U-turn, where allowed, goes from any state of a
// segment to the reverse segment itself. To be in any state of a segment is to
// be on it. Networks without such restrictions have no copies.
type State = SegmentID

// stateGraph holds the copies and the moves between states.
type stateGraph struct {
	segment []SegmentID // of the copies
	// The states after state s are items[from[s]:to[s]]. Without copies these
	// are the arrays of Network.next.
	from, to []uint32
	items    []State
}

// NumStates is the number of states: NumSegments or a little more.
func (n *Network) NumStates() int { return len(n.states.from) }

// StateSegment is the segment that a state is on.
func (n *Network) StateSegment(s State) SegmentID {
	if int(s) < len(n.segLine) {
		return s
	}
	return n.states.segment[int(s)-len(n.segLine)]
}

// NextStates are the states that a car may be in after a state, all turn
// restrictions kept. U-turns are not among them. A view, not to be modified.
func (n *Network) NextStates(s State) []State {
	lo, hi := n.states.from[s], n.states.to[s]
	return n.states.items[lo:hi:hi]
}

// newStateGraph makes the states that the forbidden paths need: one for each
// start of a forbidden path, of two segments or more, that a car can have
// driven last. The states are the Aho-Corasick automaton of the paths.
func newStateGraph(n *Network) stateGraph {
	g := stateGraph{from: n.next.start[:len(n.segLine)], to: n.next.start[1:], items: n.next.items}
	if len(n.pathStart) < 2 {
		return g
	}
	a := newAutomaton(n)
	g.segment = a.segment
	g.from = append(make([]uint32, 0, len(n.segLine)+len(a.segment)), g.from...)
	g.to = append(make([]uint32, 0, len(n.segLine)+len(a.segment)), g.to...)
	g.items = append([]State(nil), g.items...)
	rewrite := func(s State) {
		first := uint32(len(g.items))
		for _, next := range n.Next(a.on(s)) {
			if after, ok := a.move(s, next); ok {
				g.items = append(g.items, after)
			}
		}
		g.from[s], g.to[s] = first, uint32(len(g.items))
	}
	for i := range len(n.pathStart) - 1 {
		rewrite(State(n.pathSeg[n.pathStart[i]]))
	}
	for i := range a.segment {
		g.from, g.to = append(g.from, 0), append(g.to, 0)
		rewrite(State(len(n.segLine) + i))
	}
	return g
}

// automaton recognises forbidden paths.
type automaton struct {
	segments State // the plain states
	// Per copy.
	segment []SegmentID
	shorter []State // the longest other state that also holds

	child     map[step]State    // where a step leads to a longer start of a path
	forbidden map[step]struct{} // the last steps of forbidden paths
}

// step is a segment driven from a state.
type step struct {
	from State
	to   SegmentID
}

// newAutomaton makes the copies level by level: first those of two segments,
// then those of three, and so on.
func newAutomaton(n *Network) *automaton {
	a := &automaton{
		segments:  State(len(n.segLine)),
		child:     make(map[step]State),
		forbidden: make(map[step]struct{}),
	}
	at := make([]State, len(n.pathStart)-1) // where each path has got to
	for i := range at {
		at[i] = SegmentID(n.pathSeg[n.pathStart[i]])
	}
	for depth, more := 1, true; more; depth++ {
		more = false
		for i := range at {
			path := n.pathSeg[n.pathStart[i]:n.pathStart[i+1]]
			switch {
			case depth < len(path)-1:
				at[i] = a.extend(step{at[i], SegmentID(path[depth])})
				more = true
			case depth == len(path)-1:
				a.forbidden[step{at[i], SegmentID(path[depth])}] = struct{}{}
			}
		}
	}
	return a
}

// extend is the state after a step, made where it is new.
func (a *automaton) extend(s step) State {
	if next, ok := a.child[s]; ok {
		return next
	}
	shorter := s.to
	if rest, ok := a.fallback(s.from); ok {
		shorter = a.target(step{rest, s.to})
	}
	next := a.segments + State(len(a.segment))
	a.segment = append(a.segment, s.to)
	a.shorter = append(a.shorter, shorter)
	a.child[s] = next
	return next
}

// on is the segment of a state.
func (a *automaton) on(s State) SegmentID {
	if s < a.segments {
		return s
	}
	return a.segment[s-a.segments]
}

// fallback is the longest other state that holds in a state; none in a plain one.
func (a *automaton) fallback(s State) (State, bool) {
	if s < a.segments {
		return 0, false
	}
	return a.shorter[s-a.segments], true
}

// target is the state after a step, forbidden or not.
func (a *automaton) target(s step) State {
	for {
		if next, ok := a.child[s]; ok {
			return next
		}
		rest, ok := a.fallback(s.from)
		if !ok {
			return s.to
		}
		s.from = rest
	}
}

// move is the state after a step; false where a forbidden path would end.
func (a *automaton) move(from State, to SegmentID) (State, bool) {
	for s := from; ; {
		if _, ok := a.forbidden[step{s, to}]; ok {
			return 0, false
		}
		rest, ok := a.fallback(s)
		if !ok {
			return a.target(step{from, to}), true
		}
		s = rest
	}
}
