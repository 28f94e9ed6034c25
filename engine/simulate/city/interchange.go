package city

// The reach of an interchange along the ring and along the motorway, metres.
const (
	stackAlong = 330.0
	stackOut   = 380.0
)

// layMotorway lays motorway i from its interchange on the ring to the edge of
// the map and returns both carriageways of the ring with the joints of its ramps.
func (d *draft) layMotorway(i int, m line, out, in line) (line, line) {
	p := d.plan
	toCity := m.offset(func(float64) float64 { return -9 }).reversed()
	away := m.offset(func(float64) float64 { return 9 })
	start := crossing(m, p.orbital)
	toCity = toCity[:len(toCity)-int(stackOut/10)]
	away = away[int(stackOut/10):]
	near, far := toCity[len(toCity)-1], away[0]
	d.joints[near], d.joints[far] = true, true
	out, in = d.stack(m, near, far, out, in)
	toCity, away = d.diamond(i, m, start, toCity, away)
	raised := func(q vec) bool { _, s := m.nearest(q); return s < start+260 }
	for _, l := range []line{toCity, away} {
		for _, part := range split(l, raised) {
			r := road{line: part.line, class: "motorway", ref: []string{"M1", "M2"}[i], name: []string{"Northern Motorway", "Southern Motorway"}[i],
				oneway: true, level: 1, lanes: 2, limit: 100, main: true}
			if part.in {
				r.carried, r.layer, r.limit = onBridge, 1, 80
			}
			d.add(r)
		}
	}
	return out, in
}

// stack joins a motorway to the ring: two ramps to the right on layer 1 and two
// flyovers to the left on layers 2 and 3.
func (d *draft) stack(m line, near, far vec, out, in line) (line, line) {
	_, s := d.plan.ring.nearest(m[0])
	at, tangent := d.plan.ring.at(s)
	outward := m[min(len(m)-1, int(stackOut/10))].sub(m[0]).unit()
	place := func(along, out float64) vec {
		return at.add(tangent.mul(along)).add(outward.mul(out))
	}
	var east, west, joinIn, leaveIn vec
	out, west = d.insertNear(out, s-stackAlong, deckHalf)
	out, east = d.insertNear(out, s+stackAlong, deckHalf)
	in, joinIn = d.insertNear(in, s-stackAlong, -deckHalf)
	in, leaveIn = d.insertNear(in, s+stackAlong, -deckHalf)
	d.flyover(1, line{near, place(24, 300), place(75, 150), place(190, 45), east})
	d.flyover(1, line{west, place(-190, 45), place(-75, 150), place(-24, 300), far})
	d.flyover(2, line{near, place(10, 290), place(2, 120), place(-50, 0), place(-150, -42), joinIn})
	d.flyover(3, line{leaveIn, place(150, -42), place(50, 0), place(-2, 120), place(-10, 290), far})
	return out, in
}

func (d *draft) flyover(layer int, ctrl line) {
	d.add(road{line: spline(ctrl, false, 12), class: "motorway_link", oneway: true, level: 10 + layer,
		carried: onBridge, layer: layer, lanes: 1, limit: 60, main: true})
}

// diamond lays four ramps between a motorway and the outer loop below it.
func (d *draft) diamond(i int, m line, start float64, toCity, away line) (line, line) {
	ends := d.rampEnds[2*i : 2*i+2]
	_, dir := m.at(start)
	at, _ := m.at(start)
	rightEnd, leftEnd := ends[0], ends[1]
	if dir.right().dot(rightEnd.sub(at)) < 0 {
		rightEnd, leftEnd = leftEnd, rightEnd
	}
	var a, b, c, e vec
	away, a = d.joint(away, m, start-330)
	away, b = d.joint(away, m, start+330)
	toCity, c = d.joint(toCity, m, start+330)
	toCity, e = d.joint(toCity, m, start-330)
	d.addRamp(d.gentle(a, rightEnd, dir), true)
	d.addRamp(d.gentle(rightEnd, b, dir), false)
	d.addRamp(d.gentle(c, leftEnd, dir.mul(-1)), true)
	d.addRamp(d.gentle(leftEnd, e, dir.mul(-1)), false)
	return toCity, away
}

// joint puts a joint into a carriageway beside the motorway's line at s.
func (d *draft) joint(l, m line, s float64) (line, vec) {
	q, _ := m.at(s)
	_, along := l.nearest(q)
	return d.insert(l, along)
}

// gentle is a ramp between two points that leaves along dir.
func (d *draft) gentle(from, to, dir vec) line {
	n := from.dist(to)
	side := dir.right()
	bulge := 14.0
	ctrl := line{from, from.lerp(to, 0.35).add(side.mul(bulge)), from.lerp(to, 0.7).add(side.mul(bulge)), to}
	return spline(ctrl, false, n/14)
}
