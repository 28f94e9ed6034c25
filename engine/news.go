package engine

import (
	"math"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// news is those samples of a trajectory that tell something new: a path is found by
// them, and the others are placed on it.
//
// A sample nearer to the last one that told something new than the receiver may err says
// nothing of the way (Newson and Krumm 2009), and misleads: positions of a vehicle that
// stands jump to and fro, as no vehicle drives. All that a stay tells is a place, which
// is the mean of its samples, and from when to when the vehicle was there.
type news struct {
	samples []trajectory.Sample
	places  []int // of these in the trajectory
}

// A vehicle that is at a place for so long is told of twice, when it comes and when it
// goes: what it does after is not done in the time that it stands.
const stayMillis = 10_000

// newsOf finds the samples that tell something new: those at least so many metres from
// the last, both ends, and those that something is known of. Duplicates tell nothing.
func newsOf(samples []trajectory.Sample, pins match.Pins, metres float64) news {
	n, latest := news{}, int64(math.MinInt64)
	for first := 0; first < len(samples); {
		if samples[first].Time <= latest { // a duplicate
			first++
			continue
		}
		last := first
		if metres > 0 && !pinned(pins, first) {
			last = stay(samples, pins, first, metres)
		}
		n.add(samples, first, last)
		latest = max(latest, samples[last].Time)
		first = last + 1
	}
	return n
}

// stay is the last of the samples from one on that lie near it.
func stay(samples []trajectory.Sample, pins match.Pins, first int, metres float64) int {
	a := roadnet.Point{Lon: samples[first].Lon, Lat: samples[first].Lat}
	last := first
	for i := first + 1; i < len(samples); i++ {
		s := samples[i]
		if s.Time <= samples[i-1].Time || pinned(pins, i) || roadnet.Distance(a, roadnet.Point{Lon: s.Lon, Lat: s.Lat}) >= metres {
			break
		}
		last = i
	}
	return last
}

func pinned(pins match.Pins, sample int) bool {
	for _, p := range pins {
		if p.Sample == sample {
			return true
		}
	}
	return false
}

// add tells of the samples from first to last, which lie near one another.
func (n *news) add(samples []trajectory.Sample, first, last int) {
	if first == last {
		n.put(first, samples[first])
		return
	}
	long := samples[last].Time-samples[first].Time >= stayMillis
	if !long && last+1 < len(samples) {
		n.put(first, samples[first])
		return
	}
	mean := samples[first]
	mean.Lon, mean.Lat = 0, 0
	for _, s := range samples[first : last+1] {
		mean.Lon += s.Lon / float64(last+1-first)
		mean.Lat += s.Lat / float64(last+1-first)
	}
	if long || first == 0 {
		n.put(first, mean)
	}
	mean.Time = samples[last].Time
	n.put(last, mean)
}

func (n *news) put(place int, s trajectory.Sample) {
	n.places, n.samples = append(n.places, place), append(n.samples, s)
}

// all reports whether every sample tells something new.
func (n *news) all(samples []trajectory.Sample) bool { return len(n.samples) == len(samples) }

// pins are those that are known of the samples, by their new numbers.
func (n *news) pins(known match.Pins) match.Pins {
	if len(known) == 0 {
		return nil
	}
	number := make(map[int]int, len(n.places))
	for i, at := range n.places {
		number[at] = i
	}
	var all match.Pins
	for _, p := range known {
		if at, ok := number[p.Sample]; ok {
			p.Sample = at
			all = append(all, p)
		}
	}
	return all
}

// spread turns what was found of the samples that tell something new into what was found
// of all. The others are passed, or left out as the one is that they lie near.
func (n *news) spread(samples []trajectory.Sample, res *match.Result) {
	matches := make([]trajectory.SampleMatch, len(samples))
	next, state, latest := 0, trajectory.Passed, int64(math.MinInt64)
	for i := range matches {
		if samples[i].Time <= latest {
			matches[i].State = trajectory.Duplicate
			continue
		}
		latest = samples[i].Time
		if next < len(n.places) && n.places[next] == i {
			matches[i] = res.Matches[next]
			if state = matches[i].State; state == trajectory.Matched {
				state = trajectory.Passed
			}
			next++
			continue
		}
		matches[i].State = state
	}
	res.Matches = matches
	for i := range res.Legs {
		l := &res.Legs[i]
		l.From, l.To = n.places[l.From], n.places[l.To]
	}
	for i := range res.Alternatives {
		a := &res.Alternatives[i]
		a.FromSample, a.ToSample = uint32(n.places[a.FromSample]), uint32(n.places[a.ToSample])
	}
}
