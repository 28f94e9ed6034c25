package feature

import (
	"math"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Way is what was driven over the gap between two samples.
type Way struct {
	Segments []roadnet.SegmentID
	From, To roadnet.Position
}

// flow is how fast traffic went over a gap.
type flow struct {
	seconds, length, freeTime float64 // s, m, s without traffic
}

func (f flow) speed() float64 { return f.length / max(f.seconds, 1) }   // m/s
func (f flow) hurry() float64 { return f.freeTime / max(f.seconds, 1) } // 1: as without traffic

func flowOf(net *roadnet.Network, w Way, seconds float64) flow {
	f := flow{seconds: seconds}
	for i, id := range w.Segments {
		begin, end := roadnet.Driven(i, len(w.Segments), w.From.Ratio, w.To.Ratio)
		length := max(0, end-begin) * net.Length(id)
		f.length += length
		f.freeTime += length / net.FreeFlow(id)
	}
	return f
}

// pieceFacts is what the pieces of one gap have in common.
type pieceFacts struct {
	own    flow
	shared [14]float32 // their last columns
}

func (m *TripMaker) facts(i int) pieceFacts {
	own := m.flows[i]
	var before, after flow
	if i > 0 {
		before = m.flows[i-1]
	}
	if i+1 < len(m.flows) {
		after = m.flows[i+1]
	}
	f := pieceFacts{own: own}
	r := row{f.shared[:]}
	r.put(
		clamp(math.Log1p(own.length/100)/4, 0, 3),
		clamp(math.Log1p(own.seconds/15)/4, 0, 3),
		clamp(own.speed()/20, 0, 3), clamp(own.hurry(), 0, 3),
		clamp(before.speed()/20, 0, 3), clamp(after.speed()/20, 0, 3),
		clamp(before.hurry(), 0, 3), clamp(after.hurry(), 0, 3), clamp(m.whole.hurry(), 0, 3),
		bit(i == 0), bit(i+1 == len(m.flows)),
	)
	r.put(m.hour[:]...)
	return f
}

// GapPieces are the pieces of one gap with their features. It can be filled
// anew and then uses its memory again.
type GapPieces struct {
	Pieces  []Piece
	Columns int
	Values  []float32 // [pieces][Columns]
}

// Drive says which ways are driven over the gaps of a trajectory, all of them,
// before their pieces are described: a gap is known by its neighbours too.
func (m *TripMaker) Drive(samples []trajectory.Sample, ways []Way) {
	m.ways, m.flows, m.whole = ways, m.flows[:0], flow{}
	m.others = m.Traffic.without(samples)
	for i, w := range ways {
		f := flowOf(m.net, w, seconds(samples[i], samples[i+1]))
		m.flows = append(m.flows, f)
		m.whole.seconds += f.seconds
		m.whole.freeTime += f.freeTime
	}
	m.hour = m.environment.hourOf(samples[0].Time)
}

// FillPieces describes the pieces of the way over gap i that was given to Drive.
func (m *TripMaker) FillPieces(g *GapPieces, i int) {
	w := m.ways[i]
	g.Pieces, g.Columns = Pieces(m.net, w.Segments, w.From, w.To, g.Pieces[:0]), m.pieceWidth
	g.Values = resized(g.Values, len(g.Pieces)*g.Columns)
	f := m.facts(i)
	along := 0.0
	for k := range g.Pieces {
		r := row{g.Values[k*g.Columns : (k+1)*g.Columns]}
		m.pieces.fill(g.Pieces, k, along, &f, &r)
		m.others.fillPiece(g.Pieces[k].Segment, &r)
		along += g.Pieces[k].Length
	}
}
