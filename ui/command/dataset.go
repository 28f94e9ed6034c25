package command

import (
	"context"
	"fmt"
	"os"
	"slices"

	"retrace/engine"
	"retrace/engine/dataset"
	"retrace/engine/feature"
	"retrace/engine/metrics"
	"retrace/engine/roadnet"
	"retrace/engine/simulate"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
)

type datasetCommand struct {
	Dense      []string  `arg:"" optional:"" name:"dense" help:"Files of dense trips on the first network; their truth is made by map matching."`
	Network    []string  `required:"" sep:"none" placeholder:"NAME|FILE" help:"A network of the workspace, a network file or an extract; may be repeated for simulated trips."`
	Simulate   int       `placeholder:"N" help:"Trips to simulate on each network."`
	Split      string    `default:"training" enum:"training,validation,test,all" help:"Which trips to take, by their ids: training, validation, test or all."`
	Most       int       `placeholder:"N" help:"Take at most so many dense trips."`
	Area       []float64 `placeholder:"W,S,E,N" help:"Take only dense trips that stay within these degrees: to train on one part of a city and test on another."`
	Keep       []string  `default:"1/8,1/16" placeholder:"1/8,1/16" help:"How much to keep of each trip, once in each way: a share of its inner points, a gap (60s) or a range of gaps (30s-300s)."`
	Steady     float64   `default:"0" placeholder:"SHARE" help:"Such a share of the simulated drivers keep a more even pace than taxis do, and are held up less often."`
	Stretches  float64   `default:"0" placeholder:"SHARE" help:"Of such a share of the trips take only a stretch, drawn at random: reports often begin and end while a vehicle drives."`
	Candidates int       `default:"10" placeholder:"K" help:"Most candidates of a sample."`
	Encoder    bool      `help:"Also write the sub-graphs of the samples and the features of the networks."`
	Times      bool      `help:"Write the ways driven and when alone, for the decoder of time without the encoder: much faster and smaller."`
	Gather     bool      `help:"Also describe roads by what the other dense trips, thinned as well, tell of them: how many drove there, and how fast."`
	Untagged   bool      `help:"Describe the network as if its roads had no tags, as many networks come; truth and simulation still know them."`
	Ticks      bool      `help:"Also write the segments that may be chosen at every tick, for the decoder of ticks; with --encoder."`
	Delta      float64   `default:"400" placeholder:"M" help:"Radius of the sub-graph of a sample, metres."`
	Gamma      float64   `default:"30" placeholder:"M" help:"Scale of the weights in a sub-graph, metres."`
	Sub        int       `default:"64" placeholder:"N" help:"Most segments of a sub-graph, the nearest."`
	Shard      int       `default:"200" placeholder:"N" help:"Trips in a shard."`
	Seed       uint64    `default:"1" placeholder:"S" help:"Seed of thinning and simulation."`
	Output     string    `short:"o" required:"" placeholder:"DIR" help:"Folder to write to. Shards that an earlier run finished are kept."`
}

func (datasetCommand) Help() string {
	return "Writes tensors for training: what a model would be given of each trip, and what it should answer, as NumPy files in shards with a manifest.\n\n" +
		"Examples:\n" +
		"  retrace dataset porto_trips.csv.gz --network porto -o data/porto\n" +
		"  retrace dataset --network milan.osm.pbf --network london.osm.pbf --simulate 5000 --keep 30s-300s -o data/simulated"
}

