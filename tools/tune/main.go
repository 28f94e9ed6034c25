// Command tune compares settings of recovery on training trips of the Porto
// taxis, which no figure that is reported is measured on.
//
//	go run -tags ci ./tools/tune -trips 400 HMM.Turn=40,80 Pace.Signal=0,4,8
//
// Each value is tried in place of the default; values joined by + are tried
// together: HMM.Turn=80+HMM.UTurn=300. Lines say how F1, and the error in metres
// along the network, differ from those of the defaults, with the range in which
// the difference lies with 95 % confidence.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"

	"retrace/engine"
	"retrace/engine/metrics"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
	"retrace/osmimport"
)

func main() {
	data := flag.String("data", filepath.Join("..", "shared", "data"), "folder of the data")
	trips := flag.Int("trips", 400, "training trips to look at")
	step := flag.Int("step", 17, "take every so manyth training trip")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, *data, *trips, *step, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "tune:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, data string, trips, step int, changes []string) error {
	res, err := osmimport.Import(ctx, []string{filepath.Join(data, "osm", "porto.osm.pbf")}, osmimport.Options{})
	if err != nil {
		return err
	}
	methods, err := variants(res.Network, changes)
	if err != nil {
		return err
	}
	threads := runtime.GOMAXPROCS(0)
	dense := training(ctx, filepath.Join(data, "trajectories", "porto_trips.csv.gz"), trips, step)
	truths, err := metrics.MakeTruths(ctx, res.Network, dense, methods[0].Recover, metrics.DefaultQuality(), threads)
	if err != nil {
		return err
	}
	report, err := metrics.Evaluate(ctx, res.Network, truths.Cases, methods, metrics.Options{
		Keep: []metrics.Keep{{Ratio: 1. / 8}, {Ratio: 1. / 16}}, Seed: 1, Draws: 1000, Threads: threads})
	if err != nil {
		return err
	}
	return print(w, report)
}

// training is every so manyth training trip.
func training(ctx context.Context, path string, trips, step int) iter.Seq2[*trajectory.Trajectory, error] {
	return func(yield func(*trajectory.Trajectory, error) bool) {
		seen, taken := 0, 0
		for t, err := range read.Files(ctx, []string{path}, nil, read.Options{}) {
			if err == nil && metrics.SplitOf(t.ID) != metrics.Training {
				continue
			}
			if seen++; seen%step != 0 {
				continue
			}
			if taken++; taken > trips || !yield(t, err) {
				return
			}
		}
	}
}

// variants are the default settings, and one for each value of each change.
func variants(net *roadnet.Network, changes []string) ([]metrics.Method, error) {
	all := []metrics.Method{}
	add := func(name string, s engine.Settings) error {
		r, err := engine.NewRecoverer(net, s)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, metrics.Method{Name: name, Recover: func(ctx context.Context, t *trajectory.Trajectory) (*trajectory.Recovery, error) {
			return r.Recover(ctx, t, nil)
		}})
		return nil
	}
	if err := add("default", engine.DefaultSettings()); err != nil {
		return nil, err
	}
	for _, change := range changes {
		for _, name := range each(change) {
			s := engine.DefaultSettings()
			for _, one := range strings.Split(name, "+") {
				if err := set(&s, one); err != nil {
					return nil, err
				}
			}
			if err := add(name, s); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// each spells out the values of a change: "A=1,2" is "A=1" and "A=2".
func each(change string) []string {
	name, values, _ := strings.Cut(change, "=")
	if strings.Contains(change, "+") || !strings.Contains(values, ",") {
		return []string{change}
	}
	var all []string
	for _, v := range strings.Split(values, ",") {
		all = append(all, name+"="+v)
	}
	return all
}

// set sets one field, such as HMM.Turn=80.
func set(s *engine.Settings, change string) error {
	path, text, _ := strings.Cut(change, "=")
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fmt.Errorf("%s: want a field and a number, such as HMM.Turn=80", change)
	}
	v := reflect.ValueOf(s).Elem()
	for _, name := range strings.Split(path, ".") {
		if v = v.FieldByName(name); !v.IsValid() {
			return fmt.Errorf("%s: there is no setting %s", change, name)
		}
	}
	switch {
	case v.CanFloat():
		v.SetFloat(value)
	case v.CanInt():
		v.SetInt(int64(value))
	default:
		return fmt.Errorf("%s is not a number", path)
	}
	return nil
}

func print(w io.Writer, r *metrics.Report) error {
	fmt.Fprintf(w, "%d trips\n", r.Cases)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "settings\tkeep\tF1\tMAE m")
	for _, res := range r.Results {
		if res.Method != "default" {
			continue
		}
		fmt.Fprintf(t, "default\t%s\t%.4f\t%.1f\n", res.Keep, value(res.Figure(metrics.SectionPaper, "F1")), value(res.Figure(metrics.SectionPaper, "MAE")))
	}
	for _, d := range r.Differences {
		f1, _ := d.Figure(metrics.SectionPaper, "F1")
		mae, _ := d.Figure(metrics.SectionPaper, "MAE")
		fmt.Fprintf(t, "%s\t%s\t%+.4f (%+.4f to %+.4f)\t%+.1f (%+.1f to %+.1f)\n", d.Method, d.Keep, f1.Value, f1.Low, f1.High, mae.Value, mae.Low, mae.High)
	}
	return t.Flush()
}

func value(f metrics.Figure, _ bool) float64 { return f.Value }
