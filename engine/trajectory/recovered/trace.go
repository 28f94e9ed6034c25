package recovered

import (
	"errors"
	"math"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// nearby is how far a place may be written from its segment, metres: places have
// 7 digits.
const nearby = 0.05

// backwards is how far a vehicle may seem to roll back between two pieces,
// metres.
const backwards = 1

// tooShort is the length in metres under which the first and the last piece of a
// path, which may be any part of a whole one, do not show their direction.
const tooShort = 0.2

// trace finds the segments that a line of vertices was drawn from.
func trace(net *roadnet.Network, line []roadnet.Point) (trajectory.Part, error) {
	t := tracer{net: net}
	for i := 1; i < len(line); i++ {
		if math.Abs(line[i].Lon-line[i-1].Lon) > 180 {
			continue // the two sides of the 180th meridian, where a road is cut
		}
		atEnd := i == 1 || i == len(line)-1
		if atEnd && len(line) > 2 && metres(line[i-1], line[i]) < tooShort {
			continue
		}
		if !t.step(line[i-1], line[i]) {
			return t.part, errors.New("it does not run along the roads of this network")
		}
	}
	if len(t.part.Segments) == 0 && !t.stands(line) {
		return t.part, errors.New("it has no line")
	}
	return t.part, nil
}

// stands takes a line too short to show a direction for a place on the nearest segment.
func (t *tracer) stands(line []roadnet.Point) bool {
	if len(line) == 0 {
		return false
	}
	t.hits = t.net.Near(line[0], nearby, t.hits[:0])
	if len(t.hits) == 0 {
		return false
	}
	at := t.hits[0].Position
	t.part = trajectory.Part{Segments: []roadnet.SegmentID{at.Segment}, StartRatio: at.Ratio, EndRatio: at.Ratio}
	return true
}

// tracer follows a line from piece to piece.
type tracer struct {
	net  *roadnet.Network
	part trajectory.Part
	hits []roadnet.Hit
}

// step goes on from a to b, two neighbouring places of one segment. Of several
// segments at one place, the one driven on is taken, else one that follows it.
func (t *tracer) step(a, b roadnet.Point) bool {
	middle := roadnet.Point{Lon: (a.Lon + b.Lon) / 2, Lat: (a.Lat + b.Lat) / 2}
	t.hits = t.net.Near(middle, nearby, t.hits[:0])
	best, from, to := -1, 0.0, 0.0
	rank := 0
	for i, hit := range t.hits {
		start, end, ok := t.piece(hit.Segment, a, b)
		if !ok {
			continue
		}
		if r := t.rank(hit.Segment, start); r > rank {
			best, rank, from, to = i, r, start, end
		}
	}
	if best < 0 {
		return false
	}
	id := t.hits[best].Segment
	if rank < goesOn {
		t.part.Segments = append(t.part.Segments, id)
	}
	if len(t.part.Segments) == 1 && rank < goesOn {
		t.part.StartRatio = from
	}
	t.part.EndRatio = to
	return true
}

// piece is where on a segment the straight piece from a to b lies; false where
// it does not. The one node of a closed segment is its start and its end.
func (t *tracer) piece(id roadnet.SegmentID, a, b roadnet.Point) (from, to float64, ok bool) {
	start, end := t.net.Project(a, id), t.net.Project(b, id)
	if start.Distance > nearby || end.Distance > nearby {
		return 0, 0, false
	}
	from, to = start.Ratio, end.Ratio
	const touch = 1e-6
	if from > to && from > 1-touch {
		from = 0
	}
	if from > to && to < touch {
		to = 1
	}
	length := metres(a, b)
	return from, to, math.Abs((to-from)*t.net.Length(id)-length) < 0.1+0.02*length
}

// goesOn is the rank of the segment driven on.
const goesOn = 3

// rank says how well a segment goes on from the last one: 3 it is the same, 2
// it follows, 1 it does neither.
func (t *tracer) rank(id roadnet.SegmentID, from float64) int {
	n := len(t.part.Segments)
	if n == 0 {
		return 1
	}
	last := t.part.Segments[n-1]
	if id == last && from*t.net.Length(id) > t.part.EndRatio*t.net.Length(id)-backwards {
		return goesOn
	}
	for _, next := range t.net.Next(last) {
		if next == id {
			return 2
		}
	}
	if back, ok := t.net.Reverse(last); ok && back == id {
		return 2
	}
	return 1
}

// ruler measures how far along a part positions lie that are asked for in the
// order of driving.
type ruler struct {
	net   *roadnet.Network
	part  trajectory.Part
	index int     // of the segment of the last position
	start float64 // of that segment, metres from the start of the part
	along float64 // of the last position
}

func newRuler(net *roadnet.Network, p trajectory.Part) *ruler {
	return &ruler{net: net, part: p, start: -p.StartRatio * net.Length(p.Segments[0])}
}

// next is how far along a position lies; where the part does not come by it any
// more, it is where the last one was.
func (r *ruler) next(at roadnet.Position) float64 {
	start := r.start
	for i := r.index; i < len(r.part.Segments); i++ {
		length := r.net.Length(r.part.Segments[i])
		along := start + at.Ratio*length
		if r.part.Segments[i] == at.Segment && along >= r.along-backwards {
			r.index, r.start, r.along = i, start, max(along, r.along)
			return r.along
		}
		start += length
	}
	return r.along
}

// skipTo goes on to the segment at a metre of the part.
func (r *ruler) skipTo(along float64) {
	for r.index+1 < len(r.part.Segments) {
		length := r.net.Length(r.part.Segments[r.index])
		if r.start+length >= along {
			return
		}
		r.start += length
		r.index++
	}
}
