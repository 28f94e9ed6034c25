package osmimport

import (
	"strconv"
	"strings"

	"github.com/paulmach/osm"

	"retrace/engine/roadnet"
)

// Reasons for which a way with a highway tag is no road for cars.
const (
	dropNotForCars   = "not for cars: highway="
	dropAccess       = "cars not allowed"
	dropConstruction = "under construction or only proposed"
	dropArea         = "areas"
	dropChanging     = "one-way that changes with time"
	dropBus          = "for buses only"
	dropFerry        = "ferries"
	dropShort        = "fewer than two nodes"
	dropNoNodes      = "fewer than two nodes in a row in the files"
)

// roadOf reads the tags of a way that may be a road. reason says why it is
// none for cars, and is empty where it is one.
func roadOf(t osm.Tags, closed bool) (road roadnet.Road, dir roadnet.Direction, reason string) {
	c, reason := drivableClass(t, closed)
	if reason != "" {
		return road, dir, reason
	}
	a, dir, reason := drivableDirection(t, c)
	if reason != "" {
		return road, dir, reason
	}
	road = roadnet.Road{Class: c.class, Flags: c.flags | roadFlags(t) | accessFlag(a)}
	road = withLayer(t, road)
	road.Lanes = lanesOf(t.Find("lanes"))
	road.LimitForward, road.LimitBackward = limitsOf(t)
	road.Name, road.Ref = t.Find("name"), t.Find("ref")
	return road, dir, ""
}

// drivableClass is the class of a way, or why it is no road for cars.
func drivableClass(t osm.Tags, closed bool) (c roadClass, reason string) {
	highway := t.Find("highway")
	c, ok := classOf(highway)
	switch {
	case isUnbuilt(highway):
		return c, dropConstruction
	case highway == "busway" || highway == "bus_guideway":
		return c, dropBus
	case !ok && mappedForCars(highway, t):
		c = roadClass{roadnet.Service, 0}
	case !ok:
		return c, dropNotForCars + knownHighway(highway)
	}
	if closed && isClosedArea(t) {
		return c, dropArea
	}
	return c, ""
}

// isUnbuilt reports whether a value of highway means a road that is not there
// yet, or no longer.
func isUnbuilt(highway string) bool {
	switch highway {
	case "construction", "proposed", "planned", "razed", "abandoned", "disused":
		return true
	}
	return false
}

// mappedForCars reports whether a track or path is tagged as one that cars
// may use; without such a tag it is none.
func mappedForCars(highway string, t osm.Tags) bool {
	if highway != "track" && highway != "pedestrian" {
		return false
	}
	if v := t.Find("motorcar"); v != "" {
		return accessValue(v) == accessYes
	}
	return accessValue(t.Find("motor_vehicle")) == accessYes
}

// knownHighway bounds the number of reasons in a report.
func knownHighway(v string) string {
	switch v {
	case "footway", "cycleway", "path", "pedestrian", "steps", "track", "bridleway", "corridor", "platform",
		"raceway", "elevator", "escape", "rest_area", "services", "emergency_bay", "via_ferrata":
		return v
	}
	return "(other)"
}

// drivableDirection is who may drive a way in which direction.
func drivableDirection(t osm.Tags, c roadClass) (a access, dir roadnet.Direction, reason string) {
	a = carAccess(t, "")
	forward, backward := carAccess(t, ":forward"), carAccess(t, ":backward")
	if a == accessNo && forward != accessYes && backward != accessYes {
		if isYes(t.Find("bus")) || isYes(t.Find("psv")) {
			return a, dir, dropBus
		}
		return a, dir, dropAccess
	}
	dir, changing := onewayOf(t, c)
	if changing {
		return a, dir, dropChanging
	}
	mayForward := dir != roadnet.Backward && forward != accessNo && (a != accessNo || forward == accessYes)
	mayBackward := dir != roadnet.Forward && backward != accessNo && (a != accessNo || backward == accessYes)
	switch {
	case mayForward && mayBackward:
		return a, roadnet.BothWays, ""
	case mayForward:
		return a, roadnet.Forward, ""
	case mayBackward:
		return a, roadnet.Backward, ""
	}
	return a, dir, dropAccess
}

// roadFlags are the flags that need no more than one tag each.
func roadFlags(t osm.Tags) roadnet.Flags {
	f := serviceFlag(t.Find("service")) | unpavedFlag(t.Find("surface"))
	if isRoundabout(t.Find("junction")) {
		f |= roadnet.FlagRoundabout
	}
	if isYes(t.Find("bridge")) {
		f |= roadnet.FlagBridge
	}
	if isYes(t.Find("tunnel")) {
		f |= roadnet.FlagTunnel
	}
	if isYes(t.Find("toll")) {
		f |= roadnet.FlagToll
	}
	return f
}

// withLayer is the road on the layer that its tags say or that is to be assumed.
func withLayer(t osm.Tags, r roadnet.Road) roadnet.Road {
	if v := t.Find("layer"); v != "" {
		if n, err := strconv.ParseFloat(v, 64); err == nil && n >= -20 && n <= 20 {
			r.Layer = int8(n)
			return r
		}
	}
	return roadnet.AssumeLayer(r)
}

// lanesOf reads a value of lanes; 0 where it is unknown.
func lanesOf(v string) uint8 {
	if v == "" {
		return 0
	}
	best := 0
	for part := range strings.SplitSeq(v, ";") {
		if n, err := strconv.ParseFloat(strings.TrimSpace(part), 64); err == nil && n >= 1 && n <= 50 {
			best = max(best, int(n))
		}
	}
	return uint8(best)
}
