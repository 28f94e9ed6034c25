package roadnet

import "math"

// tree is the cheapest routes of a region from one position, or to it, as branches
// in the order in which they were settled.
type tree struct {
	root     Position
	branches []branch
	at       []uint32 // by place: its branch, or noBranch
}

// branch is one segment of a tree. Forward its cost is that of the way from the
// root to the segment's start; backward, from the segment's end to the root. At
// the root it is what the segment costs too much when counted as a whole, and so
// not above 0.
type branch struct {
	place  uint32
	parent uint32 // the branch nearer to the root; the root is its own
	cost   float64
}

const noBranch = ^uint32(0)

// planter grows trees over a region, one after another.
type planter struct {
	done   <-chan struct{} // see Alternatives.Done
	region *region
	links  *links
	rest   []float64 // by place: the least that is still to come beyond it
	bound  float64
	cost   []float64 // by place: the lowest so far
	parent []uint32
	queue  queue
}

// plant prepares trees, from starts or backward from targets, of routes within a
// bound.
func (p *planter) plant(r *region, backward bool, bound float64) {
	n := len(r.segments)
	p.region, p.bound, p.links, p.rest = r, bound, &r.next, r.after
	if backward {
		p.links, p.rest = &r.prev, r.before
	}
	p.cost, p.parent = sized(p.cost, n), sized(p.parent, n)
}

// grow fills t with the branches of the routes of a root. Over is the cost of the
// part of its segment that they do not drive.
func (p *planter) grow(t *tree, root Position, over float64) {
	n := len(p.region.segments)
	t.root, t.branches, t.at = root, t.branches[:0], sized(t.at, n)
	for i := range n {
		t.at[i], p.cost[i] = noBranch, math.Inf(1)
	}
	p.queue = p.queue[:0]
	if place, ok := p.region.place(root.Segment); ok {
		p.offer(place, 0, -over)
	}
	for n := 1; len(p.queue) > 0 && !(n%1024 == 0 && closed(p.done)); n++ {
		next := uint32(p.queue.pop().state)
		if t.at[next] != noBranch {
			continue
		}
		at := uint32(len(t.branches))
		t.at[next] = at
		t.branches = append(t.branches, branch{next, p.parent[next], p.cost[next]})
		cost := p.cost[next] + p.region.whole[next]
		for _, l := range p.links.of(next) {
			p.offer(l.to, at, cost+l.turn)
		}
	}
}

func (p *planter) offer(place, parent uint32, cost float64) {
	if cost >= p.cost[place] || cost+p.region.whole[place]+p.rest[place] > p.bound+rounding {
		return
	}
	p.cost[place], p.parent[place] = cost, parent
	p.queue.push(queued{cost, cost, State(place)})
}
