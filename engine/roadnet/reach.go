package roadnet

// Reach finds everything that can be driven to from some positions, or that can
// drive to them, within a bound. It keeps arrays as long as the network and
// clears none of them. It must not be used by two goroutines at once.
type Reach struct {
	grower grower
	tree   tree
	place  []uint32 // by segment: its branch, where the grower has settled it
}

// Reached is a segment that was reached.
type Reached struct {
	Segment SegmentID
	Parent  int     // the one before on the way from the positions; one of theirs is its own
	Cost    float64 // to the segment's start or, backward, from its end; see Search. At a position's own segment not above 0
	Length  float64 // metres, likewise
}

// NewReach prepares searches on a network: from positions, or backward to them.
func NewReach(n *Network, backward bool) *Reach {
	return &Reach{grower: newGrower(n, newTurns(n), backward), place: make([]uint32, n.NumSegments())}
}

// Grow reaches all that costs no more than the search's bound from the nearest
// of the positions. Restrictions over several junctions are not looked at.
func (r *Reach) Grow(from []Position, s Search) {
	r.grower.grow(&r.tree, from, nil, s)
	for i, b := range r.tree.branches {
		r.place[b.segment] = uint32(i)
	}
}

// Len is the number of segments reached.
func (r *Reach) Len() int { return len(r.tree.branches) }

// At is the segment reached as number i, the nearest first.
func (r *Reach) At(i int) Reached {
	b := r.tree.branches[i]
	return Reached{b.segment, int(b.parent), b.cost, b.length}
}

// Find is what is known of a segment, if it was reached.
func (r *Reach) Find(id SegmentID) (Reached, bool) {
	if r.grower.settled[id] != r.grower.generation {
		return Reached{}, false
	}
	return r.At(int(r.place[id])), true
}
