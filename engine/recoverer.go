// Package engine recovers dense road-matched trajectories from sparse ones.
package engine

import (
	"context"
	"errors"
	"iter"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

var errNotYet = errors.New("recovery is not there yet")

// Recoverer recovers trajectories on one network. It may be used by several
// goroutines at once.
type Recoverer struct {
	net      *roadnet.Network
	settings Settings
}

// DefaultSettings recovers with the HMM every 15 seconds on all cores.
func DefaultSettings() Settings { return Settings{Method: MethodHMM} }

// NewRecoverer prepares recovery on net. An unknown method or a setting out of
// range is an error.
func NewRecoverer(net *roadnet.Network, s Settings) (*Recoverer, error) {
	return &Recoverer{net: net, settings: s}, nil
}

// Recover recovers one trajectory. Pins are hard constraints.
//
// A sample that no road is near or that no drive can pass in time is skipped
// and marked in Matches; where the network has no way between two samples a
// new part begins and a warning says so. An error means that nothing could be
// recovered: no sample, a pin that does not fit, or ctx cancelled.
func (r *Recoverer) Recover(ctx context.Context, t *trajectory.Trajectory, pins []Pin) (*trajectory.Recovery, error) {
	return nil, errNotYet
}

// Stream recovers every trajectory of in, several at once, and hands each to
// emit in the order of in as soon as it and all before it are finished. Pins
// says what is known of a trajectory's samples; it may be nil.
//
// Where a trajectory cannot be read or recovered, emit gets its error with a
// nil recovery (and a nil trajectory where it could not be read), and the
// stream goes on. Emit is never called twice at once. Stream ends with the
// error of emit, with that of ctx, or with nil when in is exhausted.
func (r *Recoverer) Stream(ctx context.Context, in iter.Seq2[*trajectory.Trajectory, error],
	pins func(*trajectory.Trajectory) []Pin,
	emit func(*trajectory.Trajectory, *trajectory.Recovery, error) error) error {
	return errNotYet
}
