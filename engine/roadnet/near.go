package roadnet

import (
	"cmp"
	"math"
	"slices"
)

// Near appends every segment within radius metres of p with its nearest
// position, the nearest first; both segments of a two-way road are there.
func (n *Network) Near(p Point, radius float64, buf []Hit) []Hit {
	const turn = 3_600_000_000 // 360 degrees
	first := len(buf)
	at := placeOf(p)
	around := boxWithin(at, radius)
	buf = n.nearAt(at, around, radius, buf)
	// Roads on the other side of the 180th meridian.
	west, east := around.minLon < -turn/2, around.maxLon > turn/2
	if west != east {
		at.lon += turn
		if east {
			at.lon -= 2 * turn
		}
		buf = n.nearAt(at, boxWithin(at, radius), radius, buf)
	}
	slices.SortFunc(buf[first:], func(a, b Hit) int {
		if a.Distance != b.Distance {
			return cmp.Compare(a.Distance, b.Distance)
		}
		return cmp.Compare(a.Segment, b.Segment)
	})
	return buf
}

// nearAt appends the segments within radius metres of a place, in any order.
func (n *Network) nearAt(at place, around box, radius float64, buf []Hit) []Hit {
	f := frameAt(at)
	// The frame is a little off at a distance: what it finds just outside is
	// measured too.
	square := radius * radius * 1.01
	n.linesIn(around, func(l LineID) bool {
		ft := n.foot(f, l)
		if ft.square > square {
			return true
		}
		distance := n.distance(f, ft)
		if distance > radius {
			return true
		}
		h := n.lineHit(f, l, ft, distance)
		h.Segment = SegmentID(n.lineSeg[l])
		direction := Direction(n.lineDir[l])
		if direction != Backward {
			buf = append(buf, h)
		}
		if direction == BothWays {
			h.Segment++
		}
		if direction != Forward {
			buf = append(buf, reverseHit(h))
		}
		return true
	})
	return buf
}

// boxWithin is a box that holds all within radius metres of a place.
func boxWithin(at place, radius float64) box {
	const slack = 1.001
	dLat := radius * slack / (EarthRadius * unit)
	dLon := math.Inf(1)
	if polar := math.Abs(at.lat) + dLat; polar < 900_000_000 {
		dLon = dLat / math.Cos(polar*unit)
	}
	return boxAround(at.lon-dLon, at.lat-dLat, at.lon+dLon, at.lat+dLat)
}
