package match

import (
	"math"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// candidates are the positions where a sample may be, the nearest first: at
// least one unless no road lies within the largest radius.
func (m *Matcher) candidates(sample int, s trajectory.Sample) []roadnet.Hit {
	p := roadnet.Point{Lon: s.Lon, Lat: s.Lat}
	if id, ok := m.pins.Pinned(sample); ok {
		return []roadnet.Hit{m.net.Project(p, id)}
	}
	for radius := m.set.Radius; ; radius = min(2*radius, m.set.MaxRadius) {
		m.hits = m.net.Near(p, radius, m.hits[:0])
		if hits := m.choose(sample, m.hits); len(hits) > 0 || radius >= m.set.MaxRadius {
			return hits
		}
	}
}

// choose copies the hits that become candidates. A hit at the very start of a
// segment is left out where the segment before is there too: its end is the
// same place, and every way on goes through it.
func (m *Matcher) choose(sample int, hits []roadnet.Hit) []roadnet.Hit {
	var chosen []roadnet.Hit
	for _, h := range hits {
		if h.Ratio > 0 || len(m.net.Prev(h.Segment)) == 0 {
			chosen = append(chosen, h)
		}
	}
	chosen = m.pins.Keep(sample, chosen)
	return chosen[:min(len(chosen), m.set.MaxCandidates):min(len(chosen), m.set.MaxCandidates)]
}

// degrees of freedom of the GPS error: a few metres mostly, now and then many.
const freedom = 4

// emission is the log probability density, but for a constant, of a sample so
// far from where the vehicle was.
func (m *Matcher) emission(distance float64) float64 {
	d := distance / m.set.Sigma
	return -(freedom + 1) / 2.0 * math.Log1p(d*d/freedom)
}
