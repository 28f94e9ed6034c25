// Package rntrajrec recovers the driven path and its times with RNTrajRec by
// the decoder of routes: where for whole gaps at once, then when.
//
// Every sample has candidates, and every gap options: distinct routes from a
// candidate of the one sample to a candidate of the other. A trip is a
// linear-chain conditional random field over them. A [Scorer], the model, gives
// candidates and options their scores; forward and backward passes give each
// its exact probability, Viterbi the most probable path, which is connected by
// construction. Then the model says how the time of each gap is shared out
// among the pieces of the route chosen.
//
// Which samples are outliers and where the network has no way is decided before
// by classical map matching; the model decodes what lies between.
package rntrajrec
