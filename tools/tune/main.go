// Command tune compares settings of recovery on training or validation trips of
// the Porto taxis, which no figure that is reported is measured on, or on trips
// simulated over other networks.
//
//	go run -tags ci ./tools/tune -trips 400 HMM.Turn=40,80 Pace.Signal=0,4,8
//	go run -tags ci ./tools/tune -split validation -method rntrajrec -model DIR Model.Spread=1,1.5,2
//	go run -tags ci ./tools/tune -split validation -method rntrajrec -decoder ticks -model DIR Model.Temperature=1,1.5,2
//	go run -tags ci ./tools/tune -simulate 300 -network osm/columbus.osm.pbf -untagged -steady 1 -keep 60s Pace.Steady=0
//
// The second and the third find the calibration that goes into a bundle's manifest: the spread
// and the temperature with the least error of the probabilities.
//
// Each value is tried in place of the default; values joined by + are tried
// together: HMM.Turn=80+HMM.UTurn=300. Lines say how F1, accuracy, the error in
// metres along the network and that of the probabilities differ from those of the
// defaults, with the range in which the difference lies with 95 % confidence.
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
	"runtime"
	"strings"
	"text/tabwriter"

	"retrace/engine"
	"retrace/engine/metrics"
	"retrace/engine/roadnet"
	"retrace/engine/simulate"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
	"retrace/osmimport"
	"retrace/tools/trial"
)

func main() {
	data := flag.String("data", filepath.Join("..", "shared", "data"), "folder of the data")
	trips := flag.Int("trips", 400, "training trips to look at")
	step := flag.Int("step", 17, "take every so manyth trip of the split")
	split := flag.String("split", metrics.Training.String(), "the trips to look at: training or validation")
	method := flag.String("method", engine.MethodHMM, "the method whose settings are compared")
	model := flag.String("model", "", "folder of the bundle; default: the one built in")
	network := flag.String("network", filepath.Join("osm", "porto.osm.pbf"), "extract, below the folder of the data")
	untagged := flag.Bool("untagged", false, "the network as it would be without tags")
	simulated := flag.Int("simulate", 0, "look at so many simulated trips instead")
	steady := flag.Float64("steady", 0, "the share of their drivers who keep a more even pace than taxis do")
	keep := flag.String("keep", "1/8,1/16", "how much is kept of each trip")
	decoder := flag.String("decoder", "", "the decoder of the model; default: the one that it names")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	c := comparison{data: *data, network: *network, untagged: *untagged, trips: *trips, step: *step, split: *split, simulated: *simulated, steady: *steady,
		keep: strings.Split(*keep, ","), method: *method, model: *model, decoder: *decoder, changes: flag.Args()}
	if err := c.run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "tune:", err)
		os.Exit(1)
	}
}

// comparison is one run of the command.
type comparison struct {
	data, network        string
	untagged             bool
	trips, step          int
	simulated            int // trips; 0: those of the taxis
	steady               float64
	keep                 []string
	split, method, model string
	decoder              string
	changes              []string
}

func (c comparison) run(ctx context.Context, w io.Writer) error {
	if c.split == metrics.Test.String() {
		return fmt.Errorf("nothing is to be chosen on test trips")
	}
	keep, err := metrics.ParseKeeps(c.keep)
	if err != nil {
		return err
	}
	res, err := osmimport.Import(ctx, []string{filepath.Join(c.data, c.network)}, osmimport.Options{})
	if err != nil {
		return err
	}
	net := res.Network
	if c.untagged {
		net = net.Untagged()
	}
	methods, err := c.variants(ctx, net)
	if err != nil {
		return err
	}
	cases, err := c.cases(ctx, net)
	if err != nil {
		return err
	}
	report, err := metrics.Evaluate(ctx, net, cases, methods, metrics.Options{Keep: keep, Seed: 1, Draws: 1000, Threads: runtime.GOMAXPROCS(0)})
	if err != nil {
		return err
	}
	return print(w, report)
}

// cases are trips with their truth.
func (c comparison) cases(ctx context.Context, net *roadnet.Network) ([]metrics.Case, error) {
	if c.simulated > 0 {
		return c.simulate(ctx, net)
	}
	truth, err := methodOf(ctx, net, "truth", engine.DefaultSettings())
	if err != nil {
		return nil, err
	}
	truths, err := metrics.MakeTruths(ctx, net, c.dense(ctx), truth.Recover, metrics.DefaultQuality(), runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, err
	}
	return truths.Cases, nil
}

