package match

import (
	"context"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Matcher matches trajectories, one after another. It must not be used by two
// goroutines at once.
type Matcher struct {
	net     *roadnet.Network
	set     Settings
	router  *roadnet.Router
	uniform bool // the network does not tell fast roads from slow ones
	hits    []roadnet.Hit
	table   roadnet.Table
	spots   []roadnet.Position
	pins    Pins // of the trajectory that is matched
}

// Result is what was found of one trajectory.
type Result struct {
	Matches      []trajectory.SampleMatch // one for each sample
	Legs         []Leg                    // between the matched samples, in order; empty where fewer than two matched
	Alternatives []trajectory.Alternative
}

// Leg is what was driven between two consecutive matched samples.
type Leg struct {
	From, To   int                 // samples
	Broken     bool                // no path is told: Path is empty
	Why        trajectory.Why      // it is not simply a drive on the network; 0: it is
	Speed      float64             // m/s that it would ask for, where it is not; 0: not known
	Path       []roadnet.SegmentID // from the segment of one match to that of the next
	Shares     []Share             // by segment
	Others     []Way               // that may have been taken rather than Path, none less probable than Noticeable
	Times      []Time              // when the places of the path are reached; nil: not known
	Instants   []Instant           // where the vehicle is at single instants, in order of time; nil: as Times and Shares say
	Unmodelled bool                // a model was asked, and knows no way: this is what matching found
}

// Noticeable is how probable a way must be to count for where a vehicle is.
const Noticeable = 0.01

// Way is a way from one match to the next, and how probable it is.
type Way struct {
	Part        trajectory.Part
	Probability float32
}

// Instant says how probable segments are at an instant within a leg.
type Instant struct {
	Time   int64             // Unix milliseconds
	Shares []Share           // by segment
	At     *roadnet.Position // where the method says that the vehicle is, on the path or not; nil: where the path is then
}

// Time says when a place of a leg is reached.
type Time struct {
	Step   int     // index into Path
	To     float64 // ratio along that segment
	Share  float64 // of the gap's time, 0 to 1, never falling
	Spread float64 // scale of the doubt about it, as a share of the gap's time
}

// Share is the probability that a segment was driven in a gap.
type Share struct {
	Segment     roadnet.SegmentID
	Probability float32
}

// New prepares matching on a network. A setting out of range is an error.
func New(net *roadnet.Network, s Settings) (*Matcher, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return &Matcher{net: net, set: s, router: roadnet.NewRouter(net), uniform: Uniform(net)}, nil
}

// Router is what it searches by, which others may use while it matches nothing.
func (m *Matcher) Router() *roadnet.Router { return m.router }

// Match finds the path of the samples. The error is that of ctx, or of a pin
// that fits no sample or segment.
func (m *Matcher) Match(ctx context.Context, samples []trajectory.Sample, pins []Pin) (*Result, error) {
	if err := Pins(pins).Check(m.net, len(samples)); err != nil {
		return nil, err
	}
	m.router.Done, m.pins = ctx.Done(), pins
	res := &Result{Matches: make([]trajectory.SampleMatch, len(samples))}
	layers, err := m.layers(ctx, samples, res)
	if err != nil || len(layers) == 0 {
		return res, err
	}
	lat := &lattice{layers: layers, set: m.set}
	if err := m.connect(ctx, lat); err != nil {
		return nil, err
	}
	if err := m.decide(ctx, lat); err != nil {
		return nil, err
	}
	if err := lat.backward(ctx); err != nil {
		return nil, err
	}
	if err := m.report(ctx, lat, res); err != nil {
		return nil, err
	}
	return res, nil
}

// decide finds the best way. Routes on it that were not found nearby are looked
// for everywhere, which may show that another way is better.
func (m *Matcher) decide(ctx context.Context, lat *lattice) error {
	for from := 0; from < len(lat.layers); {
		if err := lat.forward(ctx, from); err != nil {
			return err
		}
		from = len(lat.layers)
		var before place
		for _, p := range lat.way() {
			l := p.came.link
			if l != nil && !p.came.leaps && !l.known(lat.index(l, before.candidate, p.candidate)) {
				if err := m.resolve(ctx, l, &lat.layers[l.from], &lat.layers[l.to], before.candidate, p.candidate); err != nil {
					return err
				}
				from = min(from, l.to)
			}
			before = p
		}
	}
	return ctx.Err()
}

// layers finds the candidates of every sample that can be matched, and marks
// the others.
func (m *Matcher) layers(ctx context.Context, samples []trajectory.Sample, res *Result) ([]layer, error) {
	var layers []layer
	var last int64
	var before []roadnet.Hit
	for i, s := range samples {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if i > 0 && s.Time <= last {
			res.Matches[i].State = trajectory.Duplicate
			continue
		}
		last = s.Time
		hits := m.candidates(i, s, before)
		before = hits
		if len(hits) == 0 {
			res.Matches[i].State = trajectory.OffRoad
			continue
		}
		layers = append(layers, m.layer(i, s, hits))
	}
	return layers, nil
}

func (m *Matcher) layer(sample int, s trajectory.Sample, hits []roadnet.Hit) layer {
	l := layer{sample: sample, time: s.Time, place: roadnet.Point{Lon: s.Lon, Lat: s.Lat}, hits: hits}
	_, l.pinned = m.pins.Pinned(sample)
	l.emission = make([]float64, len(hits))
	for i, h := range hits {
		l.emission[i] = m.emission(h.Distance)
	}
	return l
}
