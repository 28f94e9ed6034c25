package feature

import (
	"fmt"
	"math"
	"slices"

	"retrace/engine/roadnet"
)

// moveColumns describe a candidate of a tick without a sample: a segment that
// can be reached in the tick from the last position, and from which the next
// sample can still be reached in time.
func moveColumns() []Column {
	cols := []Column{
		flag("same_segment", Geometry),
		scaled("distance", "ln(1 + m/50)/4 over the network from the last position to the segment", Geometry, 0, 2),
		scaled("free_flow", "s of the tick that free flow to the segment takes", Geometry, 0, 3),
		scaled("through", "s of the tick that free flow to the segment's end takes", Geometry, 0, 3),
		scaled("length", "ln(1 + m/100)/4", Geometry, 0, 2),
		scaled("steps", "segments passed / 8", Geometry, 0, 3),
		scaled("turns", "turns beyond 45 degrees / 4", Geometry, 0, 3),
		scaled("turn", "size of the last turn / 90 degrees", Geometry, 0, 2),
		flag("u_turn", Geometry),
		scaled("left", "ln(1 + m/100)/4 over the network to the next sample", Geometry, 0, 3),
		scaled("left_over_straight", "ln of the distance left over the straight one", Geometry, 0, 3),
		scaled("time_left", "ln(1 + s/15)/4", Geometry, 0, 3),
		scaled("speed_left", "m/s / 20 that the time left asks for", Geometry, 0, 3),
		scaled("hurry_left", "free-flow time left / time left", Geometry, 0, 3),
		scaled("pace", "ln of the speed left over that of the whole gap", Geometry, -3, 3),
		scaled("heading_cosine", "of the angle between the segment and the way to the next sample", Geometry, -1, 1),
		scaled("heading_sine", "of the angle between the segment and the way to the next sample", Geometry, -1, 1),
		scaled("signals", "passed / 4", Controls, 0, 3),
		scaled("signs", "stop and give-way signs passed / 4", Controls, 0, 3),
	}
	classes := make([]string, roadnet.NumClasses)
	for i := range classes {
		classes[i] = roadnet.Class(i).String()
	}
	return append(cols, oneHot("class_", Tags, classes...)...)
}

// TickSettings bound the candidates of a tick.
type TickSettings struct {
	Reach float64 `json:"reach"`  // free flow may take so many times the tick
	Late  float64 `json:"late"`   // and so many times the time left
	Slack float64 `json:"slack"`  // and so many seconds more, each
	UTurn float64 `json:"u_turn"` // seconds that turning back takes
	Cap   int     `json:"cap"`    // most candidates of a tick, the nearest
	Beta  float64 `json:"beta"`   // scale of the weights at a sample in metres (eq. 24)
}

// DefaultTicks allow for driving half as fast again as free flow.
func DefaultTicks() TickSettings {
	return TickSettings{Reach: 1.5, Late: 1.5, Slack: 10, UTurn: 10, Cap: 64, Beta: 15}
}

// Check refuses settings that no candidates can be found with.
func (s TickSettings) Check() error {
	positive := s.Reach > 0 && s.Late > 0 && s.Beta > 0
	if !positive || s.Reach > 100 || s.Late > 100 || !(s.Slack >= 0 && s.Slack <= 3600) || !(s.UTurn >= 0) || s.Cap < 1 || s.Cap > 4096 {
		return fmt.Errorf("settings of ticks out of range: reach %v, late %v, slack %v s, U-turn %v s, %d candidates, beta %v m",
			s.Reach, s.Late, s.Slack, s.UTurn, s.Cap, s.Beta)
	}
	return nil
}

// Moves are the candidates of one tick, the generalised constraint mask c of
// eq. 24: no segment outside it can be the right one. It can be filled anew and
// then uses its memory again.
type Moves struct {
	Segments   []int32
	Candidates []int32   // [segments] which candidate of the sample it is; -1 at a tick without a sample
	Weights    []float32 // [segments] logarithm of c; 0 at a tick without a sample
	Within     float64   // logarithm of the part of the sample's mask that they hold; 0 where that is all, or no sample
	From       []float64 // [segments] metres from the last position to where the segment is entered; below 0 for the rest of its own
	Columns    int
	Values     []float32 // [segments][Columns]
}

func (m *Moves) reset(columns int) {
	m.Segments, m.Candidates, m.Weights, m.From = m.Segments[:0], m.Candidates[:0], m.Weights[:0], m.From[:0]
	m.Columns, m.Values, m.Within = columns, m.Values[:0], 0
}

