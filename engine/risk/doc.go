// Package risk says how probably a recovered way is wrong, and how many metres
// its places are expected to be off.
//
// # What is wrong
//
// The way told between two samples is wrong where it drives [Apart] metres that the
// vehicle did not, or leaves out as much that it did. A whole trip is wrong where the
// places told of it are [FarOff] metres from the vehicle on average, by great-circle
// distance at the instants between the samples: one wrong turn of many does not spoil a
// trip, a detour does.
//
// # How it is told
//
// [Evidence] is what a method knows of one gap: how probable it holds the way and
// the others, how far the way goes out of its way, what speed it asks for, how far
// the samples lie from the road, and how sure it is of when places are reached.
// Logistic regressions over that give the risks, and log-linear regressions the
// errors in metres; a trip has a regression of its own, over its gaps.
//
// Their coefficients are in coefficients.go, which tools/risk writes: fitted on
// validation trips of Porto and on trips simulated in cities that nothing was trained
// on, for each method by itself.
package risk

const (
	// Apart is the length in metres from which two ways differ.
	Apart = 50.0
	// FarOff is the mean error in metres from which a trip counts as wrong.
	FarOff = 150.0
)
