package roadnet

import "slices"

// Choice says how [Alternatives] chooses among routes.
type Choice struct {
	Search           // costs; Bound limits the cost of any route, Spread is not used
	Count    int     // most routes between two positions
	Apart    float64 // metres that a route drives which no cheaper one chosen before drives
	Plateau  float64 // how much of the cost along which a route is the cheapest both from the start and to the target counts for it, 0..1
	Examined int     // most routes looked at for each pair
}

// Route is one way from a start to a target.
type Route struct {
	Segments []SegmentID // from the start's to the target's
	Length   float64     // metres
	Time     float64     // free flow, seconds
	Cost     float64     // metres, see Search
}

// Alternatives finds distinct routes between the positions of two sets.
//
// It finds the region that all routes lie in, and in that grows a tree of cheapest
// routes from every start and one to every target.
// Where the two trees run along the same segments they form a plateau; the
// route over a plateau is the cheapest from the start to anywhere on it and on
// to the target, so it makes no detour that a driver would find silly (Abraham
// et al., "Alternative Routes in Road Networks", 2010). Restrictions over
// several junctions are kept by looking at each route found. No route drives a
// segment twice, but a loop may end on the segment where it starts.
//
// It must not be used by two goroutines at once.
type Alternatives struct {
	// Done, when closed, ends the growing of trees before they are finished. What
	// is found by then need not be all. It may be nil.
	Done <-chan struct{}

	// Avoid are segments that no route drives.
	Avoid []SegmentID

	region  region
	planter planter
	starts  []Position
	start   tree // from the start that was asked about last
	grown   int  // which that is; -1: none yet
	targets []tree
	meet    meeting
}

// NewAlternatives prepares searches on a network.
func NewAlternatives(n *Network) *Alternatives {
	return &Alternatives{region: newRegion(n)}
}

// keptPlaces is the largest region whose memory is kept for the next one: that of a
// whole city, which a single gap far longer than the others may take, would stay.
const keptPlaces = 1 << 13

// Release lets go of the memory of a large region, when no more routes in it are asked
// for.
func (a *Alternatives) Release() {
	if len(a.region.segments) > keptPlaces {
		a.region.forget()
		a.planter, a.start, a.targets, a.meet = planter{}, tree{}, nil, meeting{}
	}
}

// Prepare grows the trees of the targets. Between then finds routes.
func (a *Alternatives) Prepare(from, to []Position, c Choice) {
	r := &a.region
	r.forward.done, r.back.done, a.planter.done = a.Done, a.Done, a.Done
	r.forward.avoid, r.back.avoid = a.Avoid, a.Avoid
	r.fill(from, to, c.Search)
	a.planter.plant(r, true, c.Bound)
	a.targets = planted(a.targets, len(to))
	for i, p := range to {
		a.planter.grow(&a.targets[i], p, c.cost(r.net, p.Segment, (1-p.Ratio)*r.net.Length(p.Segment)))
	}
	a.planter.plant(r, false, c.Bound)
	a.starts, a.grown = append(a.starts[:0], from...), -1
	a.meet.begin(r)
}

// Reach says of each target whether a route within the bound may lead there from any of
// the starts. To those of which it says no, none does; restrictions over several
// junctions may rule out others. It costs one search, whatever the number of positions.
func (a *Alternatives) Reach(from, to []Position, s Search, reached []bool) []bool {
	f := &a.region.forward
	f.done, f.avoid, f.across = a.Done, nil, nil
	f.grow(from, to, s)
	for _, p := range to {
		reached = append(reached, f.settled(p.Segment))
	}
	return reached
}

// planted is so many trees. Those beyond the length of an earlier, shorter list
// keep their memory.
func planted(trees []tree, n int) []tree {
	return slices.Grow(trees, max(0, n-len(trees)))[:n]
}

// Between appends the distinct routes from start i to target j, the cheapest
// first. They are valid until routes between other positions are asked for:
// their segments share memory. Ask for all from one start before the next: only one
// tree of a start is held, as large as the region.
func (a *Alternatives) Between(i, j int, c Choice, routes []Route) []Route {
	if a.grown != i {
		p, net := a.starts[i], a.region.net
		a.planter.grow(&a.start, p, c.cost(net, p.Segment, p.Ratio*net.Length(p.Segment)))
		a.grown = i
	}
	return a.meet.routes(&a.start, &a.targets[j], c, routes)
}
