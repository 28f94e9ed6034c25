package roadnet

import "math"

// EarthRadius is the mean radius of the earth in metres.
const EarthRadius = 6371008.8

// Degree is the length of a degree of latitude in metres.
const Degree = EarthRadius * math.Pi / 180

// unit is 1e-7 degrees, the unit of [Coord], in radians.
const unit = 1e-7 * math.Pi / 180

// Distance is the great-circle distance between two points in metres, on a
// sphere of radius [EarthRadius].
func Distance(a, b Point) float64 {
	const rad = math.Pi / 180
	sinLat := math.Sin((b.Lat - a.Lat) * rad / 2)
	sinLon := math.Sin((b.Lon - a.Lon) * rad / 2)
	h := sinLat*sinLat + math.Cos(a.Lat*rad)*math.Cos(b.Lat*rad)*sinLon*sinLon
	return 2 * EarthRadius * math.Asin(math.Min(1, math.Sqrt(h)))
}

// place is a place in 1e-7 degrees, with fractions.
type place struct{ lon, lat float64 }

func placeOf(p Point) place  { return place{p.Lon * 1e7, p.Lat * 1e7} }
func (c Coord) place() place { return place{float64(c.Lon), float64(c.Lat)} }
func (p place) point() Point { return Point{p.lon * 1e-7, p.lat * 1e-7} }

// between is the place at ratio t on the straight line from a to b.
func between(a, b Coord, t float64) place {
	return place{
		float64(a.Lon) + t*(float64(b.Lon)-float64(a.Lon)),
		float64(a.Lat) + t*(float64(b.Lat)-float64(a.Lat)),
	}
}

// metres is the distance between two places. Near places, which is to say
// nearly all, are measured on the plane that touches the earth between them:
// that agrees with the great circle within 1e-5 and costs one cosine.
func metres(a, b place) float64 {
	const near = 500_000      // 0.05 degrees
	const polar = 850_000_000 // 85 degrees
	dLon, dLat := b.lon-a.lon, b.lat-a.lat
	if math.Abs(dLon) > near || math.Abs(dLat) > near || math.Abs(a.lat) > polar {
		return Distance(a.point(), b.point())
	}
	x := dLon * math.Cos((a.lat+b.lat)/2*unit)
	return EarthRadius * unit * math.Sqrt(x*x+dLat*dLat)
}

// heading is the direction from a to b, in degrees clockwise from north, 0 to 360.
func heading(a, b place) float64 {
	x := (b.lon - a.lon) * math.Cos((a.lat+b.lat)/2*unit)
	h := math.Atan2(x, b.lat-a.lat) * 180 / math.Pi
	if h < 0 {
		h += 360
	}
	return h
}

// turn is the angle from one heading to another in degrees, in (-180, 180].
func turn(from, to float64) float64 {
	d := math.Mod(to-from, 360)
	switch {
	case d > 180:
		return d - 360
	case d <= -180:
		return d + 360
	}
	return d
}
