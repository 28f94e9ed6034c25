package match

import (
	"math"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Pin is what a person knows of one sample: it lies on a segment, or not.
type Pin struct {
	Sample  int // index into Trajectory.Samples
	Segment roadnet.SegmentID
	Forbid  bool // the sample does not lie on the segment
}

// candidates are the positions where a sample may be, the nearest first: at
// least one unless no road lies within the largest radius.
func (m *Matcher) candidates(s trajectory.Sample, pins []Pin) []roadnet.Hit {
	p := roadnet.Point{Lon: s.Lon, Lat: s.Lat}
	for _, pin := range pins {
		if !pin.Forbid {
			return []roadnet.Hit{m.net.Project(p, pin.Segment)}
		}
	}
	for radius := m.set.Radius; ; radius = min(2*radius, m.set.MaxRadius) {
		m.hits = m.net.Near(p, radius, m.hits[:0])
		if hits := m.choose(m.hits, pins); len(hits) > 0 || radius >= m.set.MaxRadius {
			return hits
		}
	}
}

// choose copies the hits that become candidates. A hit at the very start of a
// segment is left out where the segment before is there too: its end is the
// same place, and every way on goes through it.
func (m *Matcher) choose(hits []roadnet.Hit, pins []Pin) []roadnet.Hit {
	var chosen []roadnet.Hit
	for _, h := range hits {
		if len(chosen) == m.set.MaxCandidates {
			break
		}
		if h.Ratio == 0 && len(m.net.Prev(h.Segment)) > 0 || forbidden(h.Segment, pins) {
			continue
		}
		chosen = append(chosen, h)
	}
	return chosen
}

func forbidden(id roadnet.SegmentID, pins []Pin) bool {
	for _, pin := range pins {
		if pin.Segment == id {
			return true
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
