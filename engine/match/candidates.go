package match

import (
	"cmp"
	"math"
	"slices"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// candidates are the positions where a sample may be, the nearest first: at
// least one unless no road lies within the largest radius. Before are those of the
// sample before.
func (m *Matcher) candidates(sample int, s trajectory.Sample, before []roadnet.Hit) []roadnet.Hit {
	p := roadnet.Point{Lon: s.Lon, Lat: s.Lat}
	if id, ok := m.pins.Pinned(sample); ok {
		return []roadnet.Hit{m.net.Project(p, id)}
	}
	for radius := m.set.Radius; ; radius = min(2*radius, m.set.MaxRadius) {
		m.hits = m.net.Near(p, radius, m.hits[:0])
		if hits := m.choose(sample, m.hits, before); len(hits) > 0 || radius >= m.set.MaxRadius {
			return hits
		}
	}
}

// choose copies the hits that become candidates. A hit at the very start of a
// segment is left out where the segment before is there too: its end is the
// same place, and every way on goes through it. But it is one where the sample before
// may lie a little further along the segment: a vehicle that stands there seems to have
// come back over the junction, as positions jump, and no vehicle turns for that.
func (m *Matcher) choose(sample int, hits, before []roadnet.Hit) []roadnet.Hit {
	var chosen, starts []roadnet.Hit
	for _, h := range hits {
		switch {
		case h.Ratio > 0 || len(m.net.Prev(h.Segment)) == 0:
			chosen = append(chosen, h)
		case m.justPassed(h.Segment, before):
			starts = append(starts, h)
		}
	}
	chosen = m.pins.Keep(sample, chosen)
	chosen = append(chosen[:min(len(chosen), m.set.MaxCandidates)], m.pins.Keep(sample, starts)...)
	slices.SortStableFunc(chosen, func(a, b roadnet.Hit) int { return cmp.Compare(a.Distance, b.Distance) })
	return slices.Clip(chosen)
}

// justPassed reports whether one of some hits lies so near to the start of a segment that
// a step back to it counts as standing still.
func (m *Matcher) justPassed(id roadnet.SegmentID, before []roadnet.Hit) bool {
	for _, h := range before {
		if h.Segment == id {
			return h.Ratio > 0 && h.Ratio*m.net.Length(id) <= m.set.Back
		}
	}
	return false
}

// degrees of freedom of the GPS error: a few metres mostly, now and then many.
const freedom = 4

// emission is the log probability density, but for a constant, of a sample so
// far from where the vehicle was.
func (m *Matcher) emission(distance float64) float64 {
	d := distance / m.set.Sigma
	return -(freedom + 1) / 2.0 * math.Log1p(d*d/freedom)
}
