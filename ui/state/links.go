package state

import (
	"sort"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Link is how one segment was driven.
type Link struct {
	Segment roadnet.SegmentID
	Trips   int     // that drove on it
	Speed   float64 // mean over the drives, in m/s; 0 where it is not known
}

// Links counts the drives over each segment, by falling count.
func Links(net *roadnet.Network, recoveries []*trajectory.Recovery) []Link {
	sums := map[roadnet.SegmentID]*linkSum{}
	for trip, r := range recoveries {
		for p := range r.Parts {
			addPart(net, r, p, trip, sums)
		}
	}
	links := make([]Link, 0, len(sums))
	for s, sum := range sums {
		l := Link{Segment: s, Trips: sum.trips}
		if sum.seconds > 0 {
			l.Speed = sum.metres / sum.seconds
		}
		links = append(links, l)
	}
	sort.Slice(links, func(i, j int) bool {
		if links[i].Trips != links[j].Trips {
			return links[i].Trips > links[j].Trips
		}
		return links[i].Segment < links[j].Segment
	})
	return links
}

type linkSum struct {
	trips           int
	last            int // trip that was counted last, from 1
	metres, seconds float64
}

// addPart adds one part of a drive: the time on each segment follows from the
// ticks before and behind its ends.
func addPart(net *roadnet.Network, r *trajectory.Recovery, part, trip int, sums map[roadnet.SegmentID]*linkSum) {
	pace := paceOf(r.Ticks, int32(part))
	p := r.Parts[part]
	from := 0.0
	for i, s := range p.Segments {
		begin, end := roadnet.Driven(i, len(p.Segments), p.StartRatio, p.EndRatio)
		length := net.Length(s) * (end - begin)
		sum := sums[s]
		if sum == nil {
			sum = &linkSum{}
			sums[s] = sum
		}
		if sum.last != trip+1 {
			sum.trips, sum.last = sum.trips+1, trip+1
		}
		t0, ok0 := pace.at(from)
		t1, ok1 := pace.at(from + length)
		if ok0 && ok1 && t1 > t0 && length > 0 {
			sum.metres += length
			sum.seconds += t1 - t0
		}
		from += length
	}
}

// paces are the ticks of one part: when it was how far along.
type paces struct{ along, seconds []float64 }

func paceOf(ticks []trajectory.Tick, part int32) paces {
	var p paces
	for _, k := range ticks {
		if k.Part == part {
			p.along = append(p.along, k.Along)
			p.seconds = append(p.seconds, float64(k.Time)/1000)
		}
	}
	return p
}

// at is the time in seconds at which d metres were reached, within the ticks
// (a metre beyond is forgiven).
func (p paces) at(d float64) (float64, bool) {
	n := len(p.along)
	if n < 2 || d < p.along[0]-1 || d > p.along[n-1]+1 {
		return 0, false
	}
	i := sort.SearchFloat64s(p.along, d)
	if i == 0 {
		return p.seconds[0], true
	}
	if i == n {
		return p.seconds[n-1], true
	}
	step := p.along[i] - p.along[i-1]
	if step <= 0 {
		return p.seconds[i], true
	}
	return p.seconds[i-1] + (p.seconds[i]-p.seconds[i-1])*(d-p.along[i-1])/step, true
}
