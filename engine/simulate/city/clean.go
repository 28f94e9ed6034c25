package city

import "math"

// clean joins junctions that all but touch, thins out the small streets, trims
// dead ends and keeps the largest connected part.
func (g *graph) clean(p *plan) {
	g.contract(9)
	g.trim(p, 1)
	g.thin(p, 0.13)
	g.trim(p, 0.75)
	g.contract(9)
	g.keepLargest()
	g.index()
}

// contract makes one junction of two that an edge of the ground shorter than
// limit metres joins.
func (g *graph) contract(limit float64) {
	for i := range g.edges {
		e := &g.edges[i]
		if e.gone || g.road(i).level != 0 || e.line.length() >= limit {
			continue
		}
		if e.a != e.b {
			keep, drop := e.a, e.b
			if g.heavy(drop) > g.heavy(keep) {
				keep, drop = drop, keep
			}
			g.move(drop, keep)
		}
		e.gone = true
	}
	g.index()
	g.dropTwins()
}

// heavy ranks vertices: those on planned roads stay where they are.
func (g *graph) heavy(v int) int {
	n := 0
	for _, e := range g.ends[v] {
		if g.road(e).main {
			n++
		}
		if g.road(e).level != 0 {
			n += 10
		}
	}
	return n
}

// move hangs every edge of vertex from onto vertex to.
func (g *graph) move(from, to int) {
	for _, i := range g.ends[from] {
		e := &g.edges[i]
		if e.a == from {
			e.a = to
			e.line[0] = g.at[to]
		}
		if e.b == from {
			e.b = to
			e.line[len(e.line)-1] = g.at[to]
		}
		g.ends[to] = append(g.ends[to], i)
	}
	g.ends[from] = nil
}

// dropTwins drops the second of two edges between the same vertices that lie on
// each other, and loops of no size.
func (g *graph) dropTwins() {
	for v := range g.ends {
		for x, i := range g.ends[v] {
			for _, j := range g.ends[v][x+1:] {
				a, b := &g.edges[i], &g.edges[j]
				if i == j || a.gone || b.gone || g.other(i, v) != g.other(j, v) {
					continue
				}
				ma, _ := a.line.at(a.line.length() / 2)
				if far, _ := b.line.nearest(ma); far < 9 && !g.road(j).main {
					b.gone = true
				}
			}
		}
	}
	g.index()
}

// trim removes dead ends shorter than 45 m, and longer ones with the given
// chance, until none is left to judge.
func (g *graph) trim(p *plan, chance float64) {
	judged := map[int]bool{}
	for changed := true; changed; {
		changed = false
		for i := range g.edges {
			e := &g.edges[i]
			if e.gone || g.road(i).level != 0 || judged[i] || len(g.ends[e.a]) > 1 && len(g.ends[e.b]) > 1 {
				continue
			}
			if outside(e.line) || g.road(i).class == "service" || g.road(i).main && e.line.length() > 160 {
				continue
			}
			if e.line.length() > 45 && p.rng.Float64() >= chance {
				judged[i] = true
				continue
			}
			e.gone = true
			g.unhang(i)
			changed = true
		}
	}
	g.index()
}

// outside reports whether a road leaves the map.
func outside(l line) bool {
	for _, p := range []vec{l[0], l[len(l)-1]} {
		if math.Abs(p.x) > 4000 || math.Abs(p.y) > 3400 {
			return true
		}
	}
	return false
}

func (g *graph) unhang(i int) {
	for _, v := range []int{g.edges[i].a, g.edges[i].b} {
		kept := g.ends[v][:0]
		for _, e := range g.ends[v] {
			if e != i {
				kept = append(kept, e)
			}
		}
		g.ends[v] = kept
	}
}

// thin removes a share of the small streets, so that blocks differ; it leaves
// no dead end.
func (g *graph) thin(p *plan, share float64) {
	for i := range g.edges {
		e := &g.edges[i]
		if e.gone || g.road(i).main || g.road(i).class != "residential" || p.rng.Float64() >= share {
			continue
		}
		if len(g.ends[e.a]) > 2 && len(g.ends[e.b]) > 2 {
			e.gone = true
			g.unhang(i)
		}
	}
	g.index()
}

// keepLargest drops every edge that is not connected to most of the others.
func (g *graph) keepLargest() {
	part := make([]int, len(g.at))
	best, size := 0, 0
	for v := range g.at {
		if part[v] == 0 {
			if n := g.flood(v, v+1, part); n > size {
				best, size = v+1, n
			}
		}
	}
	for i := range g.edges {
		if part[g.edges[i].a] != best {
			g.edges[i].gone = true
		}
	}
}

// flood labels all that is connected to v and counts it.
func (g *graph) flood(v, label int, part []int) int {
	part[v] = label
	stack, n := []int{v}, 0
	for len(stack) > 0 {
		v = stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n++
		for _, e := range g.ends[v] {
			if w := g.other(e, v); part[w] == 0 {
				part[w] = label
				stack = append(stack, w)
			}
		}
	}
	return n
}
