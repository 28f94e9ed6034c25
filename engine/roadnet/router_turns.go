package roadnet

import "math"

// turns holds the directions in which segments begin and end.
type turns struct{ begin, end []direction }

// direction is a unit vector, east and north.
type direction struct{ x, y float32 }

func newTurns(n *Network) turns {
	t := turns{make([]direction, n.NumSegments()), make([]direction, n.NumSegments())}
	for id := range SegmentID(n.NumSegments()) {
		line, reversed := n.LineOf(id)
		c := n.LineCoords(line)
		first, last := directionOf(c[0], c[1]), directionOf(c[len(c)-2], c[len(c)-1])
		if reversed {
			first, last = direction{-last.x, -last.y}, direction{-first.x, -first.y}
		}
		t.begin[id], t.end[id] = first, last
	}
	return t
}

func directionOf(a, b Coord) direction {
	x := float64(b.Lon-a.Lon) * math.Cos(float64(a.Lat)*1e-7*math.Pi/180)
	y := float64(b.Lat - a.Lat)
	length := math.Hypot(x, y)
	return direction{float32(x / length), float32(y / length)}
}

// sharpness of a turn: 0 straight on, 1 at a right angle, 2 straight back.
func (t *turns) sharpness(from, to SegmentID) float64 {
	a, b := t.end[from], t.begin[to]
	return 1 - float64(a.x*b.x+a.y*b.y)
}
