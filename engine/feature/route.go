package feature

import (
	"math"

	"retrace/engine/roadnet"
)

// routeColumns describe one of the routes between two candidates.
func routeColumns() []Column {
	cols := []Column{
		scaled("length", "ln(1 + m/100)/4", Geometry, 0, 3),
		scaled("gap", "ln(1 + s/15)/4", Geometry, 0, 3),
		scaled("straight", "ln(1 + m/100)/4", Geometry, 0, 3),
		scaled("detour", "ln(1 + (length - straight)/50 m)/4", Geometry, 0, 3),
		scaled("over_shortest", "ln of length over that of the gap's shortest route", Geometry, 0, 3),
		scaled("over_fastest", "ln of free-flow time over that of the gap's fastest route", Derived, 0, 3),
		scaled("over_shortest_metres", "ln(1 + m/50)/4 longer than the gap's shortest route", Geometry, 0, 3),
		scaled("over_shortest_pair", "ln of length over that of the pair's shortest route", Geometry, 0, 3),
		scaled("over_fastest_pair", "ln of free-flow time over that of the pair's fastest route", Derived, 0, 3),
		scaled("speed", "m/s / 20 that the gap asks for", Geometry, 0, 3),
		scaled("hurry", "free-flow time / gap", Derived, 0, 3),
		scaled("speed_over_previous", "ln of the speed over that of the previous gap", Geometry, -3, 3),
		scaled("speed_over_next", "ln of the speed over that of the next gap", Geometry, -3, 3),
		scaled("turns_left", "turns beyond 45 degrees / 4", Geometry, 0, 3),
		scaled("turns_right", "turns beyond 45 degrees / 4", Geometry, 0, 3),
		scaled("turns_sharp", "turns beyond 120 degrees / 2", Geometry, 0, 3),
		scaled("turned", "sum of the turns / 360 degrees", Geometry, 0, 3),
		scaled("u_turns", "number / 2", Geometry, 0, 2),
		scaled("junctions", "ln(1 + junctions with a choice)/4", Geometry, 0, 2),
		scaled("class_changes", "number / 4", Tags, 0, 3),
		scaled("one_way_share", "share of the length", Geometry, 0, 1),
		scaled("start_cosine", "of the angle between the route's start and the straight way", Geometry, -1, 1),
		scaled("end_cosine", "of the angle between the route's end and the straight way", Geometry, -1, 1),
		flag("standing", Geometry),
	}
	for _, name := range []string{"motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "service"} {
		cols = append(cols, scaled("share_"+name, "share of the length", Tags, 0, 1))
	}
	cols = append(cols,
		scaled("share_link", "share of the length", Tags, 0, 1),
		scaled("share_restricted", "share of the length that is private, for access or parking", Tags, 0, 1),
		scaled("share_elevated", "share of the length", Tags, 0, 1),
		scaled("roundabouts", "entered / 2", Tags, 0, 2),
		scaled("limit", "mean free flow, m/s / 20", Derived, 0, 3),
		scaled("signals", "number / 4", Controls, 0, 3),
		scaled("signs", "stop and give-way signs / 4", Controls, 0, 3),
		scaled("crossings", "number / 4", Controls, 0, 3),
	)
	return append(cols, routeTraffic()...)
}

// gapFacts is what the routes of one gap have in common.
type gapFacts struct {
	seconds            float64
	shortest, fastest  float64 // of all routes of the gap: metres, seconds
	speedBefore, after float64 // m/s of the straight ways of the gaps before and after; 0: not known
}

// pairFacts is what the routes between two candidates have in common.
type pairFacts struct {
	straight          float64 // metres
	east, north       float32 // direction of the straight way
	shortest, fastest float64
}

// traits sums up what a route passes.
type traits struct {
	byClass                               [roadnet.NumClasses]float64 // metres
	link, restricted, elevated, oneWay    float64                     // metres
	left, right, sharp, uTurns, junctions int
	turned                                float64 // degrees
	classChanges, roundabouts             int
	signals, signs, crossings             int
}

func traitsOf(net *roadnet.Network, route roadnet.Route, from, to roadnet.Position) traits {
	var t traits
	for i, id := range route.Segments {
		begin, end := roadnet.Driven(i, len(route.Segments), from.Ratio, to.Ratio)
		t.drive(net, id, max(0, end-begin)*net.Length(id))
		if i+1 < len(route.Segments) {
			t.cross(net, id, route.Segments[i+1])
		}
	}
	return t
}

