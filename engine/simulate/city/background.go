package city

import "math"

// background adds all that a map draws behind the roads.
func (e *emitter) background(p *plan, g *graph) {
	e.land(p)
	e.water(p)
	e.railway(p)
	e.places(p)
	e.buildings(p, g)
}

// land adds built-up areas, parks, woods and meadows.
func (e *emitter) land(p *plan) {
	for _, u := range p.urban {
		e.path(u.simplify(2), tags("landuse", "residential"))
	}
	e.path(p.blob(vec{-2450, -150}, 420, 0.3).simplify(2), tags("landuse", "industrial", "name", "Harbour Works"))
	e.path(p.blob(vec{2500, 1250}, 360, 0.4).simplify(2), tags("landuse", "industrial"))
	e.path(p.boulevard.simplify(2), tags("landuse", "commercial", "name", "Old Town"))
	names := []string{"Alder Park", "Southbank Gardens", "Tanner's Common", "Observatory Hill", "Harbour Gardens",
		"Fountain Square", "Chapel Green", "Eastfield Park", "West Common", "Kite Hill", "Northern Meadows"}
	for i, ring := range p.parks {
		e.path(ring.simplify(1), tags("leisure", "park", "name", names[i]))
	}
	for i, ring := range p.forests {
		switch i % 3 {
		case 2:
			e.path(ring.simplify(3), tags("landuse", "meadow"))
		case 1:
			e.path(ring.simplify(3), tags("natural", "wood", "name", "Wood of "+p.names.stem(i)))
		default:
			e.path(ring.simplify(3), tags("landuse", "forest", "name", p.names.stem(i)+" Forest"))
		}
	}
	e.path(p.blob(vec{1500, 350}, 85, 0.2).simplify(1), tags("landuse", "cemetery"))
	e.path(p.blob(vec{-650, -1750}, 75, 0.2).simplify(1), tags("leisure", "pitch"))
}

// water adds the river as a multipolygon around its island, its centre line, the
// harbour and the lake with an islet.
func (e *emitter) water(p *plan) {
	north, south := p.bank(true, 0).simplify(1), p.bank(false, 0).simplify(1).reversed()
	first := e.path(north, nil)
	last := e.city.Ways[first-1].Nodes
	nodes := []int64{last[len(last)-1]}
	for _, q := range south {
		nodes = append(nodes, e.node(q, nil))
	}
	second := e.way(append(nodes, last[0]), nil)
	island := e.path(p.island.simplify(1), nil)
	e.relation(tags("type", "multipolygon", "natural", "water", "water", "river", "name", "River Alder"),
		Member{WayMember, first, "outer"}, Member{WayMember, second, "outer"}, Member{WayMember, island, "inner"})
	for _, arm := range []line{p.river.between(0, p.isle-360), p.river.between(p.isle+360, p.river.length())} {
		e.path(arm.simplify(1), tags("waterway", "river", "name", "River Alder")) // not across the island
	}
	for _, b := range p.basins {
		e.path(b, tags("natural", "water", "water", "harbour", "name", "Harbour"))
	}
	shore := e.path(p.lake.simplify(1), nil)
	low, high := p.lake.box()
	islet := e.path(p.blob(low.lerp(high, 0.5), 22, 0.3).simplify(0.5), nil)
	e.relation(tags("type", "multipolygon", "natural", "water", "water", "lake", "name", "Swan Lake"),
		Member{WayMember, shore, "outer"}, Member{WayMember, islet, "inner"})
}

// railway adds two tracks, with sidings at the station.
func (e *emitter) railway(p *plan) {
	_, station := p.rail.nearest(vec{-100, 1100})
	for i, off := range []float64{-2.5, 2.5, 7.5, 12.5} {
		l := p.rail
		if i > 1 {
			l = l.between(station-260, station+260)
		}
		l = l.offset(func(float64) float64 { return off })
		e.path(l.simplify(0.5), tags("railway", "rail"))
	}
	at, dir := p.rail.at(station)
	e.box(at.add(dir.right().mul(-26)), dir, 90, 22, tags("building", "train_station", "name", "Aldermere Central"))
}

// box adds a rectangle around a middle.
func (e *emitter) box(at, dir vec, length, width float64, t Tags) {
	a, b := dir.mul(length/2), dir.right().mul(width/2)
	c := line{at.add(a).add(b), at.add(a).sub(b), at.sub(a).sub(b), at.sub(a).add(b)}
	e.path(append(c, c[0]), t)
}

