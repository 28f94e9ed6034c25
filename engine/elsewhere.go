package engine

import (
	"math"
	"sort"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory/facts"
)

// elsewhere is where a vehicle may be at one instant of a part if it took another way
// through a gap than the one told. It can be filled anew and then uses its memory again.
type elsewhere struct {
	origin roadnet.Point // where the way told has it
	east   float64       // metres of a degree of longitude there
	doubt  float64       // about how far it is on its way, metres
	own    float64       // probability of the way told
	others []offset

	gap     int       // that lengths belong to, counted from 1; 0: none
	lengths []float64 // of the other ways, metres
}

// offset is a place in metres east and north of the origin, and how probable it is.
type offset struct{ x, y, probability float64 }

// The steps in which the least expected distance is sought, metres.
const farthestStep, nearestStep = 128.0, 4.0

// draw is the spot of a gap from which the vehicle is expected to be least far when the
// way told has it at s: the point estimate of least Bayes risk for a loss in metres,
// among the spots of that way. It is sought from s on, and not before some metres along
// the part, so that one instant after another gives spots that do not go back.
func (e *elsewhere) draw(net *roadnet.Network, t *timeline, s spot, from float64) spot {
	first, end := t.gapPieces(t.pieces[s.piece].gap)
	start, stop := t.edge(first, false).along, t.edge(end-1, true).along
	low := min(stop, max(start, from))
	best := max(s.along, low)
	if best == stop {
		return t.spotAt(best, first, end)
	}
	e.fill(net, t, s, (s.along-start)/(stop-start))
	least := e.expected(net, t.spotAt(best, first, end))
	for step := farthestStep; step >= nearestStep; {
		before := best
		for _, along := range [2]float64{max(low, before-step), min(stop, before+step)} {
			if d := e.expected(net, t.spotAt(along, first, end)); d < least {
				best, least = along, d
			}
		}
		if best == before {
			step /= 2
		}
	}
	if best == s.along {
		return s
	}
	return t.spotAt(best, first, end)
}

// fill finds where the vehicle may be on the other ways of a gap, when on the way told
// it is at s and has done so much of it, as a share: as much of theirs.
func (e *elsewhere) fill(net *roadnet.Network, t *timeline, s spot, done float64) {
	p := &t.pieces[s.piece]
	g := t.gaps[p.gap]
	if e.gap != p.gap+1 {
		e.gap, e.lengths = p.gap+1, e.lengths[:0]
		for _, w := range p.leg.Others {
			e.lengths = append(e.lengths, facts.PartLength(net, w.Part))
		}
	}
	e.origin, e.own, e.others = net.At(s.at), 1, e.others[:0]
	e.east = roadnet.Degree * math.Cos(e.origin.Lat*math.Pi/180)
	e.doubt = t.scale(p) / (g.end - g.begin) * g.length
	for i, w := range p.leg.Others {
		o := e.offset(net.At(facts.PartAt(net, w.Part, done*e.lengths[i])))
		o.probability = float64(w.Probability) * t.pace.Others
		e.own -= o.probability
		e.others = append(e.others, o)
	}
	e.own = max(0, e.own)
}

// expected is the distance at which the vehicle is expected from a spot, metres, up to
// what is the same for all spots.
func (e *elsewhere) expected(net *roadnet.Network, s spot) float64 {
	at := e.offset(net.At(s.at))
	doubt := e.doubt * e.doubt
	sum := e.own * math.Sqrt(at.x*at.x+at.y*at.y+doubt)
	for _, o := range e.others {
		x, y := at.x-o.x, at.y-o.y
		sum += o.probability * math.Sqrt(x*x+y*y+doubt)
	}
	return sum
}

// offset is where a point lies, on a plane that touches the earth at the origin.
func (e *elsewhere) offset(p roadnet.Point) offset {
	return offset{x: (p.Lon - e.origin.Lon) * e.east, y: (p.Lat - e.origin.Lat) * roadnet.Degree}
}

// spotAt is the spot of a gap, whose pieces are first to end, so many metres from the
// start of the part.
func (t *timeline) spotAt(along float64, first, end int) spot {
	i := first + sort.Search(end-1-first, func(i int) bool {
		p := &t.pieces[first+i]
		return p.along+p.length >= along
	})
	p := &t.pieces[i]
	s := t.edge(i, false)
	if done := along - p.along; done > 0 && p.length > 0 {
		s.at.Ratio, s.along = p.from+min(1, done/p.length)*(p.to-p.from), along
	}
	return s
}
