package simulate

import (
	"math"
	"slices"

	"retrace/engine/roadnet"
)

// driver is who drives one trip: what routes and speeds they like.
type driver struct {
	seed       uint64
	taste      [roadnet.NumClasses]float64 // times the cost of each class
	pace       float64                     // times the usual speed
	costSpread float64
	steadiness float64 // 0 to 1: how much more even the drive is than a taxi's
}

// search finds the route that a driver takes. It looks towards the goal, as
// drivers do: the route is a good one by the driver's own costs, not always the
// best.
type search struct {
	w      *world
	driver *driver
	best   []float32 // by state: cost at its end
	own    []float32 // by state: cost of its segment
	from   []roadnet.State
	seen   []uint32 // by state: generation in which best, own and from hold
	now    uint32
	heap   []reached
	goal   roadnet.SegmentID
	other  roadnet.SegmentID // as good a goal
	goalX  float64
	goalY  float64
}

type reached struct {
	key   float32
	cost  float32
	state roadnet.State
}

const noState roadnet.State = math.MaxUint32

func newSearch(w *world) *search {
	n := w.net.NumStates()
	return &search{w: w, best: make([]float32, n), own: make([]float32, n), from: make([]roadnet.State, n), seen: make([]uint32, n)}
}

// route appends the segments from one position to another, both included, to
// path; false where there is no way.
func (s *search) route(from, to roadnet.Position, path []roadnet.SegmentID) ([]roadnet.SegmentID, bool) {
	if from.Segment == to.Segment && from.Ratio <= to.Ratio {
		return append(path, from.Segment), true
	}
	s.begin(to.Segment, to.Segment)
	s.leave(roadnet.State(from.Segment), noState, 0)
	end, ok := s.run()
	if !ok {
		return path, false
	}
	return append(append(path, from.Segment), s.trace(end)...), true
}

// anyRoute is the route between two places on whichever side of the road suits
// the driver, who sets out towards the goal where the road allows both ways.
func (s *search) anyRoute(from, to roadnet.Position) (route, bool) {
	from = s.towards(from, to)
	other := to.Segment
	if back, ok := s.w.net.Reverse(to.Segment); ok {
		other = back
	}
	if from.Segment == to.Segment || from.Segment == other {
		return route{}, false // hardly a trip
	}
	s.begin(to.Segment, other)
	s.leave(roadnet.State(from.Segment), noState, 0)
	end, ok := s.run()
	if !ok {
		return route{}, false
	}
	if s.w.net.StateSegment(end) != to.Segment {
		to.Ratio = 1 - to.Ratio
	}
	return route{append([]roadnet.SegmentID{from.Segment}, s.trace(end)...), from.Ratio, to.Ratio}, true
}

// towards is the position on that side of the road which leads towards a goal.
func (s *search) towards(from, goal roadnet.Position) roadnet.Position {
	back, ok := s.w.net.Reverse(from.Segment)
	if !ok {
		return from
	}
	x, y := s.w.local(s.w.net.At(goal))
	ahead := math.Hypot(x-float64(s.w.x[from.Segment]), y-float64(s.w.y[from.Segment]))
	behind := math.Hypot(x-float64(s.w.x[back]), y-float64(s.w.y[back]))
	if behind < ahead {
		return roadnet.Position{Segment: back, Ratio: 1 - from.Ratio}
	}
	return from
}

// begin starts a search to either of two segments.
func (s *search) begin(goal, other roadnet.SegmentID) {
	s.now++
	s.heap = s.heap[:0]
	s.goal, s.other = goal, other
	s.goalX, s.goalY = float64(s.w.x[goal]), float64(s.w.y[goal])
}

// run searches until a goal is reached, and is the state there.
func (s *search) run() (roadnet.State, bool) {
	for len(s.heap) > 0 {
		r := s.pop()
		if r.cost > s.best[r.state] {
			continue
		}
		if id := s.w.net.StateSegment(r.state); id == s.goal || id == s.other {
			return r.state, true
		}
		s.leave(r.state, r.state, r.cost)
	}
	return noState, false
}

// leave reaches every state after one.
func (s *search) leave(at, previous roadnet.State, cost float32) {
	net := s.w.net
	id := net.StateSegment(at)
	next := net.NextStates(at)
	for _, n := range next {
		turn := float32(0)
		if len(next) > 1 {
			turn = float32(s.w.profile.Turn) * min(1, s.w.turn(id, net.StateSegment(n))/90)
		}
		s.reach(n, previous, cost+turn)
	}
	if net.UTurnAllowed(id) {
		back, _ := net.Reverse(id)
		cheap := 1.0
		if net.DeadEnd(id) {
			cheap = 0.3
		}
		s.reach(roadnet.State(back), previous, cost+float32(cheap*s.w.profile.TurnBack))
	}
}

func (s *search) reach(n, previous roadnet.State, cost float32) {
	id := s.w.net.StateSegment(n)
	if s.seen[n] != s.now {
		s.seen[n], s.own[n], s.best[n] = s.now, s.costOf(id), float32(math.Inf(1))
	}
	cost += s.own[n]
	if s.best[n] <= cost {
		return
	}
	s.best[n], s.from[n] = cost, previous
	dx, dy := float64(s.w.x[id])-s.goalX, float64(s.w.y[id])-s.goalY
	s.push(reached{cost + float32(math.Sqrt(dx*dx+dy*dy)/s.w.profile.Aim), cost, n})
}

// costOf is what the driver takes a segment to cost, in seconds.
func (s *search) costOf(id roadnet.SegmentID) float32 {
	d := s.driver
	z := normalOf(hash(d.seed, uint64(id)))
	factor := d.taste[s.w.net.Class(id)] * math.Max(0.3, 1+d.costSpread*z)
	f := s.w.net.Flags(id)
	if f.Has(roadnet.FlagPrivate) || f.Has(roadnet.FlagParkingAisle) || f.Has(roadnet.FlagDriveway) {
		factor *= 8
	} else if f.Has(roadnet.FlagDestination) {
		factor *= 3
	}
	return s.w.cost[id] * float32(factor)
}

// trace is the route that ends in a state, without the segment it starts from.
func (s *search) trace(end roadnet.State) []roadnet.SegmentID {
	var path []roadnet.SegmentID
	for st := end; st != noState; st = s.from[st] {
		path = append(path, s.w.net.StateSegment(st))
	}
	slices.Reverse(path)
	return path
}

func (s *search) push(r reached) {
	s.heap = append(s.heap, r)
	i := len(s.heap) - 1
	for i > 0 {
		up := (i - 1) / 4
		if s.heap[up].key <= r.key {
			break
		}
		s.heap[i] = s.heap[up]
		i = up
	}
	s.heap[i] = r
}

func (s *search) pop() reached {
	top := s.heap[0]
	last := len(s.heap) - 1
	r := s.heap[last]
	s.heap = s.heap[:last]
	i := 0
	for {
		low := 4*i + 1
		if low >= last {
			break
		}
		for k := low + 1; k < min(low+4, last); k++ {
			if s.heap[k].key < s.heap[low].key {
				low = k
			}
		}
		if s.heap[low].key >= r.key {
			break
		}
		s.heap[i] = s.heap[low]
		i = low
	}
	if last > 0 {
		s.heap[i] = r
	}
	return top
}
