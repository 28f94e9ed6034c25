// Package traffic gathers what trips tell of the roads of a network: how many
// drove each, and at which pace. The trips of one fleet, sparse as they are, know
// together what none of them knows alone.
package traffic

import (
	"context"
	"iter"

	"golang.org/x/sync/errgroup"

	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
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
		if leg.Broken || leg.TooFast || len(leg.Path) == 0 {
			continue
		}
		t.Ways = append(t.Ways, feature.Way{Segments: leg.Path, From: res.Matches[leg.From].At, To: res.Matches[leg.To].At})
		t.Seconds = append(t.Seconds, float64(samples[leg.To].Time-samples[leg.From].Time)/1000)
	}
	return t
}

// Each matches trips, so many at once, and hands on what each tells, one call at
// a time and in no certain order. A trip that cannot be matched tells nothing.
// The error is that of the trips, of add or of ctx.
func Each(ctx context.Context, net *roadnet.Network, trips iter.Seq2[*trajectory.Trajectory, error], s match.Settings, threads int, add func(Trip) error) error {
	g, ctx := errgroup.WithContext(ctx)
	in, out := make(chan *trajectory.Trajectory), make(chan Trip)
	g.Go(func() error {
		defer close(in)
		for t, err := range trips {
			if err != nil {
				return err
			}
			select {
			case in <- t:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	workers, wctx := errgroup.WithContext(ctx)
	for range max(1, threads) {
		workers.Go(func() error { return work(wctx, net, s, in, out) })
	}
	g.Go(func() error { defer close(out); return workers.Wait() })
	for t := range out {
		if err := add(t); err != nil {
			g.Go(func() error { return err })
			break
		}
	}
	for range out { // so that nobody waits to be heard
	}
	return g.Wait()
}

func work(ctx context.Context, net *roadnet.Network, s match.Settings, in <-chan *trajectory.Trajectory, out chan<- Trip) error {
	matcher, err := match.New(net, s)
	if err != nil {
		return err
	}
	for t := range in {
		res, err := matcher.Match(ctx, t.Samples, nil)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			continue
		}
		select {
		case out <- Of(t.ID, t.Samples, res):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
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
