package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"retrace/engine"
	"retrace/engine/metrics"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// floor is what recovery must reach at one gap between samples, in seconds.
type floor struct {
	gap     int
	f1, mae float64
}

// floors are what map matching reaches anyway, or what a model must; for the truth
// none.
func (b *bench) floors() []floor {
	switch b.settings.Method {
	case metrics.MethodTruth:
		return []floor{{gap: 1}, {gap: 5}, {gap: 15}, {gap: 30}, {gap: 60}, {gap: 120}, {gap: 240}}
	case engine.MethodHMM:
		return []floor{{gap: 1}, {gap: 5}, {gap: 15}, {gap: 30}, {60, 0.962, 28}, {120, 0.940, 73}, {240, 0.871, 175}}
	}
	return []floor{{1, 0.994, 2}, {5, 0.994, 2}, {15, 0.994, 2}, {30, 0.994, 8}, {60, 0.990, 22}, {120, 0.980, 55}, {240, 0.945, 125}}
}

// worldwide scores the drives of all places at all gaps.
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
		l.perSecond, l.told, l.untold = float64(spent[i].points)/spent[i].used.Seconds(), spent[i].told, spent[i].untold
		lines = append(lines, l)
	}
	return lines, nil
}

// effort is what the recovery of some trips took, and the impossible hops in it.
type effort struct {
	points, told, untold int
	used                 time.Duration // of the processors
}

// places recovers the drives of all places and returns what that took at each gap.
func (b *bench) places(ctx context.Context, floors []floor) ([]effort, error) {
	networks, err := filepath.Glob(filepath.Join(b.data, "data", "worldwide", "*", "network.osm.pbf"))
	if err != nil {
		return nil, err
	}
	if len(networks) == 0 {
		return nil, fmt.Errorf("no places in %s: name the folder of the shared data by -data", filepath.Join(b.data, "data", "worldwide"))
	}
	spent := make([]effort, len(floors))
	for _, file := range networks {
		net, err := load(ctx, file)
		if err != nil {
			return nil, err
		}
		at := *b
		if err := at.settings.AskRoads(ctx, net, 0); err != nil {
			return nil, err
		}
		for i, f := range floors {
			if err := at.place(ctx, net, filepath.Dir(file), f.gap, &spent[i]); err != nil {
				return nil, err
			}
		}
	}
	return spent, nil
}

func (b *bench) gapFolder(gap int) string {
	return filepath.Join(b.out, fmt.Sprintf("worldwide-%03d", gap))
}

// place writes the ticks and the driven path of the drive of a place.
func (b *bench) place(ctx context.Context, net *roadnet.Network, dir string, gap int, spent *effort) error {
	out := filepath.Join(b.gapFolder(gap), filepath.Base(dir))
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	path, points := newTable("part", "lon", "lat"), newTable("t", "lon", "lat")
	if err := b.fill(ctx, net, filepath.Join(dir, fmt.Sprintf("input_%03d.csv", gap)), path, points, spent); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if err := points.write(filepath.Join(out, "points.csv")); err != nil {
		return err
	}
	return path.write(filepath.Join(out, "path.csv"))
}

// fill fills the tables of a place with what is recovered, or with the truth: every
// so manyth second from its start, observed or not.
func (b *bench) fill(ctx context.Context, net *roadnet.Network, input string, path, points *csvTable, spent *effort) error {
	if b.settings.Method == metrics.MethodTruth {
		trips, err := readTrips(ctx, input)
		if err != nil {
			return err
		}
		for _, t := range trips {
			if err := b.truth(net, filepath.Dir(input), t, path, points); err != nil {
				return err
			}
		}
		return nil
	}
	s := b.settings
	s.Tick = b.tick
	return b.recoverFile(ctx, net, input, s, spent, func(t *trajectory.Trajectory, rec *trajectory.Recovery) error {
		told, untold := metrics.Hops(t, rec)
		spent.points, spent.told, spent.untold = spent.points+len(t.Samples), spent.told+told, spent.untold+untold
		for _, k := range rec.Ticks {
			if (k.Time-rec.Ticks[0].Time)%b.tick.Milliseconds() == 0 {
				points.addPlace(k.Time, roadnet.Point{Lon: k.Lon, Lat: k.Lat})
			}
		}
		path.addPath(net, rec)
		return nil
	})
}

// draws is how often places are resampled.
const draws = 1000

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
