package feature

import (
	"math"

	"retrace/engine/roadnet"
)

// pieceLength is about how long a piece of a route is, in metres.
const pieceLength = 25

// pieceColumns describe a piece of a route: what decides how long a car takes
// to drive it.
func pieceColumns() []Column {
	classes := make([]string, roadnet.NumClasses)
	for i := range classes {
		classes[i] = roadnet.Class(i).String()
	}
	cols := oneHot("class_", Tags, classes...)
	cols = append(cols,
		scaled("length", "m/25", Geometry, 0, 2),
		scaled("free_flow", "m/s / 20", Derived, 0, 3),
		scaled("limit", "km/h / 100", Tags, 0, 1.6),
		Column{Name: "limit_unknown", Unit: "0 or 1", Group: Tags, Max: 1, Unknown: 1},
		scaled("lanes", "lanes/4", Tags, 0, 2),
		Column{Name: "lanes_unknown", Unit: "0 or 1", Group: Tags, Max: 1, Unknown: 1},
		flag("one_way", Geometry), flag("link", Tags), flag("roundabout", Tags), flag("bridge", Tags),
		flag("tunnel", Tags), flag("elevated", Tags), flag("restricted", Tags),
		scaled("bend", "change of heading / 90 degrees", Geometry, 0, 2),
		flag("signal", Controls), flag("stop", Controls), flag("give_way", Controls),
		flag("crossing", Controls), flag("bus_stop", Controls), flag("calming", Controls), flag("toll_booth", Controls),
		flag("node", Geometry),
		scaled("exits", "segments that may follow / 4", Geometry, 0, 2),
		scaled("turn", "size of the turn at the end / 90 degrees", Geometry, 0, 2),
		scaled("turn_left", "size of a left turn at the end / 90 degrees", Geometry, 0, 2),
		flag("u_turn", Geometry),
		scaled("class_step", "classes up (-) or down (+) at the end / 4", Tags, -2, 2),
		scaled("class_met", "classes that the most important other road at the end is above (-) or below (+) / 4", Tags, -2, 2),
		scaled("entries", "segments that the next one may follow / 4", Geometry, 0, 2),
		scaled("segment", "ln(1 + m/100)/4, the segment's length", Geometry, 0, 2),
		scaled("from_start", "ln(1 + m/50)/4 along the gap", Geometry, 0, 3),
		scaled("to_end", "ln(1 + m/50)/4 along the gap", Geometry, 0, 3),
		scaled("progress", "share of the gap's length", Geometry, 0, 1),
		scaled("route", "ln(1 + m/100)/4, the gap's length", Geometry, 0, 3),
		scaled("gap", "ln(1 + s/15)/4", Geometry, 0, 3),
		scaled("speed", "m/s / 20 that the gap asks for", Geometry, 0, 3),
		scaled("hurry", "free-flow time / gap", Derived, 0, 3),
		scaled("speed_before", "m/s / 20 of the gap before", Geometry, 0, 3),
		scaled("speed_after", "m/s / 20 of the gap after", Geometry, 0, 3),
		scaled("hurry_before", "free-flow time / gap of the gap before", Derived, 0, 3),
		scaled("hurry_after", "free-flow time / gap of the gap after", Derived, 0, 3),
		scaled("hurry_trip", "free-flow time / time of the trip", Derived, 0, 3),
		flag("first_gap", Geometry), flag("last_gap", Geometry),
		scaled("hour_sine", "of the hour of the day as an angle", Calendar, -1, 1),
		scaled("hour_cosine", "of the hour of the day as an angle", Calendar, -1, 1),
		flag("day_off", Calendar),
	)
	return append(cols, pieceTraffic()...)
}

// Piece is one piece of a route.
type Piece struct {
	Step     int // index into the route's segments
	Segment  roadnet.SegmentID
	From, To float64 // ratios
	Length   float64 // metres
}

// Pieces appends the pieces of a route between two positions, about 25 m each.
func Pieces(net *roadnet.Network, route []roadnet.SegmentID, from, to roadnet.Position, buf []Piece) []Piece {
	for i, id := range route {
		begin, end := roadnet.Driven(i, len(route), from.Ratio, to.Ratio)
		length := (end - begin) * net.Length(id)
		if length <= 0 {
			continue
		}
		n := max(1, math.Round(length/pieceLength))
		for k := range int(n) {
			buf = append(buf, Piece{
				Step:    i,
				Segment: id,
				From:    begin + (end-begin)*float64(k)/n,
				To:      begin + (end-begin)*float64(k+1)/n,
				Length:  length / n,
			})
		}
	}
	return buf
}

// pieceMaker fills pieces with memory of its own.
type pieceMaker struct {
	net      *roadnet.Network
	vertices []roadnet.Vertex
}

