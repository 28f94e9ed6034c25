package city

import (
	"math"
	"slices"
)

// edge is a stretch of a road between two vertices.
type edge struct {
	a, b  int // vertices
	line  line
	road  int     // index into graph.roads
	order float64 // place along the road
	gone  bool
	marks []mark
}

// mark is something that stands on an edge, metres along it.
type mark struct {
	along float64
	tags  Tags
}

// graph is the network of roads parted at junctions.
type graph struct {
	roads []road
	at    []vec
	tags  []Tags // of vertices
	edges []edge
	ends  [][]int // edges at each vertex

	signals []bool // vertices with traffic signals
	parted  []bool // vertices at which ways end
	bans    []ban
}

// span is one straight piece of a road.
type span struct{ road, i int }

// stop is where a road is parted: metres along it, and the place.
type stop struct {
	along float64
	at    vec
}

// snapping is how far a road's end may lie from a road that it joins, metres.
const snapping = 16.0

// hook is where a road's end hangs on another road.
type hook struct {
	span
	at vec
}

// planarise parts all roads where they cross or meet on the same level, and at
// the draft's joints.
func planarise(d *draft) *graph {
	hooks := snapEnds(d.roads, indexSpans(d.roads), fixedEnds(d.roads, d.joints))
	stops := make([][]stop, len(d.roads))
	for r := range d.roads {
		l := d.roads[r].line
		stops[r] = append(stops[r], stop{0, l[0]}, stop{l.length(), l[len(l)-1]})
		if d.roads[r].level <= 1 {
			stops[r] = append(stops[r], jointsOn(l, d.joints)...)
		}
	}
	for _, h := range hooks {
		stops[h.road] = append(stops[h.road], stop{alongAt(d.roads[h.road].line, h.i, h.at), h.at})
	}
	crossings(d.roads, indexSpans(d.roads), stops)
	g := &graph{roads: d.roads}
	g.build(stops)
	return g
}

// jointsOn are the vertices of a line that must become junctions.
func jointsOn(l line, joints map[vec]bool) []stop {
	var out []stop
	var along float64
	for i, p := range l {
		if i > 0 {
			along += p.dist(l[i-1])
		}
		if joints[p] && i > 0 && i < len(l)-1 {
			out = append(out, stop{along, p})
		}
	}
	return out
}

// spanCell is the side of the cells of the index of spans, metres.
const spanCell = 40.0

func indexSpans(roads []road) map[[2]int][]span {
	out := map[[2]int][]span{}
	for r := range roads {
		if roads[r].level != 0 {
			continue
		}
		for i := 1; i < len(roads[r].line); i++ {
			for _, k := range cellsOf(roads[r].line[i-1], roads[r].line[i], 0) {
				out[k] = append(out[k], span{r, i})
			}
		}
	}
	return out
}

// cellsOf are the cells that the box of ab, grown by margin, touches.
func cellsOf(a, b vec, margin float64) [][2]int {
	var out [][2]int
	x0, x1 := int(math.Floor((math.Min(a.x, b.x)-margin)/spanCell)), int(math.Floor((math.Max(a.x, b.x)+margin)/spanCell))
	y0, y1 := int(math.Floor((math.Min(a.y, b.y)-margin)/spanCell)), int(math.Floor((math.Max(a.y, b.y)+margin)/spanCell))
	for x := x0; x <= x1; x++ {
		for y := y0; y <= y1; y++ {
			out = append(out, [2]int{x, y})
		}
	}
	return out
}

// alongAt is how far along a line its span i reaches the place at.
func alongAt(l line, i int, at vec) float64 {
	var along float64
	for k := 1; k < i; k++ {
		along += l[k].dist(l[k-1])
	}
	return along + at.dist(l[i-1])
}

// snapEnds moves the ends of roads onto the roads that they nearly reach.
func snapEnds(roads []road, spans map[[2]int][]span, fixed map[vec]bool) []hook {
	var hooks []hook
	for r := range roads {
		l := roads[r].line
		if roads[r].level != 0 || l.closed() {
			continue
		}
		for _, k := range []int{0, len(l) - 1} {
			if fixed[l[k]] {
				continue
			}
			if other, at, ok := nearestSpan(roads, spans, r, l[k]); ok {
				l[k] = at
				hooks = append(hooks, hook{other, at})
			}
		}
	}
	return hooks
}

