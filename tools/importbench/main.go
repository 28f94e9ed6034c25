//go:build unix

// Command importbench measures the import of extracts against osmium and the
// builds of routing engines on the same files in the same run, and writes the
// table of docs/import.md.
//
//	go run ./tools/importbench -o docs/import.md ../shared/data/osm/*
//
// It needs osmium (Debian: osmium-tool), python3 with pip for Valhalla, and
// java and mvn for GraphHopper; what is missing is left out of the table. The
// engines are installed below .cache.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"

	"retrace/osmimport"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == "import" {
		exitOn(importHere(os.Args[2:]))
		return
	}
	out := flag.String("o", "docs/import.md", "the page to write")
	cache := flag.String("cache", ".cache", "where engines are installed")
	runs := flag.Int("runs", 2, "runs of each; the fastest counts")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	exitOn(bench(ctx, *out, *cache, *runs, flag.Args()))
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "importbench:", err)
		os.Exit(1)
	}
}

// importHere is the child process that is measured: it imports files and
// prints the report.
func importHere(paths []string) error {
	debug.SetGCPercent(10) // as the command does
	r, err := osmimport.Import(context.Background(), paths, osmimport.Options{})
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(r.Report)
}

// bench measures all files, one by one and together, and writes the page.
func bench(ctx context.Context, out, cache string, runs int, paths []string) error {
	if len(paths) == 0 {
		return fmt.Errorf("no extracts given")
	}
	work, err := os.MkdirTemp("", "importbench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	b := &bencher{work: work, runs: runs, engines: findEngines(ctx, cache, work)}
	p := page{Runs: runs, Engines: b.engines}
	var together []string // those that osmium can merge
	for _, path := range paths {
		fmt.Fprintln(os.Stderr, path)
		row, err := b.row(ctx, filepath.Base(path), []string{path}, path)
		if err != nil {
			return err
		}
		p.Rows = append(p.Rows, row)
		if !row.negative() {
			together = append(together, path)
		}
	}
	if len(together) > 1 {
		merged, err := b.merge(ctx, together)
		if err != nil {
			return err
		}
		row, err := b.row(ctx, fmt.Sprintf("%d together", len(together)), together, merged)
		if err != nil {
			return err
		}
		p.Rows = append(p.Rows, row)
	}
	return p.write(out)
}
