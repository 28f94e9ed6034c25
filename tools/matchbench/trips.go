//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"retrace/engine/metrics"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
)

// thinned is the first count validation trips, thinned as in the paper. None is
// chosen by how well it can be matched.
func thinned(ctx context.Context, file string, count int) (trips []*trajectory.Trajectory, err error) {
	keep := metrics.Keep{Ratio: 1. / 8}
	for t, err := range read.Files(ctx, []string{file}, nil, read.Options{}) {
		if err != nil {
			return nil, err
		}
		if metrics.SplitOf(t.ID) != metrics.Validation || len(t.Samples) < 2 {
			continue
		}
		if trips = append(trips, keep.Thin(t, 1)); len(trips) == count {
			return trips, nil
		}
	}
	return nil, fmt.Errorf("%s: only %d validation trips, %d are wanted: lower -trips", file, len(trips), count)
}

// writeTrips writes the trips for the other programs: a line each, a JSON array
// of samples as longitude, latitude in degrees, Unix seconds.
func (b *bench) writeTrips() (string, error) {
	name := filepath.Join(b.work, "trips.jsonl")
	f, err := os.Create(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	lines := json.NewEncoder(f)
	for _, t := range b.trips {
		var samples [][3]float64
		for _, s := range t.Samples {
			samples = append(samples, [3]float64{s.Lon, s.Lat, float64(s.Time) / 1000})
		}
		if err := lines.Encode(samples); err != nil {
			return "", err
		}
	}
	return name, f.Close()
}
