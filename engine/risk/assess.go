package risk

import "math"

// Verdict is how far something can be trusted.
type Verdict struct {
	Wrong float64 // probability that the way told is wrong
	Error float64 // expected, metres
}

// Weights are the coefficients for one method, in the order of the features.
type Weights struct {
	GapWrong, GapError, TripWrong, TripError []float64
}

// Of are the weights for a method by its name: those of map matching for one that has
// none of its own.
func Of(method string) Weights {
	if w, ok := fitted()[method]; ok {
		return w
	}
	return fitted()["hmm"]
}

// Gap judges one gap. Where no way is told there is no right one.
func (w *Weights) Gap(e Evidence) Verdict {
	if e.Broken {
		return Verdict{Wrong: 1, Error: min(e.Straight/2, mostError)}
	}
	x := e.features()
	return Verdict{Wrong: logistic(dot(w.GapWrong, x[:])), Error: expected(dot(w.GapError, x[:]))}
}

// Trip judges a trip by its gaps, each with what was found of it. A trip without gaps
// has nothing that can be wrong.
func (w *Weights) Trip(gaps []Evidence, found []Verdict) Verdict {
	if len(gaps) == 0 {
		return Verdict{}
	}
	x := tripFeatures(gaps, found)
	return Verdict{Wrong: logistic(dot(w.TripWrong, x[:])), Error: expected(dot(w.TripError, x[:]))}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, w := range a {
		sum += w * b[i]
	}
	return sum
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// mostError bounds an expected error, metres: nothing like it was there to learn from.
const mostError = 5000

func expected(x float64) float64 { return min(math.Exp(min(x, 50)), mostError) }
