package command

import (
	"fmt"
	"time"

	"retrace/engine/metrics"
	"retrace/engine/roadnet"
	"retrace/engine/simulate"
	"retrace/engine/trajectory/write"
)

type simulateCommand struct {
	Network string        `required:"" placeholder:"NAME|FILE" help:"A network of the workspace, a network file, or an extract that is imported on the fly and not kept."`
	Trips   int           `default:"100" placeholder:"N" help:"How many trips to make."`
	Seed    uint64        `default:"1" placeholder:"S" help:"The same seed makes the same trips."`
	Output  string        `short:"o" required:"" placeholder:"OUT.csv" help:"Sparse samples to write, with the errors of a receiver."`
	Dense   string        `placeholder:"FILE.csv" help:"Also write what the receiver would report at every tick."`
	Truth   string        `placeholder:"FILE" help:"Also write where the vehicles really were: .csv, .geojson, .gpx or .gpkg."`
	Tick    time.Duration `default:"15s" placeholder:"15s" help:"Time between two instants of the dense trips and the truth."`
	Gap     string        `default:"60s-180s" placeholder:"60s-180s" help:"Time between two sparse samples, or the range it is drawn from."`
}

func (simulateCommand) Help() string {
	return "Simulated drivers choose routes as real ones do and are held up by signals, signs, turns and traffic; docs/simulator.md shows them beside real trips. " +
		"The truth is exact, on and below elevated roads too.\n\n" +
		"Examples:\n" +
		"  retrace simulate --network porto --trips 500 -o trips.csv --truth truth.csv\n" +
		"  retrace simulate --network city.osm.pbf --trips 1000 --seed 7 --gap 120s -o trips.csv --dense dense.csv --truth truth.gpkg"
}

func (c *simulateCommand) Run(s *session) error {
	options, err := c.options(s)
	if err != nil {
		return err
	}
	net, _, err := s.network(c.Network)
	if err != nil {
		return err
	}
	out, err := c.open(net, s.version)
	defer out.abort()
	if err != nil {
		return err
	}
	made, ticks := 0, 0
	for trip, err := range simulate.Trips(s.ctx, net, options) {
		if err != nil {
			return err
		}
		if err := out.write(trip); err != nil {
			return err
		}
		made, ticks = made+1, ticks+len(trip.Truth.Ticks)
		s.progress.show("simulating trips", share(int64(made), int64(c.Trips)))
	}
	if err := out.close(); err != nil {
		return err
	}
	s.progress.clear()
	if s.globals.JSON {
		return s.printJSON(map[string]any{"file": c.Output, "seed": c.Seed, "trips": made, "ticks": ticks})
	}
	_, err = fmt.Fprintf(s.stdout, "%s: %s, %s of truth\n", c.Output, plural(made, "trip", "trips"), plural(ticks, "tick", "ticks"))
	return err
}

// options checks the flags.
func (c *simulateCommand) options(s *session) (simulate.Options, error) {
	gap, err := metrics.ParseKeep(c.Gap)
	if err != nil || gap.Ratio != 0 {
		return simulate.Options{}, usage("--gap %q: want a gap such as 60s or a range such as 60s-180s", c.Gap)
	}
	if c.Trips < 1 {
		return simulate.Options{}, usage("--trips is %d, want at least 1", c.Trips)
	}
	if c.Tick < time.Second || c.Tick%time.Millisecond != 0 {
		return simulate.Options{}, usage("--tick is %v, want whole milliseconds from 1s on", c.Tick)
	}
	for _, path := range []string{c.Output, c.Dense} {
		if path != "" && !write.Known(path) {
			return simulate.Options{}, usage("%s: the extension says no format that can be written (%s)", path, write.Extensions())
		}
	}
	if c.Truth != "" && !write.Known(c.Truth) {
		return simulate.Options{}, usage("%s: the extension says no format that can be written (%s)", c.Truth, write.Extensions())
	}
	if c.Output == c.Dense || c.Output == c.Truth || c.Dense != "" && c.Dense == c.Truth {
		return simulate.Options{}, usage("one file is named for two outputs")
	}
	return simulate.Options{Seed: c.Seed, Count: c.Trips, Tick: c.Tick, MinGap: gap.Min, MaxGap: gap.Max, Threads: s.globals.Threads}, nil
}

// tripFiles are the files that simulated trips go to; those not asked for are nil.
type tripFiles struct {
	sparse, dense *write.SampleWriter
	truth         write.Writer
}

// open opens the files. What is opened already is returned with the error.
func (c *simulateCommand) open(net *roadnet.Network, version string) (*tripFiles, error) {
	out := &tripFiles{}
	about := write.About{Network: net.Info(), Method: "simulated", Settings: fmt.Sprintf("seed=%d", c.Seed), Version: version}
	var err error
	if out.sparse, err = write.CreateSamples(c.Output, about); err != nil {
		return out, err
	}
	if c.Dense != "" {
		if out.dense, err = write.CreateSamples(c.Dense, about); err != nil {
			return out, err
		}
	}
	if c.Truth != "" {
		truth, err := write.Create(c.Truth, net, about)
		if err != nil {
			return out, err
		}
		out.truth = truth
	}
	return out, nil
}

func (f *tripFiles) write(t simulate.Trip) error {
	if err := f.sparse.Write(t.Trajectory); err != nil {
		return err
	}
	if f.dense != nil {
		if err := f.dense.Write(t.Dense); err != nil {
			return err
		}
	}
	if f.truth != nil {
		return f.truth.Write(t.Truth)
	}
	return nil
}

func (f *tripFiles) close() error {
	if f.truth != nil {
		if err := f.truth.Close(); err != nil {
			return err
		}
	}
	if f.dense != nil {
		if err := f.dense.Close(); err != nil {
			return err
		}
	}
	return f.sparse.Close()
}

// abort leaves nothing behind of what is not closed.
func (f *tripFiles) abort() {
	if f.sparse != nil {
		f.sparse.Abort()
	}
	if f.dense != nil {
		f.dense.Abort()
	}
	if f.truth != nil {
		f.truth.Abort()
	}
}
