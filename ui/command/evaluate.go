package command

import (
	"bufio"
	"context"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"

	"retrace/engine"
	"retrace/engine/metrics"
	"retrace/engine/roadnet"
	"retrace/engine/simulate"
	"retrace/engine/traffic"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
)

type evaluateCommand struct {
	Dense   []string `arg:"" optional:"" name:"dense" help:"Files of dense trips; their truth is made by map matching."`
	Network string   `placeholder:"NAME|FILE" help:"A network of the workspace, a network file, or an extract that is imported on the fly and not kept; needed unless --places have their own."`
	recoverFlags
	Simulate int      `placeholder:"N" help:"Measure on N simulated trips instead, whose truth is exact."`
	Places   string   `placeholder:"DIR" help:"Measure on the drives of many places instead: folders in this one with network.osm.pbf, input_001.csv (a point every second) and truth.csv.gz (where the vehicle was every second)."`
	Against  string   `placeholder:"METHOD" help:"Also measure this method on the same trips, and the differences to it; truth is the true path driven at an even pace."`
	Keep     []string `default:"1/8,1/16" placeholder:"1/8,1/16" help:"How much to keep of each trip: a share of its inner points, a gap (60s) or a range of gaps (60s-180s)."`
	Gather   bool     `help:"Let the model know what the other thinned trips tell of the roads: how many drove there, and how fast."`
	Others   []string `name:"gather-from" placeholder:"FILE" help:"With --gather: files of more dense trips, thinned as well, that tell of the roads without being measured. Trips that are measured are left out of them."`
	Split    string   `default:"all" enum:"training,validation,test,all" help:"Which trips to take, by their ids: training, validation, test or all."`
	Most     int      `placeholder:"N" help:"Take at most so many dense trips."`
	Trips    string   `placeholder:"IDS.txt" help:"Evaluate only the trips whose ids this file lists, one a line."`
	Seed     uint64   `default:"1" placeholder:"S" help:"Seed of thinning and resampling."`
	Format   string   `default:"table" enum:"table,csv,markdown" help:"How to print what is measured: table, csv or markdown; or --json."`
	Draws    int      `default:"1000" placeholder:"N" help:"Draws of resampling, for the ranges behind the figures."`
}

func (evaluateCommand) Help() string {
	return "Thins dense trips, makes the truth by map matching the dense ones, recovers the thinned ones, and prints the metrics in both readings " +
		"(the paper's text and its authors' code). Trips whose match cannot be trusted are left out and counted. " +
		"--tick must be the time between the dense points.\n\n" +
		"Examples:\n" +
		"  retrace evaluate porto_trips.csv.gz --network porto --keep 1/8,1/16\n" +
		"  retrace evaluate porto_trips.csv.gz --network porto --split validation --most 300 --method rntrajrec\n" +
		"  retrace evaluate --simulate 300 --network taipei.osm.gz --method rntrajrec --against hmm\n" +
		"  retrace evaluate --places worldwide --keep 60s,120s,240s --method rntrajrec --against hmm\n" +
		"  retrace evaluate porto_trips.csv.gz --network porto --method mtrajrec --model my-mtrajrec --against rntrajrec\n" +
		"  retrace evaluate dense.csv --network city.osm.pbf --keep 60s-180s --trips test.txt --json"
}

func (c *evaluateCommand) Run(s *session) error {
	ways := 0
	for _, given := range []bool{len(c.Dense) > 0, c.Simulate > 0, c.Places != ""} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		return usage("name files of dense trips, how many to --simulate, or a folder of --places")
	}
	if c.Network == "" && c.Places == "" {
		return usage("missing flags: --network=NAME|EXTRACT")
	}
	settings, err := c.settings(s)
	if err != nil {
		return err
	}
	if c.Gather && settings.Method != engine.MethodRNTrajRec {
		return usage("--gather goes with --method %s", engine.MethodRNTrajRec)
	}
	if len(c.Others) > 0 && !c.Gather {
		return usage("--gather-from goes with --gather")
	}
	keep, err := metrics.ParseKeeps(c.Keep)
	if err != nil {
		return usage("--keep %w", err)
	}
	if c.Places != "" {
		return c.places(s, settings, keep)
	}
	wanted, err := readIDs(c.Trips)
	if err != nil {
		return err
	}
	net, _, err := s.network(c.Network)
	if err != nil {
		return err
	}
	s.useRoads(net, &settings)
	methods, err := c.methods(s, net, settings)
	if err != nil {
		return err
	}
	truths, err := c.truths(s, net, settings, wanted)
	if err != nil {
		return err
	}
	if c.Against == metrics.MethodTruth {
		methods = slices.Insert(methods, 0, metrics.EvenTruth(net, truths.Cases))
	}
	report, err := metrics.Evaluate(s.ctx, net, truths.Cases, methods, metrics.Options{
		Keep: keep, Seed: c.Seed, Draws: c.Draws, Threads: settings.Threads, Others: c.others(s, wanted),
		Progress: func(done, total int) { s.progress.show("evaluating", share(int64(done), int64(total))) }})
	if err != nil {
		return err
	}
	s.noteLost(settings)
	report.Dropped, report.Cut = truths.Dropped, truths.Cut
	if err := s.printReport(report, c.Format); err != nil {
		return err
	}
	return someOf(len(truths.Failed), len(truths.Failed)+len(truths.Cases))
}

