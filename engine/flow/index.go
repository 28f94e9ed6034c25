package flow

import (
	"sync"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
)

// Trip is a trip with its recovery, which must not change.
type Trip struct {
	ID       string
	Vehicle  string               // empty: not known
	Recovery *trajectory.Recovery // nil: Kept reads it
	Kept     Kept
}

// Kept reads a recovery that is not held in memory, the same each time.
type Kept interface {
	Recovery() *trajectory.Recovery
}

// whole is the trip's recovery.
func (t Trip) whole() *trajectory.Recovery {
	if t.Recovery == nil && t.Kept != nil {
		return t.Kept.Recovery()
	}
	return t.Recovery
}

// Index leads from segments to the trips that drove them.
type Index struct {
	net *roadnet.Network

	mu      sync.RWMutex
	entries []entry
	number  map[string]int32 // of a trip that is there, into entries
	place   []int32          // by segment: into roads, from 1; 0: never driven
	roads   []road           // in the order in which they were driven first
	held    int              // passes in all
	gone    int              // passes of trips that are gone
	driven  int              // segments that some trip drove
	walker  walker
}

// road is what is known of a segment that was driven: few are of a whole network.
type road struct {
	segment roadnet.SegmentID
	last    int32  // the trip counted last, from 1
	passes  []pass // those of trips that are gone too
	total   total
}

type entry struct {
	Trip
	passes int
	gone   bool
}

// pass is one drive over a segment.
type pass struct {
	trip    int32
	enter   uint32  // Unix seconds; 0: not known
	metres  float32 // 0 where the speed is not known
	seconds float32
}

// total is what is known of a segment over all trips.
type total struct {
	trips, passes   int32
	metres, seconds float64
}

// NewIndex is an index over recoveries on a network, empty.
func NewIndex(net *roadnet.Network) *Index {
	return &Index{net: net, number: map[string]int32{}, place: make([]int32, net.NumSegments()), walker: walker{net: net}}
}

// road is what is known of a segment; nil where it was never driven.
func (x *Index) road(s roadnet.SegmentID) *road {
	if i := x.place[s]; i > 0 {
		return &x.roads[i-1]
	}
	return nil
}

// passes are the drives over a segment, those of trips that are gone too.
func (x *Index) passes(s roadnet.SegmentID) []pass {
	if r := x.road(s); r != nil {
		return r.passes
	}
	return nil
}

// trips is how many trips drove over a segment.
func (x *Index) trips(s roadnet.SegmentID) int32 {
	if r := x.road(s); r != nil {
		return r.total.trips
	}
	return 0
}

// Network is what the index is over.
func (x *Index) Network() *roadnet.Network { return x.net }

// Len is how many trips there are.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.number)
}

// Put adds trips; one whose id is there already takes the place of the old.
// Recoveries must be on the index's network.
func (x *Index) Put(trips []Trip) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, t := range trips {
		x.remove(t.ID)
		x.add(t)
	}
	x.tidy()
}

// Remove takes trips away; those that are not there are passed over.
func (x *Index) Remove(ids []string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, id := range ids {
		x.remove(id)
	}
	x.tidy()
}

func (x *Index) add(t Trip) {
	number := int32(len(x.entries))
	count := 0
	x.walker.walk(t.whole(), func(d drive) {
		if x.place[d.segment] == 0 {
			x.roads = append(x.roads, road{segment: d.segment})
			x.place[d.segment] = int32(len(x.roads))
		}
		p, r := x.count(d, number, 1), x.road(d.segment)
		r.passes = append(r.passes, p)
		count++
	})
	x.entries = append(x.entries, entry{Trip: t, passes: count})
	x.number[t.ID] = number
	x.held += count
}

// remove takes a trip out of the totals; its passes stay until tidy.
func (x *Index) remove(id string) {
	number, ok := x.number[id]
	if !ok {
		return
	}
	delete(x.number, id)
	e := &x.entries[number]
	x.walker.walk(e.whole(), func(d drive) { x.count(d, -number-2, -1) })
	e.gone, e.Recovery, e.Kept = true, nil, nil
	x.gone += e.passes
}

// count adds a drive to the totals, or takes it off; mark tells this walk from
// others.
func (x *Index) count(d drive, mark int32, sign int32) pass {
	p := passOf(x.net, d)
	p.trip = mark
	r := x.road(d.segment)
	t := &r.total
	t.passes += sign
	if r.last != mark+1 {
		r.last = mark + 1
		t.trips += sign
		switch {
		case sign > 0 && t.trips == 1:
			x.driven++
		case sign < 0 && t.trips == 0:
			x.driven--
		}
	}
	t.metres += float64(sign) * float64(p.metres)
	t.seconds += float64(sign) * float64(p.seconds)
	return p
}

func passOf(net *roadnet.Network, d drive) pass {
	enter, leave, ok := d.times()
	p := pass{}
	if ok {
		p.enter = uint32(max(enter, 0))
	}
	if ok && leave > enter && d.length > 0 && d.length <= facts.MostSpeed(net, d.segment)*(leave-enter) { // a speed that no vehicle has is none
		p.metres, p.seconds = float32(d.length), float32(leave-enter)
	}
	return p
}

// tidy builds the index anew once half of it is of trips that are gone.
func (x *Index) tidy() {
	if x.gone <= x.held/2 || x.gone < 1000 {
		return
	}
	fresh := NewIndex(x.net)
	for _, e := range x.entries {
		if !e.gone {
			fresh.add(e.Trip)
		}
	}
	x.entries, x.number, x.place, x.roads = fresh.entries, fresh.number, fresh.place, fresh.roads
	x.held, x.gone, x.driven = fresh.held, 0, fresh.driven
}
