// Package metrics measures recovered trajectories against the truth, in the two
// readings of the paper's metrics: as its text defines them, and as its authors'
// published code computes them. It also thins dense trips, makes the truth of
// real ones by map matching, and tells by resampling how far a figure can be
// trusted.
package metrics

import (
	"context"

	"retrace/engine/trajectory"
)

// Recover recovers one trajectory, e.g. engine.Recoverer.Recover without pins.
type Recover func(context.Context, *trajectory.Trajectory) (*trajectory.Recovery, error)

// Method is a way of recovering trajectories that is to be measured.
type Method struct {
	Name    string
	Recover Recover
}

// Case is one dense trip with its truth: a tick at each instant of Dense.
type Case struct {
	Dense *trajectory.Trajectory
	Truth *trajectory.Recovery
}