// simulate simulates trips over the network.
func (c comparison) simulate(ctx context.Context, net *roadnet.Network) ([]metrics.Case, error) {
	profile := simulate.DefaultProfile()
	profile.Steady = c.steady
	var all []metrics.Case
	for trip, err := range simulate.Trips(ctx, net, simulate.Options{Profile: profile, Seed: 1, Count: c.simulated}) {
		if err != nil {
			return nil, err
		}
		all = append(all, metrics.Case{Dense: trip.Dense, Truth: trip.Truth})
	}
	return all, nil
}

// dense is every so manyth trip of the split.
func (c comparison) dense(ctx context.Context) iter.Seq2[*trajectory.Trajectory, error] {
	return func(yield func(*trajectory.Trajectory, error) bool) {
		seen, taken := 0, 0
		for t, err := range read.Files(ctx, []string{filepath.Join(c.data, "trajectories", "porto_trips.csv.gz")}, nil, read.Options{}) {
			if err == nil && metrics.SplitOf(t.ID).String() != c.split {
				continue
			}
			if seen++; seen%c.step != 0 {
				continue
			}
			if taken++; taken > c.trips || !yield(t, err) {
				return
			}
		}
	}
}

// variants are the default settings, and one for each value of each change.
func (c comparison) variants(ctx context.Context, net *roadnet.Network) ([]metrics.Method, error) {
	defaults := engine.DefaultSettings()
	if defaults.Method = c.method; c.method == engine.MethodRNTrajRec {
		model, err := trial.Model(c.model)
		if err != nil {
			return nil, err
		}
		defaults.Model, defaults.Decoder = model, c.decoder
	}
	first, err := methodOf(ctx, net, "default", defaults)
	all := []metrics.Method{first}
	if err != nil {
		return nil, err
	}
	for _, change := range c.changes {
		for _, name := range each(change) {
			s := defaults
			if err := trial.Change(&s, name); err != nil {
				return nil, err
			}
			m, err := methodOf(ctx, net, name, s)
			if err != nil {
				return nil, err
			}
			all = append(all, m)
		}
	}
	return all, nil
}

func methodOf(ctx context.Context, net *roadnet.Network, name string, s engine.Settings) (metrics.Method, error) {
	if err := s.AskRoads(ctx, net, 0); err != nil {
		return metrics.Method{}, fmt.Errorf("%s: %w", name, err)
	}
	r, err := engine.NewRecoverer(net, s)
	if err != nil {
		return metrics.Method{}, fmt.Errorf("%s: %w", name, err)
	}
	return metrics.Method{Name: name, Recover: func(ctx context.Context, t *trajectory.Trajectory) (*trajectory.Recovery, error) {
		return r.Recover(ctx, t, nil)
	}}, nil
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

// columns are the figures that are compared.
func columns() []struct{ section, name, heading string } {
	return []struct{ section, name, heading string }{
		{metrics.SectionPaper, "F1", "F1"}, {metrics.SectionPaper, "accuracy", "accuracy"},
		{metrics.SectionPaper, "MAE", "MAE m"}, {metrics.SectionPaper, "RMSE", "RMSE m"},
		{metrics.SectionCode, "great-circle MAE", "great-circle MAE m"},
		{metrics.SectionCalibration, "hidden ECE", "ECE"},
	}
}

func print(w io.Writer, r *metrics.Report) error {
	fmt.Fprintf(w, "%d trips\n", r.Cases)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "settings\tkeep")
	for _, c := range columns() {
		fmt.Fprintf(t, "\t%s", c.heading)
	}
	for _, res := range r.Results {
		if res.Method != "default" {
			continue
		}
		fmt.Fprintf(t, "\ndefault\t%s", res.Keep)
		for _, c := range columns() {
			f, _ := res.Figure(c.section, c.name)
			fmt.Fprintf(t, "\t%.*f", digits(f), f.Value)
		}
	}
	for _, d := range r.Differences {
		fmt.Fprintf(t, "\n%s\t%s", d.Method, d.Keep)
		for _, c := range columns() {
			f, _ := d.Figure(c.section, c.name)
			n := digits(f)
			fmt.Fprintf(t, "\t%+.*f (%+.*f to %+.*f)", n, f.Value, n, f.Low, n, f.High)
		}
	}
	fmt.Fprintln(t)
	return t.Flush()
}

// digits are 4 of a share and 1 of metres.
func digits(f metrics.Figure) int {
	if f.Unit == "m" {
		return 1
	}
	return 4
}
