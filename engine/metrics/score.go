package metrics

import (
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Point is how far off one tick is.
type Point struct {
	Time        int64   // Unix milliseconds
	Observed    bool    // the method was given a sample of this instant
	Missing     bool    // the recovery has no tick here; the distances are those for that
	Right       bool    // on the right segment
	Probability float64 // of being there, as the recovery says
	Network     float64
	Great       float64
	Class       roadnet.Class // of the true segment
	Gap         float64       // seconds between the observations around it
	Since       float64       // seconds since the last observation
	Near        bool          // the vehicle is on or near an elevated road
	DeckRight   bool          // on the deck, on the ground or below as in truth
	Stacked     bool          // on a deck or below one, in truth and as the recovery says
	Margin      float64       // of the deck, as the recovery says

	truth, got roadnet.SegmentID
}

// Score is what a recovery of one trip is worth.
type Score struct {
	Trajectory string
	Points     []Point
	Gaps       []GapScore
	Said       trajectory.Risk // of the whole trip
	older      float64         // how doubtful it was by the old list
	sums       []sum
}

// Scorer scores trips on one network; not for two goroutines at once.
type Scorer struct {
	net   *roadnet.Network
	meter meter
	hits  []roadnet.Hit
}

// NewScorer prepares scoring on a network.
func NewScorer(net *roadnet.Network) *Scorer {
	return &Scorer{net: net, meter: meter{router: roadnet.NewRouter(net)}}
}

// sameInstant is how far apart two ticks of one instant may be, milliseconds.
const sameInstant = 1000

// Score compares a recovery with the truth. Sparse is what was recovered from.
// A nil recovery counts as one without ticks. Positions of both must be of the
// scorer's network.
func (s *Scorer) Score(truth *trajectory.Recovery, sparse *trajectory.Trajectory, got *trajectory.Recovery) *Score {
	out := &Score{Trajectory: truth.Trajectory, Points: make([]Point, 0, len(truth.Ticks))}
	var ticks []trajectory.Tick
	if got != nil {
		ticks = got.Ticks
	}
	k, sample := 0, 0
	for i := range truth.Ticks {
		t := &truth.Ticks[i]
		for k < len(ticks) && ticks[k].Time < t.Time-sameInstant {
			k++
		}
		for sample < len(sparse.Samples) && sparse.Samples[sample].Time <= t.Time {
			sample++
		}
		var g *trajectory.Tick
		if j := closest(ticks, k, t.Time); j >= 0 {
			g = &ticks[j]
		}
		p := s.point(t, g)
		p.Observed, p.Gap, p.Since = between(sparse.Samples, sample, t.Time)
		out.Points = append(out.Points, p)
	}
	if out.Gaps = s.gaps(truth, sparse, got, out.Points); got != nil {
		out.Said, out.older = got.Risk, leastSure(got)
	}
	out.sums = sheetOf(out.Points, s.stretchesDriven(truth, got, out.Points)).sums
	return out
}

// stretchesDriven is the F1 of the path of each stretch on or near an elevated road
// that goes anywhere. The points are of the truth's ticks, in their order.
func (s *Scorer) stretchesDriven(truth, got *trajectory.Recovery, points []Point) []float64 {
	var all []float64
	k := 0
	for _, st := range stretches(points) {
		for truth.Ticks[k].Time != st[0].Time {
			k++
		}
		if f1, ok := s.driven(truth, got, &truth.Ticks[k], &truth.Ticks[k+len(st)-1]); ok {
			all = append(all, f1)
		}
	}
	return all
}

// closest is the tick from k on that is closest in time, -1 where none is near.
func closest(ticks []trajectory.Tick, k int, time int64) int {
	best, off := -1, int64(sameInstant)+1
	for j := k; j < len(ticks) && ticks[j].Time <= time+sameInstant; j++ {
		if d := max(time-ticks[j].Time, ticks[j].Time-time); d < off {
			best, off = j, d
		}
	}
	return best
}

// between tells of an instant before sample after whether it was observed, the
// seconds between the observations around it and those since the last.
func between(samples []trajectory.Sample, after int, time int64) (observed bool, gap, since float64) {
	if after == 0 {
		return false, 0, 0
	}
	last := samples[after-1].Time
	if last == time {
		return true, 0, 0
	}
	if after == len(samples) {
		return false, 0, float64(time-last) / 1000
	}
	return false, float64(samples[after].Time-last) / 1000, float64(time-last) / 1000
}

// point compares one tick; got is nil where it is missing.
func (s *Scorer) point(truth, got *trajectory.Tick) Point {
	p := Point{Time: truth.Time, Class: s.net.Class(truth.At.Segment), truth: truth.At.Segment,
		Near: s.nearElevated(roadnet.Point{Lon: truth.Lon, Lat: truth.Lat})}
	if got == nil {
		p.Missing, p.Network, p.Great = true, codeCap, missingGreat
		return p
	}
	p.got = got.At.Segment
	p.Right = p.got == p.truth
	p.Probability = float64(got.Probability)
	p.DeckRight, p.Margin = got.Deck == truth.Deck, float64(got.Margin)
	p.Stacked = stacked(got.Deck) && stacked(truth.Deck)
	p.Network = s.meter.network(truth.At, got.At)
	p.Great = great(truth.Lon, truth.Lat, got.Lon, got.Lat)
	return p
}

// stacked tells a place on one of two roads above each other.
func stacked(d trajectory.Deck) bool { return d == trajectory.OnDeck || d == trajectory.Below }

// near is how close an elevated road must be to count as near, metres.
const near = 50

func (s *Scorer) nearElevated(p roadnet.Point) bool {
	s.hits = s.net.Near(p, near, s.hits[:0])
	for _, h := range s.hits {
		if s.net.Flags(h.Segment).Has(roadnet.FlagElevated) {
			return true
		}
	}
	return false
}

// paths are the segments travelled at the points, true and recovered.
func paths(points []Point) (truth, got []roadnet.SegmentID) {
	for _, p := range points {
		truth = append(truth, p.truth)
		if !p.Missing {
			got = append(got, p.got)
		}
	}
	return truth, got
}

// stretches are the runs of points on or near elevated roads: at least four,
// with holes of at most two.
func stretches(points []Point) [][]Point {
	const least, hole = 4, 2
	var out [][]Point
	first, last := -1, -1
	flush := func() {
		if first >= 0 && last-first+1 >= least {
			out = append(out, points[first:last+1])
		}
		first = -1
	}
	for i, p := range points {
		switch {
		case p.Near && first < 0:
			first, last = i, i
		case p.Near:
			last = i
		case first >= 0 && i-last > hole:
			flush()
		}
	}
	flush()
	return out
}
