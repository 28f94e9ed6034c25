package roadnet

import "slices"

// tree is what one search found: the cheapest routes from one position, or to
// it, as branches in the order in which they were settled.
type tree struct {
	root     Position // the first of them
	branches []branch
}

// branch is one segment of a tree. Forward its cost and length are those of the
// way from the root to the segment's start; backward, from the segment's end to
// the root. At the root they are what the segment has too much when counted as
// a whole, and so not above 0.
type branch struct {
	segment SegmentID
	parent  uint32 // the branch nearer to the root; the root is its own
	cost    float64
	length  float64 // metres
}

// grower grows trees, one after another, with arrays as long as the network.
type grower struct {
	net      *Network
	turns    turns
	backward bool
	done     <-chan struct{}
	avoid    []SegmentID
	search   Search
	aim      aim
	fast     float64 // m/s

	generation uint32
	settled    []uint32 // by segment: the generation it was settled in
	seen       []uint32 // by segment: the generation that best is valid for
	best       []float64
	queue      branchQueue
	places     []Point
}

func newGrower(n *Network, t turns, backward bool) grower {
	g := grower{net: n, turns: t, backward: backward}
	size := n.NumSegments()
	g.settled, g.seen, g.best = make([]uint32, size), make([]uint32, size), make([]float64, size)
	for id := range SegmentID(size) {
		g.fast = max(g.fast, n.FreeFlow(id))
	}
	return g
}

// grow fills t with the branches whose routes may be part of one to any of the
// others at no more than the search's bound; to anywhere, where there are no
// others.
func (g *grower) grow(t *tree, roots, others []Position, s Search) {
	g.begin(others, s)
	t.root, t.branches = roots[0], t.branches[:0]
	for _, root := range roots {
		share := root.Ratio
		if g.backward {
			share = 1 - root.Ratio
		}
		over := share * g.net.Length(root.Segment)
		g.offer(queuedBranch{-g.cost(root.Segment, over), -over, root.Segment, noParent})
	}
	for n := 1; len(g.queue) > 0 && !(n%1024 == 0 && closed(g.done)); n++ {
		next := g.queue.pop()
		if g.settled[next.segment] == g.generation {
			continue
		}
		g.settled[next.segment] = g.generation
		at := uint32(len(t.branches))
		if next.parent == noParent {
			next.parent = at
		}
		t.branches = append(t.branches, branch{next.segment, next.parent, next.cost, next.length})
		next.parent = at
		g.spread(next)
	}
}

func (g *grower) begin(others []Position, s Search) {
	g.generation++
	if g.generation == 0 {
		clear(g.settled)
		clear(g.seen)
		g.generation = 1
	}
	g.search, g.queue, g.places = s, g.queue[:0], g.places[:0]
	for _, p := range others {
		g.places = append(g.places, g.net.At(p))
	}
	g.aim = aim{}
	if len(others) > 0 {
		g.aim = aimAt(g.places, 1-s.TimeShare+s.TimeShare*s.Speed/g.fast)
	}
}

// spread offers what lies beyond a branch, which is the parent of that.
func (g *grower) spread(from queuedBranch) {
	id := from.segment
	length := g.net.Length(id)
	from.cost += g.cost(id, length)
	from.length += length
	beyond := func(next SegmentID, turn float64) {
		g.offer(queuedBranch{from.cost + turn, from.length, next, from.parent})
	}
	if g.backward {
		for _, before := range g.net.Prev(id) {
			beyond(before, g.turn(before, id, len(g.net.Next(before))))
		}
		if back, ok := g.net.Reverse(id); ok && g.net.UTurnAllowed(back) {
			beyond(back, g.search.UTurn)
		}
		return
	}
	next := g.net.Next(id)
	for _, after := range next {
		beyond(after, g.turn(id, after, len(next)))
	}
	if g.net.UTurnAllowed(id) {
		back, _ := g.net.Reverse(id)
		beyond(back, g.search.UTurn)
	}
}

// turn is the cost of going from one segment to the next where there is a choice.
func (g *grower) turn(from, to SegmentID, choices int) float64 {
	if choices < 2 {
		return 0
	}
	return g.search.Turn * g.turns.sharpness(from, to)
}

func (g *grower) cost(id SegmentID, metres float64) float64 {
	share := g.search.TimeShare
	return metres * (1 - share + share*g.search.Speed/g.net.FreeFlow(id))
}

func (g *grower) offer(b queuedBranch) {
	id := b.segment
	if len(g.avoid) > 0 && slices.Contains(g.avoid, id) {
		return
	}
	if g.settled[id] == g.generation || g.seen[id] == g.generation && g.best[id] <= b.cost {
		return
	}
	key := b.cost
	if g.aim.costPerMetre > 0 {
		key += g.aim.toCome(g.near(id))
	}
	if key > g.search.Bound {
		return
	}
	g.seen[id], g.best[id] = g.generation, b.cost
	g.queue.push(b)
}

// near is the end of a segment that the tree reaches first.
func (g *grower) near(id SegmentID) Point {
	if !g.backward {
		return g.net.startPoint(id)
	}
	line, reversed := g.net.LineOf(id)
	if reversed {
		return g.net.coords[g.net.lineStart[line]].Point()
	}
	return g.net.coords[g.net.lineStart[line+1]-1].Point()
}

// queuedBranch waits in a branchQueue.
type queuedBranch struct {
	cost, length float64
	segment      SegmentID
	parent       uint32
}

// noParent is the parent of a root that waits.
const noParent = ^uint32(0)

// branchQueue is a binary heap by cost; of equal ones the lower segment first,
// so that trees are the same in every run.
type branchQueue []queuedBranch

func (q branchQueue) less(i, j int) bool {
	return q[i].cost < q[j].cost || q[i].cost == q[j].cost && q[i].segment < q[j].segment
}

func (q *branchQueue) push(b queuedBranch) {
	*q = append(*q, b)
	h := *q
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !h.less(i, up) {
			return
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
}

func (q *branchQueue) pop() queuedBranch {
	h := *q
	top, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	*q = h
	for i := 0; ; {
		down := 2*i + 1
		if down >= last {
			return top
		}
		if down+1 < last && h.less(down+1, down) {
			down++
		}
		if !h.less(down, i) {
			return top
		}
		h[i], h[down] = h[down], h[i]
		i = down
	}
}
