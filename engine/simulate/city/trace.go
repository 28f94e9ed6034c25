package city

import "math"

// traceStep is the distance between vertices of a traced street, metres.
const traceStep = 10.0

// pass says how one round of tracing lays streets.
type pass struct {
	class    string
	spacing  func(vec) float64 // metres between parallel streets
	longest  float64           // metres
	stopping float64           // chance that a street ends where it meets another
}

// tracer lays streets along the field, evenly spaced.
type tracer struct {
	d       *draft
	field   *field
	blocked *mask
	laid    *samples
}

// sample is a place on a street laid before, with the street's direction.
type sample struct{ at, dir vec }

// samples finds the streets near a place.
type samples struct {
	cells map[[2]int][]sample
}

const sampleCell = 60.0

func (s *samples) key(p vec) [2]int {
	return [2]int{int(math.Floor(p.x / sampleCell)), int(math.Floor(p.y / sampleCell))}
}

func (s *samples) add(l line) {
	dense := l.resample(traceStep)
	for i, p := range dense {
		k := s.key(p)
		s.cells[k] = append(s.cells[k], sample{p, dense.tangent(i)})
	}
}

// parallel reports whether a street runs within r metres of p in about the
// direction dir or against it.
func (s *samples) parallel(p, dir vec, r float64) bool {
	k := s.key(p)
	n := int(math.Ceil(r / sampleCell))
	for i := k[0] - n; i <= k[0]+n; i++ {
		for j := k[1] - n; j <= k[1]+n; j++ {
			for _, o := range s.cells[[2]int{i, j}] {
				if o.at.dist(p) < r && math.Abs(o.dir.dot(dir)) > 0.72 {
					return true
				}
			}
		}
	}
	return false
}

// near reports whether any street passes within r metres of p.
func (s *samples) near(p vec, r float64) bool {
	k := s.key(p)
	for i := k[0] - 1; i <= k[0]+1; i++ {
		for j := k[1] - 1; j <= k[1]+1; j++ {
			for _, o := range s.cells[[2]int{i, j}] {
				if o.at.dist(p) < r {
					return true
				}
			}
		}
	}
	return false
}

// run lays one round of streets, beginning at the roads that are there and going
// on from each new one.
func (t *tracer) run(p pass) {
	queue := []line{}
	for _, r := range t.d.roads {
		if r.level == 0 && r.carried == onGround {
			queue = append(queue, r.line)
		}
	}
	for len(queue) > 0 {
		l := queue[0]
		queue = queue[1:]
		for _, s := range t.seeds(l, p) {
			if street := t.trace(s, p); street != nil {
				t.laid.add(street)
				t.d.add(road{line: street, class: p.class, name: t.d.plan.names.street()})
				queue = append(queue, street)
			}
		}
	}
}

// seeds are places to begin streets from: across the line, every so often along
// it, and beside it.
func (t *tracer) seeds(l line, p pass) []sample {
	var out []sample
	total := l.length()
	for s := 0.3 * p.spacing(l[0]); s < total; {
		at, dir := l.at(s)
		gap := p.spacing(at)
		side := dir.right()
		for _, sign := range []float64{1, -1} {
			out = append(out,
				sample{at.add(side.mul(sign * 34)), side},
				sample{at.add(side.mul(sign * gap)), dir})
		}
		s += gap * (0.85 + 0.3*t.d.plan.rng.Float64())
	}
	return out
}

// trace is the street through a seed, nil where there is no room for one.
func (t *tracer) trace(s sample, p pass) line {
	dir := t.field.along(s.at, s.dir)
	if t.blocked.has(s.at) || t.laid.parallel(s.at, dir, 0.82*p.spacing(s.at)) {
		return nil
	}
	ahead := t.walk(s.at, dir, p)
	behind := t.walk(s.at, dir.mul(-1), p)
	street := append(behind.reversed(), ahead[1:]...)
	if street.length() < 55 {
		return nil
	}
	return street
}

// walk follows the field from a place until there is no room, the street is
// long enough, or it ends at another.
func (t *tracer) walk(from, dir vec, p pass) line {
	out := line{from}
	at := from
	crossed := false
	for length := 0.0; length < p.longest/2; length += traceStep {
		half := at.add(t.field.along(at, dir).mul(traceStep / 2))
		dir = t.field.along(half, dir)
		at = at.add(dir.mul(traceStep))
		if t.blocked.has(at) || t.laid.parallel(at, dir, 0.55*p.spacing(at)) {
			return t.reach(out, dir, p)
		}
		out = append(out, at)
		meets := t.laid.near(at, traceStep*0.7)
		if meets && !crossed && t.d.plan.rng.Float64() < p.stopping {
			return out
		}
		crossed = meets
	}
	return t.reach(out, dir, p)
}

// reach goes straight on from a street's end to the next road if one is near.
func (t *tracer) reach(l line, dir vec, p pass) line {
	at := l[len(l)-1]
	for step := traceStep / 2; step < 0.7*p.spacing(at); step += traceStep / 2 {
		q := at.add(dir.mul(step))
		if t.laid.near(q, traceStep*0.7) {
			return append(l, q)
		}
		if t.blocked.has(q) && step > 24 {
			break
		}
	}
	return l
}