// places adds the names of the city and of its parts.
func (e *emitter) places(p *plan) {
	e.node(p.centre.add(vec{0, 40}), tags("place", "city", "name", e.city.Name))
	middle, _ := p.river.at(p.isle)
	e.node(middle, tags("place", "quarter", "name", "Ferry Island"))
	for _, s := range []struct {
		name, kind string
		angle, r   float64
	}{
		{"Eastfield", "suburb", 30, 1650}, {"Northgate", "suburb", 75, 1350}, {"Observatory", "suburb", 105, 1400},
		{"Westcliff", "suburb", 163, 1350}, {"Harbourside", "suburb", 196, 2300}, {"Southbank", "suburb", 262, 1500},
		{"Linden Vale", "suburb", 298, 1750}, {"Quarry Hill", "suburb", 232, 2250}, {"Seaview", "suburb", 335, 2250},
		{"Kite Hill", "suburb", 55, 2450}, {"Mill End", "quarter", 135, 2350}, {"Ropewalk", "quarter", 8, 1100},
	} {
		e.node(polar(p.centre, s.angle, s.r), tags("place", s.kind, "name", s.name))
	}
	for i, c := range p.villages {
		name := []string{"Eastmoor", "Norwick", "Westhaven", "Southam", "Fernley", "Saltby", "Barrow", "Tidemouth"}[i]
		e.node(c, tags("place", "village", "name", name))
	}
}

// buildings adds houses along the streets of the inner city.
func (e *emitter) buildings(p *plan, g *graph) {
	b := &builder{e: e, p: p, taken: map[[2]int][]house{}}
	for i := range g.edges {
		if edge := &g.edges[i]; !edge.gone && g.road(i).level == 0 {
			b.keepOff(edge.line)
		}
	}
	for i := range g.edges {
		edge := &g.edges[i]
		rank := rankOf(g.road(i).class)
		if edge.gone || g.road(i).carried != onGround || rank < rankOf("primary") || rank > rankOf("living_street") || edge.line[0].dist(p.centre) > 950 {
			continue
		}
		b.row(edge.line, 1)
		b.row(edge.line, -1)
	}
	e.box(p.centre.add(vec{45, 30}), vec{1, 0.2}.unit(), 46, 30, tags("building", "civic", "name", "City Hall"))
}

// house is a rectangle: middle, direction, half length and half width.
type house struct {
	at, dir       vec
	length, width float64
}

// builder places houses that touch neither roads nor one another.
type builder struct {
	e     *emitter
	p     *plan
	taken map[[2]int][]house
}

func houseKey(p vec) [2]int { return [2]int{int(math.Floor(p.x / 40)), int(math.Floor(p.y / 40))} }

// keepOff takes the ground of a road.
func (b *builder) keepOff(l line) {
	for i := 1; i < len(l); i++ {
		at, n := l[i-1].lerp(l[i], 0.5), l[i].dist(l[i-1])
		h := house{at, l[i].sub(l[i-1]).unit(), n/2 + 2, 5}
		b.taken[houseKey(at)] = append(b.taken[houseKey(at)], h)
	}
}

// row places houses along one side of a street.
func (b *builder) row(l line, side float64) {
	rng := b.p.rng
	for s := 8 + 6*rng.Float64(); s < l.length()-8; {
		length, depth := 10+14*rng.Float64(), 10+5*rng.Float64()
		at, dir := l.at(s + length/2)
		h := house{at.add(dir.right().mul(side * (8 + depth/2))), dir, length / 2, depth / 2}
		if s+length < l.length()-6 && b.room(h) {
			b.taken[houseKey(h.at)] = append(b.taken[houseKey(h.at)], h)
			b.e.box(h.at, h.dir, length-0.5, depth, tags("building", "yes"))
		}
		s += length
		if rng.Float64() < 0.2 {
			s += 5 + 10*rng.Float64()
		}
	}
}

// room reports whether a house fits: on land, outside parks, clear of others.
func (b *builder) room(h house) bool {
	if b.p.wet(h.at, 14) {
		return false
	}
	for _, ring := range b.p.parks {
		if ring.inside(h.at) {
			return false
		}
	}
	if far, _ := b.p.rail.nearest(h.at); far < 24 {
		return false
	}
	k := houseKey(h.at)
	for i := k[0] - 1; i <= k[0]+1; i++ {
		for j := k[1] - 1; j <= k[1]+1; j++ {
			for _, o := range b.taken[[2]int{i, j}] {
				if h.overlaps(o) {
					return false
				}
			}
		}
	}
	return true
}

// overlaps reports whether no side of either rectangle parts them.
func (h house) overlaps(o house) bool {
	d := o.at.sub(h.at)
	for _, axis := range []vec{h.dir, h.dir.right(), o.dir, o.dir.right()} {
		reach := math.Abs(h.dir.dot(axis))*h.length + math.Abs(h.dir.cross(axis))*h.width +
			math.Abs(o.dir.dot(axis))*o.length + math.Abs(o.dir.cross(axis))*o.width
		if math.Abs(d.dot(axis)) > reach-0.3 {
			return false
		}
	}
	return true
}
