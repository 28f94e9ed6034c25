package engine

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"retrace/engine/citymodel"
	"retrace/engine/device"
	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/rntrajrec"
	"retrace/engine/roadnet"
)

// The names of the methods.
const (
	MethodHMM       = "hmm"       // classical map matching
	MethodRNTrajRec = "rntrajrec" // the model; needs one
)

// Methods are the names of all methods: these, and the systems of which each needs
// tables of the one network that it recovers on.
func Methods() []string { return append([]string{MethodHMM, MethodRNTrajRec}, citymodel.Systems()...) }

// OfOneCity reports whether a method is a system with tables of one network.
func OfOneCity(method string) bool { return slices.Contains(citymodel.Systems(), method) }

// Model is a loaded model that recovery runs by.
type Model struct {
	Name   string                // of its bundle
	Hash   string                // SHA-256 of its bundle, in hex
	Device func() string         // that it runs on now: where one is lost the CPU takes over
	Lost   func() error          // how the device was lost that it began on; nil: it was not
	Scorer rntrajrec.Scorer      // its decoder of routes; nil: it has none
	Routes feature.RouteSettings // that it was trained with
	Spread float64               // what its doubt about times is multiplied by; 0: 1

	Decoder string            // used unless the settings name another; empty: DecoderRoutes
	Encoder rntrajrec.Encoder // nil: it has none, and no decoder of ticks
	// Whether its decoder of routes looks at the encoder, to score routes and for times.
	SeesRoutes, SeesTimes bool
	Ticks                 rntrajrec.TickScorer // its decoder of ticks; nil: it has none
	Points                feature.Settings     // of the encoder
	Moves                 feature.TickSettings // of the decoder of ticks
	// What the doubt of the decoder of ticks is evened out by; 0: 1.
	Temperature float64
}

// String is the name and the hash of the model's bundle.
func (m *Model) String() string { return m.Name + "@" + m.Hash }

// Settings says how trajectories are recovered.
type Settings struct {
	Method       string           // one of Methods
	Model        *Model           // for MethodRNTrajRec
	Decoder      string           // of the model; empty: the one that the model names
	Roads        *rntrajrec.Roads // what the model says of the network; see UseRoads; nil: it is asked, and nothing is kept
	City         *citymodel.Model // for a method of citymodel.Systems, that of its system
	Traffic      *feature.Traffic // what other trips tell of the network's roads, for the model; nil: nothing
	Tick         time.Duration    // between two recovered instants, whole milliseconds
	Beams        int              // that the decoder of ticks keeps; 0: 8, 1: the best move at each tick
	Centroid     float64          // of the model's decoder of routes; see rntrajrec.Settings
	Alternatives int              // other paths kept for each gap; 0: none
	Blend        rntrajrec.Blend  // of the model's decoder of routes with map matching
	News         float64          // metres from the last sample that told something new at which another does; 0: all do
	Threads      int              // trajectories recovered at once; 0: one a core
	Version      string           // of Retrace, for the provenance
	HMM          match.Settings
	Pace         Pace
}

// DefaultSettings recovers with the HMM every 15 seconds on all cores.
func DefaultSettings() Settings {
	return Settings{Method: MethodHMM, Tick: 15 * time.Second, Centroid: 0.5, News: 20, Blend: rntrajrec.Blend{Short: 30, Long: 100, Near: 20}, HMM: match.DefaultSettings(), Pace: DefaultPace()}
}

// Validate says what is wrong with the first setting out of range.
func (s Settings) Validate() error {
	switch {
	case !slices.Contains(Methods(), s.Method):
		return fmt.Errorf("recovery method %q is not known, want one of %s", s.Method, strings.Join(Methods(), ", "))
	case s.Tick < time.Millisecond || s.Tick > 24*time.Hour || s.Tick%time.Millisecond != 0:
		return fmt.Errorf("tick is %v, want whole milliseconds from 1ms to 24h", s.Tick)
	case s.Alternatives < 0 || s.Alternatives > 100:
		return fmt.Errorf("alternatives is %d, want 0 to 100", s.Alternatives)
	case s.Threads < 0:
		return fmt.Errorf("threads is %d, want 0 (one a core) or more", s.Threads)
	case !(s.Centroid >= 0 && s.Centroid <= 1):
		return fmt.Errorf("centroid is %g, want 0 (the most probable path) to 1", s.Centroid)
	case !(s.News >= 0 && s.News <= 1000):
		return fmt.Errorf("news is %g, want 0 to 1000 m", s.News)
	case s.Beams < 0 || s.Beams > 1000:
		return fmt.Errorf("beams is %d, want 0 to 1000", s.Beams)
	}
	if err := s.checkModels(); err != nil {
		return err
	}
	if err := s.Pace.validate(); err != nil {
		return err
	}
	return s.matching().Validate()
}

