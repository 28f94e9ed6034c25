package main

import (
	"strconv"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// edges lists the vertices of a driven part as the scoring program of the places
// counts them: in whole edges between two nodes. An edge that is driven in part,
// at an end, is listed whole, as the truth has it; so a perfect recovery loses
// nothing at its ends. Of a part that goes nowhere there is none.
func edges(net *roadnet.Network, p trajectory.Part) []roadnet.Point {
	var path []roadnet.Point
	for i, id := range p.Segments {
		from, to := roadnet.Driven(i, len(p.Segments), p.StartRatio, p.EndRatio)
		length := net.Length(id)
		vertices := net.Vertices(id, nil)
		for k := 1; k < len(vertices); k++ {
			a, b := vertices[k-1], vertices[k]
			if max(a.Along, from*length) >= min(b.Along, to*length) {
				continue
			}
			if len(path) == 0 {
				path = append(path, a.Coord.Point())
			}
			path = append(path, b.Coord.Point())
		}
	}
	return path
}

// addPath adds the driven parts of a recovery to a table of part, lon and lat.
func (t *csvTable) addPath(net *roadnet.Network, rec *trajectory.Recovery) {
	for i, p := range rec.Parts {
		path := edges(net, p)
		if len(path) == 0 && len(p.Segments) > 0 { // a vehicle that stands
			path = append(path, net.At(roadnet.Position{Segment: p.Segments[0], Ratio: p.StartRatio}))
		}
		for _, v := range path {
			t.add(strconv.Itoa(i), degrees(v.Lon), degrees(v.Lat))
		}
	}
}

// addPlace adds where the vehicle is at an instant, Unix milliseconds, to a table of
// t, lon and lat.
func (t *csvTable) addPlace(time int64, p roadnet.Point) {
	t.add(strconv.FormatInt(time/1000, 10), degrees(p.Lon), degrees(p.Lat))
}
