// Package traffic gathers what trips tell of the roads of a network: how many
// drove each, and at which pace. The trips of one fleet, sparse as they are, know
// together what none of them knows alone.
package traffic

import (
	"context"
	"iter"

	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/internal/inorder"
)

// Trip is what one trip tells.
type Trip struct {
	ID      string
	Samples []trajectory.Sample
	Ways    []feature.Way // over its gaps
	Seconds []float64     // that each took
}

// Of is what a matched trip tells. Gaps that the network has no way over, or
// that no vehicle is fast enough for, tell nothing.
func Of(id string, samples []trajectory.Sample, res *match.Result) Trip {
	t := Trip{ID: id, Samples: samples}
	for _, leg := range res.Legs {
		if leg.Why != 0 || len(leg.Path) == 0 {
			continue
		}
		t.Ways = append(t.Ways, feature.Way{Segments: leg.Path, From: res.Matches[leg.From].At, To: res.Matches[leg.To].At})
		t.Seconds = append(t.Seconds, float64(samples[leg.To].Time-samples[leg.From].Time)/1000)
	}
	return t
}

// Each matches trips, so many at once, and hands on what each tells, one call at
// a time and in the order of the trips. The error is that of the trips, of the
// settings, of add or of ctx.
func Each(ctx context.Context, net *roadnet.Network, trips iter.Seq2[*trajectory.Trajectory, error], s match.Settings, threads int, add func(Trip) error) error {
	threads = max(1, threads)
	idle := make(chan *match.Matcher, threads)
	for range threads {
		matcher, err := match.New(net, s)
		if err != nil {
			return err
		}
		idle <- matcher
	}
	told := inorder.Start(ctx, threads, func(submit func(*trajectory.Trajectory) error) error {
		for t, err := range trips {
			if err != nil {
				return err
			}
			if err := submit(t); err != nil {
				return err
			}
		}
		return nil
	}, func(t *trajectory.Trajectory) (Trip, error) {
		matcher := <-idle
		defer func() { idle <- matcher }()
		res, err := matcher.Match(ctx, t.Samples, nil)
		if err != nil {
			return Trip{}, err
		}
		return Of(t.ID, t.Samples, res), nil
	})
	defer told.Stop()
	for {
		t, ok, err := told.Next()
		if !ok {
			return err
		}
		if err := add(t); err != nil {
			return err
		}
	}
}

// Gather puts what trips tell together.
func Gather(ctx context.Context, net *roadnet.Network, trips iter.Seq2[*trajectory.Trajectory, error], s match.Settings, threads int, progress func(trips int)) (*feature.Traffic, error) {
	all := feature.NewTraffic(net)
	err := Each(ctx, net, trips, s, threads, func(t Trip) error {
		all.Add(t.Samples, t.Ways, t.Seconds)
		if progress != nil {
			progress(all.Trips())
		}
		return nil
	})
	return all, err
}
