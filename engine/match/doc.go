// Package match finds the path that a sparse trajectory was driven on: a
// hidden Markov model after Newson and Krumm (2009), with transitions that
// know how much time lies between two samples.
//
// # The model
//
// A sample's candidates are the segments near it, each at its nearest
// position. The emission of a candidate falls with its distance as a Student t
// distribution does, so that one sample far off does not decide a trip. The
// transition between candidates of consecutive samples falls exponentially
// with how much dearer the cheapest route is than the straight way, on a scale
// that grows with the gap, and with the speed that the gap would ask for. A
// route's cost is its length mixed with its free-flow time, and what its turns
// cost.
//
// # What does not fit
//
// A sample without a road near is off the road and skipped. Where no drive
// links two samples in time, links past one or a few of them are made, and the
// model itself weighs whether leaving them out is the better explanation; a
// sample left out is an outlier. Where the network has no way, or none that
// can be driven in time, and leaving out does not help, the path breaks.
//
// # Probabilities
//
// Forward and backward passes over all links give each candidate its posterior
// probability and each link the probability of each of its routes. The share
// of a segment in a gap is the sum over the routes that drive it: the
// probability that the segment was driven between the two samples, given that
// between two candidates the cheapest route is driven. The path is the most probable
// one, or by [Settings] the one that agrees most with these shares. When it was driven is
// for package engine to say, and to doubt.
package match