func (c *datasetCommand) Run(s *session) error {
	keep, err := metrics.ParseKeeps(c.Keep)
	if err != nil {
		return usage("--keep %w", err)
	}
	if c.Shard < 1 || c.Simulate < 0 || (len(c.Dense) == 0 && c.Simulate == 0) {
		return usage("name files of dense trips, or how many to --simulate, at least one in a --shard")
	}
	if !(c.Stretches >= 0 && c.Stretches <= 1 && c.Steady >= 0 && c.Steady <= 1) {
		return usage("--stretches %v, --steady %v: want shares from 0 to 1", c.Stretches, c.Steady)
	}
	if n := len(c.Area); n != 0 && (n != 4 || c.Area[0] >= c.Area[2] || c.Area[1] >= c.Area[3]) {
		return usage("--area %v: want west,south,east,north in degrees", c.Area)
	}
	if c.Ticks && !c.Encoder {
		return usage("--ticks needs --encoder: the decoder of ticks knows segments by their surroundings only")
	}
	if c.Times && c.Encoder {
		return usage("--times writes neither candidates nor routes, so --encoder has nothing to look at")
	}
	var nets []*roadnet.Network
	for _, name := range c.Network {
		net, _, err := s.network(name)
		if err != nil {
			return err
		}
		if why := dataset.HeldOut(net.Info(), name); why != "" && c.Split == metrics.Training.String() {
			return usage("nothing may be trained on network %s: %s, and models are measured there. "+
				"Take another network, or say by --split what else than training the data set is for", name, why)
		}
		nets = append(nets, net)
	}
	tensors := c.tensors(keep)
	blocks, err := c.denseBlocks(s, nets[0], tensors)
	if err != nil {
		return err
	}
	for i, net := range nets {
		blocks = append(blocks, c.simulatedBlocks(i, net)...)
	}
	if err := os.MkdirAll(c.Output, 0o777); err != nil {
		return err
	}
	if c.Untagged {
		for i, net := range nets {
			nets[i] = net.Untagged()
		}
	}
	m, err := dataset.Write(s.ctx, c.Output, nets, blocks, tensors, s.threads(), func(done, of int) {
		s.progress.show("writing shards", share(int64(done), int64(of)))
	})
	if err != nil {
		return err
	}
	s.progress.clear()
	return c.report(s, m)
}

func (c *datasetCommand) tensors(keep []metrics.Keep) dataset.Settings {
	routes := feature.DefaultRoutes()
	routes.Candidates.Cap = c.Candidates
	points := feature.Settings{Delta: c.Delta, Gamma: c.Gamma, SubCap: c.Sub}
	settings := dataset.Settings{Points: points, Routes: routes, Keep: keep, Stretches: c.Stretches, Encoder: c.Encoder, Times: c.Times, Gather: c.Gather, Seed: c.Seed}
	if c.Ticks {
		ticks := feature.DefaultTicks()
		settings.Ticks = &ticks
	}
	return settings
}

// denseBlocks cuts the dense trips into shards. Their truth is made when a
// shard is.
func (c *datasetCommand) denseBlocks(s *session, net *roadnet.Network, tensors dataset.Settings) ([]dataset.Block, error) {
	if len(c.Dense) == 0 {
		return nil, nil
	}
	r, err := engine.NewRecoverer(net, engine.DefaultSettings())
	if err != nil {
		return nil, err
	}
	trips, err := c.denseTrips(s)
	if err != nil {
		return nil, err
	}
	traffic, err := c.traffic(s, net, trips, tensors)
	if err != nil {
		return nil, err
	}
	quality := metrics.DefaultQuality()
	recover := func(ctx context.Context, t *trajectory.Trajectory) (*trajectory.Recovery, error) {
		return r.Recover(ctx, t, nil)
	}
	match := func(t *trajectory.Trajectory) dataset.Case {
		return func(ctx context.Context) (metrics.Case, dataset.Reason, error) {
			c, reason, err := quality.Truth(ctx, net, t, recover)
			return c, dataset.Reason(reason), err
		}
	}
	var blocks []dataset.Block
	for first := 0; first < len(trips); first += c.Shard {
		part := trips[first:min(first+c.Shard, len(trips))]
		blocks = append(blocks, dataset.Block{
			Name:    fmt.Sprintf("dense-%05d", len(blocks)),
			Content: fmt.Sprint(c.Dense, c.Split, c.Area, c.Most, quality, c.Shard, first),
			Traffic: traffic,
			Cases: func(context.Context) ([]dataset.Case, error) {
				cases := make([]dataset.Case, len(part))
				for i, t := range part {
					cases[i] = match(t)
				}
				return cases, nil
			},
		})
	}
	return blocks, nil
}

// traffic is what the dense trips, thinned, tell of the roads, where it is wanted.
func (c *datasetCommand) traffic(s *session, net *roadnet.Network, trips []*trajectory.Trajectory, tensors dataset.Settings) (*dataset.Gathered, error) {
	if !c.Gather {
		return nil, nil
	}
	if c.Untagged {
		net = net.Untagged()
	}
	return dataset.Gather(s.ctx, net, trips, tensors, engine.DefaultSettings().HMM, s.threads(), func(done, of int) {
		s.progress.show("gathering traffic", share(int64(done), int64(of)))
	})
}

