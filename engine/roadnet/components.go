package roadnet

import (
	"cmp"
	"slices"
)

// findComponents numbers the strongly connected components of the segments,
// the largest first, those of one size by their lowest segment. Allowed turns
// and U-turns connect. The algorithm is Tarjan's with a stack of its own, so
// that a long road cannot exhaust the call stack.
func findComponents(n *Network) []uint32 {
	t := &tarjan{
		net:       n,
		order:     make([]uint32, n.NumSegments()),
		low:       make([]uint32, n.NumSegments()),
		component: make([]uint32, n.NumSegments()),
	}
	for s := range SegmentID(n.NumSegments()) {
		if t.order[s] == 0 {
			t.search(s)
		}
	}
	return t.bySize()
}

// tarjan is the state of the search for components.
type tarjan struct {
	net       *Network
	order     []uint32 // segment: when it was first seen, from 1
	low       []uint32 // segment: the earliest order known to be reachable
	component []uint32 // segment: its component from 1; 0 while unknown
	sizes     []uint32 // component
	seen      uint32
	open      []SegmentID // seen, and not yet in a component
	calls     []call
}

// call is a segment being searched and how many of its successors are done.
type call struct {
	segment SegmentID
	done    int
}

// search finds the components of all that can be reached from a segment.
func (t *tarjan) search(from SegmentID) {
	t.enter(from)
	for len(t.calls) > 0 {
		c := &t.calls[len(t.calls)-1]
		s := c.segment
		next, ok := t.successor(s, c.done)
		c.done++
		switch {
		case !ok:
			t.leave(s)
		case t.order[next] == 0:
			t.enter(next)
		case t.component[next] == 0:
			t.low[s] = min(t.low[s], t.order[next])
		}
	}
}

// successor is the i-th segment that can be driven after s, the U-turn last.
func (t *tarjan) successor(s SegmentID, i int) (SegmentID, bool) {
	next := t.net.Next(s)
	if i < len(next) {
		return next[i], true
	}
	if i == len(next) && t.net.UTurnAllowed(s) {
		return t.net.Reverse(s)
	}
	return 0, false
}

func (t *tarjan) enter(s SegmentID) {
	t.seen++
	t.order[s], t.low[s] = t.seen, t.seen
	t.open = append(t.open, s)
	t.calls = append(t.calls, call{segment: s})
}

// leave ends the search of a segment; where it cannot reach anything earlier,
// all that is open since it was entered is a component.
func (t *tarjan) leave(s SegmentID) {
	t.calls = t.calls[:len(t.calls)-1]
	if len(t.calls) > 0 {
		caller := t.calls[len(t.calls)-1].segment
		t.low[caller] = min(t.low[caller], t.low[s])
	}
	if t.low[s] != t.order[s] {
		return
	}
	size := uint32(0)
	for last := ^s; last != s; size++ {
		last = t.open[len(t.open)-1]
		t.open = t.open[:len(t.open)-1]
		t.component[last] = uint32(len(t.sizes)) + 1
	}
	t.sizes = append(t.sizes, size)
}

// bySize renumbers the components and returns them from 0.
func (t *tarjan) bySize() []uint32 {
	rank := make([]uint32, 0, len(t.sizes)) // components in order of their lowest segment
	met := make([]bool, len(t.sizes))
	for _, c := range t.component {
		if !met[c-1] {
			met[c-1] = true
			rank = append(rank, c-1)
		}
	}
	slices.SortStableFunc(rank, func(a, b uint32) int { return cmp.Compare(t.sizes[b], t.sizes[a]) })
	number := make([]uint32, len(rank))
	for i, c := range rank {
		number[c] = uint32(i)
	}
	for s, c := range t.component {
		t.component[s] = number[c-1]
	}
	return t.component
}
