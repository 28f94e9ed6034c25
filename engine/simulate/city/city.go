// Package city generates a whole city from a seed, as OpenStreetMap would hold
// it: nodes, ways and relations with tags. It has a river with bridges and an
// island, a ring of elevated expressways above surface roads, avenues, an old
// town of one-way streets, suburbs, signals and signs, and what a map draws
// behind the roads. It is the sample that Retrace carries, and a network with
// stacked roads for tests that need no download.
//
// Everything is invented; the city lies in the open sea, so that nobody mistakes
// it for a place. The same seed gives the same city, byte for byte.
package city

import "strconv"

// Tag is one key and value, as in OpenStreetMap.
type Tag struct{ Key, Value string }

// Tags are the tags of one object, sorted by key.
type Tags []Tag

// Get is the value of a key, empty where there is none.
func (t Tags) Get(key string) string {
	for _, tag := range t {
		if tag.Key == key {
			return tag.Value
		}
	}
	return ""
}

// Node is a point with an id; Lon and Lat are WGS 84 in 1e-7 degrees.
type Node struct {
	ID       int64
	Lon, Lat int32
	Tags     Tags
}

// Way is a line or, where its first and last node agree, an area.
type Way struct {
	ID    int64
	Nodes []int64
	Tags  Tags
}

// Kind says what a relation's member is.
type Kind uint8

// The kinds of members.
const (
	NodeMember Kind = iota
	WayMember
	RelationMember
)

// String is the word of OSM XML: node, way or relation.
func (k Kind) String() string {
	switch k {
	case NodeMember:
		return "node"
	case WayMember:
		return "way"
	case RelationMember:
		return "relation"
	}
	return "kind " + strconv.Itoa(int(k))
}

// Member is one member of a relation.
type Member struct {
	Kind Kind
	Ref  int64
	Role string
}

// Relation is a turn restriction or a multipolygon.
type Relation struct {
	ID      int64
	Members []Member
	Tags    Tags
}

// City is a generated city. Ids rise within each slice, and every id that a way
// or relation names is there.
type City struct {
	Name      string
	Nodes     []Node
	Ways      []Way
	Relations []Relation
}

// DefaultSeed is the seed of the sample that Retrace carries.
const DefaultSeed uint64 = 1

// Generate makes the city of a seed.
func Generate(seed uint64) *City {
	p := newPlan(seed)
	d := &draft{plan: p, joints: map[vec]bool{}}
	d.layMain()
	d.layExpressways()
	d.layStreets()
	g := planarise(d)
	g.clean(p)
	g.layRoundabouts(p)
	g.layOneWays(p)
	g.layBollards(p)
	g.layControls(p)
	g.layBans(p)
	e := &emitter{city: &City{Name: "Aldermere"}}
	e.roads(g)
	e.bans(g)
	e.background(p, g)
	return e.city
}
