//go:build unix

package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"

	"retrace/tools/foreign"
)

// engine is a routing engine whose build is measured.
type engine struct {
	Name  string
	build func(ctx context.Context, pbf string) cost
}

// graphHopperBuild is a program that builds GraphHopper's graph for cars.
//
//go:embed GraphHopperBuild.java
var graphHopperBuild []byte

// findEngines installs the engines where they are not yet, and names those
// that can be used.
func findEngines(ctx context.Context, cache, work string) (found []engine) {
	for _, find := range []func(context.Context, string, string) (engine, error){valhalla, graphHopper} {
		e, err := find(ctx, cache, work)
		if err != nil {
			fmt.Fprintln(os.Stderr, "importbench: left out:", err)
			continue
		}
		found = append(found, e)
	}
	return found
}

func valhalla(ctx context.Context, cache, work string) (engine, error) {
	bin, programs, err := foreign.Valhalla(ctx, cache)
	if err != nil {
		return engine{}, err
	}
	return valhallaEngine(ctx, bin, filepath.Join(programs, "valhalla_build_tiles"), work)
}

func valhallaEngine(ctx context.Context, bin, tool, work string) (engine, error) {
	config, tiles := filepath.Join(work, "valhalla.json"), filepath.Join(work, "tiles")
	f, err := os.Create(config)
	if err != nil {
		return engine{}, err
	}
	defer f.Close()
	if c := run(ctx, f, filepath.Join(bin, "valhalla_build_config"), "--mjolnir-tile-dir", tiles, "--mjolnir-concurrency", "2"); c.Err != nil {
		return engine{}, fmt.Errorf("valhalla_build_config: %w", c.Err)
	}
	build := func(ctx context.Context, pbf string) cost {
		if err := os.RemoveAll(tiles); err != nil {
			return cost{Err: err}
		}
		if err := os.MkdirAll(tiles, 0o755); err != nil {
			return cost{Err: err}
		}
		return run(ctx, nil, tool, "-c", config, pbf)
	}
	return engine{"Valhalla " + foreign.ValhallaVersion, build}, nil
}

// graphHopper fetches the libraries and compiles the program.
func graphHopper(ctx context.Context, cache, work string) (engine, error) {
	classes, err := foreign.GraphHopper(ctx, cache, work, "GraphHopperBuild", graphHopperBuild)
	if err != nil {
		return engine{}, err
	}
	graph := filepath.Join(work, "graph")
	build := func(ctx context.Context, pbf string) cost {
		if err := os.RemoveAll(graph); err != nil {
			return cost{Err: err}
		}
		return run(ctx, nil, "java", "-Xmx4g", "-cp", classes, "GraphHopperBuild", pbf, graph)
	}
	return engine{"GraphHopper " + foreign.GraphHopperVersion, build}, nil
}
