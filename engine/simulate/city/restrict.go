package city

import "math"

// ban is a turn restriction: from an edge, over a vertex or an edge, to an edge.
type ban struct {
	kind     string
	from, to int
	via      int // vertex
	viaEdge  int // used instead of via when not negative
}

// layBans chooses turns to forbid at signals, and parts the ways there.
func (g *graph) layBans(p *plan) {
	g.parted = make([]bool, len(g.at))
	for v := range g.at {
		if !g.signals[v] || len(g.ends[v]) < 3 {
			continue
		}
		if len(g.ends[v]) == 4 && p.rng.Float64() < 0.22 {
			g.banTurns(p, v)
		}
		g.banReturns(v)
	}
}

// banTurns forbids a left turn at v, or allows only straight on from one arm.
func (g *graph) banTurns(p *plan, v int) {
	for _, from := range g.ends[v] {
		if _, ok := g.approach(from, v); !ok || p.rng.Float64() > 0.5 {
			continue
		}
		left, straight := -1, -1
		for _, to := range g.ends[v] {
			if to == from || !g.leaves(to, v) {
				continue
			}
			switch a := g.turn(from, to, v); {
			case a < -50 && a > -130:
				left = to
			case math.Abs(a) < 35:
				straight = to
			}
		}
		b := ban{kind: "no_left_turn", from: from, to: left, via: v, viaEdge: -1}
		if p.rng.Float64() < 0.25 {
			b.kind, b.to = "only_straight_on", straight
		}
		if b.to >= 0 {
			g.bans = append(g.bans, b)
			g.parted[v] = true
			return
		}
	}
}

// leaves reports whether traffic may leave v on edge i.
func (g *graph) leaves(i, v int) bool {
	r := g.road(i)
	return !r.oneway || (g.edges[i].a == v) != r.against
}

// turn is the angle between two edges at v in degrees, right positive.
func (g *graph) turn(from, to, v int) float64 {
	in, out := g.towards(from, v).mul(-1), g.towards(to, v)
	return -math.Atan2(in.cross(out), in.dot(out)) * 180 / math.Pi
}

// banReturns forbids turning back below the ring: from one surface road over
// the avenue's piece under the deck into the other.
func (g *graph) banReturns(v int) {
	for _, from := range g.ends[v] {
		if g.road(from).name != underway || g.edges[from].b != v {
			continue
		}
		for _, via := range g.ends[v] {
			w := g.other(via, v)
			if g.road(via).name == underway || g.edges[via].line.length() > 70 {
				continue
			}
			for _, to := range g.ends[w] {
				if g.road(to).name == underway && g.edges[to].a == w {
					g.bans = append(g.bans, ban{kind: "no_u_turn", from: from, to: to, viaEdge: via})
					g.parted[v], g.parted[w] = true, true
				}
			}
		}
	}
}

// bans adds the turn restrictions as relations.
func (e *emitter) bans(g *graph) {
	for _, b := range g.bans {
		from, to := e.edgeWay[b.from], e.edgeWay[b.to]
		via := Member{NodeMember, e.vertices[b.via], "via"}
		if b.viaEdge >= 0 {
			via = Member{WayMember, e.edgeWay[b.viaEdge], "via"}
		}
		if from == to || via.Kind == WayMember && (via.Ref == from || via.Ref == to) {
			continue // a way that meets itself: the relation would not be clear
		}
		e.relation(tags("type", "restriction", "restriction", b.kind),
			Member{WayMember, from, "from"}, via, Member{WayMember, to, "to"})
	}
}
