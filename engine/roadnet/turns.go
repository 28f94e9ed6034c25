package roadnet

// adjacency lists for each segment some others: those of segment i are
// items[start[i]:start[i+1]].
type adjacency struct {
	start []uint32
	items []SegmentID
}

func (a *adjacency) of(i uint32) []SegmentID {
	lo, hi := a.start[i], a.start[i+1]
	return a.items[lo:hi:hi]
}

// Next are the segments that may be driven after a segment: where turn
// restrictions over a single junction allow it. The reverse, a U-turn, is not
// among them; see [Network.UTurnAllowed]. Restrictions over several junctions
// are kept by [Network.NextStates]. A view, not to be modified. Its length is
// the out-degree of the segment.
func (n *Network) Next(id SegmentID) []SegmentID { return n.next.of(uint32(id)) }

// Prev are the segments that a segment may be driven after: b is in Next(a)
// exactly if a is in Prev(b). A view, not to be modified. Its length is the
// in-degree of the segment.
func (n *Network) Prev(id SegmentID) []SegmentID { return n.prev.of(uint32(id)) }

// Reverse is the segment on the same line in the other direction; false on a
// one-way road.
func (n *Network) Reverse(id SegmentID) (SegmentID, bool) {
	ref := n.segLine[id]
	if Direction(n.lineDir[ref>>1]) != BothWays {
		return 0, false
	}
	if ref&1 != 0 {
		return id - 1, true
	}
	return id + 1, true
}

// UTurnAllowed reports whether a car may turn back at the end of a segment:
// there is a reverse, and no restriction forbids it.
func (n *Network) UTurnAllowed(id SegmentID) bool {
	_, ok := n.Reverse(id)
	return ok && (n.noUTurn == nil || !n.noUTurn[id])
}

// DeadEnd reports whether no other segment may follow.
func (n *Network) DeadEnd(id SegmentID) bool { return len(n.Next(id)) == 0 }

// TurnAngle is the angle turned from one segment to the next in degrees, in
// (-180, 180]: right is positive, 0 straight on, 180 straight back. Headings
// are taken over some metres, so that kinks at a junction do not matter.
func (n *Network) TurnAngle(from, to SegmentID) float64 {
	if n.segLine[from]^n.segLine[to] == 1 {
		return 180
	}
	all := n.segTurns()
	return turn(all[from].end, all[to].start)
}

// linkSegments finds which segments may follow which.
func (n *Network) linkSegments() {
	outs := n.segmentsFromNodes()
	n.noUTurn = nil
	n.next = adjacency{start: make([]uint32, 1, len(n.segLine)+1)}
	n.next.items = make([]SegmentID, 0, 3*len(n.segLine)) // more than enough, mostly
	turn := 0
	for s := range SegmentID(len(n.segLine)) {
		first := turn
		for turn < len(n.turnFrom) && n.turnFrom[turn] == uint32(s) {
			turn++
		}
		n.linkSegment(s, outs.of(uint32(n.end(s))), n.turnTo[first:turn])
	}
	n.next.items = append(make([]SegmentID, 0, len(n.next.items)), n.next.items...)
	n.prev = n.next.inverse()
}

// linkSegment appends the segments that may follow s, out of those that leave
// the node where it ends.
func (n *Network) linkSegment(s SegmentID, outs []SegmentID, forbidden []uint32) {
	for _, out := range outs {
		uTurn := n.segLine[s]^n.segLine[out] == 1
		allowed := !contains(forbidden, uint32(out))
		if uTurn && !allowed {
			if n.noUTurn == nil {
				n.noUTurn = make([]bool, len(n.segLine))
			}
			n.noUTurn[s] = true
		}
		if allowed && !uTurn {
			n.next.items = append(n.next.items, out)
		}
	}
	n.next.start = append(n.next.start, uint32(len(n.next.items)))
}

func contains(list []uint32, x uint32) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

// end is the node where a segment ends.
func (n *Network) end(s SegmentID) NodeID {
	_, to := n.Ends(s)
	return to
}

// segmentsFromNodes lists for each node the segments that leave it, ascending.
func (n *Network) segmentsFromNodes() adjacency {
	a := adjacency{
		start: make([]uint32, len(n.nodeOSM)+1),
		items: make([]SegmentID, len(n.segLine)),
	}
	for s := range SegmentID(len(n.segLine)) {
		from, _ := n.Ends(s)
		a.start[from+1]++
	}
	a.sum()
	fill := append([]uint32(nil), a.start...)
	for s := range SegmentID(len(n.segLine)) {
		from, _ := n.Ends(s)
		a.items[fill[from]] = s
		fill[from]++
	}
	return a
}

// sum turns counts, kept one place further on, into starts.
func (a *adjacency) sum() {
	for i := 1; i < len(a.start); i++ {
		a.start[i] += a.start[i-1]
	}
}

// inverse lists for each segment those that list it, ascending.
func (a *adjacency) inverse() adjacency {
	inv := adjacency{start: make([]uint32, len(a.start)), items: make([]SegmentID, len(a.items))}
	for _, to := range a.items {
		inv.start[to+1]++
	}
	inv.sum()
	fill := append([]uint32(nil), inv.start...)
	for s := range SegmentID(len(a.start) - 1) {
		for _, to := range a.of(uint32(s)) {
			inv.items[fill[to]] = s
			fill[to]++
		}
	}
	return inv
}
