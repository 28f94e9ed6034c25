package clean

import (
	"cmp"
	"math"
	"slices"
	"time"

	"retrace/engine/trajectory"
)

// order sees to samples that go back in time: they are put in order, or left
// out.
func (r Rules) order(samples []trajectory.Sample, t teller) []trajectory.Sample {
	byTime := func(a, b trajectory.Sample) int { return cmp.Compare(a.Time, b.Time) }
	if slices.IsSortedFunc(samples, byTime) {
		return samples
	}
	if !r.DropBackwards {
		slices.SortStableFunc(samples, byTime)
		if t != nil {
			t(Change{Rule: Backwards, Reason: "not in order of time, sorted", Kept: true})
		}
		return samples
	}
	last := int64(math.MinInt64)
	return filter(samples, func(s trajectory.Sample) bool {
		if s.Time < last {
			return false
		}
		last = s.Time
		return true
	}, Backwards, "time goes backwards, left out", t)
}

// duplicates keeps the first sample of each instant.
func duplicates(samples []trajectory.Sample, t teller) []trajectory.Sample {
	kept := samples[:0]
	for _, s := range samples {
		if n := len(kept); n > 0 && kept[n-1].Time == s.Time {
			t.tell(Duplicates, "the same instant as the sample before, left out", s, false)
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

// settled is how many samples in a row must agree on a place far away before it
// is believed that the vehicle is there.
const settled = 3

// jumps leaves out samples that need more than a speed, m/s, to be reached. Where
// the samples stay far away, it is not they that are wrong: the trajectory is cut.
func jumps(samples []trajectory.Sample, speed float64, t teller) [][]trajectory.Sample {
	var pieces [][]trajectory.Sample
	var piece, far []trajectory.Sample
	drop := func() {
		for _, s := range far {
			t.tell(Jumps, "cannot be reached in the time, left out", s, false)
		}
		far = far[:0]
	}
	for _, s := range samples {
		switch {
		case len(piece) == 0, reachable(piece[len(piece)-1], s, speed):
			drop()
			piece = append(piece, s)
			continue
		case len(far) > 0 && !reachable(far[len(far)-1], s, speed):
			drop()
		}
		if far = append(far, s); len(far) < settled {
			continue
		}
		t.tell(Jumps, "cannot be reached in the time, cut", far[0], true)
		pieces = append(pieces, piece)
		piece, far = slices.Clone(far), far[:0]
	}
	drop()
	return append(pieces, piece)
}

// jitter is how far a position may be off without being a jump, metres.
const jitter = 50

func reachable(a, b trajectory.Sample, speed float64) bool {
	return metres(a, b) <= speed*float64(b.Time-a.Time)/1000+jitter
}

// unusual is how many times as long as is usual in a trip no sample came where it is cut:
// one that is reported once an hour has no hole in it.
const unusual = 5

// gaps cuts where no sample came for longer than a time and, where nobody asked for just
// that time, than is usual in the trip.
func gaps(samples []trajectory.Sample, gap time.Duration, t teller) [][]trajectory.Sample {
	if gap == Default().Gap {
		gap = max(gap, unusual*usual(samples))
	}
	var pieces [][]trajectory.Sample
	begin := 0
	for i := 1; i < len(samples); i++ {
		if samples[i].Time-samples[i-1].Time > gap.Milliseconds() {
			t.tell(Gaps, "no sample for long, cut", samples[i], true)
			pieces = append(pieces, samples[begin:i:i])
			begin = i
		}
	}
	return append(pieces, samples[begin:])
}

// usual is the median of the times between samples.
func usual(samples []trajectory.Sample) time.Duration {
	if len(samples) < 2 {
		return 0
	}
	all := make([]int64, len(samples)-1)
	for i := range all {
		all[i] = samples[i+1].Time - samples[i].Time
	}
	slices.Sort(all)
	return time.Duration(all[(len(all)-1)/2]) * time.Millisecond
}

// stops cuts where the vehicle stayed at a place for longer than a time: one
// trip ends where it arrived, the next begins where it left. The samples between
// are left out.
func (r Rules) stops(samples []trajectory.Sample, t teller) [][]trajectory.Sample {
	radius := r.StopRadius
	if radius == 0 {
		radius = 100
	}
	var pieces [][]trajectory.Sample
	begin := 0
	for i := 0; i < len(samples); {
		last := stay(samples, i, radius)
		if samples[last].Time-samples[i].Time <= r.Stop.Milliseconds() {
			i++
			continue
		}
		for _, s := range samples[i+1 : last] {
			t.tell(Stops, "stands at a long stop, left out", s, false)
		}
		t.tell(Stops, "stands for long, cut", samples[last], true)
		pieces = append(pieces, samples[begin:i+1:i+1])
		begin, i = last, last+1
	}
	return append(pieces, samples[begin:])
}

// stay is the last of the samples in a row that lie within a radius of one.
func stay(samples []trajectory.Sample, first int, radius float64) int {
	last := first
	for last+1 < len(samples) && metres(samples[first], samples[last+1]) <= radius {
		last++
	}
	return last
}

// standing keeps the first and the last of samples in a row that lie within a
// radius of the first.
func standing(samples []trajectory.Sample, radius float64, t teller) []trajectory.Sample {
	kept := samples[:0]
	for i := 0; i < len(samples); {
		last := stay(samples, i, radius)
		first := samples[i]
		for _, s := range samples[i+1 : max(last, i+1)] {
			t.tell(Standing, "stands still, left out", s, false)
		}
		end := samples[last]
		kept = append(kept, first)
		if last > i {
			kept = append(kept, end)
		}
		i = last + 1
	}
	return kept
}

// metres is the distance between two samples on a sphere.
func metres(a, b trajectory.Sample) float64 {
	const radius, rad = 6371008.8, math.Pi / 180
	lat := math.Sin((b.Lat - a.Lat) * rad / 2)
	lon := math.Sin((b.Lon - a.Lon) * rad / 2)
	h := lat*lat + math.Cos(a.Lat*rad)*math.Cos(b.Lat*rad)*lon*lon
	return 2 * radius * math.Asin(math.Sqrt(min(1, h)))
}
