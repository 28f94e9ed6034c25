package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
	"retrace/engine/trajectory/write"
)

// pairs takes some trips through every pair of formats and tells for each format
// through how many they came as they were.
func pairs(ctx context.Context, dir string, all []*trajectory.Trajectory) (map[string]int, error) {
	equal := map[string]int{}
	for _, a := range write.Formats() {
		between, err := through(ctx, filepath.Join(dir, "first"+a.Extension), all)
		if err != nil {
			return nil, err
		}
		for _, b := range write.Formats() {
			got, err := through(ctx, filepath.Join(dir, "second"+b.Extension), between)
			if err != nil {
				return nil, err
			}
			if len(got) != len(all) {
				return nil, fmt.Errorf("%s and %s: %d trips of %d", a.Extension, b.Extension, len(got), len(all))
			}
			for i := range all {
				if !same(got[i], all[i]) {
					return nil, fmt.Errorf("%s and %s: trip %s is not what it was", a.Extension, b.Extension, all[i].ID)
				}
			}
			equal[a.Extension]++
		}
	}
	return equal, nil
}

// through writes trips to a file and reads them again.
func through(ctx context.Context, path string, all []*trajectory.Trajectory) ([]*trajectory.Trajectory, error) {
	w, err := write.CreateSamples(path, write.About{Version: "formats"})
	if err != nil {
		return nil, err
	}
	defer w.Abort()
	for _, t := range all {
		if err := w.Write(t); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	var got []*trajectory.Trajectory
	for t, err := range read.Files(ctx, []string{path}, nil, read.Options{}) {
		if err != nil {
			return nil, err
		}
		got = append(got, t)
	}
	return got, nil
}

// fuzzTargets runs every fuzz target of the readers over its seeds and gives the
// names of those that passed.
func fuzzTargets(ctx context.Context) (map[string]bool, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-tags", "ci", "-count", "1", "-v", "-run", "^Fuzz", "./engine/trajectory/read")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("the fuzz targets: %w\n%s", err, out.String())
	}
	passed := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^--- PASS: (Fuzz\w+)`).FindAllStringSubmatch(out.String(), -1) {
		passed[m[1]] = true
	}
	return passed, nil
}

// fuzzTarget is the name of the target of a kind.
func fuzzTarget(k read.Kind) string {
	word := strings.Fields(string(k))[0]
	return "Fuzz" + word
}