// drive adds some metres of a segment.
func (t *traits) drive(net *roadnet.Network, id roadnet.SegmentID, metres float64) {
	flags := net.Flags(id)
	t.byClass[net.Class(id)] += metres
	if flags.Has(roadnet.FlagLink) {
		t.link += metres
	}
	if flags&(roadnet.FlagPrivate|roadnet.FlagDestination|roadnet.FlagParkingAisle|roadnet.FlagDriveway) != 0 {
		t.restricted += metres
	}
	if flags.Has(roadnet.FlagElevated) {
		t.elevated += metres
	}
	if _, twoWay := net.Reverse(id); !twoWay {
		t.oneWay += metres
	}
}

// cross adds the way from one segment to the next.
func (t *traits) cross(net *roadnet.Network, id, next roadnet.SegmentID) {
	if back, ok := net.Reverse(id); ok && back == next {
		t.uTurns++
	} else {
		t.turn(net.TurnAngle(id, next))
	}
	if len(net.Next(id)) > 1 {
		t.junctions++
	}
	if net.Class(id) != net.Class(next) {
		t.classChanges++
	}
	if !net.Flags(id).Has(roadnet.FlagRoundabout) && net.Flags(next).Has(roadnet.FlagRoundabout) {
		t.roundabouts++
	}
	on, atEnd := net.ControlCounts(id)
	t.signals += int(on.Signals + atEnd.Signals)
	t.signs += int(on.Stops + on.GiveWays + atEnd.Stops + atEnd.GiveWays)
	t.crossings += int(on.Crossings + atEnd.Crossings)
}

func (t *traits) turn(angle float64) {
	size := math.Abs(angle)
	t.turned += size
	if size > 45 {
		if angle < 0 {
			t.left++
		} else {
			t.right++
		}
	}
	if size > 120 {
		t.sharp++
	}
}

func fillRoute(net *roadnet.Network, route roadnet.Route, from, to roadnet.Position, g gapFacts, p pairFacts, r *row) {
	t := traitsOf(net, route, from, to)
	length := max(route.Length, 1)
	speed := route.Length / max(g.seconds, 1)
	r.put(
		clamp(math.Log1p(route.Length/100)/4, 0, 3),
		clamp(math.Log1p(g.seconds/15)/4, 0, 3),
		clamp(math.Log1p(p.straight/100)/4, 0, 3),
		clamp(math.Log1p(max(0, route.Length-p.straight)/50)/4, 0, 3),
		over(route.Length, g.shortest, 10), over(route.Time, g.fastest, 1),
		clamp(math.Log1p(max(0, route.Length-g.shortest)/50)/4, 0, 3),
		over(route.Length, p.shortest, 10), over(route.Time, p.fastest, 1),
		clamp(speed/20, 0, 3), clamp(route.Time/max(g.seconds, 1), 0, 3),
		against(speed, g.speedBefore), against(speed, g.after),
		clamp(float64(t.left)/4, 0, 3), clamp(float64(t.right)/4, 0, 3), clamp(float64(t.sharp)/2, 0, 3),
		clamp(t.turned/360, 0, 3), clamp(float64(t.uTurns)/2, 0, 2),
		clamp(math.Log1p(float64(t.junctions))/4, 0, 2), clamp(float64(t.classChanges)/4, 0, 3),
		clamp(t.oneWay/length, 0, 1),
	)
	for _, at := range [...]roadnet.Position{from, to} {
		east, north := unitOf(net.Heading(at))
		r.put(east*p.east + north*p.north)
	}
	r.put(bit(route.Length < 1))
	for class := roadnet.Motorway; class < roadnet.NumClasses; class++ {
		r.put(clamp(t.byClass[class]/length, 0, 1))
	}
	r.put(
		clamp(t.link/length, 0, 1), clamp(t.restricted/length, 0, 1), clamp(t.elevated/length, 0, 1),
		clamp(float64(t.roundabouts)/2, 0, 2), clamp(route.Length/max(route.Time, 1)/20, 0, 3),
		clamp(float64(t.signals)/4, 0, 3), clamp(float64(t.signs)/4, 0, 3), clamp(float64(t.crossings)/4, 0, 3),
	)
}

// over is how many times a value exceeds the least one, as a logarithm. The
// grain keeps tiny values from making large ratios.
func over(value, least, grain float64) float32 {
	return clamp(math.Log((value+grain)/(least+grain)), 0, 3)
}

// against compares a speed with that of a neighbouring gap; 0 where that is
// not known.
func against(speed, other float64) float32 {
	if other <= 0 {
		return 0
	}
	return clamp(math.Log((speed+1)/(other+1)), -3, 3)
}
