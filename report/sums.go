package report

import (
	"cmp"
	"slices"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
)

// mostDoubts bounds the list of places in doubt.
const mostDoubts = 100

// sums are what is gathered over all trips.
type sums struct {
	trips, doubtful  int
	points, ticks    int
	reported, driven float64 // metres, of the lines between reported points and of the driven paths
	elevated         float64 // metres
	breaks, skipped  int
	spans, unsure    int
	doubts           int // of all trips
	warnings         int
	first, last      int64   // Unix milliseconds
	probability      float64 // summed over the ticks
	lowest           float64
	most             []doubt // the places most in doubt, by doubt
	kept             []kept  // the trips most in doubt, by doubt
}

// kept is a trip that is shown with pictures.
type kept struct {
	trip   Trip
	facts  facts.Facts
	doubts []doubt
	number int // in the order in which the trips came, from 1
	weight float64
}

// doubt is a place of a trip where a person should look.
type doubt struct {
	trip   string
	number int // of the trip
	what   string
	road   string
	at     roadnet.Point
	time   int64   // Unix milliseconds
	sure   float64 // how probable what is recovered there is; less than 0: nothing is
	span   int     // index of the span; -1: none
	tick   int     // index of the tick; -1: none
}

// doubtsOf lists the places of a trip where a person should look, the most
// doubtful first: breaks, then what is in doubt, then points that were left out.
func (w *Writer) doubtsOf(t Trip) []doubt {
	r := t.Recovery
	var list []doubt
	for i := 1; i < len(r.Ticks); i++ {
		if k := r.Ticks[i-1]; k.Part != r.Ticks[i].Part {
			list = append(list, w.at(t, k, i-1, w.words.say("no way was found from here: the path is broken"), -1))
		}
	}
	for _, d := range facts.Doubts(r) {
		if !d.Span {
			list = append(list, w.at(t, r.Ticks[d.Index], d.Index, w.words.say("a recovered point of low probability"), d.Sure))
			continue
		}
		s := r.Spans[d.Index]
		one := doubt{trip: r.Trajectory, what: w.words.say("deck or ground is in doubt"), road: w.words.spanRoad(s), time: s.Enter, sure: d.Sure, span: d.Index, tick: -1}
		if k := tickAt(r.Ticks, s.Enter); k >= 0 {
			one.at = roadnet.Point{Lon: r.Ticks[k].Lon, Lat: r.Ticks[k].Lat}
		}
		list = append(list, one)
	}
	list = append(list, w.leftOut(t)...)
	slices.SortStableFunc(list, func(a, b doubt) int { return cmp.Compare(a.rank(), b.rank()) })
	return list
}

// leftOut lists the reported points that recovery left out.
func (w *Writer) leftOut(t Trip) []doubt {
	var list []doubt
	for i, m := range t.Recovery.Matches {
		if i >= len(t.Trajectory.Samples) || m.State != trajectory.OffRoad && m.State != trajectory.Outlier {
			continue
		}
		s := t.Trajectory.Samples[i]
		what := "a reported point without a road near, left out"
		if m.State == trajectory.Outlier {
			what = "a reported point that no drive can pass in time, left out"
		}
		list = append(list, doubt{trip: t.Recovery.Trajectory, what: w.words.say(what), time: s.Time, at: roadnet.Point{Lon: s.Lon, Lat: s.Lat}, sure: -1, span: -1, tick: -1})
	}
	return list
}

// at is a doubt at a tick.
func (w *Writer) at(t Trip, k trajectory.Tick, index int, what string, sure float64) doubt {
	return doubt{trip: t.Recovery.Trajectory, what: what, road: w.words.road(w.net.Segment(k.At.Segment)), time: k.Time,
		at: roadnet.Point{Lon: k.Lon, Lat: k.Lat}, sure: sure, span: -1, tick: index}
}

// rank is the place of a doubt among others: breaks come first, points that were
// left out among what is half sure.
func (d doubt) rank() float64 {
	switch {
	case d.sure >= 0:
		return d.sure
	case d.tick >= 0:
		return -1
	}
	return 0.5
}

// tickAt is the first tick at or after an instant, else the last; -1: none.
func tickAt(ticks []trajectory.Tick, at int64) int {
	i, _ := slices.BinarySearchFunc(ticks, at, func(k trajectory.Tick, at int64) int { return cmp.Compare(k.Time, at) })
	return min(i, len(ticks)-1)
}

// add takes a trip into the sums; pictures is how many trips are kept to be shown.
func (s *sums) add(t Trip, f facts.Facts, doubts []doubt, pictures int) {
	s.trips++
	if len(doubts) > 0 {
		s.doubtful++
	}
	if s.trips == 1 {
		s.first, s.last, s.lowest = f.Start, f.End, 1
	}
	s.first, s.last = min(s.first, f.Start), max(s.last, f.End)
	s.points, s.ticks = s.points+f.Points, s.ticks+f.Ticks
	s.reported, s.driven, s.elevated = s.reported+f.Straight, s.driven+f.Length, s.elevated+f.Elevated
	s.breaks, s.skipped = s.breaks+f.Breaks, s.skipped+f.OffRoad+f.Outliers
	s.spans, s.unsure = s.spans+len(t.Recovery.Spans), s.unsure+f.Unsure
	s.doubts, s.warnings = s.doubts+len(doubts), s.warnings+len(t.Recovery.Warnings)
	s.probability += float64(f.Mean) * float64(f.Ticks)
	s.lowest = min(s.lowest, float64(f.Lowest))
	weight := 0.0
	for i := range doubts {
		doubts[i].number = s.trips
		weight += 1 - max(0, doubts[i].rank())
	}
	s.most = keepFirst(append(s.most, doubts...), mostDoubts, func(a, b doubt) int { return cmp.Compare(a.rank(), b.rank()) })
	one := kept{trip: t, facts: f, doubts: doubts, number: s.trips, weight: weight}
	s.kept = keepFirst(append(s.kept, one), max(1, pictures), func(a, b kept) int { return cmp.Compare(b.weight, a.weight) })
	if pictures == 0 && s.trips > 1 {
		s.kept = nil
	}
}

// keepFirst sorts a list and drops what is beyond a length.
func keepFirst[T any](list []T, most int, order func(a, b T) int) []T {
	slices.SortStableFunc(list, order)
	if len(list) <= most {
		return list
	}
	clear(list[most:])
	return list[:most]
}

// picked are the trips to be shown: in the order in which they came if these are
// all, else by doubt.
func (s *sums) picked() []kept {
	if len(s.kept) == s.trips {
		slices.SortFunc(s.kept, func(a, b kept) int { return a.number - b.number })
	}
	return s.kept
}
