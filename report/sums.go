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
	judged, risky    int     // trips whose risk is known, and gaps that a person should look at
	wrong            float64 // trips that are expected to be wrong
	off              float64 // metres, expected errors summed over the trips
	most             []doubt // the places of the highest risk, by that
	kept             []kept  // the trips of the highest risk, by that
}

// kept is a trip that is shown with pictures.
type kept struct {
	trip   Trip
	facts  facts.Facts
	doubts []doubt
	number int // in the order in which the trips came, from 1
}

// doubt is a place of a trip where a person should look.
type doubt struct {
	trip   string
	number int // of the trip
	what   string
	road   string
	at     roadnet.Point
	time   int64   // Unix milliseconds
	risk   float64 // 0 to 1, that what is recovered there is wrong
	off    float64 // metres, expected error; 0: not known
	span   int     // index of the span; -1: none
	tick   int     // index of the tick; -1: none
}

// doubtsOf lists the places of a trip where a person should look, those of the highest
// risk first: the same as the window does.
func (w *Writer) doubtsOf(t Trip) []doubt {
	r := t.Recovery
	var list []doubt
	for _, d := range facts.Doubts(r) {
		if !d.Span {
			k := r.Ticks[d.Tick]
			list = append(list, doubt{trip: r.Trajectory, what: w.words.inDoubt(d), road: w.words.road(w.net.Segment(k.At.Segment)), time: k.Time,
				at: roadnet.Point{Lon: k.Lon, Lat: k.Lat}, risk: d.Risk, off: d.Error, span: -1, tick: d.Tick})
			continue
		}
		s := r.Spans[d.Index]
		one := doubt{trip: r.Trajectory, what: w.words.say("deck or ground is in doubt"), road: w.words.spanRoad(s), time: s.Enter, risk: d.Risk, span: d.Index, tick: -1}
		if k := tickAt(r.Ticks, s.Enter); k >= 0 {
			one.at = roadnet.Point{Lon: r.Ticks[k].Lon, Lat: r.Ticks[k].Lat}
		}
		list = append(list, one)
	}
	slices.SortStableFunc(list, riskier)
	return list
}

// riskier compares places by their risk, the highest first.
func riskier(a, b doubt) int { return cmp.Compare(b.risk, a.risk) }

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
		s.first, s.last = f.Start, f.End
	}
	s.first, s.last = min(s.first, f.Start), max(s.last, f.End)
	s.points, s.ticks = s.points+f.Points, s.ticks+f.Ticks
	s.reported, s.driven, s.elevated = s.reported+f.Straight, s.driven+f.Length, s.elevated+f.Elevated
	s.breaks, s.skipped = s.breaks+f.Breaks, s.skipped+f.OffRoad+f.Outliers
	s.spans, s.unsure = s.spans+len(t.Recovery.Spans), s.unsure+f.Unsure
	s.doubts, s.warnings = s.doubts+len(doubts), s.warnings+len(t.Recovery.Warnings)
	s.risky += f.Risky
	if f.Judged {
		s.judged++
		s.wrong, s.off = s.wrong+float64(f.Risk), s.off+float64(f.Error)
	}
	for i := range doubts {
		doubts[i].number = s.trips
	}
	s.most = keepFirst(append(s.most, doubts...), mostDoubts, riskier)
	one := kept{trip: t, facts: f, doubts: doubts, number: s.trips}
	s.kept = keepFirst(append(s.kept, one), max(1, pictures), func(a, b kept) int { return cmp.Compare(b.facts.Risk, a.facts.Risk) })
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
// all, else by risk.
func (s *sums) picked() []kept {
	if len(s.kept) == s.trips {
		slices.SortFunc(s.kept, func(a, b kept) int { return a.number - b.number })
	}
	return s.kept
}
