package state

import (
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
)

// TickOf is the recovered point at an input point, -1 where there is none.
func TickOf(r *trajectory.Recovery, sample int) int {
	for i, k := range r.Ticks {
		if k.Observed && int(k.Sample) == sample {
			return i
		}
	}
	return -1
}

// DrivenBetween is the way that a recovery drives from one input point to
// another; false where its path breaks between them.
func DrivenBetween(net *roadnet.Network, r *trajectory.Recovery, from, to int) (trajectory.Part, bool) {
	a, b := TickOf(r, from), TickOf(r, to)
	if a < 0 || b < a || r.Ticks[a].Part != r.Ticks[b].Part {
		return trajectory.Part{}, false
	}
	p := r.Parts[r.Ticks[a].Part]
	way := trajectory.Part{StartRatio: r.Ticks[a].At.Ratio, EndRatio: r.Ticks[b].At.Ratio}
	along := 0.0
	for i, s := range p.Segments {
		begin, end := roadnet.Driven(i, len(p.Segments), p.StartRatio, p.EndRatio)
		next := along + net.Length(s)*(end-begin)
		if next >= r.Ticks[a].Along && along <= r.Ticks[b].Along {
			way.Segments = append(way.Segments, s)
		}
		along = next
	}
	return trimmed(way, r.Ticks[a].At.Segment, r.Ticks[b].At.Segment), len(way.Segments) > 0
}

// trimmed takes away what a way only touches at its ends: a segment before the
// one that it begins on, and one behind the one that it ends on.
func trimmed(way trajectory.Part, first, last roadnet.SegmentID) trajectory.Part {
	s := way.Segments
	if len(s) > 1 && s[0] != first && s[1] == first {
		s = s[1:]
	}
	if n := len(s); n > 1 && s[n-1] != last && s[n-2] == last {
		s = s[:n-1]
	}
	way.Segments = s
	return way
}

// AlongPart is the place at a share of a way's length, 0 to 1.
func AlongPart(net *roadnet.Network, p trajectory.Part, share float64) (roadnet.Position, bool) {
	return new(cursor).along(net, p, 0, share*facts.PartLength(net, p))
}
