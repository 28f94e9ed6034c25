package city

import (
	"math"
	"math/rand/v2"
)

// plan holds the large shapes that everything else follows.
type plan struct {
	rng       *rand.Rand
	names     *names
	centre    vec     // of the old town
	river     line    // centre line, from source to mouth
	isle      float64 // metres along the river to the island's middle
	island    line    // ring
	lake      line    // ring
	basins    []line  // rings of the harbour
	boulevard line    // loop around the old town
	ring      line    // loop under the expressway, anticlockwise
	orbital   line    // outer loop
	avenues   []line  // from the boulevard outwards
	motorways []line  // from the ring outwards
	rail      line
	parks     []line // rings
	forests   []line // rings
	urban     []line // rings: where streets may be
	villages  []vec  // centres of the outer ones of urban
}

func newPlan(seed uint64) *plan {
	p := &plan{
		rng:    rand.New(rand.NewPCG(seed, 0x5eed)),
		centre: vec{0, 250},
	}
	p.names = newNames(p.rng)
	p.layWater()
	p.layLoops()
	p.layAvenues()
	p.layGreen()
	p.layUrban()
	return p
}

// shake moves each point by up to r metres in both directions.
func (p *plan) shake(l line, r float64) line {
	out := make(line, len(l))
	for i, q := range l {
		out[i] = q.add(vec{(2*p.rng.Float64() - 1) * r, (2*p.rng.Float64() - 1) * r})
	}
	return out
}

// blob is a ring around c whose radius varies by the given share.
func (p *plan) blob(c vec, r, share float64) line {
	n := noise{p.rng.Uint64(), 1}
	var ctrl line
	for k := range 14 {
		a := float64(k) * 360 / 14
		on := polar(vec{}, a, 1.6)
		ctrl = append(ctrl, polar(c, a, r*(1+share*n.at(on))))
	}
	return spline(ctrl, true, 25)
}

// layWater lays the river with its island, the harbour and the park's lake.
func (p *plan) layWater() {
	ctrl := line{{6200, 1300}, {3900, 950}, {2700, 250}, {1900, -150}, {1150, -480}, {250, -650},
		{-700, -570}, {-1600, -420}, {-2500, -700}, {-3600, -1250}, {-6200, -1600}}
	p.river = spline(p.shake(ctrl, 50), false, 20)
	_, p.isle = p.river.nearest(vec{250, -650})
	mid := p.isle
	half := func(s float64) float64 { // half the island's width
		t := (s - mid) / 330
		return 62 * math.Sqrt(math.Max(0, 1-t*t))
	}
	part := p.river.between(mid-330, mid+330).resample(20)
	south := part.offset(func(s float64) float64 { return -half(mid - 330 + s) })
	north := part.offset(func(s float64) float64 { return half(mid - 330 + s) })
	p.island = append(append(line{}, south...), north.reversed()[1:]...)
	for k := range 3 {
		_, s := p.river.nearest(vec{-2330 - 190*float64(k), -400})
		at, dir := p.river.at(s)
		out := dir.right() // the north bank: the river runs west
		near, far := p.halfWidth(s)-15, p.halfWidth(s)+230-25*float64(k)
		a, b := at.add(dir.mul(-42)), at.add(dir.mul(42))
		p.basins = append(p.basins, line{a.add(out.mul(near)), a.add(out.mul(far)),
			b.add(out.mul(far)), b.add(out.mul(near)), a.add(out.mul(near))})
	}
	p.lake = p.blob(polar(p.centre, 31, 1300), 105, 0.5)
}

// halfWidth is half the river's width s metres from its source.
func (p *plan) halfWidth(s float64) float64 {
	swell := math.Exp(-math.Pow((s-p.isle)/420, 2))
	return 70 + 75*s/p.river.length() + 68*swell
}

// bank is the river's bank moved d metres inland; right is the north side.
func (p *plan) bank(right bool, d float64) line {
	return p.river.offset(func(s float64) float64 {
		if right {
			return p.halfWidth(s) + d
		}
		return -p.halfWidth(s) - d
	})
}

// wet reports whether q lies in the river or within margin metres of it.
func (p *plan) wet(q vec, margin float64) bool {
	d, s := p.river.nearest(q)
	if d >= p.halfWidth(s)+margin {
		return false
	}
	shore, _ := p.island.nearest(q)
	return !p.island.inside(q) || shore <= margin
}

