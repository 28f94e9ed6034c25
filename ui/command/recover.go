package command

import (
	"errors"
	"runtime/debug"
	"time"

	"retrace/engine"
	"retrace/engine/mapcheck"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory/read"
	"retrace/engine/trajectory/write"
	"retrace/report"
)

// recoverFlags are the flags of every command that recovers.
type recoverFlags struct {
	Tick time.Duration `default:"15s" placeholder:"15s" help:"Time between two recovered instants."`
	methodFlags
}

type recoverCommand struct {
	Network      string   `required:"" placeholder:"NAME|FILE" help:"A network of the workspace, a network file, or an extract that is imported on the fly and not kept."`
	Trajectories []string `arg:"" name:"trajectories" help:"Trajectory files, folders and archives of them; see docs/formats.md for the kinds; - is standard input."`
	recoverFlags
	readFlags
	outsideFlag
	Output       string `short:"o" required:"" placeholder:"OUT" help:"File to write: .csv, .geojson, .gpkg, .gpx, .kml, .mfjson, .parquet or .zip (shapefiles); - is standard output, as CSV."`
	Path         string `placeholder:"FILE.csv" help:"Also write every vertex of the driven paths."`
	Spans        string `placeholder:"FILE.csv" help:"Also write the stretches on and below elevated roads."`
	Gaps         string `placeholder:"FILE.csv" help:"Also write how far the way from each point to the next can be trusted: its risk and the error that is expected."`
	Links        string `placeholder:"FILE.csv" help:"Also write counts and speeds by road segment."`
	Alternatives int    `placeholder:"K" help:"Also find up to K other paths for each gap (.geojson and .gpkg)."`
	Gather       bool   `help:"Let the model know what the other trajectories tell of the roads: how many drove there, and how fast. They are read twice."`
	Report       string `placeholder:"FILE.html" help:"Also write a report for people, with maps; see retrace report."`
	Join         bool   `help:"Write the pieces of a trip that was cut under its own id, as parts of it, with the reason cut in between. Default: each is a trip of its own, called NAME/1, NAME/2."`
	InOrder      bool   `help:"Write the trajectories in the order of the input, so that the output is the same every time. Default: each as soon as it is recovered, so that none waits for another."`
	Pins         string `placeholder:"FILE.csv" help:"What is known of single points; see below."`
	aboutFlag
}

func (recoverCommand) Help() string {
	return "A pins file has the columns trajectory, time, way, from_node, to_node and, if wanted, forbid: " +
		"the point of that trajectory and time lies on that piece of road (forbid = 1: it does not).\n\n" +
		"Examples:\n" +
		"  retrace recover trips.csv --network porto -o recovered.gpkg\n" +
		"  retrace recover *.gpx --network porto.osm.pbf -o points.csv --path path.csv --links links.csv\n" +
		"  zcat trips.csv.gz | retrace recover - --network porto -o - | head"
}

func (c *recoverCommand) Run(s *session) error {
	if err := errors.Join(c.check(s), c.checkOutside()); err != nil {
		return err
	}
	opt, err := c.options()
	if err != nil {
		return err
	}
	settings, err := c.settings(s)
	if err != nil {
		return err
	}
	settings.Alternatives = c.Alternatives
	net, bm, err := s.network(c.Network)
	if err != nil {
		return err
	}
	s.useRoads(net, &settings)
	opt.Clean.Inside = c.nearRoads(net)
	if settings.Traffic, err = c.gather(s, net, settings, opt); err != nil {
		return err
	}
	// Most of what is in use stays so: network, searchers, what the model says of roads.
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	r, err := engine.NewRecoverer(net, settings)
	if err != nil {
		return usage("%w", err)
	}
	pins, err := readPins(s.ctx, c.Pins, net)
	if err != nil {
		return err
	}
	out, err := c.outputs(s, net, aboutRecovery(net, settings, c.Alternatives > 0))
	defer out.Abort()
	if err != nil {
		return err
	}
	run := recovery{session: s, out: out, settings: settings}
	if c.Join {
		run.out = write.Joined(out)
	}
	if c.Report != "" {
		if run.report, err = report.Create(c.Report, net, report.Options{Version: s.version, Basemap: bm, Progress: s.drawing}); err != nil {
			return err
		}
		defer run.report.Abort()
	}
	problems, err := c.problems(s)
	if err != nil {
		return err
	}
	defer problems.table.abort()
	opt.Problem = problems.add
	if c.Problems != "" {
		run.check = mapcheck.New(net, 0)
	}
	in := read.Files(s.ctx, c.Trajectories, s.stdin, opt)
	stream := r.AsFinished
	if c.InOrder || c.Join {
		stream = r.Stream
	}
	if err := stream(s.ctx, in, pins.of, run.emit); err != nil {
		return err
	}
	problems.report()
	if run.check != nil {
		problems.findings(run.check.Findings())
	}
	if run.failed > run.done {
		s.suggest(c.Trajectories, opt, placeOf(net))
	}
	if err := problems.close(); err != nil {
		return err
	}
	return run.finish(pins.missing())
}

// check refuses outputs that cannot be before the work begins.
func (c *recoverCommand) check(s *session) error {
	if c.Output != "-" && !write.Known(c.Output) {
		return usage("%s: the extension says no format that can be written (%s)", c.Output, write.Extensions())
	}
	seen := map[string]bool{}
	for _, path := range []string{c.Output, c.Path, c.Spans, c.Gaps, c.Links, c.Report} {
		if path != "" && seen[path] {
			return usage("%s is named for two outputs", path)
		}
		seen[path] = true
	}
	if seen["-"] && s.globals.JSON {
		return usage("--json and - both want standard output")
	}
	return nil
}

// settings are the settings of the flags.
func (f recoverFlags) settings(s *session) (engine.Settings, error) {
	settings := engine.DefaultSettings()
	settings.Tick, settings.Threads, settings.Version = f.Tick, s.globals.Threads, s.version
	if err := f.choose(s, &settings); err != nil {
		return settings, err
	}
	if err := settings.Validate(); err != nil {
		return settings, usage("%w", err)
	}
	return settings, nil
}

// aboutRecovery says how recoveries are made, for the files that they go to.
func aboutRecovery(net *roadnet.Network, settings engine.Settings, alternatives bool) write.About {
	return write.About{Network: net.Info(), Method: settings.Method, Settings: settings.String(), Version: settings.Version,
		Alternatives: alternatives, Gaps: true, Model: settings.ModelName()}
}

// outputs opens every file that is to be written.
func (c *recoverCommand) outputs(s *session, net *roadnet.Network, about write.About) (write.All, error) {
	var all write.All
	add := func(path string, layer write.Layer) error {
		switch path {
		case "":
			return nil
		case "-":
			w, err := s.stream(layer, net, about, c.About)
			if err == nil {
				all = append(all, w)
			}
			return err
		}
		create := func() (write.Writer, error) { return write.CreateCSV(path, layer, net, about) }
		if path == c.Output {
			create = func() (write.Writer, error) { return write.Create(path, net, about) }
		}
		w, err := create()
		if err == nil {
			all = append(all, w)
		}
		return err
	}
	for _, f := range []struct {
		path  string
		layer write.Layer
	}{{c.Output, write.Points}, {c.Path, write.Path}, {c.Spans, write.Spans}, {c.Gaps, write.Gaps}, {c.Links, write.Links}} {
		if err := add(f.path, f.layer); err != nil {
			return all, err
		}
	}
	return all, nil
}
