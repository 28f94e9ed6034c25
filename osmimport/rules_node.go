package osmimport

import (
	"github.com/paulmach/osm"

	"retrace/engine/roadnet"
)

// nodeFlags is what the tags of a node of a road say of the traffic there.
func nodeFlags(t osm.Tags) roadnet.VertexFlags {
	f := highwayFlags(t) | barrierFlags(t)
	if isYes(t.Find("traffic_calming")) {
		f |= roadnet.VertexCalming
	}
	return f
}

// highwayFlags reads the highway key of a node.
func highwayFlags(t osm.Tags) roadnet.VertexFlags {
	switch t.Find("highway") {
	case "traffic_signals":
		return roadnet.VertexSignal | controlDirection(t, "traffic_signals:direction")
	case "stop":
		return roadnet.VertexStop | controlDirection(t, "")
	case "give_way":
		return roadnet.VertexGiveWay | controlDirection(t, "")
	case "crossing":
		return crossingFlags(t)
	case "bus_stop":
		return roadnet.VertexBusStop
	case "mini_roundabout":
		return roadnet.VertexMiniRoundabout
	}
	return 0
}

// crossingFlags is a crossing for walkers, with signals where it has some.
func crossingFlags(t osm.Tags) roadnet.VertexFlags {
	if t.Find("crossing") == "traffic_signals" || t.Find("crossing:signals") == "yes" {
		return roadnet.VertexCrossing | roadnet.VertexSignal | controlDirection(t, "traffic_signals:direction")
	}
	return roadnet.VertexCrossing
}

// controlDirection is the direction of the way for which a signal or sign
// holds; neither flag where it is not told or holds for both.
func controlDirection(t osm.Tags, key string) roadnet.VertexFlags {
	v := ""
	if key != "" {
		v = t.Find(key)
	}
	if v == "" {
		v = t.Find("direction")
	}
	switch v {
	case "forward":
		return roadnet.VertexForward
	case "backward":
		return roadnet.VertexBackward
	}
	return 0
}

// barrierFlags tells whether a barrier stops cars. What the node says of cars
// comes before what its kind of barrier usually means.
func barrierFlags(t osm.Tags) roadnet.VertexFlags {
	barrier := t.Find("barrier")
	if barrier == "" || barrier == "no" {
		return 0
	}
	if barrier == "toll_booth" {
		return roadnet.VertexTollBooth
	}
	switch carAccess(t, "") {
	case accessYes, accessDestination:
		return 0
	case accessNo, accessPrivate:
		return roadnet.VertexBarrier
	}
	if t.Find("locked") == "yes" || stopsCars(barrier) {
		return roadnet.VertexBarrier
	}
	return 0
}

// stopsCars reports whether a kind of barrier stops cars unless its tags say
// otherwise.
func stopsCars(barrier string) bool {
	switch barrier {
	case "bollard", "bollards", "block", "jersey_barrier", "cycle_barrier", "bus_trap", "sump_buster", "chain",
		"log", "debris", "kissing_gate", "stile", "turnstile", "full-height_turnstile",
		"motorcycle_barrier", "horse_stile", "planter", "rope", "barrier_board", "wedge", "tank_trap",
		"fence", "wall", "hedge", "ditch", "guard_rail", "hampshire_gate":
		return true
	}
	return false
}
