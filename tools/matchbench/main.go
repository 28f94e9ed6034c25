//go:build unix

// Command matchbench measures how fast trips are recovered, against the map
// matching of routing engines on the same trips in the same run, and writes
// docs/speed.md.
//
//	go run -tags ci ./tools/matchbench -data ../shared/data
//
// It needs python3 with pip for Valhalla, and java and mvn for GraphHopper; what
// cannot be installed is named on the page as not measured. The engines are
// installed below .cache.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/osmimport"
)

func main() {
	data := flag.String("data", filepath.Join("..", "shared", "data"), "folder of the data")
	out := flag.String("o", filepath.Join("docs", "speed.md"), "the page to write")
	cache := flag.String("cache", ".cache", "where engines are installed")
	trips := flag.Int("trips", 300, "trips to recover")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := measure(ctx, *data, *out, *cache, *trips); err != nil {
		fmt.Fprintln(os.Stderr, "matchbench:", err)
		os.Exit(1)
	}
}

// bench is what all are measured on.
type bench struct {
	cache, work, pbf string
	net              *roadnet.Network
	trips            []*trajectory.Trajectory
}

// row is how one program did.
type row struct {
	Name      string
	Processor float64 // seconds for all trips
	Wall      float64 // seconds for all trips
	Failed    int     // trips without an answer
	Broken    int     // trips answered in pieces
	Err       error   // it was not measured
}

// measure measures all, one after the other, and writes the page.
func measure(ctx context.Context, data, out, cache string, count int) error {
	work, err := os.MkdirTemp("", "matchbench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	b := &bench{cache: cache, work: work, pbf: filepath.Join(data, "osm", "porto.osm.pbf")}
	res, err := osmimport.Import(ctx, []string{b.pbf}, osmimport.Options{})
	if err != nil {
		return err
	}
	b.net = res.Network
	if b.trips, err = thinned(ctx, filepath.Join(data, "trajectories", "porto_trips.csv.gz"), count); err != nil {
		return err
	}
	p := page{Bench: b}
	for _, all := range []func(context.Context) ([]row, error){b.retrace, b.valhalla, b.graphHopper} {
		rows, err := all(ctx)
		if err != nil {
			return err
		}
		p.Rows = append(p.Rows, rows...)
	}
	if p.Shares, err = shares(ctx); err != nil {
		return err
	}
	return p.write(out)
}