func (c *datasetCommand) denseTrips(s *session) ([]*trajectory.Trajectory, error) {
	problems := newProblemCounter(s)
	var trips []*trajectory.Trajectory
	for t, err := range read.Files(s.ctx, c.Dense, s.stdin, read.Options{Problem: problems.add}) {
		if err != nil {
			return nil, err
		}
		if (c.Split == "all" || metrics.SplitOf(t.ID).String() == c.Split) && c.within(t) {
			trips = append(trips, t)
		}
		if c.Most > 0 && len(trips) == c.Most {
			break
		}
	}
	problems.report()
	return trips, nil
}

// within says whether a trip stays within the area.
func (c *datasetCommand) within(t *trajectory.Trajectory) bool {
	return len(c.Area) == 0 || !slices.ContainsFunc(t.Samples, func(s trajectory.Sample) bool {
		return s.Lon < c.Area[0] || s.Lat < c.Area[1] || s.Lon >= c.Area[2] || s.Lat >= c.Area[3]
	})
}

// simulatedBlocks are the shards of simulated trips on one network. Each has a
// seed of its own.
func (c *datasetCommand) simulatedBlocks(network int, net *roadnet.Network) []dataset.Block {
	var blocks []dataset.Block
	profile := simulate.DefaultProfile()
	profile.Steady = c.Steady
	for first := 0; first < c.Simulate; first += c.Shard {
		options := simulate.Options{Profile: profile, Seed: c.Seed + uint64(network)<<32 + uint64(first), Count: min(c.Shard, c.Simulate-first), Threads: 1}
		blocks = append(blocks, dataset.Block{
			Name:    fmt.Sprintf("simulated-%03d-%05d", network, len(blocks)),
			Network: network,
			Content: fmt.Sprint("simulated", options.Seed, options.Count, c.drivers()),
			Cases:   func(ctx context.Context) ([]dataset.Case, error) { return simulated(ctx, net, options) },
		})
	}
	return blocks
}

// drivers tells data sets of other drivers than taxis' apart.
func (c *datasetCommand) drivers() string {
	if c.Steady == 0 {
		return ""
	}
	return fmt.Sprint("steady", c.Steady)
}

func simulated(ctx context.Context, net *roadnet.Network, o simulate.Options) ([]dataset.Case, error) {
	var cases []dataset.Case
	for trip, err := range simulate.Trips(ctx, net, o) {
		if err != nil {
			return nil, err
		}
		cases = append(cases, func(context.Context) (metrics.Case, dataset.Reason, error) {
			return metrics.Case{Dense: trip.Dense, Truth: trip.Truth}, "", nil
		})
	}
	return cases, nil
}

func (c *datasetCommand) report(s *session, m *dataset.Manifest) error {
	trips, gaps := 0, 0
	for _, shard := range m.Shards {
		trips += shard.Trips
		gaps += shard.Gaps
	}
	if s.globals.JSON {
		return s.printJSON(map[string]any{"folder": c.Output, "shards": len(m.Shards), "trips": trips, "gaps": gaps, "dropped": m.Dropped, "schema": m.SchemaHash, "ticks": m.Ticks})
	}
	fmt.Fprintf(s.stdout, "%s: %s with %s and %s\n", c.Output, plural(len(m.Shards), "shard", "shards"), plural(trips, "trip", "trips"), plural(gaps, "gap", "gaps"))
	if t := m.Ticks; t != nil {
		fmt.Fprintf(s.stdout, "  the true segment is among the moves of %.1f %% of the %s without a sample and of %.1f %% of the %s with one; %.1f moves a tick\n",
			percent(t.HiddenAmong, t.Hidden), plural(t.Hidden, "tick", "ticks"), percent(t.SamplesAmong, t.Samples),
			plural(t.Samples, "tick", "ticks"), float64(t.Moves)/float64(max(1, t.Hidden+t.Samples)))
	}
	for _, reason := range m.Reasons() {
		fmt.Fprintf(s.stdout, "  left out: %s, %s\n", plural(m.Dropped[reason], "trip", "trips"), reason)
	}
	return nil
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(max(1, whole)) }
