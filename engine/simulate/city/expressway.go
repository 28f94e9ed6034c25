package city

import "math"

// Widths across the expressways, metres from their centre lines, and lengths of
// what leads to them.
const (
	deckHalf   = 8.0   // to the middle of a carriageway
	rampSpread = 75.0  // from the crossing to a ramp's end on the outer loop
	slipOuter  = 390.0 // from an avenue to where a ramp leaves the deck
	slipInner  = 170.0 // from an avenue to where a ramp meets the surface
)

const (
	ringName = "Ring Expressway"
	underway = "Viaduct Road" // the surface road below the ring
)

// frontage is how far the surface roads run from the ring's centre line; it
// varies, so that in places the deck stands right above them.
func (d *draft) frontage(along float64) float64 {
	return 21 + 6*math.Sin(2*math.Pi*along/d.plan.ring.length()*3)
}

// layExpressways lays the ring, the surface roads below it, the ramps between
// them, and the motorways with their interchanges.
func (d *draft) layExpressways() {
	p := d.plan
	l := p.ring
	out := l.offset(func(float64) float64 { return deckHalf })
	in := l.offset(func(float64) float64 { return -deckHalf })
	outer := l.offset(d.frontage)
	inner := l.offset(func(s float64) float64 { return -d.frontage(s) })
	for _, a := range p.avenues {
		s := crossing(l, a)
		if !d.roomForRamps(s) {
			continue
		}
		out, outer = d.ramps(s, 1, out, outer)
		in, inner = d.ramps(s, -1, in, inner)
	}
	for i, m := range p.motorways {
		out, in = d.layMotorway(i, m, out, in)
	}
	for _, deck := range []line{out, in.reversed()} {
		d.layDeck(deck)
	}
	surface := road{class: "secondary", name: underway, oneway: true, lanes: 2, limit: 50}
	surface.line = outer // crosses the river below the deck
	d.lay(surface)
	surface.line, surface.cutAtWet = inner.reversed(), true
	d.lay(surface)
	d.layUnderpasses()
}

// layDeck lays one carriageway of the ring. Above the river, where the surface
// road has a bridge of its own, it runs one layer higher.
func (d *draft) layDeck(l line) {
	for _, part := range split(l, func(q vec) bool { return d.plan.wet(q, 30) }) {
		layer := 1
		if part.in {
			layer = 2
		}
		d.add(road{line: part.line, class: "motorway", name: ringName, ref: "R1", oneway: true, level: 1,
			carried: onBridge, layer: layer, lanes: 3, limit: 80, main: true})
	}
}

// roomForRamps reports whether ramps fit around s metres along the ring: no
// water, no motorway and not the end of the loop's line.
func (d *draft) roomForRamps(s float64) bool {
	p := d.plan
	if s < slipOuter+20 || s > p.ring.length()-slipOuter-20 {
		return false
	}
	for off := -slipOuter; off <= slipOuter; off += 30 {
		if q, _ := p.ring.at(s + off); p.wet(q, 40) {
			return false
		}
	}
	at, _ := p.ring.at(s)
	for _, m := range p.motorways {
		if at.dist(m[0]) < 2*slipOuter {
			return false
		}
	}
	return true
}

// ramps lays an off-ramp and an on-ramp of one carriageway around s. Side is 1
// for the outer carriageway, which runs with the ring's line, -1 for the inner.
func (d *draft) ramps(s, side float64, deck, surface line) (line, line) {
	var top, bottom vec
	for _, off := range []bool{true, false} {
		dir := side
		if !off {
			dir = -side
		}
		from, to := s-dir*slipOuter, s-dir*slipInner
		deck, top = d.insertNear(deck, from, side*deckHalf)
		surface, bottom = d.insertNear(surface, to, side*d.frontage(to))
		l := d.slip(from, to, side)
		l[0], l[len(l)-1] = top, bottom
		if !off {
			l = l.reversed()
		}
		d.addRamp(l, off)
	}
	return deck, surface
}

// insertNear puts a joint into a line beside the ring's line at s.
func (d *draft) insertNear(l line, s, right float64) (line, vec) {
	at, dir := d.plan.ring.at(s)
	_, along := l.nearest(at.add(dir.right().mul(right)))
	return d.insert(l, along)
}

// slip is a ramp's line beside the ring, from the deck to the surface.
func (d *draft) slip(from, to, side float64) line {
	var l line
	for k := 0; k <= 12; k++ {
		t := float64(k) / 12
		s := mix(from, to, t)
		at, dir := d.plan.ring.at(s)
		l = append(l, at.add(dir.right().mul(side*mix(deckHalf, d.frontage(s), ease(t)))))
	}
	return l
}

// addRamp lays a ramp whose deck end is a bridge; fromDeck tells which end.
func (d *draft) addRamp(l line, fromDeck bool) {
	cut := len(l) * 2 / 3
	if !fromDeck {
		cut = len(l) - 1 - cut
	}
	for i, part := range []line{l[: cut+1 : cut+1], l[cut:]} {
		r := road{line: part, class: "motorway_link", oneway: true, level: 3, lanes: 1, limit: 50, main: true}
		if (i == 0) == fromDeck {
			r.carried, r.layer = onBridge, 1
		}
		d.add(r)
	}
}

// layUnderpasses lays streets that cross below the ring between the avenues.
func (d *draft) layUnderpasses() {
	p := d.plan
	var at []float64
	for _, a := range p.avenues {
		at = append(at, crossing(p.ring, a))
	}
	for _, s := range at {
		for _, off := range []float64{520, -520} {
			q, dir := p.ring.at(s + off)
			if s+off < 60 || s+off > p.ring.length()-60 || p.wet(q, 150) || d.nearAvenue(q, 260) {
				continue
			}
			l := line{q.sub(dir.right().mul(260)), q.add(dir.right().mul(260))}.resample(10)
			d.lay(road{line: l, class: "tertiary", name: p.names.street(), lanes: 2, limit: 50})
		}
	}
}

// nearAvenue reports whether an avenue, a motorway or an underpass laid before
// runs within r metres of q.
func (d *draft) nearAvenue(q vec, r float64) bool {
	for _, l := range append(append([]line{}, d.plan.avenues...), d.plan.motorways...) {
		if far, _ := l.nearest(q); far < r {
			return true
		}
	}
	for _, other := range d.roads {
		if other.class == "tertiary" && other.carried == onGround {
			if far, _ := other.line.nearest(q); far < r {
				return true
			}
		}
	}
	return false
}
