// Command routes measures how often the route that was driven is among those
// that the decoder of routes chooses from: by length, over the gaps of thinned
// dense trips of the training split.
//
//	go run -tags ci ./tools/routes [-trips 300] EXTRACT DENSE
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"retrace/engine"
	"retrace/engine/feature"
	"retrace/engine/metrics"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
	"retrace/osmimport"
)

func main() {
	trips := flag.Int("trips", 300, "training trips to measure")
	flag.Parse()
	if err := run(context.Background(), flag.Args(), *trips); err != nil {
		fmt.Fprintln(os.Stderr, "routes:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, trips int) error {
	if len(args) != 2 {
		return errors.New("want an extract and a file of dense trips")
	}
	imported, err := osmimport.Import(ctx, args[:1], osmimport.Options{})
	if err != nil {
		return err
	}
	m, err := newMeter(imported.Network)
	if err != nil {
		return err
	}
	for t, err := range read.Files(ctx, args[1:], nil, read.Options{}) {
		if err != nil {
			return err
		}
		if metrics.SplitOf(t.ID) != metrics.Training {
			continue
		}
		if err := m.add(ctx, t); err != nil {
			return err
		}
		if m.trips == trips {
			break
		}
	}
	fmt.Printf("%d trips, at most %d routes between two of %d candidates\n", m.trips, feature.DefaultRoutes().Count, feature.DefaultCandidates().Cap)
	for i, keep := range m.keep {
		fmt.Printf("kept %s: %.4f of the length driven is on the best route of its gap, %d gaps\n", keep, m.covered[i]/m.driven[i], m.gaps[i])
	}
	return nil
}

// meter adds up what was driven and what of it the routes cover.
type meter struct {
	net     *roadnet.Network
	match   metrics.Recover
	routes  *feature.TripMaker
	quality metrics.Quality
	keep    []metrics.Keep
	trip    feature.Trip
	trips   int
	driven  []float64 // metres, by keep
	covered []float64
	gaps    []int
}

func newMeter(net *roadnet.Network) (*meter, error) {
	r, err := engine.NewRecoverer(net, engine.DefaultSettings())
	if err != nil {
		return nil, err
	}
	keep := []metrics.Keep{{Ratio: 1.0 / 8}, {Ratio: 1.0 / 16}}
	match := func(ctx context.Context, t *trajectory.Trajectory) (*trajectory.Recovery, error) {
		return r.Recover(ctx, t, nil)
	}
	return &meter{net: net, match: match, routes: feature.NewTripMaker(net, feature.DefaultRoutes()), quality: metrics.DefaultQuality(),
		keep: keep, driven: make([]float64, len(keep)), covered: make([]float64, len(keep)), gaps: make([]int, len(keep))}, nil
}

func (m *meter) add(ctx context.Context, dense *trajectory.Trajectory) error {
	c, doubt, err := m.quality.Truth(ctx, m.net, dense, m.match)
	if err != nil || doubt != "" {
		return err
	}
	m.trips++
	for i, keep := range m.keep {
		samples := keep.Thin(c.Dense, 1).Samples
		m.routes.Fill(&m.trip, samples, nil)
		for gap := 0; gap+1 < len(samples); gap++ {
			way := m.between(c.Truth, samples[gap].Time, samples[gap+1].Time)
			length, best := m.best(way, m.trip.OptionsOf(gap))
			m.driven[i] += length
			m.covered[i] += best
			m.gaps[i]++
		}
	}
	return nil
}

// between are the segments driven between two instants.
func (m *meter) between(truth *trajectory.Recovery, from, to int64) map[roadnet.SegmentID]bool {
	var begin, end float64 // metres along the part
	for _, t := range truth.Ticks {
		if t.Time <= from {
			begin = t.Along
		}
		if t.Time <= to {
			end = t.Along
		}
	}
	part := truth.Parts[0]
	way := map[roadnet.SegmentID]bool{}
	at := -part.StartRatio * m.net.Length(part.Segments[0])
	for _, id := range part.Segments {
		next := at + m.net.Length(id)
		if next >= begin && at <= end {
			way[id] = true
		}
		at = next
	}
	return way
}

// best is the length of the way driven, and how much of it the best of the
// routes drives, metres.
func (m *meter) best(way map[roadnet.SegmentID]bool, options []feature.Option) (length, best float64) {
	for id := range way {
		length += m.net.Length(id)
	}
	for _, o := range options {
		shared, seen := 0.0, map[roadnet.SegmentID]bool{}
		for _, id := range o.Segments {
			if way[id] && !seen[id] {
				shared += m.net.Length(id)
				seen[id] = true
			}
		}
		best = max(best, shared)
	}
	return length, best
}
