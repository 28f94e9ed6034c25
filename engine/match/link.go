package match

import (
	"context"
	"math"

	"retrace/engine/roadnet"
)

// link is what lies between the candidates of two samples: a route for each
// pair, with its log probability, or a break.
type link struct {
	from, to int // layers
	breaking Break
	score    []float64 // by pair, -Inf where there is no route
	start    []uint32  // by pair, and one more: of its path in paths
	paths    []roadnet.SegmentID
	best     float64 // highest score
}

func (l *link) path(pair int) []roadnet.SegmentID { return l.paths[l.start[pair]:l.start[pair+1]] }

// A link with a best score below this is suspicious: one of its samples may be
// an outlier.
const suspicious = -interest

func (l *link) good() bool { return l.breaking == NoBreak && l.best >= suspicious }

// A route beyond so many nats of the best is of no interest.
const interest = 20

// The bound of a search: so many times the straight way, and a constant for
// vehicles that stand, turn round, or cross a river.
const (
	boundFactor   = 3.0
	boundConstant = 2000.0
)

// link finds the routes between two layers.
func (m *Matcher) link(ctx context.Context, lat *lattice, from, to int) (*link, error) {
	a, b := &lat.layers[from], &lat.layers[to]
	l := &link{from: from, to: to, best: math.Inf(-1)}
	gap := float64(b.time-a.time) / 1000
	straight := roadnet.Distance(a.place, b.place)
	if straight-a.slack()-b.slack() > m.set.MaxSpeed*gap {
		l.breaking = TooFast
		return l, ctx.Err()
	}
	beta := m.beta(gap)
	search := roadnet.Search{
		TimeShare: m.set.TimeShare, Speed: m.set.Speed, Turn: m.set.Turn, UTurn: m.set.UTurn, Back: m.set.Back,
		Bound: boundFactor*straight + boundConstant, Spread: interest * beta,
	}
	m.spots[0], m.spots[1] = a.positions(m.spots[0][:0]), b.positions(m.spots[1][:0])
	found, err := m.routes(ctx, search)
	if err == nil && !found {
		search.Bound, search.Spread = math.Inf(1), 1
		found, err = m.routes(ctx, search)
	}
	if err != nil {
		return nil, err
	}
	if !found {
		l.breaking = NoWay
		return l, nil
	}
	m.weigh(l, a, b, gap, beta)
	return l, nil
}

// slack is how far the sample is from its candidates, metres.
func (l *layer) slack() float64 { return l.hits[len(l.hits)-1].Distance }

func (l *layer) positions(buf []roadnet.Position) []roadnet.Position {
	for _, h := range l.hits {
		buf = append(buf, h.Position)
	}
	return buf
}

// beta is the scale of the detour over a gap in seconds, in metres. It stops
// growing after an hour.
func (m *Matcher) beta(gap float64) float64 { return m.set.BetaBase + m.set.BetaGap*min(gap, 3600) }

// routes fills the table and reports whether there is any route.
func (m *Matcher) routes(ctx context.Context, s roadnet.Search) (bool, error) {
	m.table.Reset()
	for i := range m.spots[0] {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		m.table.Add(m.router, m.spots[0][i], m.spots[1], s)
	}
	return m.table.Found(), nil
}

// weigh turns the routes of the table into scores and keeps their paths.
func (m *Matcher) weigh(l *link, a, b *layer, gap, beta float64) {
	l.start = append(l.start, 0)
	for i := range a.hits {
		from := m.net.At(a.hits[i].Position)
		for j := range b.hits {
			score := math.Inf(-1)
			if leg := m.table.Leg(i, j); leg.Found {
				straight := roadnet.Distance(from, m.net.At(b.hits[j].Position))
				score = m.transition(leg, straight, gap, beta)
				l.paths = append(l.paths, m.table.Path(i, j)...)
			}
			l.score = append(l.score, score)
			l.start = append(l.start, uint32(len(l.paths)))
			l.best = max(l.best, score)
		}
	}
}

// transition is the log probability, but for a constant, of a route.
func (m *Matcher) transition(leg roadnet.Leg, straight, gap, beta float64) float64 {
	score := -min(interest, (leg.Cost-straight)/beta)
	if hurry := m.fastest(leg)/gap - m.set.HurryFree; hurry > 0 {
		score -= m.set.Hurry * hurry * hurry
	}
	return score
}

// motorway is a speed that no road forbids to think of, m/s.
const motorway = 36

// fastest is the time that a route takes without traffic, seconds. Where the
// network does not tell roads apart, any may be a motorway.
func (m *Matcher) fastest(leg roadnet.Leg) float64 {
	if m.uniform {
		return leg.Length / motorway
	}
	return leg.Time
}

// isUniform reports whether all roads of a network have the same free flow, as
// they do where only their geometry is known.
func isUniform(net *roadnet.Network) bool {
	for id := range roadnet.SegmentID(net.NumSegments()) {
		if net.FreeFlow(id) != net.FreeFlow(0) {
			return false
		}
	}
	return true
}
