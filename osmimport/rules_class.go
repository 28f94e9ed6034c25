package osmimport

import (
	"github.com/paulmach/osm"

	"retrace/engine/roadnet"
)

// roadClass is the class of a highway value that cars may drive.
type roadClass struct {
	class roadnet.Class
	flags roadnet.Flags
}

// classOf is the class of a value of the highway key; false where the value
// is no road for cars, or no road at all.
func classOf(highway string) (roadClass, bool) {
	link := roadnet.FlagLink
	switch highway {
	case "motorway":
		return roadClass{roadnet.Motorway, 0}, true
	case "motorway_link":
		return roadClass{roadnet.Motorway, link}, true
	case "trunk":
		return roadClass{roadnet.Trunk, 0}, true
	case "trunk_link":
		return roadClass{roadnet.Trunk, link}, true
	case "primary":
		return roadClass{roadnet.Primary, 0}, true
	case "primary_link":
		return roadClass{roadnet.Primary, link}, true
	case "secondary":
		return roadClass{roadnet.Secondary, 0}, true
	case "secondary_link":
		return roadClass{roadnet.Secondary, link}, true
	case "tertiary":
		return roadClass{roadnet.Tertiary, 0}, true
	case "tertiary_link":
		return roadClass{roadnet.Tertiary, link}, true
	case "unclassified", "road":
		return roadClass{roadnet.Unclassified, 0}, true
	case "unclassified_link":
		return roadClass{roadnet.Unclassified, link}, true
	case "residential":
		return roadClass{roadnet.Residential, 0}, true
	case "residential_link":
		return roadClass{roadnet.Residential, link}, true
	case "living_street":
		return roadClass{roadnet.Residential, roadnet.FlagLivingStreet}, true
	case "service":
		return roadClass{roadnet.Service, 0}, true
	}
	return roadClass{}, false
}

// serviceFlag marks the kinds of service roads.
func serviceFlag(service string) roadnet.Flags {
	switch service {
	case "parking_aisle":
		return roadnet.FlagParkingAisle
	case "driveway":
		return roadnet.FlagDriveway
	case "alley":
		return roadnet.FlagAlley
	}
	return 0
}

// unpavedFlag marks surfaces that slow cars down.
func unpavedFlag(surface string) roadnet.Flags {
	switch surface {
	case "unpaved", "gravel", "fine_gravel", "pebblestone", "dirt", "earth", "ground", "mud",
		"sand", "grass", "compacted", "rock", "woodchips", "snow", "ice", "salt":
		return roadnet.FlagUnpaved
	}
	return 0
}

// isYes reports whether a value of bridge, tunnel, toll and the like affirms:
// anything but a plain no.
func isYes(v string) bool { return v != "" && v != "no" && v != "false" && v != "0" }

// isClosedArea reports whether a closed way is an area rather than a line
// that meets itself.
func isClosedArea(t osm.Tags) bool { return isYes(t.Find("area")) || t.Find("area:highway") != "" }
