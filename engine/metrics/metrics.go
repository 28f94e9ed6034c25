// Package metrics measures recovered trajectories against the truth, in the two
// readings of the paper's metrics: as its text defines them, and as its authors'
// published code computes them. It also thins dense trips, makes the truth of
// real ones by map matching, and tells by resampling how far a figure can be
// trusted.
//
// # Readings
//
// A trip is scored at every tick of its truth, observed ones too. Its travelled
// path is the sequence of the segments of its ticks. Every figure is the mean
// over trips of a figure of each trip.
//
//   - paper: recall and precision count the segments that both paths have, as
//     sets; MAE and RMSE are over the network distance between the true and the
//     recovered place, in whichever direction it is shorter.
//   - code: recall and precision use the longest common subsequence of both
//     paths, in which a segment's repeats in a row count once; the network
//     distance counts as 4,000 m at most; the great-circle distance stands beside it.
//
// SR%k is the share of stretches on or near elevated roads whose F1 exceeds k: as in
// the paper, of the segments at their ticks, and besides of the path driven on them, by
// length and whenever it was driven, so that a deck is told from the road below it
// whatever the error in time.
//
// Calibration compares the probability of each tick with how often such ticks are
// on the right segment, in bins of equal width; its expected error is the mean
// over ticks of how far their bin is off. A tick that is missing claims nothing.
//
// A tick that a recovery lacks counts as wrong, 4,000 m off on the network and
// 1,000 m on the great circle; where the network has no way within 20 km between
// the two places, the paper's reading takes 20 km.
package metrics

import (
	"context"
	"iter"

	"retrace/engine/trajectory"
)

// Recover recovers one trajectory, e.g. engine.Recoverer.Recover without pins.
type Recover func(context.Context, *trajectory.Trajectory) (*trajectory.Recovery, error)

// Method is a way of recovering trajectories that is to be measured.
type Method struct {
	Name    string
	Recover Recover

	// Places says that it tells places alone: what it says of probabilities and of decks is
	// not measured.
	Places bool

	// Prepare, where there is one, is given all thinned trips and others before any is
	// recovered, and makes what recovers them.
	Prepare func(context.Context, iter.Seq2[*trajectory.Trajectory, error]) (Recover, error)
}

// Case is one dense trip with its truth, which has a tick at every instant of
// Dense.
type Case struct {
	Dense *trajectory.Trajectory
	Truth *trajectory.Recovery
}
