package city

import "math"

// layStreets fills the city with streets: collectors first, then the small ones.
func (d *draft) layStreets() {
	t := &tracer{d: d, blocked: d.blocked(), laid: &samples{cells: map[[2]int][]sample{}}}
	t.field = newField(d.plan, d.roads)
	for _, r := range d.roads {
		if r.level == 0 && r.carried == onGround {
			t.laid.add(r.line)
		}
	}
	t.run(pass{class: "tertiary", spacing: func(vec) float64 { return 430 }, longest: 2600, stopping: 0.1})
	t.run(pass{class: "residential", spacing: d.spacing(), longest: 1500, stopping: 0.2})
	t.layServices()
}

// spacing is the distance between streets: small in the old town, growing
// outwards, with denser and looser quarters.
func (d *draft) spacing() func(vec) float64 {
	p := d.plan
	n := noise{p.rng.Uint64(), 700}
	return func(q vec) float64 {
		r := q.dist(p.centre)
		s := 62 + 44*smoothstep(450, 1000, r) + 26*smoothstep(1800, 3200, r)
		return s * (1 + 0.22*n.at(q))
	}
}

func smoothstep(a, b, x float64) float64 {
	return ease(math.Max(0, math.Min(1, (x-a)/(b-a))))
}

// blocked marks where no street may run.
func (d *draft) blocked() *mask {
	p := d.plan
	m := newMask()
	for i := range m.set {
		m.set[i] = true
	}
	for _, u := range p.urban {
		m.fill(u, false)
	}
	river := append(p.bank(true, 20), p.bank(false, 20).reversed()...)
	m.fill(append(river, river[0]), true)
	m.fill(p.island, false)
	m.along(p.island, 14, true)
	for _, ring := range append(append([]line{}, p.parks...), p.basins...) {
		m.fill(ring, true)
	}
	for _, b := range p.basins {
		m.along(b, 16, true)
	}
	m.along(p.rail, 16, true)
	for _, l := range p.motorways {
		m.along(l, 34, true)
	}
	var s float64
	for i, q := range p.ring {
		if i > 0 {
			s += q.dist(p.ring[i-1])
		}
		m.disc(q, d.frontage(s)+4, true)
	}
	return m
}
