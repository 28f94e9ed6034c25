package feature

import (
	"math"

	"retrace/engine/roadnet"
)

// offset is the way from one point to another in metres east and north, on the
// flat map that touches the earth halfway between them.
func offset(from, to roadnet.Point) (east, north float64) {
	lat := (from.Lat + to.Lat) / 2 * math.Pi / 180
	return (to.Lon - from.Lon) * roadnet.Degree * math.Cos(lat), (to.Lat - from.Lat) * roadnet.Degree
}

// metresBetween two points, on the same flat map.
func metresBetween(a, b roadnet.Point) float64 {
	return math.Hypot(offset(a, b))
}

// unit is a direction as a vector of length 1; of no length where there is no
// way to speak of.
func unit(east, north float64) (float32, float32) {
	length := math.Hypot(east, north)
	if length < 1 {
		return 0, 0
	}
	return float32(east / length), float32(north / length)
}

// unitOf is a heading, degrees clockwise from north, as a vector.
func unitOf(heading float64) (east, north float32) {
	sin, cos := math.Sincos(heading * math.Pi / 180)
	return float32(sin), float32(cos)
}
