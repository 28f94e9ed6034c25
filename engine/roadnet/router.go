package roadnet

import (
	"math"
	"slices"
)

// Search says what a route costs and how far a [Router] looks.
//
// The cost of a route is in metres: its length, or its free-flow time at Speed,
// or a mix of both, plus what its turns cost.
type Search struct {
	TimeShare float64 // how much of the cost is time: 0 the shortest route, 1 the fastest
	Speed     float64 // m/s, turns seconds into metres of cost; not used where TimeShare is 0
	Turn      float64 // cost of a turn by 90 degrees where there is a choice, metres; less for a slighter one
	UTurn     float64 // cost of turning back at the end of a segment, metres
	Back      float64 // a target so far behind the start on its segment counts as standing still, metres
	Bound     float64 // no route of a higher cost is found, metres
	Spread    float64 // nor one so much dearer than the cheapest to any target, metres; 0: no such limit
}

// Leg is the route from the start of a search to one of its targets. Where
// the target lies a little behind the start it is a step backwards: a route of
// the one segment, and of no length.
type Leg struct {
	Found  bool
	Length float64 // metres
	Time   float64 // free flow, seconds
	Cost   float64 // metres, see Search
}

// Router finds routes on one network. It keeps arrays as long as the network
// and clears none of them, so a search costs what it reaches and allocates
// nothing. A Router must not be used by two goroutines at once.
type Router struct {
	// Done, when closed, ends a search before it is finished. What it has found
	// by then need not be the cheapest. It may be nil.
	Done <-chan struct{}

	// Avoid are segments that no route drives but the one that it starts on.
	Avoid []SegmentID

	net   *Network
	turns *turns
	fast  float64 // m/s, the fastest free flow on the network

	generation uint32 // of the running search: older labels are void
	labels     []label
	queue      queue
	index      targetIndex

	search Search
	aim    aim
	start  Position
	to     []Position
	legs   []Leg
	stop   float64 // the key from which on no search can improve a leg that is kept
	ends   []State // by target: the state its route ends in, or direct
	places []Point
}

// label is what is known of the cheapest way to the beginning of a state.
type label struct {
	cost, length, time float64
	previous           State // the state before, or atStart
	generation         uint32
}

const (
	atStart State = math.MaxUint32     // the route comes straight from the start
	direct  State = math.MaxUint32 - 1 // the route never leaves the segment of the start
)

// NewRouter prepares searches on a network.
func NewRouter(n *Network) *Router {
	r := &Router{
		net:    n,
		turns:  n.turns(),
		labels: make([]label, n.NumStates()),
		index:  newTargetIndex(n.NumSegments()),
	}
	for id := range SegmentID(n.NumSegments()) {
		r.fast = max(r.fast, n.FreeFlow(id))
	}
	return r
}

// Routes finds the cheapest route from one position to each of several. The
// result, one leg for each target, is valid until the next search.
func (r *Router) Routes(from Position, to []Position, s Search) []Leg {
	r.begin(from, to, s)
	for i := range to {
		r.tryDirect(i)
	}
	id := from.Segment
	rest := (1 - from.Ratio) * r.net.Length(id)
	r.leave(State(id), atStart, label{length: rest, time: rest / r.net.FreeFlow(id), cost: r.search.cost(r.net, id, rest)})
	for n := 1; len(r.queue) > 0 && r.queue[0].key <= r.stop; n++ {
		r.settle(r.queue.pop())
		if n%1024 == 0 && closed(r.Done) {
			break
		}
	}
	r.dropDear()
	return r.legs
}

func closed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// begin voids what the last search left.
func (r *Router) begin(from Position, to []Position, s Search) {
	r.generation++
	if r.generation == 0 { // four billion searches later: old labels would look new
		clear(r.labels)
		clear(r.index.generation)
		r.generation = 1
	}
	r.search, r.start, r.to = s, from, to
	r.queue, r.legs, r.ends, r.places = r.queue[:0], r.legs[:0], r.ends[:0], r.places[:0]
	for _, p := range to {
		r.legs = append(r.legs, Leg{Cost: math.Inf(1)})
		r.ends = append(r.ends, atStart)
		r.places = append(r.places, r.net.At(p))
	}
	r.stop = s.Bound
	r.index.fill(r.generation, to)
	r.aim = aimAt(r.places, 1-s.TimeShare+s.TimeShare*s.Speed/r.fast)
}

