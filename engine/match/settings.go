// Package match finds the road path that a sparse trajectory was driven on,
// with a hidden Markov model (Newson and Krumm 2009) whose transitions know
// the time between the samples.
package match

// Settings are the constants of the model. Lengths are metres, times seconds.
type Settings struct {
	Sigma         float64 // spread of the GPS error
	Radius        float64 // first search radius for candidates
	MaxRadius     float64 // beyond this a sample is off the road
	MaxCandidates int     // per sample, one per segment
	Beta          float64 // scale of |route - great circle|, at a gap of no time
	UTurn         float64 // cost of turning back, metres of route
	Back          float64 // a smaller step backwards counts as standing still
	Alternatives  int     // other paths kept for each gap
}
