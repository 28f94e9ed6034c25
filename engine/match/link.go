package match

import (
	"context"
	"math"
	"slices"

	"retrace/engine/roadnet"
)

// link is what lies between the candidates of two samples: a score for each
// pair, and the route, where it has been looked for.
type link struct {
	from, to int       // layers
	tooFast  bool      // even the straight way asks for more than any vehicle does
	noWay    bool      // it is known that no pair has a route
	slowest  float64   // m/s that the slowest route asks for of those that no vehicle drives; 0: there are none
	score    []float64 // by pair: log probability of the route, -Inf where there is none
	start    []uint32  // by pair: where the path of its route begins in paths
	end      []uint32  // and where it ends; the same where the route is not known
	paths    []roadnet.SegmentID
}

func (l *link) path(pair int) []roadnet.SegmentID { return l.paths[l.start[pair]:l.end[pair]] }

func (l *link) known(pair int) bool {
	return l.end[pair] > l.start[pair] || math.IsInf(l.score[pair], -1)
}

func (l *link) anyKnown() bool {
	for pair := range l.score {
		if l.known(pair) {
			return true
		}
	}
	return false
}

func (l *link) setPath(pair int, path []roadnet.SegmentID) {
	l.start[pair] = uint32(len(l.paths))
	l.paths = append(l.paths, path...)
	l.end[pair] = uint32(len(l.paths))
}

// good reports whether the link explains its two samples. If not, one of them
// may be an outlier.
func (l *link) good(skip float64) bool { return slices.Max(l.score) > -min(interest, skip/plainly) }

const (
	// A route beyond so many nats of the best is of no interest: no detour
	// costs more.
	interest = 20.0
	// What a route scores that no vehicle drives in time. It is the least that a
	// route can score, so that a wrong time does not break the path.
	rushScore = -60.0
)

// The bound of a search: so many times the straight way, and a constant for
// vehicles that stand, turn round, or cross a river.
const (
	boundFactor   = 3.0
	boundConstant = 2000.0
)

// link finds the routes between two layers.
func (m *Matcher) link(ctx context.Context, lat *lattice, from, to int) (*link, error) {
	a, b := &lat.layers[from], &lat.layers[to]
	pairs := len(a.hits) * len(b.hits)
	l := &link{from: from, to: to, score: make([]float64, pairs), start: make([]uint32, pairs), end: make([]uint32, pairs)}
	gap := seconds(a, b)
	straight := roadnet.Distance(a.place, b.place)
	if straight-a.slack()-b.slack() > m.set.MaxSpeed*gap {
		l.tooFast = true
		fill(l.score, rushScore)
		return l, ctx.Err()
	}
	search := m.Search(straight, gap)
	m.router.Avoid = m.pins.Avoided(a.sample, b.sample)
	m.spots = b.positions(m.spots[:0])
	m.table.Reset()
	for _, h := range a.hits {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.table.Add(m.router, h.Position, m.spots, search)
	}
	m.weigh(l, a, b, search)
	return l, nil
}

// Search says how routes are searched for between samples so many metres and seconds
// apart.
func (m *Matcher) Search(straight, seconds float64) roadnet.Search {
	return m.search(boundFactor*straight+boundConstant, interest*m.beta(seconds))
}

func seconds(a, b *layer) float64 { return float64(b.time-a.time) / 1000 }

func fill(s []float64, x float64) {
	for i := range s {
		s[i] = x
	}
}

