package read

import "math"

// Maps made in China are shifted: GCJ-02 by some hundred metres, and BD-09 once
// more. The shift has no inverse in closed form; it is small and smooth, so that
// going back by what it is at the guess comes to within a centimetre in a few
// steps.

// gcj02 turns GCJ-02 into WGS 84. Outside of China the two are the same.
func gcj02(x, y float64) (lon, lat float64) {
	if outsideChina(x, y) {
		return x, y
	}
	lon, lat = x, y
	for range 8 {
		dx, dy := shiftGCJ(lon, lat)
		lon, lat = x-dx, y-dy
	}
	return lon, lat
}

// bd09 turns BD-09 into WGS 84.
func bd09(x, y float64) (lon, lat float64) {
	const k = math.Pi * 3000 / 180
	x, y = x-0.0065, y-0.006
	z := math.Hypot(x, y) - 0.00002*math.Sin(y*k)
	theta := math.Atan2(y, x) - 0.000003*math.Cos(x*k)
	return gcj02(z*math.Cos(theta), z*math.Sin(theta))
}

func outsideChina(lon, lat float64) bool {
	return !(lon > 72.004 && lon < 137.8347 && lat > 0.8293 && lat < 55.8271)
}

// shiftGCJ is by how many degrees GCJ-02 differs from WGS 84 at a place.
func shiftGCJ(lon, lat float64) (dlon, dlat float64) {
	const a, ee = 6378245.0, 0.00669342162296594323 // Krasovsky 1940
	x, y := lon-105, lat-35
	waves := func(v, first, second, a, b float64) float64 {
		return (first*math.Sin(v*math.Pi/a) + second*math.Sin(v*math.Pi/b)) * 2 / 3
	}
	ripple := (20*math.Sin(6*x*math.Pi) + 20*math.Sin(2*x*math.Pi)) * 2 / 3
	dlat = -100 + 2*x + 3*y + 0.2*y*y + 0.1*x*y + 0.2*math.Sqrt(math.Abs(x)) + ripple + waves(y, 20, 40, 1, 3) + waves(y, 160, 320, 12, 30)
	dlon = 300 + x + 2*y + 0.1*x*x + 0.1*x*y + 0.1*math.Sqrt(math.Abs(x)) + ripple + waves(x, 20, 40, 1, 3) + waves(x, 150, 300, 12, 30)
	rad := lat / 180 * math.Pi
	magic := 1 - ee*math.Sin(rad)*math.Sin(rad)
	dlat = dlat * 180 / (a * (1 - ee) / (magic * math.Sqrt(magic)) * math.Pi)
	dlon = dlon * 180 / (a / math.Sqrt(magic) * math.Cos(rad) * math.Pi)
	return dlon, dlat
}
