package feature

import (
	"math/bits"

	"retrace/engine/roadnet"
)

// Goal is what is known of the end of a gap: where the vehicle must come to, and
// all from where it can in time. It can be filled anew and then uses its memory
// again, which does not grow with the network: many trips may each have one.
type Goal struct {
	to    []roadnet.Hit // the candidates of the sample
	next  roadnet.Point // the sample
	speed float64       // m/s over the whole gap, by the straight way
	hurry float64       // how many times free flow the vehicle drives, 1 to mostHurry

	ways  []way // hashed by segment, at most half of them taken
	shift int
}

// way is what lies between the end of a segment and the goal.
type way struct {
	key          uint32  // segment + 1; 0: there is none
	cost, length float64 // seconds of free flow, metres
}

// keep keeps what was reached backward from the goal.
func (g *Goal) keep(r *roadnet.Reach) {
	size := bits.Len(uint(2*r.Len() | 15))
	g.shift = 32 - size
	g.ways = resized(g.ways, 1<<size)
	for i := range r.Len() {
		at := r.At(i)
		*g.slot(uint32(at.Segment) + 1) = way{uint32(at.Segment) + 1, at.Cost, at.Length}
	}
}

// slot is that of a key or, where it has none yet, a free one.
func (g *Goal) slot(key uint32) *way {
	const golden = 2654435769 // spreads numbers that lie close together
	for i := key * golden >> g.shift; ; i = (i + 1) & uint32(len(g.ways)-1) {
		if w := &g.ways[i]; w.key == key || w.key == 0 {
			return w
		}
	}
}

// find is the way from a segment, if the goal can be reached from there.
func (g *Goal) find(id roadnet.SegmentID) (way, bool) {
	w := *g.slot(uint32(id) + 1)
	return w, w.key != 0
}
