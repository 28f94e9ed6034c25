package city

import (
	"fmt"
	"math"
)

// layMain lays every planned road on the ground: boulevard, outer loop,
// avenues, quays, the main streets of the old town and the tunnel.
func (d *draft) layMain() {
	p := d.plan
	d.lay(road{line: p.boulevard, class: "secondary", name: "Old Wall Boulevard", lanes: 4, limit: 50})
	d.lay(road{line: d.orbital(), class: "secondary", name: "Orbital Road", ref: "B9", lanes: 2, limit: 60})
	for i, l := range p.avenues {
		class, ref, lanes := "primary", "", 4
		if i%3 == 2 {
			class = "secondary"
		}
		if l.length() > 3500 {
			class, ref = "primary", fmt.Sprintf("A%d", i+1)
		}
		d.layAvenue(road{line: l, class: class, ref: ref, name: avenueName(i), lanes: lanes, limit: 50})
	}
	d.layQuays()
	d.layOldTown()
	d.layTunnel()
	d.layIsland()
	d.layLanes()
}

// layAvenue lays an avenue; beyond the outer loop it is a country road.
func (d *draft) layAvenue(r road) {
	inCity := func(q vec) bool { return d.plan.orbital.inside(q) }
	outward := split(r.line, func(q vec) bool { return !d.plan.boulevard.inside(q) })
	for _, part := range split(outward[len(outward)-1].line, inCity) {
		piece := r
		piece.line = part.line
		if !part.in {
			piece.lanes, piece.limit = 2, 80
		}
		d.lay(piece)
	}
}

// orbital is the outer loop with joints where the motorways' ramps will end.
func (d *draft) orbital() line {
	l := d.plan.orbital
	for _, m := range d.plan.motorways {
		s := crossing(l, m)
		for _, off := range []float64{-rampSpread, rampSpread} {
			var at vec
			l, at = d.insert(l, s+off)
			d.rampEnds = append(d.rampEnds, at)
		}
	}
	return l
}

// crossing is how far along l the line m crosses it first.
func crossing(l, m line) float64 {
	var along float64
	for i := 1; i < len(l); i++ {
		for j := 1; j < len(m); j++ {
			if t, _, ok := meet(l[i-1], l[i], m[j-1], m[j]); ok {
				return along + t*l[i].dist(l[i-1])
			}
		}
		along += l[i].dist(l[i-1])
	}
	return 0
}

// layQuays lays the roads along both banks.
func (d *draft) layQuays() {
	p := d.plan
	_, east := p.river.nearest(p.orbital[0])
	_, west := p.river.nearest(polar(vec{0, -100}, 190, 2050))
	_, far := p.river.nearest(polar(vec{0, -50}, 197, 3150))
	north := p.bank(true, 26).between(east, west)
	south := p.bank(false, 26).between(east, far)
	d.lay(road{line: north, class: "tertiary", name: "North Quay", lanes: 2, limit: 50})
	d.lay(road{line: south, class: "secondary", name: "South Quay", lanes: 2, limit: 50})
}

// layOldTown lays the two main streets that cross the old town.
func (d *draft) layOldTown() {
	p := d.plan
	turn := 20 * (2*p.rng.Float64() - 1)
	for i, name := range []string{"High Street", "Market Street"} {
		angle := turn + 90*float64(i) + 8*(2*p.rng.Float64()-1)
		ctrl := line{polar(p.centre, angle+180, 760), polar(p.centre, angle+172, 330), p.centre,
			polar(p.centre, angle-9, 340), polar(p.centre, angle, 760)}
		inTown := func(q vec) bool { return p.boulevard.inside(q) }
		for _, part := range split(spline(ctrl, false, 4), inTown) {
			if part.in {
				d.lay(road{line: part.line, class: "tertiary", name: name, lanes: 2, limit: 30})
			}
		}
	}
}

// layTunnel lays the road that dives under the river between two quays.
func (d *draft) layTunnel() {
	p := d.plan
	l := spline(p.shake(line{{880, 60}, {960, -200}, {1040, -520}, {1010, -860}, {930, -1150}}, 25), false, 8)
	under := func(q vec) bool { return p.wet(q, 60) }
	for _, part := range split(l, under) {
		r := road{line: part.line, class: "secondary", name: "Tidewater Tunnel", lanes: 2, limit: 50, main: true}
		if part.in {
			r.carried, r.layer, r.level = inTunnel, -1, -1
		} else {
			r.name = "Tidewater Road"
		}
		d.add(r)
	}
}

// layLanes lays country roads between the villages.
func (d *draft) layLanes() {
	p := d.plan
	for _, pair := range [][2]int{{4, 1}, {4, 0}, {5, 2}, {6, 3}, {7, 0}} {
		a, b := p.villages[pair[0]], p.villages[pair[1]]
		out := b.sub(a).right().unit()
		if out.dot(a) < 0 {
			out = out.mul(-1)
		}
		ctrl := p.shake(line{a, a.lerp(b, 0.3).add(out.mul(260)), a.lerp(b, 0.65).add(out.mul(240)), b}, 60)
		d.lay(road{line: spline(ctrl, false, 12), class: "unclassified", name: p.names.street(), limit: 70})
	}
}

// layIsland lays a street around the island, joined to the avenue that crosses it.
func (d *draft) layIsland() {
	p := d.plan
	mid := p.isle
	half := func(sign float64) line {
		part := p.river.between(mid-250, mid+250).resample(15)
		return part.offset(func(s float64) float64 {
			t := (s - 250) / 250
			return sign * 34 * math.Sqrt(math.Max(0, 1-t*t))
		})
	}
	north, south := half(1), half(-1)
	loop := append(append(line{}, north...), south.reversed()[1:]...)
	d.add(road{line: loop, class: "residential", name: "Ferry Island Walk", limit: 30, main: true})
}
