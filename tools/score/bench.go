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
	"retrace/engine/trajectory/write"
	"retrace/osmimport"
)

// bench recovers what the scoring programs score.
type bench struct {
	data, out string
	settings  engine.Settings
	gather    bool // what the taxi trips tell of the roads
}

// recoverFile recovers every trajectory of a file and hands it to emit. It
// returns how long that took without reading.
func (b *bench) recoverFile(ctx context.Context, net *roadnet.Network, file string, s engine.Settings, emit func(*trajectory.Recovery) error) (time.Duration, error) {
	var trips []*trajectory.Trajectory
	for t, err := range read.Files(ctx, []string{file}, nil, read.Options{}) {
		if err != nil {
			return 0, err
		}
		trips = append(trips, t)
	}
	if err := s.AskRoads(ctx, net, nil, 0, nil); err != nil {
		return 0, err
	}
	start := time.Now()
	if b.gather && len(trips) > 1 {
		var err error
		if s.Traffic, err = traffic.Gather(ctx, net, trajectory.Each(trips), s.HMM, runtime.GOMAXPROCS(0), nil); err != nil {
			return 0, err
		}
	}
	r, err := engine.NewRecoverer(net, s)
	if err != nil {
		return 0, err
	}
	err = r.Stream(ctx, trajectory.Each(trips), nil, func(_ *trajectory.Trajectory, rec *trajectory.Recovery, err error) error {
		if err != nil {
			return err
		}
		return emit(rec)
	})
	return time.Since(start), err
}

func load(ctx context.Context, extract string) (*roadnet.Network, error) {
	res, err := osmimport.Import(ctx, []string{extract}, osmimport.Options{})
	if err != nil {
		return nil, err
	}
	return res.Network, nil
}

// floor is what recovery must reach at one gap between samples, in seconds.
type floor struct {
	gap     int
	f1, mae float64
}

// floors are what map matching reaches anyway, or what a model must.
func (b *bench) floors() []floor {
	if b.settings.Method == engine.MethodHMM {
		return []floor{{60, 0.962, 28}, {120, 0.940, 73}, {240, 0.871, 175}}
	}
	return []floor{{60, 0.972, 24}, {120, 0.958, 58}, {240, 0.920, 138}}
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

// worldwide scores the drives of all places at three gaps.
func (b *bench) worldwide(ctx context.Context) ([]line, error) {
	floors := b.floors()
	spent, err := b.places(ctx, floors)
	if err != nil {
		return nil, err
	}
	var lines []line
	for i, f := range floors {
		text, err := b.python(ctx, "worldwide_score.py", filepath.Join(b.data, "data", "worldwide"),
			b.gapFolder(f.gap), "--gap", strconv.Itoa(f.gap))
		if err != nil {
			return nil, err
		}
		l, err := readWorldwide(text)
		if err != nil {
			return nil, err
		}
		l.set, l.f1Floor, l.maeFloor = fmt.Sprintf("worldwide, %d s", f.gap), f.f1, f.mae
		l.perSecond = float64(l.trips) / spent[i].Seconds()
		lines = append(lines, l)
	}
	return lines, nil
}

// places recovers the drives of all places and returns how long that took at
// each gap.
func (b *bench) places(ctx context.Context, floors []floor) ([]time.Duration, error) {
	networks, err := filepath.Glob(filepath.Join(b.data, "data", "worldwide", "*", "network.osm.pbf"))
	if err != nil {
		return nil, err
	}
	if len(networks) == 0 {
		return nil, fmt.Errorf("no places in %s: name the folder of the shared data by -data", filepath.Join(b.data, "data", "worldwide"))
	}
	spent := make([]time.Duration, len(floors))
	for _, file := range networks {
		net, err := load(ctx, file)
		if err != nil {
			return nil, err
		}
		for i, f := range floors {
			d, err := b.place(ctx, net, filepath.Dir(file), f.gap)
			if err != nil {
				return nil, err
			}
			spent[i] += d
		}
	}
	return spent, nil
}

func (b *bench) gapFolder(gap int) string {
	return filepath.Join(b.out, fmt.Sprintf("worldwide-%03d", gap))
}

// place recovers the drive of one place every second.
func (b *bench) place(ctx context.Context, net *roadnet.Network, dir string, gap int) (time.Duration, error) {
	s := b.settings
	s.Tick = time.Second
	out := filepath.Join(b.gapFolder(gap), filepath.Base(dir))
	if err := os.MkdirAll(out, 0o755); err != nil {
		return 0, err
	}
	path, err := write.CreateCSV(filepath.Join(out, "path.csv"), write.Path, net, write.About{Network: net.Info()})
	if err != nil {
		return 0, err
	}
	defer path.Abort()
	points := newTable("t", "lon", "lat")
	d, err := b.recoverFile(ctx, net, filepath.Join(dir, fmt.Sprintf("input_%03d.csv", gap)), s, func(rec *trajectory.Recovery) error {
		for _, k := range rec.Ticks {
			points.add(strconv.FormatInt(k.Time/1000, 10), degrees(k.Lon), degrees(k.Lat))
		}
		return path.Write(rec)
	})
	if err != nil {
		return 0, fmt.Errorf("%s: %w", dir, err)
	}
	if err := points.write(filepath.Join(out, "points.csv")); err != nil {
		return 0, err
	}
	return d, path.Close()
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
	d, err := b.recoverFile(ctx, net, filepath.Join(dir, "input.csv"), b.settings, func(rec *trajectory.Recovery) error {
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
	l.parts, l.perSecond = float64(parts)/float64(l.trips), float64(l.trips)/d.Seconds()
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

// readWorldwide reads the places of worldwide_score.py and its last two lines.
func readWorldwide(text string) (line, error) {
	var l line
	var f1, mae []float64 // by place
	for row := range strings.Lines(text) {
		f := strings.Fields(row)
		switch {
		case len(f) != 9 || f[0] == "place":
		case f[0] == "mean":
			l.f1, l.mae, l.parts = number(f[3]), number(f[4]), number(f[7])
		default:
			f1, mae = append(f1, number(f[3])), append(mae, number(f[4]))
		}
		if len(f) == 4 && f[3] == "failed" {
			l.trips, l.failed = int(number(f[0])), int(number(f[2]))
		}
	}
	if l.trips == 0 {
		return l, fmt.Errorf("worldwide_score.py prints no mean: %q", text)
	}
	if len(f1) != l.trips {
		return l, fmt.Errorf("worldwide_score.py prints %d places of %d: %q", len(f1), l.trips, text)
	}
	l.f1Range.low, l.f1Range.high = metrics.MeanRange(f1, draws, 1)
	l.maeRange.low, l.maeRange.high = metrics.MeanRange(mae, draws, 1)
	return l, nil
}

// readDense reads what dense_score.py prints.
func readDense(text string) (line, error) {
	f := regexp.MustCompile(`^(\d+) trips +mae ([\d.]+) `).FindStringSubmatch(text)
	if f == nil {
		return line{}, fmt.Errorf("dense_score.py prints no mae: %q", text)
	}
	return line{trips: int(number(f[1])), mae: number(f[2])}, nil
}

// draws is how often places are resampled.
const draws = 1000

// number reads a number of a scoring program, 0 where there is none.
func number(text string) float64 {
	x, _ := strconv.ParseFloat(strings.TrimSuffix(text, ","), 64)
	return x
}
