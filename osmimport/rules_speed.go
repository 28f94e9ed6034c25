package osmimport

import (
	"math"
	"strconv"
	"strings"

	"github.com/paulmach/osm"

	"retrace/engine/roadnet"
)

// limitsOf are the speed limits of a way in and against its direction.
func limitsOf(t osm.Tags) (forward, backward uint8) {
	both := speedLimit(t.Find("maxspeed"))
	forward, backward = speedLimit(t.Find("maxspeed:forward")), speedLimit(t.Find("maxspeed:backward"))
	if forward == roadnet.LimitUnknown {
		forward = both
	}
	if backward == roadnet.LimitUnknown {
		backward = both
	}
	return forward, backward
}

// speedLimit reads a value of maxspeed: a number in km/h, mph or knots, walk
// or none. Anything else, the defaults of countries too, is unknown. Of several
// values (one for each lane) the highest holds.
func speedLimit(v string) uint8 {
	best := roadnet.LimitUnknown
	for part := range strings.FieldsFuncSeq(v, func(r rune) bool { return r == ';' || r == '|' || r == ',' }) {
		best = max(best, oneSpeedLimit(strings.TrimSpace(part)))
	}
	return best
}

func oneSpeedLimit(v string) uint8 {
	switch v {
	case "none", "unlimited":
		return roadnet.LimitNone
	case "walk", "DE:walk":
		return roadnet.LimitWalk
	}
	end := 0
	for end < len(v) && (v[end] >= '0' && v[end] <= '9' || v[end] == '.') {
		end++
	}
	n, err := strconv.ParseFloat(v[:end], 64)
	if err != nil {
		return roadnet.LimitUnknown
	}
	switch strings.ToLower(strings.TrimSpace(v[end:])) {
	case "", "km/h", "kmh", "kph":
	case "mph":
		n *= 1.609344
	case "knots":
		n *= 1.852
	default:
		return roadnet.LimitUnknown
	}
	n = math.Round(n)
	if n < 1 || n >= float64(roadnet.LimitNone) {
		return roadnet.LimitUnknown
	}
	return uint8(n)
}
