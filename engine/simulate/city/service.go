package city

// layServices lays driveways, car parks with aisles, and alleys off the streets,
// where they do not come close to another road.
func (t *tracer) layServices() {
	p := t.d.plan
	streets := len(t.d.roads)
	for r := range streets {
		road := t.d.roads[r]
		if road.main && road.class != "secondary" && road.class != "tertiary" || road.level != 0 || road.carried != onGround {
			continue
		}
		total := road.line.length()
		for s := 30 + 60*p.rng.Float64(); s < total-30; s += 60 + 180*p.rng.Float64() {
			at, dir := road.line.at(s)
			side := dir.right()
			if p.rng.Float64() < 0.5 {
				side = side.mul(-1)
			}
			switch chance := p.rng.Float64(); {
			case chance < 0.07:
				t.carPark(at, side)
			case chance < 0.2:
				t.driveway(at, side)
			}
		}
	}
}

// free reports whether the line keeps clear of other roads and of what is
// blocked; its first metres, at the street it starts from, do not count.
func (t *tracer) free(l line, clear float64) bool {
	for i, q := range l.resample(5) {
		if i >= 3 && (t.blocked.has(q) || t.laid.near(q, clear)) {
			return false
		}
	}
	return true
}

func (t *tracer) driveway(at, side vec) {
	p := t.d.plan
	n := 22 + 26*p.rng.Float64()
	l := line{at, at.add(side.mul(n))}
	if p.rng.Float64() < 0.5 {
		l = append(l, l[1].add(side.right().mul(14)))
	}
	if t.free(l, 13) {
		t.laid.add(l[1:])
		t.d.add(road{line: l, class: "service", service: "driveway"})
	}
}

// carPark lays an access road with three aisles around it.
func (t *tracer) carPark(at, side vec) {
	cross := side.right()
	place := func(in, along float64) vec { return at.add(side.mul(in)).add(cross.mul(along)) }
	access := line{at, place(20, 0), place(68, 0)}
	loop := line{place(20, 0), place(20, 27), place(68, 27), place(68, 0), place(68, -27), place(20, -27), place(20, 0)}
	if !t.free(access, 13) || !t.free(loop, 13) {
		return
	}
	t.laid.add(loop)
	t.d.joints[place(20, 0)], t.d.joints[place(68, 0)] = true, true
	t.d.add(road{line: access, class: "service"})
	t.d.add(road{line: loop, class: "service", service: "parking_aisle", oneway: t.d.plan.rng.Float64() < 0.5})
	t.d.add(road{line: line{place(44, 27), place(44, 0), place(44, -27)}, class: "service", service: "parking_aisle"})
}
