package roadnet

// Reach finds everything that can be driven to from some positions, or that can
// drive to them, within a bound. It keeps arrays as long as the network and
// clears none of them. It must not be used by two goroutines at once.
type Reach struct{ grower grower }

// Reached is a segment that was reached.
type Reached struct {
	Segment SegmentID
	Parent  int     // the one before on the way from the positions; one of theirs is its own
	Cost    float64 // to the segment's start or, backward, from its end; see Search. At a position's own segment not above 0
	Length  float64 // metres, likewise
}

// NewReach prepares searches on a network: from positions, or backward to them.
func NewReach(n *Network, backward bool) *Reach {
	return &Reach{newGrower(n, backward)}
}

// Grow reaches all that costs no more than the search's bound from the nearest
// of the positions. Restrictions over several junctions are not looked at.
func (r *Reach) Grow(from []Position, s Search) { r.grower.grow(from, nil, s) }

// Len is the number of segments reached.
func (r *Reach) Len() int { return len(r.grower.reached) }

// At is the segment reached as number i, the nearest first.
func (r *Reach) At(i int) Reached { return r.grower.reached[i] }

// Find is what is known of a segment, if it was reached.
func (r *Reach) Find(id SegmentID) (Reached, bool) {
	if !r.grower.settled(id) {
		return Reached{}, false
	}
	return r.At(int(r.grower.labels[id].place)), true
}
