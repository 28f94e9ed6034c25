package osmimport

import (
	"github.com/paulmach/osm"

	"retrace/engine/roadnet"
)

// onewayOf is the direction in which cars may drive a way; changing is true
// where the direction changes with time, so that none can be told.
func onewayOf(t osm.Tags, c roadClass) (dir roadnet.Direction, changing bool) {
	v := t.Find("oneway:motor_vehicle")
	if v == "" {
		v = t.Find("oneway:motorcar")
	}
	if v == "" {
		v = t.Find("oneway")
	}
	switch v {
	case "yes", "true", "1":
		return roadnet.Forward, false
	case "-1", "reverse":
		return roadnet.Backward, false
	case "no", "false", "0":
		return roadnet.BothWays, false
	case "reversible", "alternating":
		return roadnet.BothWays, true
	}
	if impliesOneway(t.Find("junction"), c) {
		return roadnet.Forward, false
	}
	return roadnet.BothWays, false
}

// impliesOneway reports whether a road is one-way without saying so:
// motorways and roundabouts, by convention slip roads of motorways too.
func impliesOneway(junction string, c roadClass) bool {
	return c.class == roadnet.Motorway || isRoundabout(junction)
}

func isRoundabout(junction string) bool { return junction == "roundabout" || junction == "circular" }