func (m *Moves) add(id roadnet.SegmentID, candidate int, weight float32, from float64) {
	m.Segments, m.Candidates = append(m.Segments, int32(id)), append(m.Candidates, int32(candidate))
	m.Weights, m.From = append(m.Weights, weight), append(m.From, from)
}

// MoveMaker finds the candidates of ticks. It must not be used by two goroutines
// at once.
type MoveMaker struct {
	net      *roadnet.Network
	settings TickSettings
	ahead    *roadnet.Reach // from the last position
	back     *roadnet.Reach // to the next sample
	here     [1]roadnet.Position
	places   []roadnet.Position
	passed   []passed
	width    int   // columns
	chosen   []int // of those reached
}

// passed is what lies on the way to a segment reached.
type passed struct {
	steps, turns, signals, signs int
	lastTurn                     float64
	uTurn                        bool
}

// NewMoveMaker prepares the search for candidates of ticks.
func NewMoveMaker(net *roadnet.Network, s TickSettings) *MoveMaker {
	return &MoveMaker{net: net, settings: s, width: len(moveColumns()), ahead: roadnet.NewReach(net, false), back: roadnet.NewReach(net, true)}
}

// seconds of free flow are what these searches count.
func (m *MoveMaker) search(bound float64) roadnet.Search {
	return roadnet.Search{TimeShare: 1, Speed: 1, UTurn: m.settings.UTurn, Bound: bound}
}

// FillFirst makes the candidates of a trip's first sample the moves: there is
// no last position yet, and their features are 0.
func (m *MoveMaker) FillFirst(moves *Moves, first []roadnet.Hit) {
	moves.reset(m.width)
	for k, h := range first {
		moves.add(h.Segment, k, m.weight(h), 0)
	}
	moves.Values = resized(moves.Values, len(first)*moves.Columns)
}

// Begin finds the way to the end of a gap of so many seconds between two samples.
// Next are the candidates of the later one.
func (m *MoveMaker) Begin(g *Goal, from, to roadnet.Point, next []roadnet.Hit, seconds float64) {
	g.to, g.next = append(g.to[:0], next...), to
	m.places = positions(next, m.places[:0])
	g.speed = metresBetween(from, to) / max(seconds, 1)
	g.hurry = min(max(1, g.speed/(hurried*m.fastest(next))), mostHurry)
	m.back.Grow(m.places, m.search(g.hurry*m.settings.Late*seconds+m.settings.Slack))
	g.keep(m.back)
}

// A vehicle that comes on, by the straight way, at this part of the free flow of
// the roads around drives faster than that: what is known of their speeds is wrong,
// as on a motorway of a network without tags.
const (
	hurried   = 0.7
	mostHurry = 4 // what is faster still is no drive
)

// fastest is the free flow of the fastest of some candidates, m/s.
func (m *MoveMaker) fastest(hits []roadnet.Hit) float64 {
	most := 1.0
	for _, h := range hits {
		most = max(most, m.net.FreeFlow(h.Segment))
	}
	return most
}

// Fill finds where the vehicle may be a tick after the last position, with so
// many seconds left then to the goal.
func (m *MoveMaker) Fill(moves *Moves, g *Goal, last roadnet.Position, tick, left float64) {
	m.reach(g, last, tick)
	for i := range m.ahead.Len() {
		if len(m.chosen) == m.settings.Cap {
			break
		}
		if _, ok := m.inTime(g, m.ahead.At(i).Segment, left); ok {
			m.chosen = append(m.chosen, i)
		}
	}
	moves.reset(m.width)
	for _, i := range m.chosen {
		r := m.ahead.At(i)
		moves.add(r.Segment, -1, 0, r.Length)
	}
	m.describeAll(moves, g, tick, left)
}

// FillSample finds which candidates of the goal the vehicle may have come to a
// tick after the last position, at the sample's own instant.
func (m *MoveMaker) FillSample(moves *Moves, g *Goal, last roadnet.Position, tick float64) {
	m.reach(g, last, tick)
	moves.reset(m.width)
	for i := range m.ahead.Len() {
		r := m.ahead.At(i)
		k := slices.IndexFunc(g.to, func(h roadnet.Hit) bool { return h.Segment == r.Segment })
		if k >= 0 {
			m.chosen = append(m.chosen, i)
			moves.add(r.Segment, k, m.weight(g.to[k]), r.Length)
		}
	}
	moves.Within = m.within(moves, g.to)
	m.describeAll(moves, g, tick, 0)
}

// within is the logarithm of the weight of moves over that of all candidates of
// a sample.
func (m *MoveMaker) within(moves *Moves, hits []roadnet.Hit) float64 {
	part, all := 0.0, 0.0
	for _, w := range moves.Weights {
		part += math.Exp(float64(w))
	}
	for _, h := range hits {
		all += math.Exp(float64(m.weight(h)))
	}
	return math.Log(part / all)
}

