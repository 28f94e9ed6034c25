//go:build unix

package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// engine is a routing engine whose build is measured.
type engine struct {
	Name  string
	build func(ctx context.Context, pbf string) cost
}

// The versions that are compared with.
const (
	valhallaVersion    = "3.9.1"
	graphHopperVersion = "10.2"
)

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

// quiet runs a command of an installation.
func quiet(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// valhalla installs pyvalhalla into an environment of its own. Wheels are
// there for recent versions of Python only, so several are tried.
func valhalla(ctx context.Context, cache, work string) (engine, error) {
	home := filepath.Join(cache, "valhalla")
	pattern := filepath.Join(home, "lib", "python3*", "site-packages", "valhalla", "bin", "valhalla_build_tiles")
	err := fmt.Errorf("valhalla: no python3")
	for _, python := range []string{"python3.13", "python3.12", "python3"} {
		if tools, _ := filepath.Glob(pattern); len(tools) > 0 {
			return valhallaEngine(ctx, home, tools[0], work)
		}
		if err = quiet(ctx, "", python, "-m", "venv", "--clear", home); err == nil {
			err = quiet(ctx, "", filepath.Join(home, "bin", "pip"), "install", "--only-binary", ":all:", "pyvalhalla=="+valhallaVersion)
		}
	}
	if tools, _ := filepath.Glob(pattern); len(tools) > 0 {
		return valhallaEngine(ctx, home, tools[0], work)
	}
	return engine{}, err
}

func valhallaEngine(ctx context.Context, home, tool, work string) (engine, error) {
	config, tiles := filepath.Join(work, "valhalla.json"), filepath.Join(work, "tiles")
	f, err := os.Create(config)
	if err != nil {
		return engine{}, err
	}
	defer f.Close()
	if c := run(ctx, f, filepath.Join(home, "bin", "valhalla_build_config"), "--mjolnir-tile-dir", tiles, "--mjolnir-concurrency", "2"); c.Err != nil {
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
	return engine{"Valhalla " + valhallaVersion, build}, nil
}

// graphHopperPOM names what Maven is to fetch.
const graphHopperPOM = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>bench</groupId><artifactId>bench</artifactId><version>1</version>
<dependencies><dependency><groupId>com.graphhopper</groupId><artifactId>graphhopper-map-matching</artifactId>
<version>` + graphHopperVersion + `</version></dependency></dependencies></project>`

// graphHopper fetches the libraries and compiles the program.
func graphHopper(ctx context.Context, cache, work string) (engine, error) {
	home := filepath.Join(cache, "graphhopper")
	lib := filepath.Join(home, "lib", "*")
	if jars, _ := filepath.Glob(filepath.Join(home, "lib", "graphhopper-core-*.jar")); len(jars) == 0 {
		if err := os.MkdirAll(home, 0o755); err != nil {
			return engine{}, err
		}
		if err := os.WriteFile(filepath.Join(home, "pom.xml"), []byte(graphHopperPOM), 0o644); err != nil {
			return engine{}, err
		}
		if err := quiet(ctx, home, "mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=lib"); err != nil {
			return engine{}, err
		}
	}
	source := filepath.Join(work, "GraphHopperBuild.java")
	if err := os.WriteFile(source, graphHopperBuild, 0o644); err != nil {
		return engine{}, err
	}
	if err := quiet(ctx, "", "javac", "-cp", lib, "-d", work, source); err != nil {
		return engine{}, err
	}
	graph := filepath.Join(work, "graph")
	build := func(ctx context.Context, pbf string) cost {
		if err := os.RemoveAll(graph); err != nil {
			return cost{Err: err}
		}
		return run(ctx, nil, "java", "-Xmx4g", "-cp", lib+string(os.PathListSeparator)+work, "GraphHopperBuild", pbf, graph)
	}
	return engine{"GraphHopper " + graphHopperVersion, build}, nil
}
