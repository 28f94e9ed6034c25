package city

// layControls puts what holds traffic up: signals, signs, crossings, bus stops
// and bumps.
func (g *graph) layControls(p *plan) {
	g.signals = make([]bool, len(g.at))
	for v := range g.at {
		if len(g.ends[v]) < 3 || !g.surface(v) {
			continue
		}
		rank := g.ranks(v)
		major := rank[2] <= rankOf("tertiary") && rank[0] <= rankOf("secondary") && rank[1] <= rankOf("tertiary")
		if major && !g.onRoundabout(v) {
			g.layJunctionSignals(p, v)
		}
	}
	for v := range g.at {
		if len(g.ends[v]) >= 3 && g.surface(v) && !g.signals[v] {
			g.laySigns(p, v)
		}
	}
	for i := range g.edges {
		if e := &g.edges[i]; !e.gone && g.road(i).level == 0 && g.road(i).carried == onGround && !g.road(i).ring {
			g.layAlong(p, i)
		}
	}
}

// surface reports whether only roads of the ground meet at v.
func (g *graph) surface(v int) bool {
	for _, e := range g.ends[v] {
		if g.road(e).level != 0 {
			return false
		}
	}
	return true
}

func (g *graph) onRoundabout(v int) bool {
	for _, e := range g.ends[v] {
		if g.road(e).ring {
			return true
		}
	}
	return false
}

// layJunctionSignals puts signals on the junction itself or, sometimes, at the
// stop lines of its arms.
func (g *graph) layJunctionSignals(p *plan, v int) {
	g.signals[v] = true
	if p.rng.Float64() < 0.65 {
		g.tags[v] = tags("highway", "traffic_signals")
		return
	}
	for _, i := range g.ends[v] {
		if d, ok := g.approach(i, v); ok {
			g.put(i, v, 9, tags("highway", "traffic_signals", "traffic_signals:direction", d))
		}
	}
}

// approach is the direction, in terms of the way, in which traffic of edge i
// drives towards v; false where none does.
func (g *graph) approach(i, v int) (string, bool) {
	r, towards := g.road(i), g.edges[i].b == v
	if r.oneway && towards == r.against {
		return "", false
	}
	if towards {
		return "forward", true
	}
	return "backward", true
}

// put stands something on edge i, back metres before vertex v.
func (g *graph) put(i, v int, back float64, t Tags) {
	e := &g.edges[i]
	n := e.line.length()
	if n < 3*back || g.road(i).carried != onGround {
		return
	}
	along := back
	if e.b == v {
		along = n - back
	}
	e.marks = append(e.marks, mark{along, t})
}

// laySigns puts stop or give-way signs on the lesser roads of a junction.
func (g *graph) laySigns(p *plan, v int) {
	rank := g.ranks(v)
	round := g.onRoundabout(v)
	if !round && rank[0] > rankOf("tertiary") {
		if len(rank) == 4 && p.rng.Float64() < 0.04 {
			g.tags[v] = tags("highway", "mini_roundabout")
		}
		return
	}
	for _, i := range g.ends[v] {
		lesser := rankOf(g.road(i).class) > rank[0] || round
		d, ok := g.approach(i, v)
		if !lesser || !ok || g.road(i).ring || g.road(i).class == "service" {
			continue
		}
		switch chance := p.rng.Float64(); {
		case round || chance < 0.45:
			g.put(i, v, 5, tags("highway", "give_way", "direction", d))
		case chance < 0.75:
			g.put(i, v, 5, tags("highway", "stop", "direction", d))
		}
	}
}

// layAlong puts crossings, bus stops and bumps on an edge.
func (g *graph) layAlong(p *plan, i int) {
	e := &g.edges[i]
	n := e.line.length()
	rank := rankOf(g.road(i).class)
	if n < 50 || rank > rankOf("living_street") {
		return
	}
	central := e.line[0].dist(p.centre) < 1700
	for _, v := range []int{e.a, e.b} {
		if len(g.ends[v]) < 3 || !central || rank > rankOf("tertiary") && p.rng.Float64() > 0.12 || p.rng.Float64() > 0.6 {
			continue
		}
		kind := "uncontrolled"
		if g.signals[v] {
			kind = "traffic_signals"
		}
		g.put(i, v, 14, tags("highway", "crossing", "crossing", kind))
	}
	if rank >= rankOf("primary") && rank <= rankOf("tertiary") && n > 90 && p.rng.Float64() < 0.33 {
		e.marks = append(e.marks, mark{n * (0.4 + 0.2*p.rng.Float64()), tags("highway", "bus_stop", "bus", "yes", "public_transport", "stop_position")})
	}
	if rank == rankOf("residential") && p.rng.Float64() < 0.04 {
		e.marks = append(e.marks, mark{n / 2, tags("traffic_calming", "bump")})
	}
}
