package match

import (
	"fmt"
	"slices"

	"retrace/engine/roadnet"
)

// Pin is what a person knows of one sample: it lies on a segment, or not. A
// segment that a sample does not lie on is not driven on the way to that sample
// and from it either.
type Pin struct {
	Sample  int // index into Trajectory.Samples
	Segment roadnet.SegmentID
	Forbid  bool // the sample does not lie on the segment
}

// Pins is all that is known of a trajectory's samples.
type Pins []Pin

// Check refuses pins of samples or segments that there are not.
func (p Pins) Check(net *roadnet.Network, samples int) error {
	for _, pin := range p {
		if pin.Sample < 0 || pin.Sample >= samples {
			return fmt.Errorf("pin on point %d: the trajectory has %d points", pin.Sample, samples)
		}
		if int(pin.Segment) >= net.NumSegments() {
			return fmt.Errorf("pin on segment %d: the network has %d segments", pin.Segment, net.NumSegments())
		}
	}
	return nil
}

// Pinned is the segment that a sample lies on; false where that is not known.
func (p Pins) Pinned(sample int) (roadnet.SegmentID, bool) {
	for _, pin := range p {
		if pin.Sample == sample && !pin.Forbid {
			return pin.Segment, true
		}
	}
	return 0, false
}

// Avoided are the segments that are not driven between two samples.
func (p Pins) Avoided(from, to int) []roadnet.SegmentID {
	var ids []roadnet.SegmentID
	for _, pin := range p {
		if pin.Forbid && pin.Sample >= from && pin.Sample <= to {
			ids = append(ids, pin.Segment)
		}
	}
	return ids
}

// Keep deletes the hits where a sample cannot be: those that it is known not to
// lie on and, unless none is left then, those that are not driven on the way to
// it or from it.
func (p Pins) Keep(sample int, hits []roadnet.Hit) []roadnet.Hit {
	if len(p) == 0 {
		return hits
	}
	on := func(ids []roadnet.SegmentID) func(roadnet.Hit) bool {
		return func(h roadnet.Hit) bool { return slices.Contains(ids, h.Segment) }
	}
	hits = slices.DeleteFunc(hits, on(p.Avoided(sample, sample)))
	if strict := slices.DeleteFunc(slices.Clone(hits), on(p.Avoided(sample-1, sample+1))); len(strict) > 0 {
		return strict
	}
	return hits
}
