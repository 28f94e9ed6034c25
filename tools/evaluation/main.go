// Command evaluation measures recovery and writes docs/evaluation.md: on the
// Porto test trips, whose truth is made by map matching, and on simulated trips
// over the sample city, whose truth is exact.
//
//	go run ./tools/evaluation -o docs/evaluation.md -data ../shared/data
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"time"

	"retrace/engine"
	"retrace/engine/metrics"
	"retrace/engine/roadnet"
	"retrace/engine/simulate"
	"retrace/engine/simulate/city"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
	"retrace/osmimport"
	"retrace/ui/sample"
)

func main() {
	out := flag.String("o", "docs/evaluation.md", "the page to write")
	data := flag.String("data", filepath.Join("..", "shared", "data"), "folder of the data")
	trips := flag.Int("trips", 0, "Porto test trips to look at, 0 for all")
	simulated := flag.Int("simulated", 400, "simulated trips over the sample city")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *out, *data, *trips, *simulated); err != nil {
		fmt.Fprintln(os.Stderr, "evaluation:", err)
		os.Exit(1)
	}
}

// The seed of thinning, resampling and simulation, and how often trips are
// resampled.
const (
	seed  = 1
	draws = 1000
)

func run(ctx context.Context, out, data string, trips, simulated int) error {
	var page bytes.Buffer
	page.WriteString(introduction)
	for _, part := range []func() error{
		func() error { return porto(ctx, &page, data, trips) },
		func() error { return sampleCity(ctx, &page, simulated) },
	} {
		if err := part(); err != nil {
			return err
		}
	}
	if err := os.WriteFile(out+".new", page.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(out+".new", out)
}

const introduction = `# Evaluation

Made by ` + "`go run ./tools/evaluation`" + `; nothing on this page is written by hand.

Each figure stands with the range in which it lies with 95 % confidence, by
resampling trips 1,000 times. The readings and what counts as missing are
defined in ` + "`engine/metrics`" + `. ` + "`retrace evaluate`" + ` prints the same figures for
any dense trips:

    retrace evaluate porto_trips.csv.gz --network porto.osm.pbf --keep 1/8,1/16
`

// porto measures the trips of the test split.
func porto(ctx context.Context, page *bytes.Buffer, data string, most int) error {
	start := time.Now()
	imported, err := osmimport.Import(ctx, []string{filepath.Join(data, "osm", "porto.osm.pbf")}, osmimport.Options{Name: "Porto"})
	if err != nil {
		return err
	}
	method, err := hmm(imported.Network)
	if err != nil {
		return err
	}
	in := testTrips(ctx, filepath.Join(data, "trajectories", "porto_trips.csv.gz"), most)
	truths, err := metrics.MakeTruths(ctx, imported.Network, in, method.Recover, metrics.DefaultQuality(), runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	for _, err := range truths.Failed {
		return fmt.Errorf("%d trips could not be matched, the first: %w", len(truths.Failed), err)
	}
	report, err := metrics.Evaluate(ctx, imported.Network, truths.Cases, []metrics.Method{method}, metrics.Options{
		Keep: []metrics.Keep{{Ratio: 1. / 8}, {Ratio: 1. / 16}}, Seed: seed, Draws: draws, Threads: runtime.GOMAXPROCS(0)})
	if err != nil {
		return err
	}
	fmt.Fprintf(page, "\n## Porto test trips\n\nTaxi trips with a point every 15 seconds whose id's SHA-1 modulo 10 is 9. The truth is the match of the dense trip;\n"+
		"kept are both ends and a share of the inner points at random, as in the paper. %d trips are measured. Left out:\n\n| reason | trips |\n|---|---|\n", len(truths.Cases))
	for _, c := range truths.Dropped {
		fmt.Fprintf(page, "| %s | %d |\n", c.Reason, c.Trips)
	}
	fmt.Fprintf(page, "\nNetwork: %d segments, fingerprint %s. Done in %.0f s.\n", imported.Network.NumSegments(), report.Fingerprint, time.Since(start).Seconds())
	return report.WriteMarkdown(page)
}

// testTrips are the trips of the test split.
func testTrips(ctx context.Context, path string, most int) func(func(*trajectory.Trajectory, error) bool) {
	return func(yield func(*trajectory.Trajectory, error) bool) {
		n := 0
		for t, err := range read.Files(ctx, []string{path}, nil, read.Options{}) {
			if err == nil && metrics.SplitOf(t.ID) != metrics.Test {
				continue
			}
			if n++; most > 0 && n > most || !yield(t, err) {
				return
			}
		}
	}
}

// sampleCity measures simulated trips over the sample city.
func sampleCity(ctx context.Context, page *bytes.Buffer, count int) error {
	start := time.Now()
	imported, err := sample.Import(ctx, city.DefaultSeed)
	if err != nil {
		return err
	}
	net := imported.Network
	method, err := hmm(net)
	if err != nil {
		return err
	}
	var cases []metrics.Case
	// Another seed than that of the trips that the sample shows.
	for trip, err := range simulate.Trips(ctx, net, simulate.Options{Seed: seed + 100, Count: count, Profile: sample.Drivers()}) {
		if err != nil {
			return err
		}
		cases = append(cases, metrics.Case{Dense: trip.Dense, Truth: trip.Truth})
	}
	keep := []metrics.Keep{{Min: time.Minute, Max: time.Minute}, {Min: 2 * time.Minute, Max: 2 * time.Minute}, {Min: 4 * time.Minute, Max: 4 * time.Minute}}
	report, err := metrics.Evaluate(ctx, net, cases, []metrics.Method{method}, metrics.Options{
		Keep: keep, Seed: seed, Draws: draws, Threads: runtime.GOMAXPROCS(0)})
	if err != nil {
		return err
	}
	fmt.Fprintf(page, "\n## Sample city\n\n%d simulated trips over the generated city, with exact truth on and below its elevated roads, thinned to a point every 1, 2 and 4 minutes.\n"+
		"\nNetwork: %d segments, fingerprint %s. Done in %.0f s.\n", len(cases), net.NumSegments(), report.Fingerprint, time.Since(start).Seconds())
	return report.WriteMarkdown(page)
}

// hmm is recovery by map matching, as the program does by default.
func hmm(net *roadnet.Network) (metrics.Method, error) {
	r, err := engine.NewRecoverer(net, engine.DefaultSettings())
	if err != nil {
		return metrics.Method{}, err
	}
	return metrics.Method{Name: engine.MethodHMM, Recover: func(ctx context.Context, t *trajectory.Trajectory) (*trajectory.Recovery, error) {
		return r.Recover(ctx, t, nil)
	}}, nil
}
