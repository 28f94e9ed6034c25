package command

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"retrace/engine"
	"retrace/engine/metrics"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
)

// The files of a place: its network, what was reported, and where the vehicle was every
// second (columns t in Unix seconds, lon and lat).
const (
	placeNetwork = "network.osm.pbf"
	placeInput   = "input_001.csv"
	placeTruth   = "truth.csv.gz"
)

// places measures on the drives of many places, each with a network and a truth of its own.
func (c *evaluateCommand) places(s *session, settings engine.Settings, keep []metrics.Keep) error {
	if c.Gather || c.Network != "" {
		return usage("--places has networks of its own, and no trips that could tell of them")
	}
	if c.Tick%exactly != 0 {
		return usage("--tick %v: with --places want a multiple of %v", c.Tick, exactly)
	}
	folders, err := filepath.Glob(filepath.Join(c.Places, "*", placeNetwork))
	if err != nil || len(folders) == 0 {
		return usage("--places %s: no folder in it has a file %s", c.Places, placeNetwork)
	}
	report, err := metrics.EvaluatePlaces(s.ctx, c.eachPlace(s, settings, folders), metrics.Options{
		Keep: keep, Seed: c.Seed, Draws: c.Draws, Threads: settings.Threads})
	if err != nil {
		return err
	}
	report.Network = plural(len(folders), "place", "places")
	return s.printReport(report, c.Format)
}

// eachPlace opens one place after another.
func (c *evaluateCommand) eachPlace(s *session, settings engine.Settings, networks []string) iter.Seq2[metrics.Place, error] {
	return func(yield func(metrics.Place, error) bool) {
		for i, file := range networks {
			s.progress.show("evaluating places", share(int64(i), int64(len(networks))))
			if p, err := c.place(s, settings, file); !yield(p, err) {
				return
			}
		}
	}
}

// place opens one place.
func (c *evaluateCommand) place(s *session, settings engine.Settings, file string) (metrics.Place, error) {
	net, _, err := s.network(file)
	if err != nil {
		return metrics.Place{}, err
	}
	s.useRoads(net, &settings)
	one, err := caseOfPlace(s.ctx, net, filepath.Dir(file), c.Tick)
	if err != nil {
		return metrics.Place{}, err
	}
	methods, err := c.methods(s, net, settings)
	return metrics.Place{Net: net, Cases: []metrics.Case{one}, Methods: methods}, err
}

// exactly is how often the truth of a place is looked at to find its path.
const exactly = 5 * time.Second

// caseOfPlace is the drive of a place with a point at every tick, and its truth: the match
// of where the vehicle was, which lies on its roads.
func caseOfPlace(ctx context.Context, net *roadnet.Network, folder string, tick time.Duration) (metrics.Case, error) {
	truth, err := readPlaces(filepath.Join(folder, placeTruth))
	if err != nil {
		return metrics.Case{}, err
	}
	first := truth.Samples[0].Time
	truth.Samples = slices.DeleteFunc(truth.Samples, func(p trajectory.Sample) bool { return (p.Time-first)%exactly.Milliseconds() != 0 })
	exact := engine.DefaultSettings()
	exact.Tick = exactly
	r, err := engine.NewRecoverer(net, exact)
	if err != nil {
		return metrics.Case{}, err
	}
	driven, err := r.Recover(ctx, truth, nil)
	if err != nil {
		return metrics.Case{}, err
	}
	var dense *trajectory.Trajectory
	for t, err := range read.Files(ctx, []string{filepath.Join(folder, placeInput)}, nil, read.Options{}) {
		if err != nil {
			return metrics.Case{}, err
		}
		dense = t
	}
	if dense == nil {
		return metrics.Case{}, fmt.Errorf("%s: no points", filepath.Join(folder, placeInput))
	}
	if len(driven.Ticks) == 0 {
		return metrics.Case{}, fmt.Errorf("%s lies on no road of the network", filepath.Join(folder, placeTruth))
	}
	known := make(map[int64]trajectory.Tick, len(driven.Ticks))
	for _, k := range driven.Ticks {
		known[k.Time] = k
	}
	dense.Samples = slices.DeleteFunc(dense.Samples, func(p trajectory.Sample) bool {
		_, ok := known[p.Time]
		return !ok || (p.Time-driven.Ticks[0].Time)%tick.Milliseconds() != 0
	})
	driven.Ticks = driven.Ticks[:0]
	for _, p := range dense.Samples {
		driven.Ticks = append(driven.Ticks, known[p.Time])
	}
	return metrics.Case{Dense: dense, Truth: driven}, nil
}

// readPlaces reads where a vehicle was, a row each second.
func readPlaces(file string) (*trajectory.Trajectory, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	rows := csv.NewReader(z)
	t := &trajectory.Trajectory{ID: filepath.Base(filepath.Dir(file))}
	for n := 1; ; n++ {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) && len(t.Samples) == 0 {
			return nil, fmt.Errorf("%s: no rows", file)
		}
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if n == 1 {
			continue // the head
		}
		if len(row) < 3 {
			return nil, fmt.Errorf("%s: row %d has %d columns, want t, lon and lat", file, n, len(row))
		}
		at, err0 := strconv.ParseInt(row[0], 10, 64)
		lon, err1 := strconv.ParseFloat(row[1], 64)
		lat, err2 := strconv.ParseFloat(row[2], 64)
		if err := errors.Join(err0, err1, err2); err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", file, n, err)
		}
		t.Samples = append(t.Samples, trajectory.Sample{Time: at * 1000, Lon: lon, Lat: lat})
	}
}
