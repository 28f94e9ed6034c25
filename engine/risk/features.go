package risk

import "math"

// numGap and numTrip are how many features there are of a gap and of a trip.
const numGap, numTrip = 26, 11

// Features are those of a gap, for fitting.
func (e Evidence) Features() []float64 {
	x := e.features()
	return x[:]
}

// TripFeatures are those of a trip, for fitting.
func TripFeatures(gaps []Evidence, found []Verdict) []float64 {
	x := tripFeatures(gaps, found)
	return x[:]
}

// features of a gap, as the regressions see them.
func (e Evidence) features() [numGap]float64 {
	hurry := e.FreeFlow / max(1, e.Seconds)
	return [numGap]float64{
		1,
		math.Log(e.Lost + 0.01),
		math.Log(e.Missed + 0.01),
		math.Log(1 - e.Own + 0.01),
		e.Own - e.Next,
		math.Log((e.Length + 50) / (e.Straight + 50)),
		math.Log(hurry + 0.1),
		max(0, hurry-1),
		math.Log(e.Distance + 2),
		e.Unsure,
		flag(e.LeftOut > 0),
		math.Log(float64(e.Reversed) + 1),
		math.Log(e.Length + 50),
		math.Log(e.Seconds + 5),
		math.Log(e.Along + 5),
		math.Log(e.Aside + 5),
		flag(e.Strange),
		e.Lost * e.Lost,
		math.Log(e.Aside+5) * math.Log(e.Along+5) / 5,
		square(math.Log(e.Along+5)) / 5,
		square(math.Log(e.Aside+5)) / 5,
		square(math.Log(hurry + 0.1)),
		e.Contrast,
		math.Abs(e.Contrast),
		flag(e.Untagged),
		e.Own * e.Own,
	}
}

func flag(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

func square(x float64) float64 { return x * x }

// tripFeatures are those of a trip, of what its gaps were found to be like. Errors and
// risks count by the time that the gaps take.
func tripFeatures(gaps []Evidence, found []Verdict) [numTrip]float64 {
	var seconds, length, risk, errors, wrong, most, worst float64
	for i, e := range gaps {
		v := found[i]
		seconds += e.Seconds
		length += e.Length
		errors += v.Error * e.Seconds
		risk += v.Wrong * e.Seconds
		wrong += v.Wrong * e.Length
		most = max(most, v.Wrong)
		worst = max(worst, v.Error)
	}
	seconds, length = max(seconds, 1), max(length, 1)
	return [numTrip]float64{
		1,
		math.Log(risk/seconds + 0.01),
		math.Log(wrong/length + 0.01),
		math.Log(1.01 - most),
		math.Log(errors/seconds + 5),
		math.Log(worst + 5),
		math.Log(float64(len(gaps)) + 1),
		math.Log(length + 100),
		square(math.Log(errors/seconds+5)) / 5,
		math.Log(seconds/float64(len(gaps)) + 5),
		flag(gaps[0].Untagged),
	}
}
