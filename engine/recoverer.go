// Package engine recovers dense road-matched trajectories from sparse ones: it
// finds the driven path by a method, spreads the time between the samples over
// it, and says how probable the result is and where it lies on or below
// elevated roads.
package engine

import (
	"context"
	"fmt"
	"sync"

	"retrace/engine/match"
	"retrace/engine/risk"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Recoverer recovers trajectories on one network. It may be used by several
// goroutines at once.
type Recoverer struct {
	net       *roadnet.Network
	settings  Settings
	weights   risk.Weights
	untagged  bool // the network does not tell fast roads from slow ones
	newMethod func() (method, error)

	mu   sync.Mutex
	idle []method // kept to be used again
}

// method finds the path of a trajectory. It serves one goroutine at a time, or
// is handed out to several if it can serve them.
type method interface {
	Match(ctx context.Context, samples []trajectory.Sample, pins []Pin) (*match.Result, error)
}

// mostTicks bounds the instants recovered of one trajectory.
const mostTicks = 1_000_000

// NewRecoverer prepares recovery on net. An unknown method or a setting out of
// range is an error.
func NewRecoverer(net *roadnet.Network, s Settings) (*Recoverer, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	make, err := s.methods(net)
	if err != nil {
		return nil, err
	}
	return &Recoverer{net: net, settings: s, weights: risk.Of(s.Method), untagged: match.Uniform(net), newMethod: make}, nil
}

// Recover recovers one trajectory. Pins are hard constraints.
//
// A sample that no road is near or that no drive can pass in time is skipped
// and marked in Matches; where the network has no way between two samples a
// new part begins and a warning says so. A trajectory far from any road gives
// a recovery without parts, and a warning. An error means that nothing could be
// done: no sample, too long a time, a pin that does not fit, or ctx cancelled.
func (r *Recoverer) Recover(ctx context.Context, t *trajectory.Trajectory, pins []Pin) (*trajectory.Recovery, error) {
	rec, _, err := r.Examine(ctx, t, pins)
	return rec, err
}

// Examine recovers one trajectory as Recover does, and tells what the risk of each gap
// in Doubts is made of.
func (r *Recoverer) Examine(ctx context.Context, t *trajectory.Trajectory, pins []Pin) (rec *trajectory.Recovery, found []risk.Evidence, err error) {
	if err := r.check(t); err != nil {
		return nil, nil, err
	}
	m, err := r.take()
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if p := recover(); p != nil { // costs this trajectory only, and the method that failed
			rec, found, err = nil, nil, fmt.Errorf("trajectory %q: internal error: %v", t.ID, p)
			return
		}
		r.putBack(m)
	}()
	res, err := r.match(ctx, m, t.Samples, pins)
	if err != nil {
		return nil, nil, fmt.Errorf("trajectory %q: %w", t.ID, err)
	}
	if rec, found, err = r.assemble(ctx, t, res); err != nil {
		return nil, nil, fmt.Errorf("trajectory %q: %w", t.ID, err)
	}
	return rec, found, nil
}

// match finds the path by the samples that tell something new, and places the others on it.
func (r *Recoverer) match(ctx context.Context, m method, samples []trajectory.Sample, pins match.Pins) (*match.Result, error) {
	if err := pins.Check(r.net, len(samples)); err != nil {
		return nil, err
	}
	n := newsOf(samples, pins, r.settings.news())
	res, err := m.Match(ctx, n.samples, n.pins(pins))
	if err != nil {
		return nil, err
	}
	if !n.all(samples) {
		n.spread(samples, res)
	}
	leave(r.net, samples, res)
	placePassed(r.net, samples, res)
	return res, nil
}

func (r *Recoverer) check(t *trajectory.Trajectory) error {
	if len(t.Samples) == 0 {
		return fmt.Errorf("trajectory %q has no points", t.ID)
	}
	first, last := t.Samples[0].Time, t.Samples[0].Time
	for _, s := range t.Samples {
		first, last = min(first, s.Time), max(last, s.Time)
	}
	if n := (last - first) / r.settings.Tick.Milliseconds(); n > mostTicks || n < 0 {
		return fmt.Errorf("trajectory %q spans %d instants every %v, at most %d are recovered: cut it into trips",
			t.ID, n, r.settings.Tick, mostTicks)
	}
	return nil
}

func (r *Recoverer) take() (method, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.idle); n > 0 {
		m := r.idle[n-1]
		r.idle = r.idle[:n-1]
		return m, nil
	}
	return r.newMethod()
}

func (r *Recoverer) putBack(m method) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.idle) < r.settings.threads() {
		r.idle = append(r.idle, m)
	}
}

