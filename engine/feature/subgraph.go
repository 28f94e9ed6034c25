package feature

import (
	"math"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// pairColumns describe a segment of a sub-graph as seen from its sample.
func pairColumns() []Column {
	return []Column{
		scaled("distance", "m/100", Geometry, 0, 8),
		scaled("side", "1 right, -1 left of the segment", Geometry, -1, 1),
		scaled("ratio", "along the segment", Geometry, 0, 1),
		scaled("before", "ln(1 + m/50)/4 from the segment's start", Geometry, 0, 2),
		scaled("beyond", "ln(1 + m/50)/4 to the segment's end", Geometry, 0, 2),
		scaled("heading_east", "of the segment there", Geometry, -1, 1),
		scaled("heading_north", "of the segment there", Geometry, -1, 1),
		scaled("previous_cosine", "of the angle to the way from the previous sample", Geometry, -1, 1),
		scaled("previous_sine", "of the angle to the way from the previous sample", Geometry, -1, 1),
		scaled("next_cosine", "of the angle to the way to the next sample", Geometry, -1, 1),
		scaled("next_sine", "of the angle to the way to the next sample", Geometry, -1, 1),
	}
}

// Points are the features of the samples of one trajectory with their weighted
// sub-graphs (eq. 7, 8).
type Points struct {
	Samples, Columns, Sub, PairColumns, Neighbours int

	Values          []float32 // [Samples][Columns]
	Segments        []int32   // [Samples][Sub], V_tau,i by growing distance; the number of segments of the network where there is none
	Weights         []float32 // [Samples][Sub], W_tau,i; 0 where there is no segment
	Pairs           []float32 // [Samples][Sub][PairColumns]
	SubSuccessors   []int32   // [Samples][Sub][Neighbours], places in the sub-graph; Sub where there is none
	SubPredecessors []int32   // [Samples][Sub][Neighbours]
}

// PointMaker makes the features of trajectories on one network, one after
// another. It must not be used by two goroutines at once.
type PointMaker struct {
	net      *roadnet.Network
	settings Settings
	hits     []roadnet.Hit
	place    []int32  // by segment: its place in the sub-graph
	stamp    []uint32 // by segment: the sub-graph that place is valid for
	current  uint32

	width, pairWidth int // columns
}

// NewPointMaker prepares features on a network. It refuses settings out of range.
func NewPointMaker(net *roadnet.Network, s Settings) (*PointMaker, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	n := net.NumSegments()
	return &PointMaker{net: net, settings: s, place: make([]int32, n), stamp: make([]uint32, n),
		width: len(pointColumns()), pairWidth: len(pairColumns())}, nil
}

// Fill makes the features of samples in order of time, using the memory of p
// again.
func (m *PointMaker) Fill(p *Points, samples []trajectory.Sample) {
	p.Samples, p.Sub = len(samples), m.settings.SubCap
	p.Columns, p.PairColumns, p.Neighbours = m.width, m.pairWidth, neighbourCap
	p.resize()
	for i := range samples {
		before, after := around(samples, i)
		fillPoint(samples, i, before, after, row{p.Values[i*p.Columns : (i+1)*p.Columns]})
		m.fillSub(p, i, pointOf(samples[i]), before, after)
	}
}

// Trim leaves out the places of sub-graphs, and of neighbours, that no sample has
// anything in, so that less is computed. How much that is depends on the samples alone.
func (p *Points) Trim() {
	sub, neighbours := p.used()
	for i := range p.Samples {
		from, to := i*p.Sub, i*sub
		copy(p.Segments[to:], p.Segments[from:from+sub])
		copy(p.Weights[to:], p.Weights[from:from+sub])
		copy(p.Pairs[to*p.PairColumns:], p.Pairs[from*p.PairColumns:(from+sub)*p.PairColumns])
		for j := range sub {
			for _, all := range [...][]int32{p.SubSuccessors, p.SubPredecessors} {
				for k := range neighbours {
					all[(to+j)*neighbours+k] = min(all[(from+j)*p.Neighbours+k], int32(sub))
				}
			}
		}
	}
	p.Sub, p.Neighbours = sub, neighbours
	p.cut()
}

// used is how many places of a sub-graph and how many neighbours there are at the
// most, one at least: they stand before the places that are empty.
func (p *Points) used() (sub, neighbours int) {
	sub, neighbours = 1, 1
	for k, w := range p.Weights {
		if w > 0 {
			sub = max(sub, k%p.Sub+1)
		}
	}
	for _, all := range [...][]int32{p.SubSuccessors, p.SubPredecessors} {
		for k, at := range all {
			if int(at) < p.Sub {
				neighbours = max(neighbours, k%p.Neighbours+1)
			}
		}
	}
	return sub, neighbours
}

// cut leaves as much as the sizes say.
func (p *Points) cut() {
	pairs := p.Samples * p.Sub
	p.Segments, p.Weights, p.Pairs = p.Segments[:pairs], p.Weights[:pairs], p.Pairs[:pairs*p.PairColumns]
	p.SubSuccessors, p.SubPredecessors = p.SubSuccessors[:pairs*p.Neighbours], p.SubPredecessors[:pairs*p.Neighbours]
}

// resize makes room for what the sizes say.
func (p *Points) resize() {
	pairs := p.Samples * p.Sub
	p.Values = resized(p.Values, p.Samples*p.Columns)
	p.Segments = resized(p.Segments, pairs)
	p.Weights = resized(p.Weights, pairs)
	p.Pairs = resized(p.Pairs, pairs*p.PairColumns)
	p.SubSuccessors = resized(p.SubSuccessors, pairs*p.Neighbours)
	p.SubPredecessors = resized(p.SubPredecessors, pairs*p.Neighbours)
}

// resized is a zeroed slice of n values, in the memory of s where it is enough.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// fillSub makes the sub-graph of sample i: the nearest segments within delta.
func (m *PointMaker) fillSub(p *Points, i int, at roadnet.Point, before, after stay) {
	m.hits = m.net.Near(at, m.settings.Delta, m.hits[:0])
	hits := m.hits[:min(len(m.hits), p.Sub)]
	m.enter(hits)
	for j := range p.Sub {
		k := i*p.Sub + j
		successors := p.SubSuccessors[k*p.Neighbours : (k+1)*p.Neighbours]
		predecessors := p.SubPredecessors[k*p.Neighbours : (k+1)*p.Neighbours]
		if j >= len(hits) {
			p.Segments[k] = int32(m.net.NumSegments())
			m.neighbours(successors, nil, p.Sub)
			m.neighbours(predecessors, nil, p.Sub)
			continue
		}
		h := hits[j]
		p.Segments[k] = int32(h.Segment)
		p.Weights[k] = weight(h.Distance, m.settings.Gamma)
		m.fillPair(h, before, after, row{p.Pairs[k*p.PairColumns : (k+1)*p.PairColumns]})
		m.neighbours(successors, m.net.Next(h.Segment), p.Sub)
		m.neighbours(predecessors, m.net.Prev(h.Segment), p.Sub)
	}
}

// leastWeight keeps a far segment in the graph classification loss, whose
// logarithm of an underflown weight would be infinite.
const leastWeight = 1e-6

// weight is omega(e, p) of eq. 7.
func weight(distance, gamma float64) float32 {
	return float32(max(math.Exp(-distance*distance/(gamma*gamma)), leastWeight))
}

// enter notes the place of each segment of a sub-graph.
func (m *PointMaker) enter(hits []roadnet.Hit) {
	m.current++
	if m.current == 0 { // after four billion samples old stamps would look new
		clear(m.stamp)
		m.current = 1
	}
	for j, h := range hits {
		m.place[h.Segment], m.stamp[h.Segment] = int32(j), m.current
	}
}

// neighbours are E_tau,i: those of the network that are in the sub-graph.
func (m *PointMaker) neighbours(dst []int32, from []roadnet.SegmentID, nobody int) {
	n := 0
	for _, id := range from {
		if n < len(dst) && m.stamp[id] == m.current {
			dst[n] = m.place[id]
			n++
		}
	}
	for ; n < len(dst); n++ {
		dst[n] = int32(nobody)
	}
}

func (m *PointMaker) fillPair(h roadnet.Hit, before, after stay, r row) {
	length := m.net.Length(h.Segment)
	east, north := unitOf(m.net.Heading(h.Position))
	r.put(clamp(h.Distance/100, 0, 8), float32(h.Side), clamp(h.Ratio, 0, 1),
		clamp(math.Log1p(h.Ratio*length/50)/4, 0, 2),
		clamp(math.Log1p((1-h.Ratio)*length/50)/4, 0, 2),
		east, north)
	for _, s := range [...]stay{before, after} {
		r.put(east*s.east+north*s.north, east*s.north-north*s.east)
	}
}
