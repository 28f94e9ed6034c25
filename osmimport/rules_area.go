package osmimport

import (
	"github.com/paulmach/osm"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
)

// shapeOf is the kind of background that the tags of a way or a multipolygon
// make it; false where they make it none.
func shapeOf(t osm.Tags) (basemap.Kind, bool) {
	if isYes(t.Find("building")) {
		return basemap.Building, true
	}
	if k, ok := areaOf(t); ok {
		return k, true
	}
	return lineOf(t)
}

// areaOf reads the keys that make areas.
func areaOf(t osm.Tags) (basemap.Kind, bool) {
	switch t.Find("natural") {
	case "water":
		return basemap.Water, true
	case "wood", "scrub", "heath", "grassland", "fell", "tundra", "wetland", "shrubbery":
		return basemap.Green, true
	}
	switch t.Find("waterway") {
	case "riverbank", "dock":
		return basemap.Water, true
	}
	switch t.Find("leisure") {
	case "park", "garden", "golf_course", "pitch", "playground", "recreation_ground", "nature_reserve", "common", "dog_park":
		return basemap.Green, true
	}
	return landuseOf(t.Find("landuse"))
}

func landuseOf(landuse string) (basemap.Kind, bool) {
	switch landuse {
	case "reservoir", "basin":
		return basemap.Water, true
	case "forest", "grass", "meadow", "orchard", "vineyard", "cemetery", "allotments", "recreation_ground",
		"village_green", "greenfield", "flowerbed", "plant_nursery":
		return basemap.Green, true
	case "residential", "commercial", "industrial", "retail", "garages", "education", "institutional",
		"construction", "railway", "port", "depot", "military", "brownfield":
		return basemap.BuiltUp, true
	}
	return 0, false
}

// lineOf reads the keys that make lines. What lies in a tunnel is not drawn.
func lineOf(t osm.Tags) (basemap.Kind, bool) {
	kind, ok := basemap.Kind(0), false
	switch t.Find("waterway") {
	case "river", "stream", "canal", "drain", "ditch":
		kind, ok = basemap.Waterway, true
	}
	switch t.Find("railway") {
	case "rail", "light_rail", "subway", "tram", "monorail", "narrow_gauge", "funicular":
		kind, ok = basemap.Rail, true
	}
	return kind, ok && !isYes(t.Find("tunnel"))
}

// place is a node with the name of a place.
type place struct {
	id    int64
	coord roadnet.Coord
	rank  uint8
	name  string
}

// placeOf reads a node that is a place.
func placeOf(id int64, c roadnet.Coord, t osm.Tags) (place, bool) {
	if len(t) == 0 {
		return place{}, false
	}
	rank, name := placeRank(t.Find("place")), t.Find("name")
	return place{id, c, rank, name}, rank != 0 && name != ""
}

// placeRank is the rank of a value of place; 0 for none that is drawn.
func placeRank(v string) uint8 {
	switch v {
	case "city":
		return basemap.RankCity
	case "town":
		return basemap.RankTown
	case "suburb", "borough":
		return basemap.RankSuburb
	case "village":
		return basemap.RankVillage
	case "quarter", "neighbourhood", "hamlet":
		return basemap.RankQuarter
	case "locality", "isolated_dwelling":
		return basemap.RankLocality
	}
	return 0
}
