package state

import (
	"slices"
	"sort"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// leastDifference is the length in metres under which, on both sides, two ways
// count as the same: their ends lie a little apart.
const leastDifference = 5

// Differences are the places where two recoveries drive different segments, in
// driving order.
func Differences(net *roadnet.Network, ours, other *trajectory.Recovery) []Difference {
	a, b := newWay(net, ours), newWay(net, other)
	var list []Difference
	add := func(i, iEnd, j, jEnd int) {
		if i == iEnd && j == jEnd {
			return
		}
		d := Difference{a.stretch(i, iEnd), b.stretch(j, jEnd)}
		if d.Ours.Length >= leastDifference || d.Other.Length >= leastDifference {
			list = append(list, d)
		}
	}
	i, j := 0, 0
	for _, block := range commonBlocks(a.segments, b.segments) {
		add(i, block.a, j, block.b)
		i, j = block.a+block.n, block.b+block.n
	}
	add(i, len(a.segments), j, len(b.segments))
	return list
}

// way is all that a recovery drives, part behind part.
type way struct {
	net      *roadnet.Network
	r        *trajectory.Recovery
	segments []roadnet.SegmentID
	places   []wayPlace // of the segments
	paces    []paces    // of the parts
}

// wayPlace is where a segment of a way stands in its part.
type wayPlace struct {
	part, index int
	from, to    float64 // metres along the part
}

func newWay(net *roadnet.Network, r *trajectory.Recovery) *way {
	w := &way{net: net, r: r}
	for i, p := range r.Parts {
		along := 0.0
		for k, s := range p.Segments {
			begin, end := roadnet.Driven(k, len(p.Segments), p.StartRatio, p.EndRatio)
			length := net.Length(s) * (end - begin)
			w.segments = append(w.segments, s)
			w.places = append(w.places, wayPlace{i, k, along, along + length})
			along += length
		}
		w.paces = append(w.paces, paceOf(r.Ticks, int32(i)))
	}
	return w
}

// stretch is the way from one segment to before another.
func (w *way) stretch(from, to int) Stretch {
	var s Stretch
	for i := from; i < to; {
		p := w.places[i]
		end := i
		for end < to && w.places[end].part == p.part {
			end++
		}
		s.Pieces = append(s.Pieces, Piece{p.part, p.from, w.places[end-1].to})
		s.Length += w.places[end-1].to - p.from
		i = end
	}
	var left bool
	s.Enter, s.At, s.Timed = w.edge(from, false)
	s.Leave, left = s.Enter, s.Timed
	if to > from {
		s.Leave, _, left = w.edge(to-1, true)
	}
	s.Timed = s.Timed && left
	return s
}

// edge is when and where the way begins segment i, or ends it; false where the
// time is not known. Behind the last segment it is the end of the way.
func (w *way) edge(i int, end bool) (int64, roadnet.Point, bool) {
	if len(w.segments) == 0 {
		return 0, roadnet.Point{}, false
	}
	if i >= len(w.segments) {
		i, end = len(w.segments)-1, true
	}
	p := w.places[i]
	part := w.r.Parts[p.part]
	from, to := roadnet.Driven(p.index, len(part.Segments), part.StartRatio, part.EndRatio)
	along, ratio := p.from, from
	if end {
		along, ratio = p.to, to
	}
	seconds, ok := w.paces[p.part].at(along)
	return int64(seconds * 1000), w.net.At(roadnet.Position{Segment: w.segments[i], Ratio: ratio}), ok
}

// block is a run of segments that two ways have in common.
type block struct{ a, b, n int }

// commonBlocks are the runs that two sequences share, in order: what occurs
// once in both holds them together (the longest row of those that keeps their
// order), and each run reaches as far as both go on alike.
func commonBlocks(a, b []roadnet.SegmentID) []block {
	var blocks []block
	i, j := 0, 0
	for _, x := range append(anchors(a, b), block{len(a), len(b), 0}) {
		if n := runFrom(a[i:x.a], b[j:x.b]); n > 0 {
			blocks = append(blocks, block{i, j, n})
			i, j = i+n, j+n
		}
		if n := runBack(a[i:x.a], b[j:x.b]); x.n+n > 0 {
			blocks = append(blocks, block{x.a - n, x.b - n, n + x.n})
		}
		i, j = x.a+x.n, x.b+x.n
	}
	return joined(blocks)
}

func runFrom(a, b []roadnet.SegmentID) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func runBack(a, b []roadnet.SegmentID) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// joined puts runs together that follow one another on both sides.
func joined(blocks []block) []block {
	var out []block
	for _, x := range blocks {
		if n := len(out); n > 0 && out[n-1].a+out[n-1].n == x.a && out[n-1].b+out[n-1].n == x.b {
			out[n-1].n += x.n
			continue
		}
		out = append(out, x)
	}
	return out
}

// anchors are the elements that occur once on both sides, as many of them as
// come in the same order.
func anchors(a, b []roadnet.SegmentID) []block {
	inA, inB := occurrences(a), occurrences(b)
	var pairs []block
	for i, s := range a {
		if len(inA[s]) == 1 && len(inB[s]) == 1 {
			pairs = append(pairs, block{i, inB[s][0], 1})
		}
	}
	return rising(pairs)
}

func occurrences(list []roadnet.SegmentID) map[roadnet.SegmentID][]int {
	at := make(map[roadnet.SegmentID][]int, len(list))
	for i, s := range list {
		at[s] = append(at[s], i)
	}
	return at
}

// rising is the longest row of pairs, which come in order of a, that rises in b
// too.
func rising(pairs []block) []block {
	var tails []int // index of the pair that a row of this length ends with
	before := make([]int, len(pairs))
	for i, p := range pairs {
		n := sort.Search(len(tails), func(k int) bool { return pairs[tails[k]].b >= p.b })
		before[i] = -1
		if n > 0 {
			before[i] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, i)
		} else {
			tails[n] = i
		}
	}
	if len(tails) == 0 {
		return nil
	}
	var row []block
	for i := tails[len(tails)-1]; i >= 0; i = before[i] {
		row = append(row, pairs[i])
	}
	slices.Reverse(row)
	return row
}
