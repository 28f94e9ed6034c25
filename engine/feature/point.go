package feature

import (
	"math"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// pointColumns describe a sample by its neighbours in time, in local metres:
// what stands for the paper's grid index and time stamp.
func pointColumns() []Column {
	cols := make([]Column, 0, 16)
	for _, side := range []string{"previous", "next"} {
		cols = append(cols,
			flag("no_"+side, Geometry),
			scaled(side+"_east", "direction", Geometry, -1, 1),
			scaled(side+"_north", "direction", Geometry, -1, 1),
			scaled(side+"_distance", "ln(1 + m/100)/4", Geometry, 0, 2),
			scaled(side+"_gap", "ln(1 + s/15)/4", Geometry, 0, 2),
			scaled(side+"_speed", "m/s / 30", Geometry, 0, 2),
		)
	}
	return append(cols,
		scaled("turn_sine", "of the angle between the two ways", Geometry, -1, 1),
		scaled("turn_cosine", "of the angle between the two ways", Geometry, -1, 1),
		scaled("elapsed", "ln(1 + s/60)/4", Geometry, 0, 2),
		scaled("progress", "share of the trip's time", Geometry, 0, 1),
	)
}

// stay is what a sample knows of its neighbour in time.
type stay struct {
	known           bool
	east, north     float32 // direction of the movement, of length 1 or 0
	distance, after float64 // metres, seconds
}

func stayBetween(a, b trajectory.Sample) stay {
	x, y := offset(pointOf(a), pointOf(b))
	east, north := unit(x, y)
	return stay{true, east, north, math.Hypot(x, y), seconds(a, b)}
}

func pointOf(s trajectory.Sample) roadnet.Point { return roadnet.Point{Lon: s.Lon, Lat: s.Lat} }

func seconds(a, b trajectory.Sample) float64 { return float64(b.Time-a.Time) / 1000 }

// around are the movements that led to sample i and from it.
func around(samples []trajectory.Sample, i int) (before, after stay) {
	if i > 0 {
		before = stayBetween(samples[i-1], samples[i])
	}
	if i+1 < len(samples) {
		after = stayBetween(samples[i], samples[i+1])
	}
	return before, after
}

func fillPoint(samples []trajectory.Sample, i int, before, after stay, r row) {
	putStay(&r, before)
	putStay(&r, after)
	r.put(before.east*after.north-before.north*after.east, before.east*after.east+before.north*after.north)
	elapsed := seconds(samples[0], samples[i])
	r.put(clamp(math.Log1p(elapsed/60)/4, 0, 2))
	whole := seconds(samples[0], samples[len(samples)-1])
	r.put(clamp(elapsed/max(whole, 1), 0, 1))
}

func putStay(r *row, s stay) {
	r.put(bit(!s.known), s.east, s.north,
		clamp(math.Log1p(s.distance/100)/4, 0, 2),
		clamp(math.Log1p(s.after/15)/4, 0, 2),
		clamp(s.distance/max(s.after, 1)/30, 0, 2))
}
