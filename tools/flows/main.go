// Command flows measures how often the intervals of counts hold the truth, and how far
// counts over all possible ways are from it beside counts along the best ways, and
// writes docs/flows.md:
//
//	go run -tags ci ./tools/flows -data ../shared/data
//
// It simulates trips with exact truth over Helsinki, on which nothing was trained, thins
// them, recovers them, and counts links, turns and pairs of zones by hour.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"retrace/internal/atomicfile"
)

func main() {
	data := flag.String("data", filepath.Join("..", "shared", "data"), "folder of the data")
	trips := flag.Int("trips", 1500, "trips that are recovered")
	truth := flag.Int("truth", 15000, "trips whose truth says how much is driven on average")
	out := flag.String("out", filepath.Join("docs", "flows.md"), "file to write")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *data, *trips, *truth, *out); err != nil {
		fmt.Fprintln(os.Stderr, "flows:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, data string, trips, truth int, out string) error {
	w, err := newWorld(ctx, filepath.Join(data, "osm", "helsinki.osm.pbf"), trips, truth)
	if err != nil {
		return err
	}
	results, err := w.measure(ctx)
	if err != nil {
		return err
	}
	return atomicfile.Write(out, page(w, results))
}
