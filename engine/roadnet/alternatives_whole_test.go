package roadnet

import (
	"cmp"
	"slices"
)

// WholeAlternatives does what [Alternatives] does, but grows every tree over the
// whole network, as far as the bound alone allows: slow and plain.
type WholeAlternatives struct {
	Avoid []SegmentID
	Net   *Network
}

// NewWholeAlternatives prepares searches on a network.
func NewWholeAlternatives(n *Network) *WholeAlternatives {
	return &WholeAlternatives{Net: n}
}

// wholeBranch is a segment of a tree: the one before it towards the root, which is
// its own, and the cost as that of a branch.
type wholeBranch struct {
	id, parent SegmentID
	cost       float64
}

func (a *WholeAlternatives) turn(from, to SegmentID, s Search) float64 {
	if len(a.Net.Next(from)) < 2 {
		return 0
	}
	return s.Turn * sharpness(a.Net.turns().end[from].direction, a.Net.turns().begin[to].direction)
}

// beyond calls each for all that follows a segment, or precedes it.
func (a *WholeAlternatives) beyond(id SegmentID, backward bool, s Search, each func(SegmentID, float64)) {
	n := a.Net
	back, twoWay := n.Reverse(id)
	if backward {
		for _, before := range n.Prev(id) {
			each(before, a.turn(before, id, s))
		}
		if twoWay && n.UTurnAllowed(back) {
			each(back, s.UTurn)
		}
		return
	}
	for _, after := range n.Next(id) {
		each(after, a.turn(id, after, s))
	}
	if n.UTurnAllowed(id) {
		each(back, s.UTurn)
	}
}

// tree grows a tree: its branches as they were settled, and their places.
func (a *WholeAlternatives) tree(root Position, backward bool, s Search) ([]wholeBranch, map[SegmentID]int) {
	var order []wholeBranch
	place, best := map[SegmentID]int{}, map[SegmentID]float64{}
	share := root.Ratio
	if backward {
		share = 1 - root.Ratio
	}
	var waiting []wholeBranch
	offer := func(id, parent SegmentID, cost float64) {
		if old, known := best[id]; known && old <= cost || cost > s.Bound || slices.Contains(a.Avoid, id) {
			return
		}
		best[id] = cost
		waiting = append(waiting, wholeBranch{id, parent, cost})
	}
	offer(root.Segment, root.Segment, -s.cost(a.Net, root.Segment, share*a.Net.Length(root.Segment)))
	for len(waiting) > 0 {
		at := 0
		for i, w := range waiting {
			if v := waiting[at]; w.cost < v.cost || w.cost == v.cost && w.id < v.id {
				at = i
			}
		}
		next := waiting[at]
		waiting = slices.Delete(waiting, at, at+1)
		if _, settled := place[next.id]; settled {
			continue
		}
		place[next.id] = len(order)
		order = append(order, next)
		cost := next.cost + s.cost(a.Net, next.id, a.Net.Length(next.id))
		a.beyond(next.id, backward, s, func(id SegmentID, turn float64) { offer(id, next.id, cost+turn) })
	}
	return order, place
}

// Between finds the routes from one position to another.
func (a *WholeAlternatives) Between(from, to Position, c Choice) []Route {
	forward, place := a.tree(from, false, c.Search)
	back, backPlace := a.tree(to, true, c.Search)
	type run struct {
		first              int
		cost, along, score float64
	}
	var runs []run
	of := map[SegmentID]int{}
	for i, f := range forward {
		j, known := backPlace[f.id]
		if !known {
			continue
		}
		whole := c.cost(a.Net, f.id, a.Net.Length(f.id))
		cost := f.cost + whole + back[j].cost
		if cost < 0 || cost > c.Bound {
			continue
		}
		r, known := of[f.parent]
		if known && f.parent != f.id && back[backPlace[f.parent]].parent == f.id {
			of[f.id] = r
			runs[r].along += whole
			continue
		}
		of[f.id] = len(runs)
		runs = append(runs, run{first: i, cost: cost, along: whole})
	}
	for i := range runs {
		runs[i].score = runs[i].cost - c.Plateau*runs[i].along
	}
	slices.SortFunc(runs, func(a, b run) int { return cmp.Or(cmp.Compare(a.score, b.score), a.first-b.first) })
	driven := map[SegmentID]bool{}
	var routes []Route
	for i := 0; i < len(runs) && i < c.Examined && len(routes) < c.Count; i++ {
		var path []SegmentID
		at := forward[runs[i].first]
		for ; at.parent != at.id; at = forward[place[at.parent]] {
			path = append(path, at.id)
		}
		path = append(path, at.id)
		slices.Reverse(path)
		for b := back[backPlace[path[len(path)-1]]]; b.parent != b.id; {
			b = back[backPlace[b.parent]]
			path = append(path, b.id)
		}
		r := a.measured(path, from, to)
		r.Cost = runs[i].cost
		if len(routes) > 0 && a.fresh(path, driven) < min(c.Apart, r.Length) || repeats(path) || !a.Net.Drivable(path) {
			continue
		}
		for _, id := range path {
			driven[id] = true
		}
		routes = append(routes, r)
	}
	slices.SortStableFunc(routes, func(a, b Route) int { return cmp.Compare(a.Cost, b.Cost) })
	return routes
}

func (a *WholeAlternatives) measured(path []SegmentID, from, to Position) Route {
	r := Route{Segments: path}
	for i, id := range path {
		begin, end := Driven(i, len(path), from.Ratio, to.Ratio)
		r.Length += (end - begin) * a.Net.Length(id)
		r.Time += (end - begin) * a.Net.Length(id) / a.Net.FreeFlow(id)
	}
	return r
}

func (a *WholeAlternatives) fresh(path []SegmentID, driven map[SegmentID]bool) float64 {
	sum := 0.0
	for _, id := range path {
		if !driven[id] {
			sum += a.Net.Length(id)
		}
	}
	return sum
}

// repeats reports whether a path that is no loop drives a segment twice.
func repeats(path []SegmentID) bool {
	for i, id := range path {
		if before := slices.Index(path, id); before < i && !(before == 0 && i == len(path)-1) {
			return true
		}
	}
	return false
}
