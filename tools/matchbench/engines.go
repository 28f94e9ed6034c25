//go:build unix

package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"retrace/tools/foreign"
)

// valhallaMatch is a program that matches trips by Valhalla.
//
//go:embed valhalla_match.py
var valhallaMatch []byte

// graphHopperMatch is a program that matches trips by GraphHopper.
//
//go:embed GraphHopperMatch.java
var graphHopperMatch []byte

// sparse are the settings of Valhalla for sparse trips.
func sparse() map[string]any {
	return map[string]any{"breakage_distance": 40000, "search_radius": 100, "beta": 30, "turn_penalty_factor": 500}
}

// valhalla matches by trace_attributes, with the default settings and those for
// sparse trips.
func (b *bench) valhalla(ctx context.Context) ([]row, error) {
	name := "Valhalla " + foreign.ValhallaVersion
	bin, programs, err := foreign.Valhalla(ctx, b.cache)
	if err != nil {
		return []row{{Name: name, Err: err}}, ctx.Err()
	}
	tiles, script := filepath.Join(b.work, "tiles"), filepath.Join(b.work, "valhalla_match.py")
	if err := os.WriteFile(script, valhallaMatch, 0o644); err != nil {
		return nil, err
	}
	text, err := exec.CommandContext(ctx, filepath.Join(bin, "valhalla_build_config"), "--mjolnir-tile-dir", tiles, "--mjolnir-concurrency", "1").Output()
	if err != nil {
		return nil, fmt.Errorf("valhalla_build_config: %w", err)
	}
	config := filepath.Join(b.work, "valhalla.json")
	if err := os.WriteFile(config, text, 0o644); err != nil {
		return nil, err
	}
	if err := foreign.Quiet(ctx, "", filepath.Join(programs, "valhalla_build_tiles"), "-c", config, b.pbf); err != nil {
		return nil, err
	}
	sparseConfig, err := b.changed(text, sparse())
	if err != nil {
		return nil, err
	}
	python := filepath.Join(bin, "python")
	return b.foreign(ctx,
		program{name + ", default", []string{python, script, config}},
		program{name + ", for sparse trips", []string{python, script, sparseConfig}})
}

// changed writes a configuration with other settings of the matching for cars.
func (b *bench) changed(text []byte, settings map[string]any) (string, error) {
	var config struct {
		Meili map[string]any `json:"meili"`
	}
	var whole map[string]any
	if err := json.Unmarshal(text, &whole); err != nil {
		return "", err
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return "", err
	}
	for _, mode := range []string{"default", "auto"} { // the second stands above the first
		of, ok := config.Meili[mode].(map[string]any)
		if !ok {
			return "", fmt.Errorf("the configuration of Valhalla has no meili.%s", mode)
		}
		for name, value := range settings {
			of[name] = value
		}
	}
	whole["meili"] = config.Meili
	text, err := json.Marshal(whole)
	if err != nil {
		return "", err
	}
	name := filepath.Join(b.work, "valhalla-sparse.json")
	return name, os.WriteFile(name, text, 0o644)
}

// graphHopper matches with the default settings.
func (b *bench) graphHopper(ctx context.Context) ([]row, error) {
	name := "GraphHopper " + foreign.GraphHopperVersion + ", default"
	classes, err := foreign.GraphHopper(ctx, b.cache, b.work, "GraphHopperMatch", graphHopperMatch)
	if err != nil {
		return []row{{Name: name, Err: err}}, ctx.Err()
	}
	return b.foreign(ctx, program{name,
		[]string{"java", "-Xmx2g", "-cp", classes, "GraphHopperMatch", b.pbf, filepath.Join(b.work, "graph")}})
}

// program is what matches trips: a command to which the file of trips is added.
type program struct {
	name    string
	command []string
}

// foreign runs programs, each of which prints its row as JSON on its last line.
func (b *bench) foreign(ctx context.Context, programs ...program) ([]row, error) {
	trips, err := b.writeTrips()
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, p := range programs {
		cmd := exec.CommandContext(ctx, p.command[0], append(p.command[1:], trips)...)
		var words bytes.Buffer
		cmd.Stderr = &words
		text, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", p.name, err, words.Bytes())
		}
		lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
		got := row{}
		if err := json.Unmarshal(lines[len(lines)-1], &got); err != nil {
			return nil, fmt.Errorf("%s says %q: %w", p.name, text, err)
		}
		got.Name = p.name
		rows = append(rows, got)
	}
	return rows, nil
}
