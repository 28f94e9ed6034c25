package city

// layOneWays makes streets one-way: most of the old town, some elsewhere. No
// street is made one-way that would cut a place off.
func (g *graph) layOneWays(p *plan) {
	root := g.root()
	whole := g.round(root)
	sign := false
	for r := range g.roads {
		road := &g.roads[r]
		if road.class != "residential" || len(road.line) == 0 {
			continue
		}
		middle, _ := road.line.at(road.line.length() / 2)
		share := 0.16
		if p.boulevard.inside(middle) {
			share = 0.7
		} else if middle.dist(p.centre) < 1300 {
			share = 0.35
		}
		if p.rng.Float64() >= share {
			continue
		}
		sign = !sign
		road.oneway, road.against = true, sign
		if g.round(root) < whole {
			road.oneway, road.against = false, false
		}
	}
}

// layBollards closes a few streets of the old town to cars.
func (g *graph) layBollards(p *plan) {
	root := g.root()
	whole := g.round(root)
	left := 6
	for i := range g.edges {
		e := &g.edges[i]
		if left == 0 || e.gone || g.road(i).class != "residential" || g.road(i).oneway || e.line.length() < 60 ||
			!p.boulevard.inside(e.line[0]) || p.rng.Float64() > 0.3 {
			continue
		}
		e.gone = true
		if g.round(root) == whole {
			e.marks = append(e.marks, mark{e.line.length() / 2, tags("barrier", "bollard")})
			left--
		}
		e.gone = false
	}
}

// root is a junction from which most of the city can be reached.
func (g *graph) root() int {
	best := 0
	for v := range g.at {
		if len(g.ends[v]) >= 4 && g.at[v].norm() < g.at[best].norm() {
			best = v
		}
	}
	return best
}

// round counts the vertices from which root can be reached and that can be
// reached from it.
func (g *graph) round(root int) int {
	out, back := g.drive(root, true), g.drive(root, false)
	n := 0
	for v := range out {
		if out[v] && back[v] {
			n++
		}
	}
	return n
}

// drive marks what can be reached from root, or what can reach it.
func (g *graph) drive(root int, forth bool) []bool {
	seen := make([]bool, len(g.at))
	seen[root] = true
	stack := []int{root}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, i := range g.ends[v] {
			e := &g.edges[i]
			if e.gone {
				continue
			}
			r := &g.roads[e.road]
			leaves := e.a == v // along the road
			if r.oneway && leaves != (forth != r.against) {
				continue
			}
			if w := g.other(i, v); !seen[w] {
				seen[w] = true
				stack = append(stack, w)
			}
		}
	}
	return seen
}
