package command

import (
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"retrace/engine"
	"retrace/engine/device"
	"retrace/engine/roadnet"
	"retrace/engine/stream"
	"retrace/engine/trajectory/write"
)

// streamCommand answers engines for large data.
type streamCommand struct {
	Network string        `required:"" placeholder:"NAME|FILE" help:"A network of the workspace, a network file, or an extract that is imported on the fly."`
	Method  string        `required:"" enum:"hmm,rntrajrec,mtrajrec,rntrajrec-city,t2vec" placeholder:"hmm|rntrajrec" help:"Way of recovering: hmm (map matching), rntrajrec (a model), or mtrajrec, rntrajrec-city or t2vec, systems that were trained on the very network. There is no auto: what cannot be used ends the stream."`
	Model   string        `placeholder:"DIR" help:"Folder of the model's bundle. Default: the one built in."`
	Decoder string        `default:"" enum:",routes,ticks" placeholder:"routes|ticks" help:"Decoder of the model. Default: the one that the model names."`
	Device  string        `default:"cpu" enum:"cpu,cuda,webgpu,directml,coreml" help:"What the model runs on."`
	Tick    time.Duration `default:"15s" placeholder:"15s" help:"Time between two recovered instants."`
	Layers  []string      `default:"points" placeholder:"LAYER,..." help:"What is told of each trip, as lists: points, path, spans, gaps, links (each drive over a segment), or none."`
	Table   string        `enum:",points,path,spans,gaps,links" default:"" placeholder:"LAYER" help:"Answer with this layer alone, as one table without lists."`
	streamRules
	outsideFlag
}

// streamRules say what is tidied and cut, as for files.
type streamRules struct {
	KeepDuplicates bool          `help:"Keep several points of one instant."`
	DropBackwards  bool          `help:"Leave out points that go back in time. Default: they are put in order."`
	MaxSpeed       float64       `placeholder:"KMH" help:"Leave out points that need more than this speed to be reached."`
	Standing       float64       `placeholder:"METRES" help:"Of points that stay within so many metres keep the first and the last."`
	Gap            time.Duration `default:"30m" placeholder:"30m" help:"Cut a trip where no point came for longer; 0: never. Default: for half an hour, and five times as long as usual in the trip."`
	Stop           time.Duration `placeholder:"5m" help:"Cut a trip where the vehicle stayed within 100 m for longer."`
}

func (streamCommand) Help() string {
	return "Reads an Arrow IPC stream on standard input and answers with another on standard output, for as long as the input goes on: " +
		"one batch for each batch, sent off at once. Nothing else goes to standard output. docs/stream.md tells the columns.\n\n" +
		"The input has the columns trajectory (or id), time, lon and lat: lists with one row a trajectory, or single values with one row a point. " +
		"There the rows of a trajectory stand together, and it is answered when the next begins.\n\n" +
		"Each trip has a status: recovered, parts (its path has breaks) or refused, with the reason. No trip ends the process. " +
		"Exit status: 0 the input ended with its end mark and all is answered, 2 wrong usage, 3 the input is broken or was cut, 4 stopped. " +
		"Unless it is 0 the answer has no end mark.\n\n" +
		"Examples:\n  retrace stream --network porto.network --method hmm <trips.arrows >recovered.arrows\n" +
		"  retrace stream --network porto.network --method rntrajrec --layers points,links --threads 1"
}

func (c *streamCommand) Run(s *session) error {
	if err := c.checkOutside(); err != nil {
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
	net, err := s.onlyNetwork(c.Network)
	if err != nil {
		return err
	}
	s.useRoads(net, &settings)
	opt.Rules.Inside = c.nearRoads(net)
	opt.About = aboutRecovery(net, settings, false)
	opt.Unused = func(columns []string) {
		s.note("retrace: not looked at: %s", strings.Join(columns, ", "))
	}
	return c.serve(s, net, settings, opt)
}

func (c *streamCommand) serve(s *session, net *roadnet.Network, settings engine.Settings, opt stream.Options) error {
	// Most of what is in use stays so: network, searchers, what the model says of roads.
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	r, err := engine.NewRecoverer(net, settings)
	if err != nil {
		return usage("%w", err)
	}
	told, err := stream.Serve(s.ctx, s.stdin, s.stdout, r, net, opt)
	s.noteLost(settings)
	if err != nil {
		return &exitError{NothingRead, fmt.Errorf("standard input: %w; answered before: %s", err, toldText(told))}
	}
	if !s.globals.Quiet {
		s.note("%s", toldText(told))
	}
	return nil
}

// toldText is what became of the trips of a stream.
func toldText(t stream.Told) string {
	return fmt.Sprintf("%s; %s recovered, %s in parts, %s refused", plural(t.Batches, "batch", "batches"),
		plural(t.Recovered, "trip", "trips"), count(t.Parts), count(t.Refused))
}

// options are what a stream is answered with.
func (c *streamCommand) options() (stream.Options, error) {
	rules, err := readFlags{KeepDuplicates: c.KeepDuplicates, DropBackwards: c.DropBackwards, MaxSpeed: c.MaxSpeed,
		Standing: c.Standing, Gap: c.Gap, Stop: c.Stop, Occupancy: "ignore"}.options()
	opt := stream.Options{Rules: rules.Clean}
	if err != nil {
		return opt, err
	}
	if c.Table != "" {
		opt.Layers, opt.Flat = []write.Layer{write.Layer(c.Table)}, true
		return opt, nil
	}
	for _, l := range c.Layers {
		if l != "none" {
			opt.Layers = append(opt.Layers, write.Layer(l))
		}
	}
	if err := write.CheckBatchLayers(opt.Layers); err != nil {
		return opt, usage("%w", err)
	}
	return opt, nil
}

// settings are the settings of the flags. The model is loaded and checked in this
// process: a stream needs no home in which what was found of devices is remembered.
func (c *streamCommand) settings(s *session) (engine.Settings, error) {
	settings := engine.DefaultSettings()
	settings.Tick, settings.Threads, settings.Version = c.Tick, s.globals.Threads, s.version
	flags := methodFlags{Method: c.Method, Model: c.Model, Decoder: c.Decoder, Device: c.Device}
	if c.Method != engine.MethodRNTrajRec {
		if err := flags.choose(s, &settings); err != nil {
			return settings, err
		}
	} else {
		if s.models == nil {
			return settings, usage("--method %s: %w", c.Method, errNoModels)
		}
		model, err := s.models.OpenHere(s.ctx, c.Model, device.Name(c.Device))
		if err != nil {
			return settings, usage("the model cannot be used: %w; --method %s works without one", err, engine.MethodHMM)
		}
		settings.Method, settings.Model, settings.Decoder = c.Method, model, c.Decoder
	}
	if err := settings.Validate(); err != nil {
		return settings, usage("%w", err)
	}
	return settings, nil
}