func (m *Matcher) search(bound, spread float64) roadnet.Search {
	return roadnet.Search{
		TimeShare: m.set.TimeShare, Speed: m.set.Speed, Turn: m.set.Turn, UTurn: m.set.UTurn, Back: m.set.Back,
		Bound: bound, Spread: spread,
	}
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

// weigh turns the routes of the table into scores and keeps their paths. A
// route not found nearby scores the most that it can, until the best way asks
// for it; then it is looked for everywhere.
func (m *Matcher) weigh(l *link, a, b *layer, s roadnet.Search) {
	gap := seconds(a, b)
	beyond := min(s.Bound, m.table.Least()+s.Spread)
	far := max(rushScore, -interest-m.hurry(beyond/m.fastCost()/gap))
	for i := range a.hits {
		for j := range b.hits {
			pair := i*len(b.hits) + j
			if leg := m.table.Leg(i, j); leg.Found {
				l.score[pair] = m.limit(l, leg, m.table.Path(i, j), a, b, i, j)
				l.setPath(pair, m.table.Path(i, j))
			} else {
				l.score[pair] = far
			}
		}
	}
	l.noWay = math.IsInf(slices.Max(l.score), -1)
}

// fastCost is what a second on the fastest road costs, metres.
func (m *Matcher) fastCost() float64 {
	return (1-m.set.TimeShare)*motorway + m.set.TimeShare*m.set.Speed
}

// resolve looks everywhere for the route of a pair that was not found nearby;
// where no pair was, for those of all.
func (m *Matcher) resolve(ctx context.Context, l *link, a, b *layer, i, j int) error {
	n := len(b.hits)
	m.router.Avoid = m.pins.Avoided(a.sample, b.sample)
	m.spots = b.positions(m.spots[:0])
	if !l.tooFast && !l.anyKnown() {
		for i := range a.hits {
			if err := ctx.Err(); err != nil {
				return err
			}
			m.resolveRow(l, a, b, i, 0, n, interest*m.beta(seconds(a, b)))
		}
		return nil
	}
	m.resolveRow(l, a, b, i, j, j+1, 0)
	if math.IsInf(l.score[i*n+j], -1) { // then there may be no way to the others either
		m.resolveRow(l, a, b, i, 0, n, 0)
	}
	return ctx.Err()
}

// resolveRow looks everywhere for the routes from candidate i to candidates
// from up to to. A pair of which it is sure that it has none scores -Inf.
func (m *Matcher) resolveRow(l *link, a, b *layer, i, from, to int, spread float64) {
	m.table.Reset()
	m.table.Add(m.router, a.hits[i].Position, m.spots[from:to], m.search(math.Inf(1), spread))
	sure := spread == 0 || !m.table.Found()
	for j := from; j < to; j++ {
		pair := i*len(b.hits) + j
		if leg := m.table.Leg(0, j-from); leg.Found {
			l.score[pair] = m.limit(l, leg, m.table.Path(0, j-from), a, b, i, j)
			l.setPath(pair, m.table.Path(0, j-from))
		} else if sure {
			l.score[pair] = math.Inf(-1)
		}
	}
	l.noWay = math.IsInf(slices.Max(l.score), -1)
}

// transition is the log probability, but for a constant, of a route from
// candidate i to candidate j.
func (m *Matcher) transition(leg roadnet.Leg, a, b *layer, i, j int) float64 {
	detour, hurry := m.strain(leg, a.hits[i].Position, b.hits[j].Position, seconds(a, b))
	return max(rushScore, -min(interest, detour)-hurry)
}

// strain is how many nats the detour of a route costs, and its hurry.
func (m *Matcher) strain(leg roadnet.Leg, from, to roadnet.Position, gap float64) (detour, hurry float64) {
	straight := roadnet.Distance(m.net.At(from), m.net.At(to))
	over := leg.Cost - straight
	if leg.Length == 0 {
		over = straight * straight / stepBack // a long step backwards is no error, and several make a way back
	}
	return over / m.beta(gap), m.hurry(m.fastest(leg) / gap)
}

// Transition is the log probability, but for a constant, of a route that was searched for
// with the costs of the settings between two samples so many seconds apart.
func (m *Matcher) Transition(r roadnet.Route, from, to roadnet.Position, seconds float64) float64 {
	detour, hurry := m.strain(roadnet.Leg{Found: true, Length: r.Length, Time: r.Time, Cost: r.Cost}, from, to, seconds)
	return max(rushScore, -min(interest, detour)-hurry)
}

// Emission is the log probability density, but for a constant, of a sample so many metres
// from where the vehicle was.
func (m *Matcher) Emission(distance float64) float64 { return m.emission(distance) }

// A step backwards of so many metres is as unlikely as a detour of so many; the likelihood
// of others falls as that of an error does.
const stepBack = 12.0

// Plain reports whether a route that was searched for with the costs of the
// settings explains two samples so many seconds apart well: so well that Match
// would take neither for an outlier.
func (m *Matcher) Plain(r roadnet.Route, from, to roadnet.Position, seconds float64) bool {
	detour, hurry := m.strain(roadnet.Leg{Found: true, Length: r.Length, Time: r.Time, Cost: r.Cost}, from, to, seconds)
	return detour+hurry < m.set.Skip/plainly
}

// Drive is a path from one place to another with the costs of the settings.
func (m *Matcher) Drive(path []roadnet.SegmentID, from, to roadnet.Position) roadnet.Route {
	r := roadnet.Route{Segments: path}
	for i, id := range path {
		begin, end := roadnet.Driven(i, len(path), from.Ratio, to.Ratio)
		metres := max(0, end-begin) * m.net.Length(id)
		flow := m.net.FreeFlow(id)
		r.Length, r.Time = r.Length+metres, r.Time+metres/flow
		r.Cost += metres * (1 - m.set.TimeShare + m.set.TimeShare*m.set.Speed/flow)
		if i > 0 {
			r.Cost += m.turn(path[i-1], id)
		}
	}
	return r
}

// turn is what going from one segment to the next costs.
func (m *Matcher) turn(from, to roadnet.SegmentID) float64 {
	if back, ok := m.net.Reverse(from); ok && back == to {
		return m.set.UTurn
	}
	if len(m.net.Next(from)) < 2 {
		return 0
	}
	return m.set.Turn * (1 - math.Cos(m.net.TurnAngle(from, to)*math.Pi/180))
}

// A sample is taken for an outlier where leaving it out costs less than the
// routes around it. One that asks for less than this part of it is plain.
const plainly = 2

// hurry is what a route costs whose free-flow time is a multiple of the gap.
func (m *Matcher) hurry(multiple float64) float64 {
	over := max(0, multiple-m.set.HurryFree)
	return m.set.Hurry * over * over
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

// Uniform reports whether all roads of a network have the same free flow, as
// they do where only their geometry is known.
func Uniform(net *roadnet.Network) bool {
	for id := range roadnet.SegmentID(net.NumSegments()) {
		if net.FreeFlow(id) != net.FreeFlow(0) {
			return false
		}
	}
	return true
}
