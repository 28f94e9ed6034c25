package roadnet

import "math"

// turns is what a search asks at every junction: where and in which directions
// segments begin and end, and where turning back leads.
type turns struct {
	begin []beginning
	end   []ending
}

// beginning is how a segment begins.
type beginning struct {
	direction
	at Coord
}

// ending is how a segment ends.
type ending struct {
	direction
	back SegmentID // that follows it where a car turns back; itself: none may
}

// direction is a unit vector, east and north.
type direction struct{ x, y float32 }

// makeTurns finds how segments begin and end.
func (n *Network) makeTurns() *turns {
	t := &turns{make([]beginning, n.NumSegments()), make([]ending, n.NumSegments())}
	parallel(n.NumSegments(), func(lo, hi int) {
		for id := SegmentID(lo); id < SegmentID(hi); id++ {
			line, reversed := n.LineOf(id)
			c := n.LineCoords(line)
			first, last, at := directionOf(c[0], c[1]), directionOf(c[len(c)-2], c[len(c)-1]), c[0]
			if reversed {
				first, last, at = direction{-last.x, -last.y}, direction{-first.x, -first.y}, c[len(c)-1]
			}
			t.begin[id], t.end[id] = beginning{first, at}, ending{last, id}
			if n.UTurnAllowed(id) {
				t.end[id].back, _ = n.Reverse(id)
			}
		}
	})
	return t
}

func directionOf(a, b Coord) direction {
	x := float64(b.Lon-a.Lon) * math.Cos(float64(a.Lat)*1e-7*math.Pi/180)
	y := float64(b.Lat - a.Lat)
	length := math.Hypot(x, y)
	return direction{float32(x / length), float32(y / length)}
}

// sharpness of a turn: 0 straight on, 1 at a right angle, 2 straight back.
func sharpness(a, b direction) float64 { return 1 - float64(a.x*b.x+a.y*b.y) }
