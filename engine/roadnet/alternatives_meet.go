package roadnet

import "slices"

// meeting finds the routes over the plateaus of two trees.
type meeting struct {
	net        *Network
	generation uint32
	stamp      []uint32 // by segment: the backward tree that place is valid for
	place      []uint32 // by segment: its branch in the backward tree
	plateau    []uint32 // by branch of the forward tree: its plateau, or noPlateau
	plateaus   []plateau
	marked     []uint32 // by segment: the choice of routes it was driven in
	choice     uint32
	driven     []uint32 // by segment: the route it was driven in
	route      uint32
	path       []SegmentID
}

const noPlateau = ^uint32(0)

// plateau is a run of segments along which two trees go the same way.
type plateau struct {
	first uint32  // branch of the forward tree where it begins
	cost  float64 // of the route over it
	along float64 // cost of the run itself
	score float64
}

func newMeeting(n *Network) meeting {
	size := n.NumSegments()
	return meeting{net: n, stamp: make([]uint32, size), place: make([]uint32, size),
		marked: make([]uint32, size), driven: make([]uint32, size)}
}

func (m *meeting) routes(from, to *tree, c Choice, routes []Route) []Route {
	m.enter(to)
	m.findPlateaus(from, to, c)
	slices.SortFunc(m.plateaus, func(a, b plateau) int {
		switch {
		case a.score < b.score:
			return -1
		case a.score > b.score:
			return 1
		}
		return int(a.first) - int(b.first)
	})
	m.choice++
	m.path = m.path[:0]
	first := len(routes)
	for i := 0; i < len(m.plateaus) && i < c.Examined && len(routes)-first < c.Count; i++ {
		if r, ok := m.build(from, to, m.plateaus[i], c.Apart); ok {
			routes = append(routes, r)
		}
	}
	slices.SortStableFunc(routes[first:], func(a, b Route) int {
		if a.Cost < b.Cost {
			return -1
		}
		return 1
	})
	return routes
}

// enter notes the places of the branches of a backward tree.
func (m *meeting) enter(to *tree) {
	m.generation++
	for i, b := range to.branches {
		m.stamp[b.segment], m.place[b.segment] = m.generation, uint32(i)
	}
}

func (m *meeting) findPlateaus(from, to *tree, c Choice) {
	m.plateau = slices.Grow(m.plateau[:0], len(from.branches))[:len(from.branches)]
	m.plateaus = m.plateaus[:0]
	for i, f := range from.branches {
		m.plateau[i] = noPlateau
		if m.stamp[f.segment] != m.generation {
			continue
		}
		at := m.place[f.segment]
		b := to.branches[at]
		whole := m.costOf(f.segment, c.Search)
		cost := f.cost + whole + b.cost
		if cost < 0 || cost > c.Bound { // below 0: the target lies behind the start on its segment
			continue
		}
		m.extend(from, to, uint32(i), at, whole, cost)
	}
	for i := range m.plateaus {
		p := &m.plateaus[i]
		p.score = p.cost - c.Plateau*p.along
	}
}

// extend adds branch i to the plateau of its parent, or begins a new one.
func (m *meeting) extend(from, to *tree, i, at uint32, whole, cost float64) {
	parent := from.branches[i].parent
	if parent != i && m.plateau[parent] != noPlateau {
		before := m.place[from.branches[parent].segment]
		if before != at && to.branches[before].parent == at {
			p := m.plateau[parent]
			m.plateau[i] = p
			m.plateaus[p].along += whole
			return
		}
	}
	m.plateau[i] = uint32(len(m.plateaus))
	m.plateaus = append(m.plateaus, plateau{first: i, cost: cost, along: whole})
}

func (m *meeting) costOf(id SegmentID, s Search) float64 {
	length := m.net.Length(id)
	return length * (1 - s.TimeShare + s.TimeShare*s.Speed/m.net.FreeFlow(id))
}

// build makes the route over a plateau, and refuses it where it drives too
// little that no route before drove, drives a segment twice, or turns as a
// restriction forbids.
func (m *meeting) build(from, to *tree, p plateau, apart float64) (Route, bool) {
	begin := len(m.path)
	for i := p.first; ; i = from.branches[i].parent {
		m.path = append(m.path, from.branches[i].segment)
		if from.branches[i].parent == i {
			break
		}
	}
	reverse(m.path[begin:])
	for j := m.place[from.branches[p.first].segment]; to.branches[j].parent != j; {
		j = to.branches[j].parent
		m.path = append(m.path, to.branches[j].segment)
	}
	path := m.path[begin:len(m.path):len(m.path)]
	r := m.measure(path, from.root, to.root)
	r.Cost = p.cost
	if begin > 0 && m.fresh(path) < min(apart, r.Length) || m.repeats(path) || !m.net.Drivable(path) {
		m.path = m.path[:begin]
		return Route{}, false
	}
	for _, id := range path {
		m.marked[id] = m.choice
	}
	return r, true
}

// repeats reports whether a path drives a segment twice, as one does that
// turns back and back again. Only a loop ends on the segment it starts on.
func (m *meeting) repeats(path []SegmentID) bool {
	m.route++
	for _, id := range path[:len(path)-1] {
		if m.driven[id] == m.route {
			return true
		}
		m.driven[id] = m.route
	}
	last := path[len(path)-1]
	return m.driven[last] == m.route && last != path[0]
}

// fresh is the length of the segments that no route chosen so far drives.
func (m *meeting) fresh(path []SegmentID) float64 {
	sum := 0.0
	for _, id := range path {
		if m.marked[id] != m.choice {
			sum += m.net.Length(id)
		}
	}
	return sum
}

func (m *meeting) measure(path []SegmentID, from, to Position) Route {
	r := Route{Segments: path}
	for i, id := range path {
		share := 1.0
		if i == 0 {
			share -= from.Ratio
		}
		if i == len(path)-1 {
			share -= 1 - to.Ratio
		}
		part := share * m.net.Length(id)
		r.Length += part
		r.Time += part / m.net.FreeFlow(id)
	}
	return r
}

// Drivable reports whether a car may drive the segments one after another:
// each leads to the next, by an allowed turn or U-turn, and no restriction over
// several junctions forbids the whole.
func (n *Network) Drivable(path []SegmentID) bool {
	if len(path) == 0 {
		return true
	}
	at := State(path[0])
	for i, id := range path[1:] {
		if back, ok := n.Reverse(path[i]); ok && back == id && n.UTurnAllowed(path[i]) {
			at = State(id)
			continue
		}
		next := n.NextStates(at)
		k := slices.IndexFunc(next, func(s State) bool { return n.StateSegment(s) == id })
		if k < 0 {
			return false
		}
		at = next[k]
	}
	return true
}
