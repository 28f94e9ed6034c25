package osmimport

import (
	"strings"

	"github.com/paulmach/osm"

	"retrace/engine/roadnet"
)

// access is what a tag says of cars.
type access uint8

const (
	accessUnknown access = iota
	accessYes
	accessNo
	accessPrivate
	accessDestination
)

// accessValue reads one value of an access key. Of several values separated
// by semicolons the most permissive holds.
func accessValue(v string) access {
	best := accessUnknown
	rank := [...]int{accessUnknown: 0, accessNo: 1, accessPrivate: 2, accessDestination: 3, accessYes: 4}
	for part := range strings.SplitSeq(v, ";") {
		if a := oneAccessValue(strings.TrimSpace(part)); rank[a] > rank[best] {
			best = a
		}
	}
	return best
}

func oneAccessValue(v string) access {
	switch v {
	case "yes", "permissive", "designated", "official", "true", "1", "public", "discouraged", "unknown", "toll":
		return accessYes
	case "no", "agricultural", "forestry", "false", "emergency", "psv", "bus",
		"military", "use_sidepath", "dismount", "taxi", "hgv", "foot", "bicycle", "pedestrian", "restricted":
		return accessNo
	case "private", "residents", "employees", "staff", "members":
		return accessPrivate
	case "destination", "customers", "delivery", "permit", "visitors", "guests":
		return accessDestination
	}
	return accessUnknown
}

// carKeys are the access keys that hold for cars, the most specific first.
func carKeys() [4]string { return [4]string{"motorcar", "motor_vehicle", "vehicle", "access"} }

// carAccess is what the tags of a way or node say of cars; suffix is "",
// ":forward" or ":backward".
func carAccess(t osm.Tags, suffix string) access {
	for _, k := range carKeys() {
		if v := t.Find(k + suffix); v != "" {
			if a := accessValue(v); a != accessUnknown {
				return a
			}
		}
	}
	return accessUnknown
}

// accessFlag marks roads that are open to some only.
func accessFlag(a access) roadnet.Flags {
	switch a {
	case accessPrivate:
		return roadnet.FlagPrivate
	case accessDestination:
		return roadnet.FlagDestination
	}
	return 0
}