// tryDirect takes the way along the start's own segment, where there is one.
func (r *Router) tryDirect(i int) {
	from, to := r.start, r.to[i]
	if from.Segment != to.Segment {
		return
	}
	ahead := (to.Ratio - from.Ratio) * r.net.Length(from.Segment)
	if ahead < -r.search.Back {
		return
	}
	ahead = max(0, ahead)
	r.improve(i, direct, Leg{true, ahead, ahead / r.net.FreeFlow(from.Segment), r.search.cost(r.net, from.Segment, ahead)})
}

func (r *Router) improve(i int, end State, leg Leg) {
	if leg.Cost < r.legs[i].Cost && leg.Cost <= r.search.Bound {
		r.legs[i], r.ends[i] = leg, end
		r.stop = r.limit()
	}
}

// limit is the cost of the dearest leg that can still be kept.
func (r *Router) limit() float64 {
	least, most := math.Inf(1), 0.0
	for i := range r.legs {
		least, most = min(least, r.legs[i].Cost), max(most, r.legs[i].Cost)
	}
	most = min(most, r.search.Bound)
	if r.search.Spread > 0 {
		most = min(most, least+r.search.Spread)
	}
	return most
}

// settle passes on what is known of a state: to the targets on its segment,
// and to the states after it.
func (r *Router) settle(q queued) {
	at := r.labels[q.state]
	if q.cost > at.cost {
		return // a cheaper way there has been found since
	}
	id := r.net.StateSegment(q.state)
	for i := r.index.on(r.generation, id); i != none; i = r.index.next[i] {
		part := r.to[i].Ratio * r.net.Length(id)
		r.improve(int(i), q.state, Leg{true, at.length + part, at.time + part/r.net.FreeFlow(id), at.cost + r.search.cost(r.net, id, part)})
	}
	length := r.net.Length(id)
	at.cost += r.search.cost(r.net, id, length)
	at.length += length
	at.time += length / r.net.FreeFlow(id)
	r.leave(q.state, q.state, at)
}

// leave looks at every state after one. At is what is known at its end.
func (r *Router) leave(from, previous State, at label) {
	id := r.net.StateSegment(from)
	end := &r.turns.end[id]
	next := r.net.NextStates(from)
	for _, s := range next {
		turn := 0.0
		if len(next) > 1 && r.search.Turn > 0 {
			turn = r.search.Turn * sharpness(end.direction, r.turns.begin[r.net.StateSegment(s)].direction)
		}
		r.reach(s, previous, at, turn)
	}
	if end.back != id {
		r.reach(State(end.back), previous, at, r.search.UTurn)
	}
}

func (r *Router) reach(s, previous State, at label, turn float64) {
	l := &r.labels[s]
	at.cost += turn
	if l.generation == r.generation && l.cost <= at.cost {
		return
	}
	id := r.net.StateSegment(s)
	if len(r.Avoid) > 0 && slices.Contains(r.Avoid, id) {
		return
	}
	key := at.cost + r.aim.toCome(r.turns.begin[id].at.Point())
	if key > r.search.Bound {
		return
	}
	at.previous, at.generation = previous, r.generation
	*l = at
	r.queue.push(queued{key, at.cost, s})
}

// dropDear forgets the legs beyond the spread, whether or not the search
// happened to meet them.
func (r *Router) dropDear() {
	if r.search.Spread == 0 {
		return
	}
	for i := range r.legs {
		if r.legs[i].Cost > r.stop {
			r.legs[i].Found = false
		}
	}
}

// Path appends the segments of the last search's route to target i, from the
// start's segment to the target's. A leg that was not found appends nothing.
func (r *Router) Path(i int, buf []SegmentID) []SegmentID {
	if !r.legs[i].Found {
		return buf
	}
	buf = append(buf, r.start.Segment)
	begin := len(buf)
	for s := r.ends[i]; s != direct && s != atStart; s = r.labels[s].previous {
		buf = append(buf, r.net.StateSegment(s))
	}
	reverse(buf[begin:])
	return buf
}

func reverse(s []SegmentID) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}
