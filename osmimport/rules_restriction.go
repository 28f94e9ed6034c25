package osmimport

import (
	"strings"

	"github.com/paulmach/osm"

	"retrace/engine/roadnet"
)

// Reasons for which a turn restriction is left out.
const (
	dropConditional   = "turn restriction that holds at times or for some only"
	dropExcept        = "turn restriction with an exception for cars"
	dropOtherVehicles = "turn restriction for other vehicles"
	dropKind          = "turn restriction of an unknown kind"
	dropMembers       = "turn restriction without from, via or to"
)

// restrictionOf reads a relation of the type restriction. reason says why it
// is left out, and is empty where it holds for cars at all times.
func restrictionOf(r *osm.Relation) (res roadnet.Restriction, reason string) {
	value, reason := restrictionValue(r.Tags)
	if reason != "" {
		return res, reason
	}
	res.ID = int64(r.ID)
	switch {
	case strings.HasPrefix(value, "only_"):
		res.Only = true
	case !strings.HasPrefix(value, "no_"):
		return res, dropKind
	}
	for _, m := range r.Members {
		switch {
		case m.Role == "from" && m.Type == osm.TypeWay:
			res.From = append(res.From, m.Ref)
		case m.Role == "to" && m.Type == osm.TypeWay:
			res.To = append(res.To, m.Ref)
		case m.Role == "via" && m.Type == osm.TypeWay:
			res.ViaWays = append(res.ViaWays, m.Ref)
		case m.Role == "via" && m.Type == osm.TypeNode:
			res.ViaNode = m.Ref
		}
	}
	if len(res.From) == 0 || len(res.To) == 0 || len(res.ViaWays) == 0 && res.ViaNode == 0 {
		return res, dropMembers
	}
	return res, ""
}

// restrictionValue is the kind of turn that is forbidden or prescribed for
// cars, e.g. no_left_turn.
func restrictionValue(t osm.Tags) (value, reason string) {
	for _, k := range [...]string{"restriction:motorcar", "restriction:motor_vehicle", "restriction:vehicle"} {
		if v := t.Find(k); v != "" {
			return v, timeReason(t)
		}
	}
	v := t.Find("restriction")
	switch {
	case v == "" && t.Find("restriction:conditional") != "":
		return "", dropConditional
	case v == "" && hasPrefixKey(t, "restriction:"):
		return "", dropOtherVehicles
	case v == "":
		return "", dropKind
	}
	for e := range strings.SplitSeq(t.Find("except"), ";") {
		switch strings.TrimSpace(e) {
		case "motorcar", "motor_vehicle", "vehicle":
			return "", dropExcept
		}
	}
	return v, timeReason(t)
}

// timeReason is a reason where the restriction holds at times only.
func timeReason(t osm.Tags) string {
	for _, k := range [...]string{"day_on", "day_off", "hour_on", "hour_off", "restriction:conditional"} {
		if t.Find(k) != "" {
			return dropConditional
		}
	}
	return ""
}

func hasPrefixKey(t osm.Tags, prefix string) bool {
	for _, tag := range t {
		if strings.HasPrefix(tag.Key, prefix) {
			return true
		}
	}
	return false
}
