package city

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// The city's origin, degrees: in the open sea, in the time zone Etc/GMT.
const (
	originLon = -5.0
	originLat = 45.5
	radius    = 6371008.8 // of the earth, metres
)

// emitter turns the plan into nodes, ways and relations.
type emitter struct {
	city     *City
	vertices []int64 // node id of each vertex of the graph, 0: none yet
	edgeWay  []int64 // way id of each edge
}

// tags makes sorted tags of keys and values; a key with an empty value is left out.
func tags(pairs ...string) Tags {
	var out Tags
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out = append(out, Tag{pairs[i], pairs[i+1]})
		}
	}
	slices.SortFunc(out, func(a, b Tag) int { return strings.Compare(a.Key, b.Key) })
	return out
}

// node adds a node and returns its id.
func (e *emitter) node(p vec, t Tags) int64 {
	id := int64(len(e.city.Nodes) + 1)
	lat := originLat + p.y/radius*180/math.Pi
	lon := originLon + p.x/(radius*math.Cos(originLat*math.Pi/180))*180/math.Pi
	e.city.Nodes = append(e.city.Nodes, Node{ID: id, Lon: int32(math.Round(lon * 1e7)), Lat: int32(math.Round(lat * 1e7)), Tags: t})
	return id
}

// way adds a way and returns its id.
func (e *emitter) way(nodes []int64, t Tags) int64 {
	id := int64(len(e.city.Ways) + 1)
	e.city.Ways = append(e.city.Ways, Way{ID: id, Nodes: nodes, Tags: t})
	return id
}

// path adds a way along a line with nodes of its own; a closed line shares its
// first and last node.
func (e *emitter) path(l line, t Tags) int64 {
	var nodes []int64
	for i, p := range l {
		if i == len(l)-1 && l.closed() {
			nodes = append(nodes, nodes[0])
			break
		}
		nodes = append(nodes, e.node(p, nil))
	}
	return e.way(nodes, t)
}

func (e *emitter) relation(t Tags, members ...Member) {
	id := int64(len(e.city.Relations) + 1)
	e.city.Relations = append(e.city.Relations, Relation{ID: id, Members: members, Tags: t})
}

// roads adds the ways of the graph: consecutive edges of a road are one way.
func (e *emitter) roads(g *graph) {
	e.vertices = make([]int64, len(g.at))
	e.edgeWay = make([]int64, len(g.edges))
	byRoad := make([][]int, len(g.roads))
	for i := range g.edges {
		if !g.edges[i].gone {
			byRoad[g.edges[i].road] = append(byRoad[g.edges[i].road], i)
		}
	}
	for r, list := range byRoad {
		slices.SortStableFunc(list, func(a, b int) int { return compare(g.edges[a].order, g.edges[b].order) })
		for len(list) > 0 {
			n := 1
			for n < len(list) && g.edges[list[n]].a == g.edges[list[n-1]].b && !g.parted[g.edges[list[n]].a] {
				n++
			}
			e.chain(g, list[:n], roadTags(&g.roads[r]))
			list = list[n:]
		}
	}
}

// chain adds one way along consecutive edges.
func (e *emitter) chain(g *graph, edges []int, t Tags) {
	nodes := []int64{e.vertex(g, g.edges[edges[0]].a)}
	for _, i := range edges {
		for _, v := range marked(&g.edges[i]) {
			nodes = append(nodes, e.node(v.at, v.tags))
		}
		nodes = append(nodes, e.vertex(g, g.edges[i].b))
	}
	id := e.way(nodes, t)
	for _, i := range edges {
		e.edgeWay[i] = id
	}
}

func (e *emitter) vertex(g *graph, v int) int64 {
	if e.vertices[v] == 0 {
		e.vertices[v] = e.node(g.at[v], g.tags[v])
	}
	return e.vertices[v]
}

// tagged is a vertex inside an edge.
type tagged struct {
	at   vec
	tags Tags
}

// marked are the inner vertices of an edge, simplified, with its marks.
func marked(e *edge) []tagged {
	type place struct {
		along float64
		tagged
	}
	var list []place
	slim := e.line.simplify(0.7)
	var along float64
	for i := 1; i < len(slim)-1; i++ {
		along += slim[i].dist(slim[i-1])
		list = append(list, place{along, tagged{at: slim[i]}})
	}
	for _, m := range e.marks {
		at, _ := slim.at(m.along)
		list = append(list, place{m.along, tagged{at, m.tags}})
	}
	slices.SortStableFunc(list, func(a, b place) int { return compare(a.along, b.along) })
	var out []tagged
	for _, p := range list {
		if n := len(out); n > 0 && out[n-1].at.dist(p.at) < 1 {
			if p.tags != nil {
				out[n-1] = p.tagged
			}
			continue
		}
		out = append(out, p.tagged)
	}
	return out
}

func roadTags(r *road) Tags {
	t := tags("highway", r.class, "name", r.name, "ref", r.ref, "service", r.service)
	add := func(k, v string) { t = append(t, Tag{k, v}) }
	switch {
	case r.ring: // one-way by itself
	case r.oneway && r.against:
		add("oneway", "-1")
	case r.oneway:
		add("oneway", "yes")
	}
	if r.ring {
		add("junction", "roundabout")
	}
	if r.carried == onBridge {
		add("bridge", "yes")
	}
	if r.carried == inTunnel {
		add("tunnel", "yes")
	}
	if r.layer != 0 {
		add("layer", strconv.Itoa(r.layer))
	}
	if r.lanes > 0 {
		add("lanes", strconv.Itoa(r.lanes))
	}
	if r.limit > 0 {
		add("maxspeed", strconv.Itoa(r.limit))
	}
	slices.SortFunc(t, func(a, b Tag) int { return strings.Compare(a.Key, b.Key) })
	return t
}
