package roadnet

import "slices"

// region is the part of a network that holds all routes within a bound from some
// positions to others: few segments, so that what many trees grow over it know
// lies close together. A place is a segment's number in it.
type region struct {
	segments []SegmentID // by place; they grow
	whole    []float64   // cost of driving all of it
	before   []float64   // least cost from any start to its start
	after    []float64   // least cost from its end to any target
	next     links
	prev     links

	net     *Network
	forward grower
	back    grower
}

// links lead from places to others.
type links struct {
	first []uint32 // by place: its first link; and where those of the last end
	items []link
}

type link struct {
	to   uint32
	turn float64 // its cost
}

func (l *links) of(place uint32) []link { return l.items[l.first[place]:l.first[place+1]] }

func newRegion(n *Network) region {
	return region{net: n, forward: newGrower(n, false), back: newGrower(n, true)}
}

// forget lets go of the memory that grows with the region.
func (r *region) forget() {
	r.segments, r.whole, r.before, r.after, r.next, r.prev = nil, nil, nil, nil, links{}, links{}
	r.forward.reached, r.forward.queue, r.back.reached, r.back.queue = nil, nil, nil, nil
}

// fill finds the segments of all routes. It looks back from the targets first,
// at all that lies near enough, and then from the starts at what leads there.
func (r *region) fill(from, to []Position, s Search) {
	r.forward.across = &r.back
	r.back.grow(to, from, s)
	r.forward.grow(from, to, s)
	r.segments = r.segments[:0]
	for _, f := range r.forward.reached {
		r.segments = append(r.segments, f.Segment)
	}
	slices.Sort(r.segments)
	n := len(r.segments)
	r.whole, r.before, r.after = sized(r.whole, n), sized(r.before, n), sized(r.after, n)
	for i, id := range r.segments {
		f := &r.forward.labels[id]
		f.place = uint32(i)
		r.whole[i], r.before[i], r.after[i] = s.cost(r.net, id, r.net.Length(id)), f.cost, r.back.labels[id].cost
	}
	r.connect(s.UTurn)
	r.prev.turnRound(&r.next)
}

// place is the number of a segment, if the region holds it.
func (r *region) place(id SegmentID) (uint32, bool) {
	return r.forward.labels[id].place, r.forward.settled(id)
}

// connect makes the links.
func (r *region) connect(uTurn float64) {
	r.next.first, r.next.items = r.next.first[:0], r.next.items[:0]
	add := func(id SegmentID, turn float64) {
		if place, ok := r.place(id); ok {
			r.next.items = append(r.next.items, link{place, turn})
		}
	}
	for _, id := range r.segments {
		r.next.first = append(r.next.first, uint32(len(r.next.items)))
		for _, after := range r.net.Next(id) {
			add(after, r.forward.turn(id, after))
		}
		if back := r.forward.turns.end[id].back; back != id {
			add(back, uTurn)
		}
	}
	r.next.first = append(r.next.first, uint32(len(r.next.items)))
}

// turnRound makes the links that lead the other way.
func (l *links) turnRound(o *links) {
	n := len(o.first) - 1
	l.first, l.items = sized(l.first, n+1), sized(l.items, len(o.items))
	clear(l.first)
	for _, k := range o.items {
		l.first[k.to]++
	}
	end := uint32(0)
	for i := range l.first {
		end += l.first[i]
		l.first[i] = end
	}
	for i := range n {
		for _, k := range o.of(uint32(i)) {
			l.first[k.to]--
			l.items[l.first[k.to]] = link{uint32(i), k.turn}
		}
	}
}

// sized is a slice of n, in the memory of s where it is enough. What is in it is
// not known.
func sized[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }
