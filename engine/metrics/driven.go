package metrics

import (
	"math"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// portion is what is driven of a segment, from metre to metre.
type portion struct {
	segment  roadnet.SegmentID
	from, to float64
}

// driven is the F1 of the path driven from one true tick to another, by length and
// whenever it was driven: each metre counts once. Where the path breaks in between
// in truth, or goes nowhere, there is none.
//
// It is set against the recovered path between the observations around, from where
// this comes nearest to the first tick to where, later, it comes nearest to the
// last.
func (s *Scorer) driven(truth, got *trajectory.Recovery, first, last *trajectory.Tick) (f1 float64, ok bool) {
	if first.Part != last.Part || int(first.Part) >= len(truth.Parts) {
		return 0, false
	}
	way := s.section(truth, first, last)
	if metres(way) == 0 {
		return 0, false
	}
	if got == nil {
		return 0, true
	}
	before, after := around(got.Ticks, first.Time, last.Time)
	if before == nil || after == nil {
		return 0, true
	}
	found := s.section(got, before, after)
	found = s.cut(found, roadnet.Point{Lon: first.Lon, Lat: first.Lat}, roadnet.Point{Lon: last.Lon, Lat: last.Lat})
	return lengthOverlap(way, found), true
}

// around are the observed ticks around a span of time, nil where there is none.
func around(ticks []trajectory.Tick, from, to int64) (before, after *trajectory.Tick) {
	for i := range ticks {
		switch t := &ticks[i]; {
		case !t.Observed:
		case t.Time <= from:
			before = t
		case t.Time >= to && after == nil:
			after = t
		}
	}
	return before, after
}

// section is what is driven from one tick to another.
func (s *Scorer) section(r *trajectory.Recovery, a, b *trajectory.Tick) []portion {
	var all []portion
	for i := a.Part; i <= b.Part && int(i) < len(r.Parts); i++ {
		p, low, high := r.Parts[i], 0., math.Inf(1)
		if i == a.Part {
			low = a.Along
		}
		if i == b.Part {
			high = b.Along
		}
		offset := 0. // of where the segment starts, from the start of the part
		for k, id := range p.Segments {
			length := s.net.Length(id)
			from, to := roadnet.Driven(k, len(p.Segments), p.StartRatio, p.EndRatio)
			if k == 0 {
				offset = -from * length
			}
			from, to = max(from*length, low-offset), min(to*length, high-offset)
			if from < to {
				all = append(all, portion{id, from, to})
			}
			offset += length
		}
	}
	return all
}

// reachOfEnds is how near a path must come to an end of a stretch to be cut there, metres.
const reachOfEnds = 200

// cut is the part of a way from where it comes nearest to one point to where, from
// there on, it comes nearest to another. Where it does not come near it is not cut.
func (s *Scorer) cut(way []portion, from, to roadnet.Point) []portion {
	if i, at := s.nearest(way, from); i >= 0 {
		way = way[i:]
		way[0].from = at
	}
	if i, at := s.nearest(way, to); i >= 0 {
		way = way[:i+1]
		way[i].to = at
	}
	return way
}

// nearest is where a way comes nearest to a point: the portion, and how far along its
// segment; -1 where it does not come near.
func (s *Scorer) nearest(way []portion, p roadnet.Point) (best int, at float64) {
	best = -1
	s.hits = s.net.Near(p, reachOfEnds, s.hits[:0])
	least := math.Inf(1)
	for _, h := range s.hits {
		if h.Distance >= least {
			break
		}
		along := h.Ratio * s.net.Length(h.Segment)
		for i, w := range way {
			if w.segment != h.Segment {
				continue
			}
			on := min(max(along, w.from), w.to)
			if d := h.Distance + math.Abs(on-along); d < least {
				best, at, least = i, on, d
			}
		}
	}
	return best, at
}

func metres(way []portion) float64 {
	total := 0.
	for _, w := range way {
		total += w.to - w.from
	}
	return total
}

// lengthOverlap is the F1 of two ways by length. What is driven twice counts once.
func lengthOverlap(truth, got []portion) float64 {
	driven, told, both := inCommon(truth, got)
	if driven+told == 0 {
		return 0
	}
	return 2 * both / (driven + told)
}

// inCommon is how long two ways are, and how much of them both have. What is driven
// twice counts once.
func inCommon(truth, got []portion) (driven, told, both float64) {
	a, b := extents(truth), extents(got)
	for id, t := range a {
		driven += t.to - t.from
		if g, ok := b[id]; ok {
			both += max(0, min(t.to, g.to)-max(t.from, g.from))
		}
	}
	for _, g := range b {
		told += g.to - g.from
	}
	return driven, told, both
}

// extents is what is driven of each segment, from its first metre to its last.
func extents(way []portion) map[roadnet.SegmentID]portion {
	all := make(map[roadnet.SegmentID]portion, len(way))
	for _, w := range way {
		if e, ok := all[w.segment]; ok {
			w.from, w.to = min(w.from, e.from), max(w.to, e.to)
		}
		all[w.segment] = w
	}
	return all
}

// PathF1 is the F1 of the whole path of a recovery, by length and whenever it was driven:
// each metre counts once, and at the ends of the path those that are driven.
func PathF1(net *roadnet.Network, truth, got *trajectory.Recovery) float64 {
	return lengthOverlap(wholePath(net, truth), wholePath(net, got))
}

func wholePath(net *roadnet.Network, r *trajectory.Recovery) []portion {
	var all []portion
	for _, p := range r.Parts {
		for k, id := range p.Segments {
			from, to := roadnet.Driven(k, len(p.Segments), p.StartRatio, p.EndRatio)
			all = append(all, portion{id, from * net.Length(id), to * net.Length(id)})
		}
	}
	return all
}
