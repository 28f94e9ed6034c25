package render

import (
	"math"
	"sort"

	"retrace/engine/roadnet"
)

// streets are the lines of a network joined to long ones wherever they go on
// under the same name, to write names and numbers along.
type streets struct {
	geometry
	names  []string
	looks  []roadLook
	boxes  []extent
	blocks []block
}

// streetKey is what lines must share to be joined.
type streetKey struct {
	name string
	look roadLook
}

// newStreets joins the lines of a network by what label says of them; lines
// with an empty label are left out.
func newStreets(net *roadnet.Network, label func(roadnet.Road) string) streets {
	groups := map[streetKey][]roadnet.LineID{}
	var keys []streetKey
	for i := range net.NumLines() {
		r := net.LineRoad(roadnet.LineID(i))
		name := label(r)
		if name == "" || r.Flags.Has(roadnet.FlagTunnel) {
			continue
		}
		k := streetKey{name, lookOf(r.Class, r.Flags)}
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], roadnet.LineID(i))
	}
	sort.SliceStable(keys, func(i, j int) bool { return keys[i].look > keys[j].look })
	var s streets
	j := joiner{net: net}
	for _, k := range keys {
		j.join(groups[k], func(coords []roadnet.Coord) { s.append(k, coords) })
	}
	s.clip()
	return s
}

func (s *streets) append(k streetKey, coords []roadnet.Coord) {
	box := s.add(coords, false)
	s.blocks = extend(s.blocks, uint32(len(s.names)), box, k.look)
	s.names = append(s.names, k.name)
	s.looks = append(s.looks, k.look)
	s.boxes = append(s.boxes, box)
}

// joiner joins lines end to end.
type joiner struct {
	net  *roadnet.Network
	ends map[roadnet.Coord][]end
	used map[roadnet.LineID]bool
}

// end is one end of a line.
type end struct {
	line roadnet.LineID
	last bool // the last vertex, not the first
}

// join emits the lines as few long ones. At a fork it goes straight on.
func (j *joiner) join(group []roadnet.LineID, emit func([]roadnet.Coord)) {
	if len(group) == 1 {
		emit(j.net.LineCoords(group[0]))
		return
	}
	j.ends, j.used = map[roadnet.Coord][]end{}, map[roadnet.LineID]bool{}
	for _, l := range group {
		c := j.net.LineCoords(l)
		j.ends[c[0]] = append(j.ends[c[0]], end{l, false})
		j.ends[c[len(c)-1]] = append(j.ends[c[len(c)-1]], end{l, true})
	}
	for _, l := range group {
		if j.used[l] {
			continue
		}
		j.used[l] = true
		coords := append([]roadnet.Coord(nil), j.net.LineCoords(l)...)
		coords = j.follow(coords)
		reverse(coords)
		coords = j.follow(coords)
		emit(coords)
	}
}

// follow goes on from the last vertex for as long as lines join there.
func (j *joiner) follow(coords []roadnet.Coord) []roadnet.Coord {
	for {
		next, ok := j.straightest(coords)
		if !ok {
			return coords
		}
		j.used[next.line] = true
		c := j.net.LineCoords(next.line)
		if !next.last {
			coords = append(coords, c[1:]...)
			continue
		}
		for i := len(c) - 2; i >= 0; i-- {
			coords = append(coords, c[i])
		}
	}
}

// sharpest is the turn, in degrees, beyond which a name does not go on.
const sharpest = 60

// straightest is the end of an unused line that goes on most straight.
func (j *joiner) straightest(coords []roadnet.Coord) (best end, ok bool) {
	at := coords[len(coords)-1]
	in := bearing(coords[len(coords)-2], at)
	least := float64(sharpest)
	for _, e := range j.ends[at] {
		if j.used[e.line] {
			continue
		}
		c := j.net.LineCoords(e.line)
		to := c[1]
		if e.last {
			to = c[len(c)-2]
		}
		turn := math.Abs(math.Remainder(bearing(at, to)-in, 360))
		if turn < least {
			best, least, ok = e, turn, true
		}
	}
	return best, ok
}

// bearing is the direction from a to b in degrees, as seen on the map.
func bearing(a, b roadnet.Coord) float64 {
	lat := a.Point().Lat * degreesToRadian
	return math.Atan2(float64(b.Lat-a.Lat), float64(b.Lon-a.Lon)*math.Cos(lat)) / degreesToRadian
}

func reverse[T any](s []T) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}
