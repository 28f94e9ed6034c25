package mapcheck

import (
	"math"
	"slices"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

const (
	nearRoad     = 20.0 // metres from a road within which a sample may be on it
	longestPause = 30.0 // seconds between two samples of which both tell where a vehicle drove
	slowest      = 1.5  // m/s: slower, noise says where a vehicle goes
	alongAngle   = 60.0 // degrees between driving and road within which a vehicle drives along it
	againstAngle = 150.0
	fewestSteps  = 3    // from one sample to the next
	shortest     = 50.0 // metres
)

// against counts the trips that drove against each one-way road, by OSM way.
type against struct {
	trips int
	ways  map[int64]*wrongWay
	hits  []roadnet.Hit
}

type wrongWay struct {
	said
	road   roadnet.SegmentID
	line   []roadnet.Point
	length float64
}

func newAgainst() against { return against{ways: map[int64]*wrongWay{}} }

// add looks at each step of a trip from one sample to the next. A step is against a
// one-way road where that is near and no road near can be driven in the direction of
// the step.
func (a *against) add(net *roadnet.Network, id string, samples []trajectory.Sample) {
	a.trips++
	var line []roadnet.Point
	var roads []roadnet.SegmentID
	flush := func() {
		a.count(net, id, line, roads)
		line, roads = nil, nil
	}
	for i := 1; i < len(samples); i++ {
		from, to := samples[i-1], samples[i]
		road, ok := a.wrong(net, from, to)
		if !ok {
			flush()
			continue
		}
		if len(line) == 0 {
			line = append(line, pointOf(from))
		}
		line, roads = append(line, pointOf(to)), append(roads, road)
	}
	flush()
}

// count counts a trip for the one-way roads that it drove against for long enough.
func (a *against) count(net *roadnet.Network, id string, line []roadnet.Point, roads []roadnet.SegmentID) {
	length := lengthOf(line)
	if len(roads) < fewestSteps || length < shortest {
		return
	}
	for _, road := range roads {
		way := net.Segment(road).Way
		w := a.ways[way]
		if w == nil {
			w = &wrongWay{}
			a.ways[way] = w
		}
		w.add(a.trips, id)
		if length > w.length {
			w.road, w.line, w.length = road, slices.Clone(line), length
		}
	}
}

// wrong is the one-way road that a step is driven against.
func (a *against) wrong(net *roadnet.Network, from, to trajectory.Sample) (roadnet.SegmentID, bool) {
	p, q := pointOf(from), pointOf(to)
	seconds, metres := float64(to.Time-from.Time)/1000, roadnet.Distance(p, q)
	if seconds <= 0 || seconds > longestPause || metres < slowest*seconds || metres < 5 {
		return 0, false
	}
	middle := roadnet.Point{Lon: (p.Lon + q.Lon) / 2, Lat: (p.Lat + q.Lat) / 2}
	driven := bearing(p, q)
	a.hits = net.Near(middle, nearRoad, a.hits[:0])
	var road roadnet.SegmentID
	found := false
	for _, h := range a.hits {
		angle := apart(net.Heading(h.Position), driven)
		if angle <= alongAngle {
			return 0, false
		}
		if angle >= againstAngle && !found {
			road, found = h.Segment, true
		}
	}
	return road, found
}

// bearing is the direction from one point to another near it, degrees clockwise from
// north.
func bearing(a, b roadnet.Point) float64 {
	east := (b.Lon - a.Lon) * math.Cos(a.Lat*math.Pi/180)
	return math.Mod(math.Atan2(east, b.Lat-a.Lat)*180/math.Pi+360, 360)
}

// apart is the angle between two directions, 0 to 180 degrees.
func apart(a, b float64) float64 {
	d := math.Abs(math.Mod(a-b, 360))
	return math.Min(d, 360-d)
}

func (a *against) findings(least int) []Finding {
	var all []Finding
	for _, w := range a.ways {
		if w.trips >= least {
			road := w.road
			all = append(all, Finding{Kind: AgainstOneWay, Trips: w.trips, Some: w.some, Line: w.line, Length: w.length, Road: &road})
		}
	}
	return all
}
