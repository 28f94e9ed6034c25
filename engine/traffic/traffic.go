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

// job is a trip to match and where to put what it tells.
type job struct {
	trip *trajectory.Trajectory
	told chan Trip
}

// Each matches trips, so many at once, and hands on what each tells, one call at
// a time and in the order of the trips. The error is that of the trips, of the
// settings, of add or of ctx.
func Each(ctx context.Context, net *roadnet.Network, trips iter.Seq2[*trajectory.Trajectory, error], s match.Settings, threads int, add func(Trip) error) error {
	threads = max(1, threads)
	g, ctx := errgroup.WithContext(ctx)
	jobs, order := make(chan job), make(chan chan Trip, 8*threads)
	g.Go(func() error {
		defer close(order)
		defer close(jobs)
		return feed(ctx, trips, jobs, order)
	})
	for range threads {
		g.Go(func() error { return work(ctx, net, s, jobs) })
	}
	g.Go(func() error { return collect(ctx, order, add) })
	return g.Wait()
}

// feed lines up in order what trips will tell, and hands them out to be matched.
func feed(ctx context.Context, trips iter.Seq2[*trajectory.Trajectory, error], jobs chan<- job, order chan<- chan Trip) error {
	for t, err := range trips {
		if err != nil {
			return err
		}
		j := job{t, make(chan Trip, 1)}
		select {
		case order <- j.told:
		case <-ctx.Done():
			return ctx.Err()
		}
		select {
		case jobs <- j:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func work(ctx context.Context, net *roadnet.Network, s match.Settings, jobs <-chan job) error {
	matcher, err := match.New(net, s)
	if err != nil {
		return err
	}
	for j := range jobs {
		res, err := matcher.Match(ctx, j.trip.Samples, nil)
		if err != nil {
			return err
		}
		j.told <- Of(j.trip.ID, j.trip.Samples, res)
	}
	return nil
}

func collect(ctx context.Context, order <-chan chan Trip, add func(Trip) error) error {
	for told := range order {
		select {
		case t := <-told:
			if err := add(t); err != nil {
				return err
			}
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
