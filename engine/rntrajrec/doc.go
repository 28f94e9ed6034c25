// Package rntrajrec recovers the driven path and its times with RNTrajRec by
// the decoder of routes: where for whole gaps at once, then when.
//
// Every sample has candidates, and every gap options: distinct routes from a
// candidate of the one sample to a candidate of the other. A trip is a
// linear-chain conditional random field over them. A [Scorer], the model, gives
// candidates and options their scores; forward and backward passes give each
// its exact probability, Viterbi the most probable path, which is connected by
// construction. Where many paths are possible even that is hardly probable; the path
// that is told is the one that agrees most with what all of them say of each segment
// ([match.Centroid]). Then the model says how the time of each gap is shared out among
// the pieces of the route chosen.
//
// Where that path is one that a vehicle drives in the time there was,
// that is all. Elsewhere classical map matching decides first which samples are
// outliers and where the network has no way, and the model decodes what lies
// between.
//
// # Many trips at once
//
// A [Decoder] is used by many goroutines, one for each trip under way. Searching
// the network takes arrays as long as it, so there are only as many searchers as
// goroutines are to compute at once; whoever waits for the model gives back the
// one that it had. What is asked of the model while it is busy goes into one call.
// A trip's answer does not depend, to the last bit, on what shares a call with it.
//
// The paper's own decoder stands beside it ([TickDecoder]): beams go from tick to
// tick over the moves that are possible (the generalised constraint mask), so
// that its paths are connected too. Its model has an [Encoder], which is asked
// about the roads of a network, piece by piece where trips come ([Roads]), and once about
// every trip.
package rntrajrec
