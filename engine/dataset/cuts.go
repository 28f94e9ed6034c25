package dataset

import (
	"math"

	"retrace/engine/roadnet"
)

// cutLength is the most that two neighbouring cut points of a segment are
// apart, metres.
const cutLength = 100

// cuts are places along every segment: its ends, and as many between them, at
// even distances, as long parts need. Both directions of a road are cut at the
// same places.
type cuts struct {
	start    []int32   // [segments+1]
	lon, lat []float64 // [cuts] degrees, from each segment's start to its end
}

func cutsOf(net *roadnet.Network) cuts {
	c := cuts{start: []int32{0}}
	for id := range roadnet.SegmentID(net.NumSegments()) {
		parts := max(1, int(math.Ceil(net.Length(id)/cutLength)))
		for i := range parts + 1 {
			at := net.At(roadnet.Position{Segment: id, Ratio: float64(i) / float64(parts)})
			c.lon, c.lat = append(c.lon, at.Lon), append(c.lat, at.Lat)
		}
		c.start = append(c.start, int32(len(c.lon)))
	}
	return c
}