// takes reports whether a trip is to be measured. Wanted is nil where all are.
func (c *evaluateCommand) takes(id string, wanted map[string]bool) bool {
	return (wanted == nil || wanted[id]) && (c.Split == "all" || metrics.SplitOf(id).String() == c.Split)
}

// readIDs reads a list of ids; nil where no file is named: all are wanted.
func readIDs(path string) (map[string]bool, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	ids := map[string]bool{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if id := strings.TrimSpace(lines.Text()); id != "" {
			ids[id] = true
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return ids, nil
}

// methodOf is recovery by settings as it is measured.
func methodOf(net *roadnet.Network, settings engine.Settings) (metrics.Method, error) {
	r, err := engine.NewRecoverer(net, settings)
	if err != nil {
		return metrics.Method{}, usage("%w", err)
	}
	return metrics.Method{Name: settings.Method, Recover: func(ctx context.Context, t *trajectory.Trajectory) (*trajectory.Recovery, error) {
		return r.Recover(ctx, t, nil)
	}}, nil
}

// methods are what is measured: what differences are taken to comes first.
func (c *evaluateCommand) methods(s *session, net *roadnet.Network, settings engine.Settings) ([]metrics.Method, error) {
	var methods []metrics.Method
	if c.Against != "" && c.Against != metrics.MethodTruth {
		other, err := c.against(s, net, settings)
		if err != nil {
			return nil, err
		}
		m, err := methodOf(net, other)
		if err != nil {
			return nil, err
		}
		methods = append(methods, m)
	}
	m, err := methodOf(net, settings)
	if c.Gather {
		m.Prepare = func(ctx context.Context, trips iter.Seq2[*trajectory.Trajectory, error]) (metrics.Recover, error) {
			known := settings
			var err error
			if known.Traffic, err = traffic.Gather(ctx, net, trips, settings.HMM, s.threads(), nil); err != nil {
				return nil, err
			}
			m, err := methodOf(net, known)
			return m.Recover, err
		}
	}
	return append(methods, m), err
}

// others are the trips that only tell of the roads: none that is measured.
func (c *evaluateCommand) others(s *session, wanted map[string]bool) iter.Seq2[*trajectory.Trajectory, error] {
	return func(yield func(*trajectory.Trajectory, error) bool) {
		for t, err := range read.Files(s.ctx, c.Others, nil, read.Options{}) {
			if err == nil && c.Simulate == 0 && c.takes(t.ID, wanted) {
				continue
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// simulated are simulated trips with their exact truth.
func (c *evaluateCommand) simulated(s *session, net *roadnet.Network) (*metrics.Truths, error) {
	truths := &metrics.Truths{}
	for trip, err := range simulate.Trips(s.ctx, net, simulate.Options{Seed: c.Seed, Count: c.Simulate, Tick: c.Tick}) {
		if err != nil {
			return nil, err
		}
		truths.Cases = append(truths.Cases, metrics.Case{Dense: trip.Dense, Truth: trip.Truth})
		s.progress.show("simulating trips", share(int64(len(truths.Cases)), int64(c.Simulate)))
	}
	return truths, nil
}

// truths matches the dense trips, or simulates some.
func (c *evaluateCommand) truths(s *session, net *roadnet.Network, settings engine.Settings, wanted map[string]bool) (*metrics.Truths, error) {
	if c.Simulate > 0 {
		return c.simulated(s, net)
	}
	settings.Method = engine.MethodHMM
	matcher, err := methodOf(net, settings)
	if err != nil {
		return nil, err
	}
	problems := newProblemCounter(s)
	matched := 0
	in := func(yield func(*trajectory.Trajectory, error) bool) {
		for t, err := range read.Files(s.ctx, c.Dense, s.stdin, read.Options{Problem: problems.add}) {
			if err == nil && !c.takes(t.ID, wanted) {
				continue
			}
			if c.Most > 0 && matched == c.Most {
				return
			}
			matched++
			s.progress.show("matching the dense trips", count(matched))
			if !yield(t, err) {
				return
			}
		}
	}
	truths, err := metrics.MakeTruths(s.ctx, net, in, matcher.Recover, metrics.DefaultQuality(), settings.Threads)
	if err != nil {
		return nil, err
	}
	problems.report()
	for _, err := range truths.Failed {
		s.complain(err)
	}
	if len(truths.Cases) == 0 {
		for _, d := range truths.Dropped {
			s.note("left out: %s: %s", plural(d.Trips, "trip", "trips"), d.Reason)
		}
		return nil, fmt.Errorf("there is no trip whose truth can be trusted")
	}
	return truths, nil
}

// printReport prints a report for people or as JSON.
func (s *session) printReport(r *metrics.Report, format string) error {
	s.progress.clear()
	switch {
	case s.globals.JSON:
		return s.printJSON(r)
	case format == "csv":
		return r.WriteCSV(s.stdout)
	case format == "markdown":
		return r.WriteMarkdown(s.stdout)
	}
	return r.WriteTable(s.stdout)
}
