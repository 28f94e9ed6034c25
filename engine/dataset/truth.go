package dataset

import (
	"math"
	"sort"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// way is what was truly driven over one gap.
type way struct {
	segments []roadnet.SegmentID
	from, to roadnet.Position
	length   float64   // metres
	seconds  []float64 // of the hidden ticks, from the start of the gap
	along    []float64 // metres from the start of the gap, at these ticks
}

// truthPart measures one part of a true path.
type truthPart struct {
	part  trajectory.Part
	start []float64 // by segment: metres from the start of the part; the end of the last
}

func measure(net *roadnet.Network, p trajectory.Part) truthPart {
	t := truthPart{part: p, start: make([]float64, len(p.Segments)+1)}
	for i, id := range p.Segments {
		begin, end := roadnet.Driven(i, len(p.Segments), p.StartRatio, p.EndRatio)
		t.start[i+1] = t.start[i] + max(0, end-begin)*net.Length(id)
	}
	return t
}

// cut is the way driven from one tick of the truth to a later one.
func (t *truthPart) cut(net *roadnet.Network, ticks []trajectory.Tick, from, to int) way {
	a, b := ticks[from], ticks[to]
	first, last := t.index(a), t.index(b)
	last = max(last, first)
	w := way{segments: t.part.Segments[first : last+1], from: a.At, to: b.At, length: max(0, b.Along-a.Along)}
	w.from.Segment, w.to.Segment = w.segments[0], w.segments[len(w.segments)-1]
	for _, tick := range ticks[from+1 : to] {
		w.seconds = append(w.seconds, float64(tick.Time-a.Time)/1000)
		w.along = append(w.along, math.Min(math.Max(0, tick.Along-a.Along), w.length))
	}
	return w
}

// index is the place of a tick's segment in the part: the one that covers the
// metres driven and is the segment that the tick names, where both agree.
func (t *truthPart) index(tick trajectory.Tick) int {
	n := len(t.part.Segments)
	i := min(max(sort.SearchFloat64s(t.start, tick.Along)-1, 0), n-1)
	for _, k := range [...]int{i, i + 1, i - 1} {
		if k >= 0 && k < n && t.part.Segments[k] == tick.At.Segment {
			return k
		}
	}
	return i
}

// overlap is how much of two ways is the same: the length driven on both over
// that of the longer one, 0 to 1. Marks holds the metres of the true way by
// segment.
func (w *way) overlap(net *roadnet.Network, marks map[roadnet.SegmentID]float64, route roadnet.Route, from, to roadnet.Position) float32 {
	shared := 0.0
	for i, id := range route.Segments {
		begin, end := roadnet.Driven(i, len(route.Segments), from.Ratio, to.Ratio)
		shared += math.Min(max(0, end-begin)*net.Length(id), marks[id])
	}
	longer := math.Max(w.length, route.Length)
	if longer < 1 { // both stand still
		if w.segments[0] == route.Segments[0] {
			return 1
		}
		return 0
	}
	return float32(math.Min(1, shared/longer))
}

// mark notes the metres that the way drives of each segment.
func (w *way) mark(net *roadnet.Network, marks map[roadnet.SegmentID]float64) {
	clear(marks)
	for i, id := range w.segments {
		begin, end := roadnet.Driven(i, len(w.segments), w.from.Ratio, w.to.Ratio)
		marks[id] += max(0, end-begin) * net.Length(id)
	}
}

// timeAt is the time from the start of the gap at which a place of the way is
// reached, in seconds, between the ticks at an even pace.
func (w *way) timeAt(along, total float64) float64 {
	t0, a0 := 0.0, 0.0
	for i, a := range w.along {
		if along <= a && a > a0 {
			return t0 + (along-a0)/(a-a0)*(w.seconds[i]-t0)
		}
		t0, a0 = w.seconds[i], a
	}
	if w.length <= a0 {
		return t0
	}
	return t0 + math.Min(1, (along-a0)/(w.length-a0))*(total-t0)
}
