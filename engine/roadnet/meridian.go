package roadnet

import "math"

// halfTurn is 180 degrees, and meridianNode the id of the first node that is put
// where a way crosses the meridian there; the next have lower ones. No node of
// OpenStreetMap has such an id.
const (
	halfTurn     = 1_800_000_000
	meridianNode = -1 << 62
)

// halfway reports whether two longitudes are more than 180 degrees apart: the piece
// between them is meant to go round the other way, across the 180th meridian.
func halfway(a, b Coord) bool {
	d := int64(a.Lon) - int64(b.Lon)
	return d > halfTurn || d < -halfTurn
}

// cutAtMeridian cuts the ways that cross the 180th meridian there, so that no piece
// lies across the whole map. Both sides end in one node, which lies at 180 degrees
// for the one and at -180 for the other: the road goes on.
func (b *Builder) cutAtMeridian(report *BuildReport) {
	var ways []rawWay // nil: no way was cut so far
	crossings := int64(0)
	for i, w := range b.ways {
		if !b.crosses(w) {
			if ways != nil {
				ways = append(ways, w)
			}
			continue
		}
		if ways == nil {
			ways = append(make([]rawWay, 0, len(b.ways)+1), b.ways[:i]...)
		}
		report.MeridianWays.add(w.id)
		ways = b.cutWay(w, ways, &crossings)
	}
	if ways != nil {
		b.ways = ways
	}
}

// crosses reports whether a way crosses the meridian.
func (b *Builder) crosses(w rawWay) bool {
	coords := b.coords[w.first:w.last]
	for i := 1; i < len(coords); i++ {
		if halfway(coords[i-1], coords[i]) {
			return true
		}
	}
	return false
}

// cutWay appends the pieces of a way, whose vertices are written anew.
func (b *Builder) cutWay(w rawWay, ways []rawWay, crossings *int64) []rawWay {
	piece := w
	piece.first = uint32(len(b.nodes))
	end := func() {
		if piece.last = uint32(len(b.nodes)); piece.last-piece.first > 1 {
			ways = append(ways, piece)
		}
		piece.first = piece.last
	}
	for v := w.first; v < w.last; v++ {
		if v > w.first && halfway(b.coords[v-1], b.coords[v]) {
			before, after, at := b.coords[v-1], b.coords[v], int32(halfTurn)
			if before.Lon < 0 {
				at = -halfTurn
			}
			lat := latitudeAt(before, after, at)
			node := meridianNode - *crossings
			switch {
			case before.Lon == at:
				node = b.nodes[v-1]
			case after.Lon == -at:
				node = b.nodes[v]
				b.vertex(node, Coord{Lon: at, Lat: lat}, b.flags[v])
			default:
				*crossings++
				b.vertex(node, Coord{Lon: at, Lat: lat}, 0)
			}
			end()
			if after.Lon != -at {
				b.vertex(node, Coord{Lon: -at, Lat: lat}, 0)
			}
		}
		b.vertex(b.nodes[v], b.coords[v], b.flags[v])
	}
	end()
	return ways
}

// vertex appends a vertex.
func (b *Builder) vertex(node int64, at Coord, flags VertexFlags) {
	b.nodes, b.coords, b.flags = append(b.nodes, node), append(b.coords, at), append(b.flags, flags)
}

// latitudeAt is where a piece across the meridian has the longitude at, which is
// 180 degrees on the side of its beginning.
func latitudeAt(before, after Coord, at int32) int32 {
	to := float64(after.Lon) + 2*float64(at) // on the same side
	t := 0.5
	if to != float64(before.Lon) {
		t = (float64(at) - float64(before.Lon)) / (to - float64(before.Lon))
	}
	return int32(math.Round(float64(before.Lat) + t*(float64(after.Lat)-float64(before.Lat))))
}
