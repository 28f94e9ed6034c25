package roadnet

import "context"

// Stretch is a part of a segment where roads are stacked.
type Stretch struct {
	From, To float64   // metres along the segment
	Other    SegmentID // the road below, or above
}

// stretchIndex lists stretches by segment.
type stretchIndex struct {
	start []uint32 // per segment, one more; nil where there are no stretches
	items []Stretch
}

func (x *stretchIndex) of(id SegmentID) []Stretch {
	if x.start == nil {
		return nil
	}
	lo, hi := x.start[id], x.start[id+1]
	return x.items[lo:hi:hi]
}

// Ambiguous are the stretches of an elevated segment under which a lower
// drivable road runs within 30 m and 20 degrees of heading, either way, in
// driving order. Other is that lower road, in the driving direction if it can
// be driven so. A view, not to be modified.
func (n *Network) Ambiguous(id SegmentID) []Stretch { return n.above.of(id) }

// BelowDeck are the stretches of a segment that run under an elevated one: the
// other side of [Network.Ambiguous]. Other is the elevated segment. A view,
// not to be modified.
func (n *Network) BelowDeck(id SegmentID) []Stretch { return n.below.of(id) }

func (n *Network) findStretches(ctx context.Context) {}
func (n *Network) indexStretches()                   {}