// weight is the logarithm of omega(e, p) with beta in place of gamma (eq. 24).
func (m *MoveMaker) weight(h roadnet.Hit) float32 {
	return float32(math.Log(float64(weight(h.Distance, m.settings.Beta))))
}

// reach finds all that lies within a tick of the last position.
func (m *MoveMaker) reach(g *Goal, last roadnet.Position, tick float64) {
	m.here[0] = last
	m.ahead.Grow(m.here[:], m.search(g.hurry*m.settings.Reach*tick+m.settings.Slack))
	m.passed, m.chosen = m.passed[:0], m.chosen[:0]
}

func (m *MoveMaker) describeAll(moves *Moves, g *Goal, tick, left float64) {
	moves.Values = resized(moves.Values, len(m.chosen)*moves.Columns)
	for k, i := range m.chosen {
		for n := len(m.passed); n <= i; n++ { // those nearer, which ways lead over
			m.pass(n, m.ahead.At(n))
		}
		m.describe(i, m.ahead.At(i), g, tick, left, row{moves.Values[k*moves.Columns : (k+1)*moves.Columns]})
	}
}

// Path appends the segments driven to move k of those last filled: after that
// of the last position, up to the move's own. Nothing where it is the same one.
func (m *MoveMaker) Path(k int, buf []roadnet.SegmentID) []roadnet.SegmentID {
	begin := len(buf)
	for i := m.chosen[k]; ; {
		r := m.ahead.At(i)
		if r.Parent == i {
			break
		}
		buf = append(buf, r.Segment)
		i = r.Parent
	}
	slices.Reverse(buf[begin:])
	return buf
}

// inTime reports whether the goal can be reached from the end of a segment, or on
// it, in the time left.
func (m *MoveMaker) inTime(g *Goal, id roadnet.SegmentID, left float64) (way, bool) {
	b, ok := g.find(id)
	return b, ok && b.cost <= g.hurry*m.settings.Late*left+m.settings.Slack
}

// pass notes what lies on the way to segment i of those reached.
func (m *MoveMaker) pass(i int, r roadnet.Reached) {
	if r.Parent == i {
		m.passed = append(m.passed, passed{})
		return
	}
	p := m.passed[r.Parent]
	before := m.ahead.At(r.Parent).Segment
	p.steps++
	p.lastTurn = math.Abs(m.net.TurnAngle(before, r.Segment))
	if back, ok := m.net.Reverse(before); ok && back == r.Segment {
		p.uTurn = true
	} else if p.lastTurn > 45 {
		p.turns++
	}
	on, atEnd := m.net.ControlCounts(before)
	p.signals += int(on.Signals + atEnd.Signals)
	p.signs += int(on.Stops + on.GiveWays + atEnd.Stops + atEnd.GiveWays)
	m.passed = append(m.passed, p)
}

func (m *MoveMaker) describe(i int, r roadnet.Reached, g *Goal, tick, left float64, row row) {
	length := m.net.Length(r.Segment)
	through := r.Cost + length/m.net.FreeFlow(r.Segment)
	b, _ := m.inTime(g, r.Segment, left)
	p := m.passed[i]
	end := m.net.At(roadnet.Position{Segment: r.Segment, Ratio: 1})
	x, y := offset(end, g.next)
	speed := max(0, b.length) / max(left, 1)
	row.put(
		bit(r.Parent == i),
		clamp(math.Log1p(max(0, r.Length)/50)/4, 0, 2),
		clamp(r.Cost/tick, 0, 3), clamp(through/tick, 0, 3),
		clamp(math.Log1p(length/100)/4, 0, 2),
		clamp(float64(p.steps)/8, 0, 3), clamp(float64(p.turns)/4, 0, 3),
		clamp(p.lastTurn/90, 0, 2), bit(p.uTurn),
		clamp(math.Log1p(max(0, b.length)/100)/4, 0, 3),
		over(max(0, b.length), min(math.Hypot(x, y), max(0, b.length)), 20),
		clamp(math.Log1p(left/15)/4, 0, 3), clamp(speed/20, 0, 3), clamp(max(0, b.cost)/max(left, 1), 0, 3),
		against(speed, g.speed),
	)
	east, north := unitOf(m.net.Heading(roadnet.Position{Segment: r.Segment, Ratio: 0.5}))
	toEast, toNorth := unit(x, y)
	row.put(east*toEast+north*toNorth, east*toNorth-north*toEast,
		clamp(float64(p.signals)/4, 0, 3), clamp(float64(p.signs)/4, 0, 3))
	row.hot(int(m.net.Class(r.Segment)), roadnet.NumClasses)
}
