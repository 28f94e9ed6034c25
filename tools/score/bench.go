package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"retrace/engine"
	"retrace/engine/metrics"
	"retrace/engine/roadnet"
	"retrace/engine/traffic"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
	"retrace/internal/cputime"
	"retrace/osmimport"
)

// bench recovers what the scoring programs score.
type bench struct {
	data, out string
	settings  engine.Settings
	tick      time.Duration // of the places
	gather    bool          // what the taxi trips tell of the roads
}

// recoverFile recovers every trajectory of a file and hands both to emit.
func (b *bench) recoverFile(ctx context.Context, net *roadnet.Network, file string, s engine.Settings, spent *effort, emit func(*trajectory.Trajectory, *trajectory.Recovery) error) error {
	trips, err := readTrips(ctx, file)
	if err != nil {
		return err
	}
	if s.Roads == nil {
		if err := s.AskRoads(ctx, net, 0); err != nil {
			return err
		}
	}
	if b.gather && len(trips) > 1 {
		if s.Traffic, err = traffic.Gather(ctx, net, trajectory.Each(trips), s.HMM, runtime.GOMAXPROCS(0), nil); err != nil {
			return err
		}
	}
	r, err := engine.NewRecoverer(net, s)
	if err != nil {
		return err
	}
	begin := cputime.Used()
	defer func() { spent.used += cputime.Used() - begin }()
	return r.Stream(ctx, trajectory.Each(trips), nil, func(t *trajectory.Trajectory, rec *trajectory.Recovery, err error) error {
		if err != nil {
			return err
		}
		return emit(t, rec)
	})
}

// readTrips reads the trajectories of a file.
func readTrips(ctx context.Context, file string) ([]*trajectory.Trajectory, error) {
	var trips []*trajectory.Trajectory
	for t, err := range read.Files(ctx, []string{file}, nil, read.Options{}) {
		if err != nil {
			return nil, err
		}
		trips = append(trips, t)
	}
	return trips, nil
}

func load(ctx context.Context, extract string) (*roadnet.Network, error) {
	res, err := osmimport.Import(ctx, []string{extract}, osmimport.Options{})
	if err != nil {
		return nil, err
	}
	return res.Network, nil
}

// thinnings are those of the taxi trips, with the errors not to be exceeded.
func (b *bench) thinnings() []thinning {
	if b.settings.Method == engine.MethodHMM {
		return []thinning{{"x8", 140}, {"x16", 226}}
	}
	return []thinning{{"x8", 104}, {"x16", 160}}
}

// thinning is how much was kept of the taxi trips, and the most error in metres.
type thinning struct {
	keep string
	mae  float64
}

// porto scores the thinned taxi trips.
func (b *bench) porto(ctx context.Context) ([]line, error) {
	net, err := load(ctx, filepath.Join(b.data, "data", "osm", "porto.osm.pbf"))
	if err != nil {
		return nil, err
	}
	var lines []line
	for _, f := range b.thinnings() {
		l, err := b.thinned(ctx, net, f.keep)
		if err != nil {
			return nil, err
		}
		l.set, l.maeFloor = "Porto, "+f.keep, f.mae
		lines = append(lines, l)
	}
	return lines, nil
}

// thinned scores the trips of one thinning.
func (b *bench) thinned(ctx context.Context, net *roadnet.Network, keep string) (line, error) {
	points, parts := newTable("id", "time", "lon", "lat"), 0
	dir, file := filepath.Join(b.data, "data", "porto_sparse", keep), filepath.Join(b.out, "porto-"+keep+".csv")
	var spent effort
	err := b.recoverFile(ctx, net, filepath.Join(dir, "input.csv"), b.settings, &spent, func(t *trajectory.Trajectory, rec *trajectory.Recovery) error {
		told, untold := metrics.Hops(t, rec)
		spent.points, spent.told, spent.untold = spent.points+len(t.Samples), spent.told+told, spent.untold+untold
		parts += len(rec.Parts)
		for _, k := range rec.Ticks {
			points.add(rec.Trajectory, time.UnixMilli(k.Time).UTC().Format(time.RFC3339), degrees(k.Lon), degrees(k.Lat))
		}
		return nil
	})
	if err != nil {
		return line{}, err
	}
	if err := points.write(file); err != nil {
		return line{}, err
	}
	text, err := b.python(ctx, "dense_score.py", filepath.Join(dir, "truth.csv"), file)
	if err != nil {
		return line{}, err
	}
	l, err := readDense(text)
	if err != nil {
		return line{}, err
	}
	l.parts, l.perSecond = float64(parts)/float64(l.trips), float64(spent.points)/spent.used.Seconds()
	l.told, l.untold = spent.told, spent.untold
	return l, nil
}

// python runs a scoring program and returns what it prints.
func (b *bench) python(ctx context.Context, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "python3", append([]string{filepath.Join(b.data, "bench", program)}, args...)...)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", program, err)
	}
	return string(text), nil
}

// readDense reads what dense_score.py prints.
func readDense(text string) (line, error) {
	f := regexp.MustCompile(`^(\d+) trips +mae ([\d.]+) `).FindStringSubmatch(text)
	if f == nil {
		return line{}, fmt.Errorf("dense_score.py prints no mae: %q", text)
	}
	return line{trips: int(number(f[1])), mae: number(f[2])}, nil
}

// number reads a number of a scoring program, 0 where there is none.
func number(text string) float64 {
	x, _ := strconv.ParseFloat(strings.TrimSuffix(text, ","), 64)
	return x
}
