package basemap

import "retrace/engine/roadnet"

// Kind is what a feature is.
type Kind uint8

// The kinds, in the order in which a map paints them, the lowest first.
const (
	BuiltUp  Kind = iota // residential, commercial, industrial land: area
	Green                // parks, woods, meadows: area
	Water                // lakes, river banks, basins: area
	Waterway             // rivers, streams, canals: line
	Building             // area
	Rail                 // railways, trams, metros above ground: line
	Place                // the name of a place: point
	NumKinds = iota
)

// String is the kind in words.
func (k Kind) String() string {
	names := [...]string{"built-up", "green", "water", "waterway", "building", "rail", "place"}
	if int(k) < len(names) {
		return names[k]
	}
	return "unknown"
}

// IsArea reports whether features of the kind are filled polygons.
func (k Kind) IsArea() bool { return k <= Water || k == Building }

// The ranks of places, the most important first; 0 elsewhere.
const (
	RankCity uint8 = 1 + iota
	RankTown
	RankSuburb // boroughs and large quarters too
	RankVillage
	RankQuarter // neighbourhoods and hamlets too
	RankLocality
)

// Feature is one thing of the map. Areas hold closed rings without the
// repeated last point, outer and inner ones alike, to be filled by the
// even-odd rule; lines hold one ring that is not closed; places one point.
type Feature struct {
	Kind  Kind
	Rank  uint8 // of a place
	Name  string
	Rings [][]roadnet.Coord // views, valid until the visit goes on; do not modify
}
