//go:build unix

// Command simreport puts simulated trips beside real ones and writes
// docs/simulator.md with its plots. The real ones are the Porto taxi trips of
// the training split; the simulated ones run over the same network, with the
// same receiver interval, and go through the same map matching and the same
// filter before both are looked at.
//
//	go run ./tools/simreport -o docs/simulator.md -data ../shared/data
package main

import (
	"context"
	"flag"
	"fmt"
	"iter"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"time"

	"retrace/engine"
	"retrace/engine/metrics"
	"retrace/engine/roadnet"
	"retrace/engine/simulate"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
	"retrace/internal/cputime"
	"retrace/osmimport"
)

func main() {
	out := flag.String("o", "docs/simulator.md", "the page to write; plots go into a folder of its name")
	data := flag.String("data", filepath.Join("..", "shared", "data"), "folder of the data")
	trips := flag.Int("trips", 3000, "trips of each kind")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *out, *data, *trips); err != nil {
		fmt.Fprintln(os.Stderr, "simreport:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out, data string, count int) error {
	imported, err := osmimport.Import(ctx, []string{filepath.Join(data, "osm", "porto.osm.pbf")}, osmimport.Options{Name: "Porto"})
	if err != nil {
		return err
	}
	net := imported.Network
	real, err := look(ctx, net, portoTrips(ctx, filepath.Join(data, "trajectories", "porto_trips.csv.gz"), count))
	if err != nil {
		return err
	}
	options := simulate.Options{Seed: 1, Count: count, First: time.Date(2013, time.July, 1, 0, 0, 0, 0, time.UTC), Days: 7}
	simulated, err := look(ctx, net, simulatedTrips(ctx, net, options))
	if err != nil {
		return err
	}
	speed, err := measureSpeed(ctx, net)
	if err != nil {
		return err
	}
	return writePage(out, real, simulated, speed)
}

// portoTrips are trips of the training split, spread evenly over the file.
func portoTrips(ctx context.Context, path string, count int) iter.Seq2[*trajectory.Trajectory, error] {
	return func(yield func(*trajectory.Trajectory, error) bool) {
		var all []*trajectory.Trajectory
		for t, err := range read.Files(ctx, []string{path}, nil, read.Options{}) {
			if err != nil {
				yield(nil, err)
				return
			}
			if metrics.SplitOf(t.ID) == metrics.Training {
				all = append(all, t)
			}
		}
		step := max(1, len(all)/count)
		for i := 0; i < len(all); i += step {
			if !yield(all[i], nil) {
				return
			}
		}
	}
}

func simulatedTrips(ctx context.Context, net *roadnet.Network, o simulate.Options) iter.Seq2[*trajectory.Trajectory, error] {
	return func(yield func(*trajectory.Trajectory, error) bool) {
		for t, err := range simulate.Trips(ctx, net, o) {
			if !yield(t.Dense, err) {
				return
			}
		}
	}
}

// look matches trips and gathers what is compared.
func look(ctx context.Context, net *roadnet.Network, in iter.Seq2[*trajectory.Trajectory, error]) (*sights, error) {
	r, err := engine.NewRecoverer(net, engine.DefaultSettings())
	if err != nil {
		return nil, err
	}
	s := newSights(net)
	match := func(ctx context.Context, t *trajectory.Trajectory) (*trajectory.Recovery, error) {
		rec, err := r.Recover(ctx, t, nil)
		if err == nil {
			s.keepErrors(t, rec)
		}
		return rec, err
	}
	truths, err := metrics.MakeTruths(ctx, net, in, match, metrics.DefaultQuality(), runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, err
	}
	for _, err := range truths.Failed {
		return nil, fmt.Errorf("%d trips could not be matched, the first: %w", len(truths.Failed), err)
	}
	s.dropped, s.cut = truths.Dropped, truths.Cut
	for _, c := range truths.Cases {
		s.trip(c)
	}
	return s, nil
}

// pace is how many ticks a second are simulated at a tick, for each second of
// one core and by the clock.
type pace struct {
	tick        time.Duration
	core, clock float64
}

// measureSpeed measures the simulator at ticks of 1 s and of 15 s.
func measureSpeed(ctx context.Context, net *roadnet.Network) ([]pace, error) {
	var out []pace
	for _, tick := range []time.Duration{time.Second, 15 * time.Second} {
		start, used, n := time.Now(), cputime.Used(), 0.0
		for t, err := range simulate.Trips(ctx, net, simulate.Options{Seed: 2, Count: 2000, Tick: tick}) {
			if err != nil {
				return nil, err
			}
			n += float64(len(t.Truth.Ticks))
		}
		out = append(out, pace{tick, n / (cputime.Used() - used).Seconds(), n / time.Since(start).Seconds()})
	}
	return out, nil
}
