package roadnet

import "slices"

// meeting finds the routes over the plateaus of two trees of a region.
type meeting struct {
	region   *region
	plateau  []uint32 // by branch of the forward tree: its plateau, or noPlateau
	plateaus []plateau
	marked   []uint32 // by place: the choice of routes it was driven in
	choice   uint32
	driven   []uint32 // by place: the route it was driven in
	route    uint32
	places   []uint32 // of the segments of path
	path     []SegmentID
}

const noPlateau = ^uint32(0)

// plateau is a run of segments along which two trees go the same way.
type plateau struct {
	first uint32  // branch of the forward tree where it begins
	cost  float64 // of the route over it
	along float64 // cost of the run itself
	score float64
}

// begin takes another region, or the same one filled anew.
func (m *meeting) begin(r *region) {
	n := len(r.segments)
	m.region, m.choice, m.route = r, 0, 0
	m.marked, m.driven = sized(m.marked, n), sized(m.driven, n)
	clear(m.marked)
	clear(m.driven)
}

func (m *meeting) routes(from, to *tree, c Choice, routes []Route) []Route {
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

func (m *meeting) findPlateaus(from, to *tree, c Choice) {
	m.plateau = sized(m.plateau, len(from.branches))
	m.plateaus = m.plateaus[:0]
	for i, f := range from.branches {
		m.plateau[i] = noPlateau
		at := to.at[f.place]
		if at == noBranch {
			continue
		}
		whole := m.region.whole[f.place]
		cost := f.cost + whole + to.branches[at].cost
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
		before := to.at[from.branches[parent].place]
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

// build makes the route over a plateau, and refuses it where it drives too
// little that no route before drove, drives a segment twice, or turns as a
// restriction forbids.
func (m *meeting) build(from, to *tree, p plateau, apart float64) (Route, bool) {
	begin := len(m.path)
	places := m.join(from, to, p)
	for _, at := range places {
		m.path = append(m.path, m.region.segments[at])
	}
	path := m.path[begin:len(m.path):len(m.path)]
	r := m.measure(path, from.root, to.root)
	r.Cost = p.cost
	if begin > 0 && m.fresh(places) < min(apart, r.Length) || m.repeats(places) || !m.region.net.Drivable(path) {
		m.path = m.path[:begin]
		return Route{}, false
	}
	for _, at := range places {
		m.marked[at] = m.choice
	}
	return r, true
}

// join is the places from the start to the plateau and on to the target.
func (m *meeting) join(from, to *tree, p plateau) []uint32 {
	m.places = m.places[:0]
	for i := p.first; ; i = from.branches[i].parent {
		m.places = append(m.places, from.branches[i].place)
		if from.branches[i].parent == i {
			break
		}
	}
	slices.Reverse(m.places)
	for j := to.at[from.branches[p.first].place]; to.branches[j].parent != j; {
		j = to.branches[j].parent
		m.places = append(m.places, to.branches[j].place)
	}
	return m.places
}

// repeats reports whether a path drives a segment twice, as one does that
// turns back and back again. Only a loop ends on the segment it starts on.
func (m *meeting) repeats(places []uint32) bool {
	m.route++
	for _, at := range places[:len(places)-1] {
		if m.driven[at] == m.route {
			return true
		}
		m.driven[at] = m.route
	}
	last := places[len(places)-1]
	return m.driven[last] == m.route && last != places[0]
}

// fresh is the length of the segments that no route chosen so far drives.
func (m *meeting) fresh(places []uint32) float64 {
	sum := 0.0
	for _, at := range places {
		if m.marked[at] != m.choice {
			sum += m.region.net.Length(m.region.segments[at])
		}
	}
	return sum
}

func (m *meeting) measure(path []SegmentID, from, to Position) Route {
	r := Route{Segments: path}
	net := m.region.net
	for i, id := range path {
		share := 1.0
		if i == 0 {
			share -= from.Ratio
		}
		if i == len(path)-1 {
			share -= 1 - to.Ratio
		}
		part := share * net.Length(id)
		r.Length += part
		r.Time += part / net.FreeFlow(id)
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
	_, ok := n.DriveOn(State(path[0]), path[1:])
	return ok
}

// DriveOn is the state of a car that drives some segments on from a state; false
// where it may not, see [Network.Drivable].
func (n *Network) DriveOn(at State, path []SegmentID) (State, bool) {
	for _, id := range path {
		on := n.StateSegment(at)
		if back, ok := n.Reverse(on); ok && back == id && n.UTurnAllowed(on) {
			at = State(id)
			continue
		}
		next := n.NextStates(at)
		k := slices.IndexFunc(next, func(s State) bool { return n.StateSegment(s) == id })
		if k < 0 {
			return at, false
		}
		at = next[k]
	}
	return at, true
}