// assemble makes the recovery of what the method found, unless ctx is done, and tells
// what the risks in it are made of.
func (r *Recoverer) assemble(ctx context.Context, t *trajectory.Trajectory, res *match.Result) (*trajectory.Recovery, []risk.Evidence, error) {
	lines, err := timelines(ctx, r.net, r.settings.Pace, t.Samples, res)
	if err != nil {
		return nil, nil, err
	}
	rec := &trajectory.Recovery{
		Trajectory:   t.ID,
		Whole:        t.Whole,
		Matches:      res.Matches,
		Alternatives: forward(res.Alternatives),
		Gaps:         gaps(res.Legs),
		Warnings:     warnings(res),
		Provenance:   r.provenance(),
	}
	for _, line := range lines {
		rec.Parts = append(rec.Parts, line.part)
	}
	if rec.Ticks, err = ticks(ctx, r.net, t, r.settings.Tick.Milliseconds(), lines, res.Matches); err != nil {
		return nil, nil, err
	}
	found := r.evidence(lines, res, t.Samples)
	r.judge(rec, found)
	rec.Spans, err = spans(ctx, r.net, lines)
	return rec, found, err
}

// forward lets a vehicle stand where another way would have it roll back on its segment:
// by no more than a receiver errs, and no line of a file can say that.
func forward(all []trajectory.Alternative) []trajectory.Alternative {
	for i := range all {
		if p := &all[i].Part; len(p.Segments) == 1 && p.EndRatio < p.StartRatio {
			p.EndRatio = p.StartRatio
		}
	}
	return all
}

func (r *Recoverer) provenance() trajectory.Provenance {
	info := r.net.Info()
	return trajectory.Provenance{
		Method:      r.settings.Method,
		Network:     info.Name,
		Fingerprint: info.Fingerprint,
		Settings:    r.settings.String(),
		Model:       r.settings.ModelName(),
		Device:      r.settings.device(),
		Version:     r.settings.Version,
	}
}

// gaps are those that are not simply drives on the network.
func gaps(legs []match.Leg) []trajectory.Gap {
	var all []trajectory.Gap
	for _, leg := range legs {
		if leg.Why != 0 {
			all = append(all, trajectory.Gap{FromSample: uint32(leg.From), ToSample: uint32(leg.To), Why: leg.Why, Broken: leg.Broken, Speed: float32(leg.Speed)})
		}
	}
	return all
}

// reason says why a leg is not simply a drive on the network.
func reason(leg match.Leg) string {
	format := map[trajectory.Why]string{
		trajectory.NoWay:   "the path breaks: the network has no way from point %d to point %d",
		trajectory.TooFar:  "no vehicle is fast enough to drive from point %d to point %d in the time there was",
		trajectory.TooFast: "no way on the network from point %d to point %d can be driven in the time there was",
		trajectory.CarPark: "the vehicle left the network from point %d to point %d: a car park or a yard",
		trajectory.NewRoad: "the vehicle left the network from point %d to point %d: a road that the network lacks",
		trajectory.Ferry:   "the vehicle left the network from point %d to point %d: a ferry",
		trajectory.Outside: "the vehicle left the network from point %d to point %d: it ends there",
		trajectory.Turned:  "the vehicle turned round from point %d to point %d where the network has no place to",
	}[leg.Why]
	return fmt.Sprintf(format, leg.From+1, leg.To+1)
}

// unmodelled names the chains of legs that a model was asked about in vain.
func unmodelled(legs []match.Leg) []string {
	var out []string
	for i := 0; i < len(legs); i++ {
		first := legs[i]
		if !first.Unmodelled {
			continue
		}
		for i+1 < len(legs) && legs[i+1].Unmodelled {
			i++
		}
		out = append(out, fmt.Sprintf("the model knows no way from point %d to point %d: the path is that of map matching", first.From+1, legs[i].To+1))
	}
	return out
}

// warnings says in words what did not fit. Points are counted from 1.
func warnings(res *match.Result) []string {
	var out []string
	for _, leg := range res.Legs {
		if leg.Why != 0 {
			out = append(out, reason(leg))
		}
	}
	out = append(out, unmodelled(res.Legs)...)
	count := make(map[trajectory.SampleState]int)
	for _, m := range res.Matches {
		count[m.State]++
	}
	for _, w := range []struct {
		state trajectory.SampleState
		text  string
	}{
		{trajectory.OffRoad, "far from any road"},
		{trajectory.Outlier, "out of reach in the time there was"},
		{trajectory.Duplicate, "not later than the point before"},
	} {
		if n := count[w.state]; n > 0 {
			out = append(out, fmt.Sprintf("%d of %d points left out: %s", n, len(res.Matches), w.text))
		}
	}
	return out
}