// fill describes piece i of a gap, which begins so many metres along it.
func (m *pieceMaker) fill(pieces []Piece, i int, along float64, f *pieceFacts, r *row) {
	p := pieces[i]
	s := m.net.Segment(p.Segment)
	m.fillRoad(s, p, r)
	m.fillControls(p, r)
	m.fillEnd(pieces, i, r)
	r.put(
		clamp(math.Log1p(s.Length/100)/4, 0, 2),
		clamp(math.Log1p(along/50)/4, 0, 3),
		clamp(math.Log1p(max(0, f.own.length-along)/50)/4, 0, 3),
		clamp(along/max(f.own.length, 1), 0, 1),
	)
	r.put(f.shared[:]...)
}

func (m *pieceMaker) fillRoad(s roadnet.Segment, p Piece, r *row) {
	limit, known := limitOf(s.Limit)
	r.hot(int(s.Class), roadnet.NumClasses)
	r.put(
		clamp(p.Length/pieceLength, 0, 2),
		clamp(m.net.FreeFlow(s.ID)/20, 0, 3),
		clamp(limit/100, 0, 1.6), bit(!known),
		clamp(float64(s.Lanes)/4, 0, 2), bit(s.Lanes == 0),
		bit(s.OneWay), bit(s.Flags.Has(roadnet.FlagLink)), bit(s.Flags.Has(roadnet.FlagRoundabout)),
		bit(s.Flags.Has(roadnet.FlagBridge)), bit(s.Flags.Has(roadnet.FlagTunnel)), bit(s.Flags.Has(roadnet.FlagElevated)),
		bit(s.Flags&(roadnet.FlagPrivate|roadnet.FlagDestination|roadnet.FlagParkingAisle|roadnet.FlagDriveway) != 0),
	)
	bend := angle(m.net.Heading(roadnet.Position{Segment: s.ID, Ratio: p.From}), m.net.Heading(roadnet.Position{Segment: s.ID, Ratio: p.To}))
	r.put(clamp(math.Abs(bend)/90, 0, 2))
}

// angle from one heading to another, in degrees, -180 to 180.
func angle(from, to float64) float64 {
	return math.Mod(to-from+540, 360) - 180
}

// fillControls looks at the vertices passed: after the piece's beginning, up to
// its end.
func (m *pieceMaker) fillControls(p Piece, r *row) {
	length := m.net.Length(p.Segment)
	m.vertices = m.net.Vertices(p.Segment, m.vertices[:0])
	var flags roadnet.VertexFlags
	for _, v := range m.vertices {
		if v.Along > p.From*length && v.Along <= p.To*length+0.01 {
			flags |= v.Flags
		}
	}
	for _, f := range [...]roadnet.VertexFlags{roadnet.VertexSignal, roadnet.VertexStop, roadnet.VertexGiveWay,
		roadnet.VertexCrossing, roadnet.VertexBusStop, roadnet.VertexCalming, roadnet.VertexTollBooth} {
		r.put(bit(flags&f != 0))
	}
}

// fillEnd describes what comes at the end of a piece: a node, and the turn
// there, where the next piece is of another segment.
func (m *pieceMaker) fillEnd(pieces []Piece, i int, r *row) {
	p := pieces[i]
	if i+1 == len(pieces) || pieces[i+1].Segment == p.Segment {
		r.put(0, 0, 0, 0, 0, 0, 0, 0)
		return
	}
	next := pieces[i+1].Segment
	back, twoWay := m.net.Reverse(p.Segment)
	turn := m.net.TurnAngle(p.Segment, next)
	step := float64(m.net.Class(next)) - float64(m.net.Class(p.Segment))
	r.put(
		1, clamp(float64(len(m.net.Next(p.Segment)))/4, 0, 2),
		clamp(math.Abs(turn)/90, 0, 2), clamp(max(0, -turn)/90, 0, 2),
		bit(twoWay && back == next), clamp(step/4, -2, 2),
		clamp(float64(m.classMet(p.Segment, next))/4, -2, 2), clamp(float64(len(m.net.Prev(next)))/4, 0, 2),
	)
}

// classMet compares a segment's class with that of the most important road at
// its end that is neither its own nor that of the next: below 0 where that one
// is more important, so that one gives way to it; 0 where there is none.
func (m *pieceMaker) classMet(id, next roadnet.SegmentID) int {
	own, _ := m.net.LineOf(id)
	on, _ := m.net.LineOf(next)
	best := roadnet.ClassUnknown
	for _, list := range [...][]roadnet.SegmentID{m.net.Next(id), m.net.Prev(next)} {
		for _, other := range list {
			line, _ := m.net.LineOf(other)
			class := m.net.Class(other)
			if line != own && line != on && class != roadnet.ClassUnknown && (best == roadnet.ClassUnknown || class < best) {
				best = class
			}
		}
	}
	if best == roadnet.ClassUnknown {
		return 0
	}
	return int(best) - int(m.net.Class(id))
}
