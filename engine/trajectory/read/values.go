package read

import (
	"math"
	"strconv"
	"strings"

	"retrace/engine/trajectory"
)

// The reasons for which a row is left out; the same words each time, so that
// they can be counted.
const (
	badLonNumber = "longitude is not a number"
	badLatNumber = "latitude is not a number"
	badLonRange  = "longitude is not within -180 to 180"
	badLatRange  = "latitude is not within -90 to 90"
	noFix        = "position is 0, 0: the receiver had no fix"
	badTime      = "time cannot be read"
	badTimeRange = "time is not within the years 1970 to 2199"
	noPosition   = "no position"
	noTime       = "no time"
	tooMany      = "trajectory has more samples than the limit, the rest is left out"
)

// maxTime is the first instant of the year 2200, Unix milliseconds.
const maxTime = 7_258_118_400_000

// checkPosition says why a position cannot be; empty: it can.
func checkPosition(lon, lat float64) string {
	switch {
	case math.IsNaN(lon) || math.IsInf(lon, 0):
		return badLonNumber
	case math.IsNaN(lat) || math.IsInf(lat, 0):
		return badLatNumber
	case lon < -180 || lon > 180:
		return badLonRange
	case lat < -90 || lat > 90:
		return badLatRange
	case lon == 0 && lat == 0:
		return noFix
	}
	return ""
}

// checkSample says why a sample cannot be; empty: it can.
func checkSample(s trajectory.Sample) string {
	if s.Time < 0 || s.Time >= maxTime {
		return badTimeRange
	}
	return checkPosition(s.Lon, s.Lat)
}

// number reads a decimal number, with a comma for the point where the file has
// one.
func number(s string, comma bool) (float64, bool) {
	if comma {
		s = strings.Replace(s, ",", ".", 1)
	}
	if s == "" || len(s) > 40 || s[0] == 'n' || s[0] == 'N' {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}
