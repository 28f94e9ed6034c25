package simulate

import (
	"math"
	"math/rand/v2"

	"retrace/engine/roadnet"
)

// route is a driven path from a position to another.
type route struct {
	path     []roadnet.SegmentID
	from, to float64 // ratios on the first and the last segment
}

// newDriver draws a driver.
func (w *world) newDriver(rng *rand.Rand) *driver {
	p := w.profile
	d := &driver{seed: rng.Uint64(), pace: spread(rng, p.DriverSpread), costSpread: p.CostSpread * spread(rng, 0.5)}
	for c := range d.taste {
		d.taste[c] = spread(rng, p.TasteScale)
	}
	if rng.Float64() < p.Unfamiliar {
		d.taste[roadnet.Tertiary] *= 1.1
		d.taste[roadnet.Unclassified] *= 1.35
		d.taste[roadnet.Residential] *= 1.5
	}
	d.taste[roadnet.Service] *= 2.5
	if p.Steady > 0 && rng.Float64() < p.Steady {
		d.steadiness = math.Sqrt(rng.Float64())
		d.pace *= spread(rng, p.SteadySpread)
	}
	return d
}

// tries is how often a place or a route is drawn anew before a trip is given up.
const tries = 24

// plan draws origin and destination and lets the driver find a way; false where
// no way is found.
func (w *world) plan(rng *rand.Rand, s *search) (route, bool) {
	for i := range tries {
		from, to, ok := w.ends(rng)
		if !ok {
			if i < tries/2 {
				continue
			}
			to = w.place(rng) // a network too small for such distances
		}
		r, ok := w.wander(rng, s, from, to)
		if ok && len(r.path) > 1 && w.net.Drivable(r.path) {
			return r, true
		}
	}
	return route{}, false
}

// ends draws origin and destination about as far apart as the profile says;
// false where no destination was found.
func (w *world) ends(rng *rand.Rand) (from, to roadnet.Position, ok bool) {
	from = w.place(rng)
	x, y := w.local(w.net.At(from))
	for range 4 * tries {
		far := w.profile.Distance * spread(rng, w.profile.DistanceSpread)
		angle := 2 * math.Pi * rng.Float64()
		p, ok := w.placeNear(rng, x+far*math.Cos(angle), y+far*math.Sin(angle))
		if ok && p.Segment != from.Segment {
			return from, p, true
		}
	}
	return from, from, false
}

// wander is the driver's way: at times by another place, with a missed turn or
// with a turn back.
func (w *world) wander(rng *rand.Rand, s *search, from, to roadnet.Position) (route, bool) {
	p := w.profile
	r, ok := s.anyRoute(from, to)
	if !ok {
		return r, false
	}
	goal := roadnet.Position{Segment: r.path[len(r.path)-1], Ratio: r.to}
	if rng.Float64() < p.Detour {
		via := w.between(rng, from, goal)
		first, ok1 := s.route(roadnet.Position{Segment: r.path[0], Ratio: r.from}, via, nil)
		if ok1 {
			if whole, ok2 := s.route(via, goal, first[:len(first)-1]); ok2 {
				r.path = whole
			}
		}
	}
	if rng.Float64() < p.Missed {
		r.path = w.missTurn(rng, s, r.path, goal)
	}
	if rng.Float64() < p.Return {
		r.path = w.turnBack(rng, s, r.path, goal)
	}
	return r, true
}

// between draws a place not far from the straight way.
func (w *world) between(rng *rand.Rand, from, to roadnet.Position) roadnet.Position {
	fx, fy := w.local(w.net.At(from))
	tx, ty := w.local(w.net.At(to))
	direct := math.Hypot(tx-fx, ty-fy)
	best, via := math.Inf(1), from
	for range tries {
		p := w.place(rng)
		x, y := w.local(w.net.At(p))
		if around := math.Hypot(x-fx, y-fy) + math.Hypot(tx-x, ty-y) - direct; around < best {
			best, via = around, p
		}
	}
	return via
}

// missTurn lets the driver go straight on where the path turns, and find the way
// from there; the path is as before where that cannot be.
func (w *world) missTurn(rng *rand.Rand, s *search, path []roadnet.SegmentID, to roadnet.Position) []roadnet.SegmentID {
	for range tries {
		k := rng.IntN(len(path))
		if k+1 >= len(path) || math.Abs(w.net.TurnAngle(path[k], path[k+1])) < 45 {
			continue
		}
		for _, on := range w.net.Next(path[k]) {
			if on == path[k+1] || math.Abs(w.net.TurnAngle(path[k], on)) > 40 || w.net.Component(on) != mainComponent {
				continue
			}
			if changed, ok := w.rejoin(s, path[:k+1], on, to); ok {
				return changed
			}
		}
	}
	return path
}

// turnBack lets the driver turn at the end of a segment and drive back.
func (w *world) turnBack(rng *rand.Rand, s *search, path []roadnet.SegmentID, to roadnet.Position) []roadnet.SegmentID {
	for range tries {
		k := rng.IntN(len(path))
		back, ok := w.net.Reverse(path[k])
		if k == 0 || !ok || !w.net.UTurnAllowed(path[k]) || w.net.Class(path[k]) < roadnet.Primary {
			continue
		}
		if changed, ok := w.rejoin(s, path[:k+1], back, to); ok {
			return changed
		}
	}
	return path
}

// rejoin goes on from the path driven so far over another segment to the goal.
func (w *world) rejoin(s *search, driven []roadnet.SegmentID, on roadnet.SegmentID, to roadnet.Position) ([]roadnet.SegmentID, bool) {
	changed := append([]roadnet.SegmentID(nil), driven...)
	changed, ok := s.route(roadnet.Position{Segment: on}, to, changed)
	return changed, ok && w.net.Drivable(changed)
}
