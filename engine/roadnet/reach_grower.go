package roadnet

import "slices"

// grower reaches what can be driven to from some positions, or backward what can
// drive to them, again and again, with an array as long as the network.
type grower struct {
	net      *Network
	turns    *turns
	backward bool
	done     <-chan struct{}
	avoid    []SegmentID
	across   *grower // what has grown the other way, from the others: nothing is reached that it has not, or dearer with it than the bound
	search   Search
	aim      aim
	fast     float64 // m/s

	generation uint32
	labels     []growth // by segment
	queue      queue
	reached    []Reached // in the order in which they were settled
	points     []Point
}

// growth is what is known of a segment.
type growth struct {
	cost, length float64 // as those of Reached
	seen         uint32  // the generation that it was reached in
	settled      uint32  // the generation in which its cost was found to be the lowest
	parent       uint32  // place of the one before; noParent at a position
	place        uint32  // among those reached
}

// noParent is the parent of a position's own segment while it waits.
const noParent = ^uint32(0)

// rounding is more than sums of costs may differ by that are added up in another
// order, metres.
const rounding = 1e-3

func newGrower(n *Network, backward bool) grower {
	g := grower{net: n, turns: n.turns(), backward: backward, labels: make([]growth, n.NumSegments())}
	for id := range SegmentID(n.NumSegments()) {
		g.fast = max(g.fast, n.FreeFlow(id))
	}
	return g
}

// grow reaches all whose routes may be part of one from the positions to any of
// the others at no more than the search's bound; to anywhere, where there are no
// others.
func (g *grower) grow(from, others []Position, s Search) {
	g.begin(others, s)
	for _, p := range from {
		share := p.Ratio
		if g.backward {
			share = 1 - p.Ratio
		}
		over := share * g.net.Length(p.Segment)
		g.offer(p.Segment, noParent, -g.search.cost(g.net, p.Segment, over), -over)
	}
	for n := 1; len(g.queue) > 0 && !(n%1024 == 0 && closed(g.done)); n++ {
		id := SegmentID(g.queue.pop().state)
		if g.settled(id) {
			continue
		}
		l := &g.labels[id]
		l.settled, l.place = g.generation, uint32(len(g.reached))
		if l.parent == noParent {
			l.parent = l.place
		}
		g.reached = append(g.reached, Reached{id, int(l.parent), l.cost, l.length})
		g.spread(id, l)
	}
}

func (g *grower) begin(others []Position, s Search) {
	g.generation++
	if g.generation == 0 { // four billion searches later: old labels would look new
		clear(g.labels)
		g.generation = 1
	}
	g.search, g.queue, g.reached, g.points = s, g.queue[:0], g.reached[:0], g.points[:0]
	for _, p := range others {
		g.points = append(g.points, g.net.At(p))
	}
	g.aim = aim{}
	if len(others) > 0 {
		g.aim = aimAt(g.points, 1-s.TimeShare+s.TimeShare*s.Speed/g.fast)
	}
}

// settled reports whether a segment was reached.
func (g *grower) settled(id SegmentID) bool { return g.labels[id].settled == g.generation }

// spread offers what lies beyond a segment.
func (g *grower) spread(id SegmentID, l *growth) {
	metres := g.net.Length(id)
	cost, length := l.cost+g.search.cost(g.net, id, metres), l.length+metres
	if g.backward {
		for _, before := range g.net.Prev(id) {
			g.offer(before, l.place, cost+g.turn(before, id), length)
		}
		if back, ok := g.net.Reverse(id); ok && g.turns.end[back].back == id {
			g.offer(back, l.place, cost+g.search.UTurn, length)
		}
		return
	}
	for _, after := range g.net.Next(id) {
		g.offer(after, l.place, cost+g.turn(id, after), length)
	}
	if back := g.turns.end[id].back; back != id {
		g.offer(back, l.place, cost+g.search.UTurn, length)
	}
}

// turn is the cost of going from one segment to the next where there is a choice.
func (g *grower) turn(from, to SegmentID) float64 {
	if len(g.net.Next(from)) < 2 {
		return 0
	}
	return g.search.Turn * sharpness(g.turns.end[from].direction, g.turns.begin[to].direction)
}

// cost of driving some metres of a segment.
func (s *Search) cost(n *Network, id SegmentID, metres float64) float64 {
	return metres * (1 - s.TimeShare + s.TimeShare*s.Speed/n.FreeFlow(id))
}

func (g *grower) offer(id SegmentID, parent uint32, cost, length float64) {
	l := &g.labels[id]
	if l.settled == g.generation || l.seen == g.generation && l.cost <= cost {
		return
	}
	if len(g.avoid) > 0 && slices.Contains(g.avoid, id) || !g.leads(id, cost) {
		return
	}
	l.cost, l.length, l.seen, l.parent = cost, length, g.generation, parent
	g.queue.push(queued{cost, cost, State(id)})
}

// leads reports whether a segment reached at a cost may be part of a route to the
// others within the bound.
func (g *grower) leads(id SegmentID, cost float64) bool {
	switch {
	case g.across != nil:
		rest := &g.across.labels[id]
		return rest.settled == g.across.generation &&
			cost+g.search.cost(g.net, id, g.net.Length(id))+rest.cost <= g.search.Bound+rounding
	case g.aim.costPerMetre > 0:
		return cost+g.aim.toCome(g.near(id)) <= g.search.Bound
	}
	return cost <= g.search.Bound
}

// near is the end of a segment that is reached first.
func (g *grower) near(id SegmentID) Point {
	if !g.backward {
		return g.turns.begin[id].at.Point()
	}
	line, reversed := g.net.LineOf(id)
	if reversed {
		return g.net.coords[g.net.lineStart[line]].Point()
	}
	return g.net.coords[g.net.lineStart[line+1]-1].Point()
}