// layLoops lays the boulevard, the ring of the expressway and the outer loop.
func (p *plan) layLoops() {
	loop := func(c vec, r, share float64, points int) line {
		n := noise{p.rng.Uint64(), 1}
		var ctrl line
		for k := range points {
			a := float64(k) * 360 / float64(points)
			ctrl = append(ctrl, polar(c, a, r*(1+share*n.at(polar(vec{}, a, 1.1)))))
		}
		return spline(ctrl, true, 10)
	}
	p.boulevard = loop(p.centre, 600, 0.22, 10)
	p.ring = loop(vec{0, -100}, 2000, 0.2, 12)
	p.orbital = loop(vec{0, -50}, 2950, 0.2, 14)
	rail := line{{6200, 2300}, {3600, 1750}, {1600, 1180}, {500, 1090}, {-700, 1120}, {-2000, 1560}, {-3600, 2100}, {-6200, 2250}}
	p.rail = spline(p.shake(rail, 40), false, 25)
}

// layAvenues lays the avenues and the two motorways.
func (p *plan) layAvenues() {
	for _, a := range []struct{ angle, reach float64 }{
		{15, 5600}, {52, 3350}, {88, 4800}, {121, 3350}, {178, 5600}, {214, 3350}, {254, 4900}, {285, 3500}, {346, 3400},
	} {
		p.avenues = append(p.avenues, p.ray(p.centre, a.angle+4*(2*p.rng.Float64()-1), 330, a.reach, 75))
	}
	for _, angle := range []float64{150, 316} {
		from, _ := p.ringAt(angle)
		p.motorways = append(p.motorways, p.ray(from, angle, 0, 4600, 110))
	}
}

// ray is a bent line outwards from c between two radii. Its first 900 m bend
// little, so that what is built on them fits.
func (p *plan) ray(c vec, angle, from, to, bend float64) line {
	var ctrl line
	for r := from; r < to+400; r += 450 {
		side := polar(vec{}, angle+90, bend*(2*p.rng.Float64()-1))
		if r-from < 900 {
			side = side.mul(0.25)
		}
		ctrl = append(ctrl, polar(c, angle, r).add(side))
	}
	return spline(ctrl, false, 10)
}

// ringAt is the point of the ring at an angle from its centre and how far along.
func (p *plan) ringAt(angle float64) (vec, float64) {
	best, at := math.Inf(1), 0.0
	var along float64
	var found vec
	for i, q := range p.ring {
		if i > 0 {
			along += q.dist(p.ring[i-1])
		}
		d := q.sub(vec{0, -100}).unit().sub(polar(vec{}, angle, 1)).norm()
		if d < best {
			best, at, found = d, along, q
		}
	}
	return found, at
}

// layGreen lays parks inside the city and forests outside.
func (p *plan) layGreen() {
	for _, g := range []struct {
		at vec
		r  float64
	}{
		{polar(p.centre, 31, 1300), 290}, {vec{-900, -950}, 190}, {vec{1250, -1250}, 210},
		{vec{-1250, 900}, 170}, {polar(p.centre, 200, 1150), 110}, {vec{-420, 130}, 60}, {vec{230, 520}, 55},
		{vec{2550, 1500}, 260}, {vec{-2650, 400}, 200}, {vec{150, -2450}, 220}, {vec{700, 2450}, 190},
	} {
		p.parks = append(p.parks, p.blob(g.at, g.r*(0.9+0.2*p.rng.Float64()), 0.35))
	}
	for _, g := range []struct {
		at vec
		r  float64
	}{
		{vec{3700, 3000}, 800}, {vec{-3900, 3200}, 900}, {vec{-1600, 3900}, 550}, {vec{4300, -2700}, 900},
		{vec{-3300, -3300}, 1000}, {vec{1500, -3900}, 500}, {vec{-4900, 700}, 500}, {vec{4800, 0}, 450},
		{vec{-4400, -250}, 420}, {vec{1900, 3500}, 420}, {vec{-700, -3950}, 420}, {vec{3450, -1350}, 360},
	} {
		p.forests = append(p.forests, p.blob(g.at, g.r, 0.45))
	}
}

// layUrban lays the city's reach and the villages around it.
func (p *plan) layUrban() {
	n := noise{p.rng.Uint64(), 1}
	var ctrl line
	for k := range 40 {
		a := float64(k) * 9
		ctrl = append(ctrl, polar(vec{0, -50}, a, 2950*(1+0.16*n.at(polar(vec{}, a, 2.2)))))
	}
	p.urban = append(p.urban, spline(ctrl, true, 30))
	for _, i := range []int{0, 2, 4, 6} {
		at, dir := p.avenues[i].at(3550 + 250*p.rng.Float64())
		p.villages = append(p.villages, at.add(dir.right().mul(60)))
	}
	for _, angle := range []float64{68, 197, 232, 335} {
		p.villages = append(p.villages, polar(vec{0, -50}, angle, 3250))
	}
	for _, c := range p.villages {
		p.urban = append(p.urban, p.blob(c, 430, 0.4))
	}
}
