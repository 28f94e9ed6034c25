package city

import (
	"math"
	"slices"
)

// layRoundabouts turns junctions of the outer loop, and a few of collectors,
// into roundabouts.
func (g *graph) layRoundabouts(p *plan) {
	left := 14
	for v := range g.at {
		if left == 0 || len(g.ends[v]) < 3 || g.at[v].dist(p.centre) < 1100 {
			continue
		}
		rank := g.ranks(v)
		big := rank[0] <= rankOf("secondary") && rank[2] <= rankOf("tertiary") && g.hasName(v, "Orbital Road")
		small := rank[0] == rankOf("tertiary") && rank[2] == rankOf("tertiary") && p.rng.Float64() < 0.3
		switch {
		case big && g.roundabout(v, 24):
			left--
		case small && g.roundabout(v, 13):
			left--
		}
	}
	g.index()
}

// ranks are the ranks of the roads at v, the most important first.
func (g *graph) ranks(v int) []int {
	var out []int
	for _, e := range g.ends[v] {
		out = append(out, rankOf(g.road(e).class))
	}
	slices.Sort(out)
	return out
}

// rankOf orders the classes of roads, the most important first.
func rankOf(class string) int {
	order := []string{"motorway", "motorway_link", "primary", "secondary", "tertiary", "unclassified", "residential", "living_street"}
	if i := slices.Index(order, class); i >= 0 {
		return i
	}
	return len(order)
}

func (g *graph) hasName(v int, name string) bool {
	return slices.ContainsFunc(g.ends[v], func(e int) bool { return g.road(e).name == name })
}

// arm is a road that comes to a roundabout.
type arm struct {
	edge  int
	angle float64
}

// roundabout replaces junction v by a circle, driven anticlockwise; false where
// there is no room for it.
func (g *graph) roundabout(v int, r float64) bool {
	centre := g.at[v]
	var arms []arm
	for _, e := range g.ends[v] {
		if g.edges[e].a == g.edges[e].b || g.edges[e].line.length() < r+30 || g.road(e).level != 0 || g.road(e).carried != onGround || g.road(e).oneway {
			return false
		}
		dir := g.towards(e, v)
		arms = append(arms, arm{e, math.Atan2(dir.y, dir.x)})
	}
	slices.SortFunc(arms, func(a, b arm) int { return compare(a.angle, b.angle) })
	for i := range arms {
		if gap := turnTo(arms[i].angle, arms[(i+1)%len(arms)].angle); gap < 0.6 {
			return false
		}
	}
	road := len(g.roads)
	g.roads = append(g.roads, roundaboutRoad(g, arms))
	first := len(g.at)
	for _, a := range arms {
		g.at = append(g.at, g.clip(a.edge, v, centre, r, len(g.at)))
		g.tags = append(g.tags, nil)
	}
	for i, a := range arms {
		j := (i + 1) % len(arms)
		arc := line{g.at[first+i]}
		sweep := turnTo(a.angle, arms[j].angle)
		for k := 1; k < 8; k++ {
			arc = append(arc, polar(centre, (a.angle+sweep*float64(k)/8)*180/math.Pi, r))
		}
		arc = append(arc, g.at[first+j])
		g.edges = append(g.edges, edge{a: first + i, b: first + j, line: arc, road: road, order: float64(i)})
	}
	return true
}

// roundaboutRoad is the road of a roundabout: of the class of its best arm.
func roundaboutRoad(g *graph, arms []arm) road {
	best := g.road(arms[0].edge)
	for _, a := range arms {
		if r := g.road(a.edge); rankOf(r.class) < rankOf(best.class) {
			best = r
		}
	}
	return road{class: best.class, oneway: true, ring: true, main: true, lanes: 1, limit: 30}
}

// turnTo is the angle anticlockwise from a to b, above 0 and up to a full turn.
func turnTo(a, b float64) float64 {
	t := math.Mod(b-a, 2*math.Pi)
	if t <= 1e-9 {
		t += 2 * math.Pi
	}
	return t
}

// clip cuts an edge off where it enters the circle around vertex v, hangs its
// end on vertex id and returns the place of that.
func (g *graph) clip(i, v int, centre vec, r float64, id int) vec {
	e := &g.edges[i]
	l := e.line
	if e.a != v {
		l = l.reversed()
	}
	along := r
	for at, _ := l.at(along); at.dist(centre) < r && along < l.length()-5; at, _ = l.at(along) {
		along += 0.5
	}
	at, _ := l.at(along)
	at = centre.add(at.sub(centre).unit().mul(r))
	l = l.between(along, l.length())
	l[0] = at
	if e.a == v {
		e.line, e.a = l, id
	} else {
		e.line, e.b = l.reversed(), id
	}
	return at
}
