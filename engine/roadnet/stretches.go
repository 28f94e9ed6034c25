package roadnet

import (
	"cmp"
	"math"
	"slices"
)

// Stretch is a part of a segment where roads are stacked.
type Stretch struct {
	From, To float64   // metres along the segment
	Other    SegmentID // the road below, or above
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

// stretchIndex lists stretches by segment.
type stretchIndex struct {
	segments []SegmentID // that have any, rising: few of a network
	start    []uint32    // of each of these, one more
	items    []Stretch
}

func (x *stretchIndex) of(id SegmentID) []Stretch {
	i, ok := slices.BinarySearch(x.segments, id)
	if !ok {
		return nil
	}
	lo, hi := x.start[i], x.start[i+1]
	return x.items[lo:hi:hi]
}

// ownStretch is a stretch and the segment that it is of.
type ownStretch struct {
	segment SegmentID
	Stretch
}

// newStretchIndex makes an index.
func newStretchIndex(list []ownStretch) stretchIndex {
	slices.SortFunc(list, func(a, b ownStretch) int {
		return cmp.Or(cmp.Compare(a.segment, b.segment), cmp.Compare(a.From, b.From), cmp.Compare(a.Other, b.Other))
	})
	x := stretchIndex{items: make([]Stretch, len(list))}
	for i, s := range list {
		if n := len(x.segments); n == 0 || x.segments[n-1] != s.segment {
			x.segments, x.start = append(x.segments, s.segment), append(x.start, uint32(i))
		}
		x.items[i] = s.Stretch
	}
	x.start = append(x.start, uint32(len(list)))
	return x
}

// indexStretches lists the stretches of the columns by segment.
func (n *Network) indexStretches() {
	var above, below []ownStretch
	for i := range n.stretchDeck {
		deck, ground := LineID(n.stretchDeck[i]), LineID(n.stretchGround[i])
		p := n.stretchPlace[4*i : 4*i+4]
		against := n.against(deck, ground, p)
		above = n.appendStretches(above, deck, p[0], p[1], ground, against)
		below = n.appendStretches(below, ground, p[2], p[3], deck, against)
	}
	n.above = newStretchIndex(above)
	n.below = newStretchIndex(below)
}

// against reports whether the vertices of two lines run in opposite directions
// in the middle of a stretch.
func (n *Network) against(deck, ground LineID, p []float32) bool {
	return math.Abs(turn(n.lineHeading(deck, p[0], p[1]), n.lineHeading(ground, p[2], p[3]))) > 90
}

// lineHeading is the direction of a line's vertices in the middle between two
// places along it.
func (n *Network) lineHeading(l LineID, from, to float32) float64 {
	s := SegmentID(n.lineSeg[l])
	h := n.Heading(Position{s, n.segmentRatio(s, float64(from+to)/2)})
	if n.segLine[s]&1 != 0 {
		h += 180
	}
	return h
}

// segmentRatio is the ratio along a segment of a place along its line.
func (n *Network) segmentRatio(s SegmentID, along float64) float64 {
	r := clamp01(along / n.Length(s))
	if n.segLine[s]&1 != 0 {
		r = 1 - r
	}
	return r
}

// appendStretches appends a stretch of a line for each of its segments. Other
// is the segment of the other line in the same direction, where there is one.
func (n *Network) appendStretches(list []ownStretch, l LineID, from, to float32, other LineID, against bool) []ownStretch {
	forward, backward, hasForward, hasBackward := n.LineSegments(l)
	length := n.LineLength(l)
	if hasForward {
		s := Stretch{From: float64(from), To: float64(to), Other: n.facingSegment(other, against)}
		list = append(list, ownStretch{forward, s})
	}
	if hasBackward {
		s := Stretch{From: length - float64(to), To: length - float64(from), Other: n.facingSegment(other, !against)}
		list = append(list, ownStretch{backward, s})
	}
	return list
}

// facingSegment is the segment of a line in one direction, or else its only one.
func (n *Network) facingSegment(l LineID, reversed bool) SegmentID {
	forward, backward, hasForward, hasBackward := n.LineSegments(l)
	if (reversed && hasBackward) || !hasForward {
		return backward
	}
	return forward
}
