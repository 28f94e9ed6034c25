package feature

import (
	"math"

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
}

// DefaultTicks allow for driving half as fast again as free flow.
func DefaultTicks() TickSettings {
	return TickSettings{Reach: 1.5, Late: 1.5, Slack: 10, UTurn: 10, Cap: 64}
}

// Moves are the candidates of one tick, the generalised constraint mask c of
// eq. 24: no segment outside it can be the right one. It can be filled anew and
// then uses its memory again.
type Moves struct {
	Segments []int32
	From     []float64 // [segments] metres from the last position to where the segment is entered; below 0 for the rest of its own
	Columns  int
	Values   []float32 // [segments][Columns]
}

// MoveMaker finds the candidates of the ticks of one gap after another. It must
// not be used by two goroutines at once.
type MoveMaker struct {
	net      *roadnet.Network
	settings TickSettings
	ahead    *roadnet.Reach // from the last position
	back     *roadnet.Reach // to the next sample
	here     [1]roadnet.Position
	next     roadnet.Point
	speed    float64 // m/s over the whole gap, by the straight way
	passed   []passed
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
	return &MoveMaker{net: net, settings: s, ahead: roadnet.NewReach(net, false), back: roadnet.NewReach(net, true)}
}

// seconds of free flow are what these searches count.
func (m *MoveMaker) search(bound float64) roadnet.Search {
	return roadnet.Search{TimeShare: 1, Speed: 1, UTurn: m.settings.UTurn, Bound: bound}
}

// Begin starts a gap of so many seconds between two samples. Next are the
// candidates of the later one.
func (m *MoveMaker) Begin(from, to roadnet.Point, next []roadnet.Position, seconds float64) {
	m.next = to
	m.speed = metresBetween(from, to) / max(seconds, 1)
	m.back.Grow(next, m.search(m.settings.Late*seconds+m.settings.Slack))
}

// Fill finds where the vehicle may be a tick after the last position, with so
// many seconds left then to the next sample.
func (m *MoveMaker) Fill(moves *Moves, last roadnet.Position, tick, left float64) {
	m.here[0] = last
	m.ahead.Grow(m.here[:], m.search(m.settings.Reach*tick+m.settings.Slack))
	moves.Segments, moves.From, moves.Columns = moves.Segments[:0], moves.From[:0], len(moveColumns())
	m.passed = m.passed[:0]
	m.chosen = m.chosen[:0]
	for i := range m.ahead.Len() {
		r := m.ahead.At(i)
		m.pass(i, r)
		if _, ok := m.inTime(r.Segment, left); ok && len(m.chosen) < m.settings.Cap {
			m.chosen = append(m.chosen, i)
		}
	}
	moves.Values = resized(moves.Values, len(m.chosen)*moves.Columns)
	for k, i := range m.chosen {
		r := m.ahead.At(i)
		moves.Segments = append(moves.Segments, int32(r.Segment))
		moves.From = append(moves.From, r.Length)
		m.describe(i, r, tick, left, row{moves.Values[k*moves.Columns : (k+1)*moves.Columns]})
	}
}

// inTime reports whether the next sample can be reached from the end of a
// segment, or on it, in the time left.
func (m *MoveMaker) inTime(id roadnet.SegmentID, left float64) (roadnet.Reached, bool) {
	b, ok := m.back.Find(id)
	return b, ok && b.Cost <= m.settings.Late*left+m.settings.Slack
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

func (m *MoveMaker) describe(i int, r roadnet.Reached, tick, left float64, row row) {
	length := m.net.Length(r.Segment)
	through := r.Cost + length/m.net.FreeFlow(r.Segment)
	b, _ := m.inTime(r.Segment, left)
	p := m.passed[i]
	end := m.net.At(roadnet.Position{Segment: r.Segment, Ratio: 1})
	x, y := offset(end, m.next)
	speed := max(0, b.Length) / max(left, 1)
	row.put(
		bit(r.Parent == i),
		clamp(math.Log1p(max(0, r.Length)/50)/4, 0, 2),
		clamp(r.Cost/tick, 0, 3), clamp(through/tick, 0, 3),
		clamp(math.Log1p(length/100)/4, 0, 2),
		clamp(float64(p.steps)/8, 0, 3), clamp(float64(p.turns)/4, 0, 3),
		clamp(p.lastTurn/90, 0, 2), bit(p.uTurn),
		clamp(math.Log1p(max(0, b.Length)/100)/4, 0, 3),
		over(max(0, b.Length), min(math.Hypot(x, y), max(0, b.Length)), 20),
		clamp(math.Log1p(left/15)/4, 0, 3), clamp(speed/20, 0, 3), clamp(max(0, b.Cost)/max(left, 1), 0, 3),
		against(speed, m.speed),
	)
	east, north := unitOf(m.net.Heading(roadnet.Position{Segment: r.Segment, Ratio: 0.5}))
	toEast, toNorth := unit(x, y)
	row.put(east*toEast+north*toNorth, east*toNorth-north*toEast,
		clamp(float64(p.signals)/4, 0, 3), clamp(float64(p.signs)/4, 0, 3))
	row.hot(int(m.net.Class(r.Segment)), roadnet.NumClasses)
}
