package feature

import (
	"fmt"
	"math"
	"slices"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// RouteSettings say which routes are looked for between two candidates. They
// belong to a bundle.
type RouteSettings struct {
	Candidates CandidateSettings `json:"candidates"`
	Count      int               `json:"count"`    // most routes between two candidates
	Stretch    float64           `json:"stretch"`  // a route costs at most so many times the cheapest,
	Slack      float64           `json:"slack"`    // and so many metres more,
	Pace       float64           `json:"pace"`     // or as many metres a second of the gap, if that is more
	Back       float64           `json:"back"`     // a step backwards on a segment may be a vehicle that stands, metres
	Search     roadnet.Search    `json:"search"`   // costs; its bound limits the search for the cheapest
	Plateau    float64           `json:"plateau"`  // see roadnet.Choice
	Apart      float64           `json:"apart"`    // metres
	Examined   int               `json:"examined"` // most routes looked at for a pair
}

// DefaultRoutes are chosen on training trips of Porto.
func DefaultRoutes() RouteSettings {
	return RouteSettings{
		Candidates: DefaultCandidates(),
		Count:      8, Stretch: 1.3, Slack: 300, Pace: 10, Back: 30,
		Search:  roadnet.Search{TimeShare: 0.5, Speed: 12, Turn: 20, UTurn: 150},
		Plateau: 0.8, Apart: 20, Examined: 200,
	}
}

// The most that settings may ask for: a search farther, or among more, would take
// all memory or never end.
const (
	mostReach    = 10_000 // metres from a sample to a road
	mostOf       = 1000   // candidates of a sample, routes of a pair
	mostExamined = 100_000
)

// Check refuses settings that no routes can be found with.
func (s RouteSettings) Check() error {
	c := s.Candidates
	if !(c.Radius > 0 && c.Radius <= c.MaxRadius && c.MaxRadius <= mostReach) || c.Cap < 1 || c.Cap > mostOf || !(c.Excess >= 0) {
		return fmt.Errorf("settings of candidates out of range: %d within %v to %v m, the others at most %v m farther", c.Cap, c.Radius, c.MaxRadius, c.Excess)
	}
	if s.Count < 1 || s.Count > mostOf || s.Examined < 0 || s.Examined > mostExamined || !(s.Stretch >= 1 && s.Stretch <= 100) ||
		!(s.Slack >= 0 && s.Slack <= 1e6) || !(s.Pace >= 0 && s.Pace <= 1000) || !(s.Back >= 0 && s.Back <= mostReach) {
		return fmt.Errorf("settings of routes out of range: %d of %d, stretch %v, slack %v m, pace %v m/s, back %v m", s.Count, s.Examined, s.Stretch, s.Slack, s.Pace, s.Back)
	}
	return nil
}

// Option is a route between candidate From of the sample before a gap and
// candidate To of the sample after it.
type Option struct {
	From, To int
	roadnet.Route
}

// Trip holds the candidates of a trajectory's samples, the routes of its gaps,
// and the features of both. It can be filled anew and then uses its memory again.
type Trip struct {
	CandidateStart   []int32 // [samples+1] into Candidates
	Candidates       []roadnet.Hit
	CandidateColumns int
	CandidateValues  []float32 // [candidates][CandidateColumns]

	OptionStart  []int32 // [gaps+1] into Options
	Options      []Option
	RouteColumns int
	RouteValues  []float32 // [options][RouteColumns]

	paths []roadnet.SegmentID // of the options
}

// CandidatesOf are the candidates of sample i; none where no road is near.
func (t *Trip) CandidatesOf(i int) []roadnet.Hit {
	return t.Candidates[t.CandidateStart[i]:t.CandidateStart[i+1]]
}

// OptionsOf are the routes of the gap after sample i.
func (t *Trip) OptionsOf(i int) []Option { return t.Options[t.OptionStart[i]:t.OptionStart[i+1]] }

// Empty makes it one of so many samples without candidates and routes.
func (t *Trip) Empty(samples int) {
	*t = Trip{CandidateStart: resized(t.CandidateStart, samples+1), OptionStart: resized(t.OptionStart, samples)}
}

// TripMaker finds the candidates and routes of trajectories on one network, one
// after another. It must not be used by two goroutines at once.
type TripMaker struct {
	// Done, when closed, ends Fill before it is finished; the trip is then not to
	// be used. It may be nil.
	Done <-chan struct{}

	// Traffic is what trips on the network told; nil: nothing. What the very trip
	// told whose samples are filled in is left out.
	Traffic *Traffic

	// Close says which gaps are close; nil: none.
	Close *Close

	// Through ends Fill where no way leads on through the gaps: nobody asks for the
	// others then.
	Through bool

	// Avoid says which segments no route of the gap after a sample drives. It may
	// be nil.
	Avoid func(sample int) []roadnet.SegmentID

	// Router finds the cheapest routes; nil: one is made. It may be lent by who does
	// not search at the same time.
	Router *roadnet.Router

	net          *roadnet.Network
	settings     RouteSettings
	alternatives *roadnet.Alternatives
	near         []roadnet.Hit
	from, to     []roadnet.Position
	table        roadnet.Table
	linked       []bool // candidates that the routes of the gaps before lead to
	reached      []bool // buffer
	routes       []roadnet.Route
	environment  Environment
	others       others     // the trips gathered, but this one
	nearest      []float64  // buffer
	hour         [3]float32 // of the trip, as pieces know it
	ways         []Way      // over its gaps, as given to Drive
	flows        []flow     // of its gaps
	whole        flow       // of all of them: seconds and freeTime
	pieces       pieceMaker

	candidateWidth, routeWidth, pieceWidth int // columns
}

// NewTripMaker prepares the search for candidates and routes on a network.
func NewTripMaker(net *roadnet.Network, s RouteSettings) *TripMaker {
	return &TripMaker{
		net: net, settings: s, pieces: pieceMaker{net: net},
		alternatives:   roadnet.NewAlternatives(net),
		environment:    NewEnvironment(net.Info().TimeZone),
		candidateWidth: len(candidateColumns()), routeWidth: len(routeColumns()), pieceWidth: len(pieceColumns()),
	}
}

// Restrict says what is known of a sample: it takes the candidates found and
// returns those that remain, or others.
type Restrict func(sample int, found []roadnet.Hit) []roadnet.Hit

// Fill finds the candidates of samples in order of time and the routes between
// those of consecutive samples. Gaps around a sample without candidates have no
// routes; leave such samples out before. Restrict may be nil. Where all gaps are close
// nothing is described: no model is asked of them. It reports whether routes lead through
// all gaps, one after the other.
func (m *TripMaker) Fill(t *Trip, samples []trajectory.Sample, restrict Restrict) (through bool) {
	m.findCandidates(t, samples, restrict)
	if m.done() {
		return false // some samples may have no candidates yet
	}
	through = true
	plain := m.Close.All(samples)
	if !plain {
		m.describeCandidates(t, samples)
	}
	t.RouteColumns = m.routeWidth
	t.paths = t.paths[:0]
	if m.Router == nil {
		m.Router = roadnet.NewRouter(m.net)
	}
	m.Router.Done, m.alternatives.Done = m.Done, m.Done
	m.linked = resized(m.linked, len(t.Candidates))
	for i := 0; i+1 < len(samples); i++ {
		if m.done() {
			return false
		}
		through = m.linkOptions(t, samples, i) && through
		if m.Through && !through {
			return false
		}
	}
	if !plain {
		m.describeOptions(t, samples)
	}
	return through
}

// Where no route of a gap goes on from where those before lead to, as where each
// is between two sides of a motorway, the routes of both gaps are sought so many
// times as far as the cheapest of a gap.
var fartherAndFarther = [...]float64{1, 8}

// linkOptions finds the routes of the gap after sample i. It reports whether they go on
// from those before.
func (m *TripMaker) linkOptions(t *Trip, samples []trajectory.Sample, i int) bool {
	m.findOptions(t, samples, i, 0)
	linked := m.linkTo(t, i)
	if !linked && m.Through && !m.mayLink(t, samples, i) {
		return false
	}
	for _, far := range fartherAndFarther {
		if linked || m.done() {
			return linked
		}
		first := max(0, i-1)
		t.Options, t.OptionStart = t.Options[:t.OptionStart[first]], t.OptionStart[:first+1]
		for gap := first; gap <= i; gap++ {
			m.findOptions(t, samples, gap, far)
			linked = m.linkTo(t, gap)
		}
	}
	if linked {
		return true
	}
	for k := t.CandidateStart[i+1]; k < t.CandidateStart[i+2]; k++ {
		m.linked[k] = true // there is no way: what comes next begins anew
	}
	return false
}

// mayLink reports whether routes may lead through the gap after sample i and the one
// before, as far as they are sought at the most. Where none do, that is found out far
// quicker than by looking for all.
func (m *TripMaker) mayLink(t *Trip, samples []trajectory.Sample, i int) bool {
	first := max(0, i-1)
	m.from = m.from[:0]
	for k, h := range t.CandidatesOf(first) {
		if first == 0 || m.linked[int(t.CandidateStart[first])+k] {
			m.from = append(m.from, h.Position)
		}
	}
	search := m.settings.Search
	for gap := first; gap <= i; gap++ {
		m.to = positions(t.CandidatesOf(gap+1), m.to[:0])
		search.Bound = bound(metresBetween(pointOf(samples[gap]), pointOf(samples[gap+1])), fartherAndFarther[len(fartherAndFarther)-1])
		m.reached = m.alternatives.Reach(m.from, m.to, search, m.reached[:0])
		m.from = m.from[:0]
		for k, p := range m.to {
			if m.reached[k] {
				m.from = append(m.from, p)
			}
		}
	}
	return len(m.from) > 0
}

// linkTo notes which candidates of the sample after gap i its routes lead to, from
// those that the routes before lead to. It reports whether there are any.
func (m *TripMaker) linkTo(t *Trip, i int) bool {
	a, b := t.CandidateStart[i], t.CandidateStart[i+1]
	clear(m.linked[b:t.CandidateStart[i+2]])
	found := false
	for _, o := range t.OptionsOf(i) {
		if i == 0 || m.linked[int(a)+o.From] {
			m.linked[int(b)+o.To], found = true, true
		}
	}
	return found
}

// FillCandidates finds the candidates only, and no routes.
func (m *TripMaker) FillCandidates(t *Trip, samples []trajectory.Sample, restrict Restrict) {
	m.findCandidates(t, samples, restrict)
	m.describeCandidates(t, samples)
}

func (m *TripMaker) findCandidates(t *Trip, samples []trajectory.Sample, restrict Restrict) {
	m.others = m.Traffic.without(samples)
	t.CandidateColumns = m.candidateWidth
	t.CandidateStart = append(t.CandidateStart[:0], 0)
	t.OptionStart = append(t.OptionStart[:0], 0)
	t.Candidates, t.Options = t.Candidates[:0], t.Options[:0]
	for i := range samples {
		if m.done() {
			return
		}
		first := len(t.Candidates)
		if m.Close.Gap(samples, i-1) || m.Close.Gap(samples, i) {
			var before []roadnet.Hit
			if i > 0 {
				before = t.CandidatesOf(i - 1)
			}
			t.Candidates = m.closeCandidates(pointOf(samples[i]), before, t.Candidates)
		} else {
			t.Candidates, m.near = m.settings.Candidates.candidates(m.net, pointOf(samples[i]), m.near, t.Candidates)
		}
		if restrict != nil {
			t.Candidates = append(t.Candidates[:first], restrict(i, slices.Clone(t.Candidates[first:]))...)
		}
		t.CandidateStart = append(t.CandidateStart, int32(len(t.Candidates)))
	}
}

func (m *TripMaker) describeCandidates(t *Trip, samples []trajectory.Sample) {
	width := t.CandidateColumns
	t.CandidateValues = resized(t.CandidateValues, len(t.Candidates)*width)
	typical := m.typicalDistance(t)
	for i := range samples {
		before, after := around(samples, i)
		first := int(t.CandidateStart[i])
		for rank, h := range t.CandidatesOf(i) {
			k := first + rank
			s := nearby{t.Candidates[first].Distance, typical, before, after}
			r := row{t.CandidateValues[k*width : (k+1)*width]}
			fillCandidate(m.net, h, rank, s, &r)
			m.others.fillCandidate(h.Segment, &r)
		}
	}
}

// typicalDistance is the median of the distances from samples to their nearest
// candidates, in metres: how far off this trip's positions are.
func (m *TripMaker) typicalDistance(t *Trip) float64 {
	m.nearest = m.nearest[:0]
	for i := range len(t.CandidateStart) - 1 {
		if hits := t.CandidatesOf(i); len(hits) > 0 {
			m.nearest = append(m.nearest, hits[0].Distance)
		}
	}
	if len(m.nearest) == 0 {
		return 0
	}
	slices.Sort(m.nearest)
	return m.nearest[len(m.nearest)/2]
}

func (m *TripMaker) done() bool {
	select {
	case <-m.Done:
		return true
	default:
		return false
	}
}

// findOptions appends the routes of the gap after sample i. Far says how many times
// as far it looks as for the cheapest of them; 0: as far as that one tells.
func (m *TripMaker) findOptions(t *Trip, samples []trajectory.Sample, i int, far float64) {
	if m.Router.Avoid = nil; m.Avoid != nil {
		m.Router.Avoid = m.Avoid(i)
	}
	m.alternatives.Avoid = m.Router.Avoid
	if far == 0 && m.Close.Gap(samples, i) {
		m.findClose(t, samples, i)
		t.OptionStart = append(t.OptionStart, int32(len(t.Options)))
		return
	}
	m.findRoutes(t, i, far, seconds(samples[i], samples[i+1]), metresBetween(pointOf(samples[i]), pointOf(samples[i+1])))
	t.OptionStart = append(t.OptionStart, int32(len(t.Options)))
}

func (m *TripMaker) findRoutes(t *Trip, i int, far, seconds, straight float64) {
	a, b := t.CandidatesOf(i), t.CandidatesOf(i+1)
	if len(a) == 0 || len(b) == 0 {
		return
	}
	m.from, m.to = positions(a, m.from[:0]), positions(b, m.to[:0])
	choice, ok := m.choice(seconds, straight, far)
	if !ok {
		return
	}
	defer m.alternatives.Release()
	m.alternatives.Prepare(m.from, m.to, choice)
	for x := range a {
		if m.done() {
			return
		}
		for y := range b {
			if m.mayStand(a[x].Position, b[y].Position) {
				t.Options = append(t.Options, Option{x, y, t.keep(roadnet.Route{Segments: []roadnet.SegmentID{a[x].Segment}})})
			}
			m.routes = m.alternatives.Between(x, y, choice, m.routes[:0])
			for _, r := range m.routes {
				t.Options = append(t.Options, Option{x, y, t.keep(r)})
			}
		}
	}
}

// mayStand reports whether a position lies so little behind another that the
// vehicle may have stood there all the time.
func (m *TripMaker) mayStand(from, to roadnet.Position) bool {
	behind := (from.Ratio - to.Ratio) * m.net.Length(from.Segment)
	return from.Segment == to.Segment && behind > 0 && behind <= m.settings.Back
}

// keep copies a route's segments to memory that lasts as long as the trip.
func (t *Trip) keep(r roadnet.Route) roadnet.Route {
	first := len(t.paths)
	t.paths = append(t.paths, r.Segments...)
	r.Segments = t.paths[first:len(t.paths):len(t.paths)]
	return r
}

func positions(hits []roadnet.Hit, buf []roadnet.Position) []roadnet.Position {
	for _, h := range hits {
		buf = append(buf, h.Position)
	}
	return buf
}

// The search for the cheapest route of a gap ends at so many times the straight
// way and a constant.
const (
	farFactor   = 4.0
	farConstant = 3000.0
	nothing     = 1e-9 // metres by which others may be dearer than the cheapest: it ends where that is found
)

func bound(straight, far float64) float64 { return far * (farFactor*straight + farConstant) }

// choice bounds the search by the cheapest route from the nearest candidate
// that leads anywhere.
func (m *TripMaker) choice(seconds, straight, far float64) (roadnet.Choice, bool) {
	s := m.settings
	search := s.Search
	search.Bound, search.Spread = bound(straight, max(far, 1)), nothing
	cheapest := math.Inf(1)
	for _, from := range m.from {
		for _, leg := range m.Router.Routes(from, m.to, search) {
			if leg.Found {
				cheapest = min(cheapest, leg.Cost)
			}
		}
		if !math.IsInf(cheapest, 1) {
			break
		}
	}
	if math.IsInf(cheapest, 1) {
		return roadnet.Choice{}, false
	}
	if far == 0 {
		search.Bound = max(s.Stretch*cheapest+s.Slack, s.Pace*seconds)
	}
	search.Spread = s.Search.Spread
	return roadnet.Choice{Search: search, Count: s.Count, Apart: s.Apart, Plateau: s.Plateau, Examined: s.Examined}, true
}

func (m *TripMaker) describeOptions(t *Trip, samples []trajectory.Sample) {
	width := t.RouteColumns
	t.RouteValues = resized(t.RouteValues, len(t.Options)*width)
	for i := 0; i+1 < len(samples); i++ {
		if m.done() {
			return
		}
		options := t.OptionsOf(i)
		g := factsOf(samples, i, options)
		for first := 0; first < len(options); {
			last := samePair(options, first)
			m.describePair(t, i, options[first:last], g, t.RouteValues[(int(t.OptionStart[i])+first)*width:])
			first = last
		}
	}
}

// samePair is the end of the routes between the same two candidates.
func samePair(options []Option, first int) int {
	last := first
	for last < len(options) && options[last].From == options[first].From && options[last].To == options[first].To {
		last++
	}
	return last
}

func factsOf(samples []trajectory.Sample, i int, options []Option) gapFacts {
	g := gapFacts{seconds: seconds(samples[i], samples[i+1]), shortest: math.Inf(1), fastest: math.Inf(1)}
	for _, o := range options {
		g.shortest, g.fastest = min(g.shortest, o.Length), min(g.fastest, o.Time)
	}
	g.speedBefore, g.after = straightSpeed(samples, i-1), straightSpeed(samples, i+1)
	return g
}

// straightSpeed is the speed of the straight way over the gap after sample i in
// m/s, 0 where there is no such gap.
func straightSpeed(samples []trajectory.Sample, i int) float64 {
	if i < 0 || i+1 >= len(samples) {
		return 0
	}
	return metresBetween(pointOf(samples[i]), pointOf(samples[i+1])) / max(seconds(samples[i], samples[i+1]), 1)
}

func (m *TripMaker) describePair(t *Trip, i int, options []Option, g gapFacts, values []float32) {
	from := t.CandidatesOf(i)[options[0].From].Position
	to := t.CandidatesOf(i + 1)[options[0].To].Position
	x, y := offset(m.net.At(from), m.net.At(to))
	p := pairFacts{straight: math.Hypot(x, y), shortest: math.Inf(1), fastest: math.Inf(1)}
	p.east, p.north = unit(x, y)
	for _, o := range options {
		p.shortest, p.fastest = min(p.shortest, o.Length), min(p.fastest, o.Time)
	}
	for k, o := range options {
		r := row{values[k*t.RouteColumns : (k+1)*t.RouteColumns]}
		fillRoute(m.net, o.Route, from, to, g, p, &r)
		m.others.fillRoute(m.net, o.Route, from, to, g.seconds, &r)
	}
}
