package command

import (
	"iter"
	"slices"

	"retrace/engine"
	"retrace/engine/feature"
	"retrace/engine/roadnet"
	"retrace/engine/traffic"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
)

// gather is what all the trajectories tell of the network's roads, which are read
// a first time for it; nil where it is not wanted.
func (c *recoverCommand) gather(s *session, net *roadnet.Network, settings engine.Settings, opt read.Options) (*feature.Traffic, error) {
	if !c.Gather {
		return nil, nil
	}
	switch {
	case c.Method == engine.MethodHMM || engine.OfOneCity(c.Method):
		return nil, usage("--gather goes with --method %s", engine.MethodRNTrajRec)
	case settings.Method == engine.MethodHMM:
		s.note("retrace: --gather is of no use to map matching")
		return nil, nil
	case slices.Contains(c.Trajectories, "-"):
		return nil, usage("--gather reads the trajectories twice, which standard input cannot be: name files")
	}
	opt.Problem = nil // told of when they are read to be recovered
	found, err := traffic.Gather(s.ctx, net, readable(read.Files(s.ctx, c.Trajectories, nil, opt)), settings.HMM, s.threads(), func(trips int) {
		s.progress.show("gathering traffic", count(trips))
	})
	s.progress.clear()
	return found, err
}

// readable leaves out what cannot be read.
func readable(in iter.Seq2[*trajectory.Trajectory, error]) iter.Seq2[*trajectory.Trajectory, error] {
	return func(yield func(*trajectory.Trajectory, error) bool) {
		for t, err := range in {
			if err == nil && !yield(t, nil) {
				return
			}
		}
	}
}