// fixedEnds are the ends that two roads share, and the joints.
func fixedEnds(roads []road, joints map[vec]bool) map[vec]bool {
	count := map[vec]int{}
	for r := range roads {
		l := roads[r].line
		count[l[0]]++
		count[l[len(l)-1]]++
	}
	out := map[vec]bool{}
	for p, n := range count {
		out[p] = n > 1
	}
	for p := range joints {
		out[p] = true
	}
	return out
}

func nearestSpan(roads []road, spans map[[2]int][]span, self int, p vec) (span, vec, bool) {
	best, at, found := snapping, p, span{}
	for _, k := range cellsOf(p, p, snapping) {
		for _, s := range spans[k] {
			if s.road == self {
				continue
			}
			l := roads[s.road].line[s.i-1 : s.i+1]
			if d, along := l.nearest(p); d < best {
				q, _ := l.at(along)
				best, at, found = d, q, s
			}
		}
	}
	return found, at, best < snapping
}

// crossings adds a stop to both roads wherever two of the ground cross.
func crossings(roads []road, spans map[[2]int][]span, stops [][]stop) {
	for r := range roads {
		if roads[r].level != 0 {
			continue
		}
		l := roads[r].line
		for i := 1; i < len(l); i++ {
			seen := map[span]bool{}
			for _, k := range cellsOf(l[i-1], l[i], 0) {
				for _, s := range spans[k] {
					if seen[s] || s.road < r || s.road == r && s.i <= i+1 {
						continue
					}
					seen[s] = true
					o := roads[s.road].line
					t, u, ok := meet(l[i-1], l[i], o[s.i-1], o[s.i])
					if !ok || s.road == r && l.closed() && (t < 1e-9 || t > 1-1e-9) {
						continue
					}
					at := l[i-1].lerp(l[i], t)
					stops[r] = append(stops[r], stop{alongAt(l, i, at), at})
					stops[s.road] = append(stops[s.road], stop{alongAt(o, s.i, o[s.i-1].lerp(o[s.i], u)), at})
				}
			}
		}
	}
}

// build makes vertices of the stops and edges between them.
func (g *graph) build(stops [][]stop) {
	ids := map[[2]int64]int{}
	vertex := func(p vec) int {
		k := [2]int64{int64(math.Round(p.x * 100)), int64(math.Round(p.y * 100))}
		id, ok := ids[k]
		if !ok {
			id = len(g.at)
			ids[k] = id
			g.at = append(g.at, p)
		}
		return id
	}
	for r := range g.roads {
		list := stops[r]
		slices.SortStableFunc(list, func(a, b stop) int { return compare(a.along, b.along) })
		l := g.roads[r].line
		for i := 1; i < len(list); i++ {
			a, b := vertex(list[i-1].at), vertex(list[i].at)
			if a == b && list[i].along-list[i-1].along < 1 {
				continue
			}
			part := l.between(list[i-1].along, list[i].along)
			part[0], part[len(part)-1] = g.at[a], g.at[b]
			g.edges = append(g.edges, edge{a: a, b: b, line: part, road: r, order: list[i-1].along})
		}
	}
	g.tags = make([]Tags, len(g.at))
	g.index()
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// index lists the edges at each vertex anew.
func (g *graph) index() {
	g.ends = make([][]int, len(g.at))
	for i := range g.edges {
		if e := &g.edges[i]; !e.gone {
			g.ends[e.a] = append(g.ends[e.a], i)
			g.ends[e.b] = append(g.ends[e.b], i)
		}
	}
}

func (g *graph) road(e int) *road { return &g.roads[g.edges[e].road] }

// other is the vertex at the other end of edge e.
func (g *graph) other(e, v int) int {
	if g.edges[e].a == v {
		return g.edges[e].b
	}
	return g.edges[e].a
}

// towards is the direction in which edge e leaves vertex v.
func (g *graph) towards(e, v int) vec {
	l := g.edges[e].line
	if g.edges[e].a != v {
		l = l.reversed()
	}
	p, _ := l.at(math.Min(15, l.length()))
	return p.sub(l[0]).unit()
}
