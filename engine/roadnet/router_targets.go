package roadnet

import "math"

// targetIndex finds the targets of a search on a segment.
type targetIndex struct {
	generation []uint32 // by segment: of the search that first is valid for
	first      []int32  // by segment: its first target
	next       []int32  // by target: the next one on the same segment, or none
}

const none = -1

func newTargetIndex(segments int) targetIndex {
	return targetIndex{generation: make([]uint32, segments), first: make([]int32, segments)}
}

func (x *targetIndex) fill(generation uint32, to []Position) {
	x.next = x.next[:0]
	for i, p := range to {
		x.next = append(x.next, x.on(generation, p.Segment))
		x.generation[p.Segment], x.first[p.Segment] = generation, int32(i)
	}
}

// on is the first target on a segment, or none.
func (x *targetIndex) on(generation uint32, id SegmentID) int32 {
	if x.generation[id] != generation {
		return none
	}
	return x.first[id]
}

// aim is the disc that holds all targets of a search. No route can be cheaper
// than the straight way to the disc, which tells the search where to look first.
type aim struct {
	lon, lat     float64 // centre, degrees
	metresLon    float64 // metres in a degree of longitude there
	radius       float64 // metres
	costPerMetre float64 // at least
}

// A flat map errs by less than this over the distances of one gap.
const flatness = 0.995

func aimAt(places []Point, costPerMetre float64) aim {
	var a aim
	for _, p := range places {
		a.lon += (places[0].Lon + eastward(places[0].Lon, p.Lon)) / float64(len(places))
		a.lat += p.Lat / float64(len(places))
	}
	a.metresLon = Degree * math.Cos(a.lat*math.Pi/180)
	for _, p := range places {
		a.radius = max(a.radius, a.distance(p))
	}
	a.costPerMetre = costPerMetre * flatness
	return a
}

func (a aim) distance(p Point) float64 {
	x, y := eastward(a.lon, p.Lon)*a.metresLon, (p.Lat-a.lat)*Degree
	return math.Sqrt(x*x + y*y)
}

// eastward is by how many degrees one longitude lies east of another, the short way
// round the earth.
func eastward(from, to float64) float64 {
	d := to - from
	switch {
	case d > 180:
		return d - 360
	case d < -180:
		return d + 360
	}
	return d
}

// toCome is the least cost from p to any target.
func (a aim) toCome(p Point) float64 {
	return max(0, a.distance(p)-a.radius) * a.costPerMetre
}
