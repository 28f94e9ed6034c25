package match

import (
	"math"

	"retrace/engine/roadnet"
)

// What no vehicle drives, whatever else there is: so many metres, by which positions may
// be wrong, and what it would drive at a speed. On a way of more than so many times the
// straight one that is a lower speed, and so many times the free flow of its roads.
const (
	limitMetres  = 100.0
	limitSeconds = 10.0
	limitDetour  = 2.0
	limitSpeed   = 50.0 // m/s
	limitFlow    = 3.0
	// A way that turns back may be so much longer: the vehicle turned before the place
	// where the network says that one can, and its way was shorter.
	limitTurn = 600.0
)

// Impossible reports whether no vehicle drives a route between two samples so many metres
// and seconds apart in the time there is.
func (m *Matcher) Impossible(r roadnet.Route, straight, seconds float64) bool {
	return m.impossible(roadnet.Leg{Found: true, Length: r.Length, Time: r.Time}, r.Segments, straight, seconds)
}

func (m *Matcher) impossible(leg roadnet.Leg, path []roadnet.SegmentID, straight, seconds float64) bool {
	switch {
	case leg.Length <= limitMetres:
		return false
	case m.tooFast(leg, straight, seconds):
		return leg.Length > limitTurn || !m.turnsBack(path)
	}
	return false
}

func (m *Matcher) tooFast(leg roadnet.Leg, straight, seconds float64) bool {
	switch {
	case leg.Length > limitMetres+m.set.MaxSpeed*seconds:
		return true
	case leg.Length <= limitDetour*straight:
		return false
	}
	return leg.Length > limitMetres+limitSpeed*seconds || !m.uniform && leg.Time > limitSeconds+limitFlow*seconds
}

func (m *Matcher) turnsBack(path []roadnet.SegmentID) bool {
	for i := 1; i < len(path); i++ {
		if back, ok := m.net.Reverse(path[i-1]); ok && back == path[i] {
			return true
		}
	}
	return false
}

// limit is the score of a pair of which the route is known: -Inf where it is impossible,
// and then the link remembers how fast the slowest of such routes would be.
func (m *Matcher) limit(l *link, leg roadnet.Leg, path []roadnet.SegmentID, a, b *layer, i, j int) float64 {
	gap := seconds(a, b)
	if !l.tooFast && m.impossible(leg, path, roadnet.Distance(a.place, b.place), gap) {
		if speed := leg.Length / gap; l.slowest == 0 || speed < l.slowest {
			l.slowest = speed
		}
		return math.Inf(-1)
	}
	return m.transition(leg, a, b, i, j)
}