// checkModels says why the model that the method needs cannot recover as the settings say.
func (s Settings) checkModels() error {
	switch {
	case s.Method == MethodRNTrajRec:
		return s.checkModel()
	case !OfOneCity(s.Method):
		return nil
	case s.City == nil:
		return fmt.Errorf("recovery method %q needs a model of the network", s.Method)
	case s.City.System != s.Method:
		return fmt.Errorf("the model %s is of the system %q, not of %q", s.City.Name, s.City.System, s.Method)
	}
	return nil
}

// String is the canonical text of all that a result depends on.
func (s Settings) String() string {
	text := fmt.Sprintf("method=%s tick=%v news=%g matching=%+v pace=%+v", s.Method, s.Tick, s.news(), s.matching(), s.Pace)
	if s.Method == MethodRNTrajRec {
		text += fmt.Sprintf(" model=%s decoder=%s routes=%+v", s.Model, s.decoder(), s.Model.Routes)
		if s.Traffic != nil {
			text += fmt.Sprintf(" traffic=%d trips", s.Traffic.Trips())
		}
		if s.decoder() == DecoderTicks || s.Model.SeesRoutes || s.Model.SeesTimes {
			text += fmt.Sprintf(" points=%+v", s.Model.Points)
		}
		if s.decoder() == DecoderRoutes {
			text += fmt.Sprintf(" centroid=%g blend=%+v", s.Centroid, s.Blend)
		}
		if s.decoder() == DecoderTicks {
			text += fmt.Sprintf(" ticks=%+v beams=%d", s.Model.Moves, s.Beams)
		}
	}
	if OfOneCity(s.Method) {
		text += fmt.Sprintf(" model=%s routes=%+v points=%+v", s.City, s.City.Routes, s.City.Points)
	}
	return text
}

// device is what computes.
func (s Settings) device() string {
	if s.Method == MethodRNTrajRec {
		return s.Model.Device()
	}
	return "cpu"
}

// ModelName is the bundle that the method runs by, as the provenance names it; empty:
// it needs none.
func (s Settings) ModelName() string {
	switch {
	case s.Method == MethodRNTrajRec:
		return s.Model.String()
	case OfOneCity(s.Method):
		return s.City.String()
	}
	return ""
}

// methods is what makes the method that the settings name.
func (s Settings) methods(net *roadnet.Network) (func() (method, error), error) {
	if OfOneCity(s.Method) {
		if err := s.City.Fit(net); err != nil {
			return nil, err
		}
	}
	if !s.shares() {
		return func() (method, error) { return s.newMethod(net) }, nil
	}
	m, err := s.newMethod(net)
	return func() (method, error) { return m, nil }, err
}

// shares reports whether one method serves all trajectories: what they ask of
// the model then goes into common calls.
func (s Settings) shares() bool { return s.Method == MethodRNTrajRec }

// atOnce is how many trajectories are under way at once: with such a method so
// many that the model has enough to do while others are searched for. A CPU gains
// nothing by large calls.
func (s Settings) atOnce() int {
	switch {
	case !s.shares():
		return s.threads()
	case s.device() == string(device.CPU):
		return s.threads() + 4
	}
	return s.threads() + 32
}

// AtOnce is how many trajectories are under way at once where a recoverer is kept busy.
func (r *Recoverer) AtOnce() int { return r.settings.atOnce() }

// newMethod makes the method that the settings name.
func (s Settings) newMethod(net *roadnet.Network) (method, error) {
	switch {
	case s.Method == MethodRNTrajRec:
		return s.decoderOf(net)
	case OfOneCity(s.Method):
		return citymodel.New(net, s.City, s.matching())
	}
	return match.New(net, s.matching())
}

// news is how far from another a sample tells something new. Systems of one city recover
// as those do that the paper compares: of them every sample is asked.
func (s Settings) news() float64 {
	if OfOneCity(s.Method) {
		return 0
	}
	return s.News
}

func (s Settings) matching() match.Settings {
	m := s.HMM
	m.Alternatives = s.Alternatives
	return m
}

func (s Settings) threads() int {
	if s.Threads == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return s.Threads
}

// Pin is what a person knows of one sample: it lies on a segment, or not.
type Pin = match.Pin
