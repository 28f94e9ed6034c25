package rntrajrec

import (
	"cmp"
	"context"
	"sync"

	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// TickScorer is the decoder of ticks of a model. It may be used by several
// goroutines at once.
type TickScorer interface {
	// Tick takes one tick of some beams of some trips: their states now, [beams][width],
	// and the scores of the moves, without their weights.
	Tick(in *TickInput) (state, scores []float32, err error)

	// Ratios gives the ratio along the segment of each of some moves.
	Ratios(in *RatioInput) ([]float32, error)
}

// TickInput is what the decoder of ticks is given of one tick.
type TickInput struct {
	State    []float32 // [beams][width]
	Road     []float32 // [beams][width] X_road of the last segment; 0 at the first tick
	Ratio    []float32 // [beams] along it
	BeamTrip []int32   // [beams]

	H       []float32 // [trips][Samples][width]
	Known   []float32 // [trips][Samples] 1 where there is a sample, 0 where there is none
	Samples int       // of the trip with most, and some more

	MoveBeam []int32 // [moves]
	Moves
}

// Moves are what a beam may do next.
type Moves struct {
	Road       []float32 // [moves][width] X_road of their segments
	Values     []float32 // [moves] rows of the schema's tensor "moves"
	Candidates []float32 // [moves] rows of "candidates", 0 at a tick without a sample
}

// RatioInput are moves that were chosen, each with the state of its beam now.
type RatioInput struct {
	State []float32 // [moves][width]
	Moves
}

// TickModel is a model with a decoder of ticks, as one network sees it.
type TickModel struct {
	Encoder Encoder
	Roads   *Roads // of the network
	Scorer  TickScorer
	Points  feature.Settings
	Ticks   feature.TickSettings
	Routes  feature.RouteSettings // for the candidates of samples
	// What the logarithms of the beams' probabilities are divided by, so that they are
	// right on average; 0: 1. It changes no path.
	Temperature float64
	Beams       int              // that the search keeps; 0: 8, 1: the best move at each tick
	Traffic     *feature.Traffic // what other trips tell of the network; nil: nothing
}

// tickSeconds is the time between two ticks that the models are trained with.
const tickSeconds = 15

// TickDecoder recovers trajectories tick by tick. It may be used by several
// goroutines at once: what they ask of the model goes into common calls.
type TickDecoder struct {
	net          *roadnet.Network
	alternatives int
	temperature  float64
	beams        int
	roads        *Roads
	searchers    *searchers
	jobs         sync.Pool
	encodings    *exchange[*sight, Encoding]
	ticks        *exchange[*TickInput, tickAnswer]
	ratios       *exchange[*RatioInput, []float32]
}

// NewTicks prepares recovery on a network with so many goroutines that compute at
// once and so many calls of the model at once. Matching finds outliers and breaks.
func NewTicks(net *roadnet.Network, m TickModel, matching match.Settings, threads, calls int) (*TickDecoder, error) {
	if err := m.Ticks.Check(); err != nil {
		return nil, err
	}
	if err := m.Roads.Fit(net); err != nil {
		return nil, err
	}
	searchers, err := newSearchers(net, searching{
		Routes: m.Routes, Matching: matching, Threads: threads, Traffic: m.Traffic, Points: &m.Points, Ticks: &m.Ticks,
	})
	if err != nil {
		return nil, err
	}
	d := &TickDecoder{net: net, alternatives: matching.Alternatives, temperature: cmp.Or(m.Temperature, 1), beams: cmp.Or(m.Beams, beamWidth), roads: m.Roads, searchers: searchers}
	d.jobs.New = func() any { return newTickJob() }
	d.encodings = &exchange[*sight, Encoding]{call: askEncoder(m.Encoder), size: func(*sight) int { return 1 }, most: 1, lanes: calls}
	d.ticks = &exchange[*TickInput, tickAnswer]{call: askTicks(m.Scorer, m.Roads.Width()), size: sizeOfTick, most: mostValues, lanes: calls}
	d.ratios = &exchange[*RatioInput, []float32]{call: askRatios(m.Scorer, m.Roads.Width()), size: sizeOfRatios, most: mostValues, lanes: calls}
	return d, nil
}

// Match finds the path of the samples and its times. The error is that of ctx,
// of the model, or of a pin that fits no sample or segment.
//
// Where the model's path is one that a vehicle drives, nothing else is asked.
// Where it is not, or where nothing leads through all samples, map matching says
// first which samples are outliers and where the network has no way.
func (d *TickDecoder) Match(ctx context.Context, samples []trajectory.Sample, pins []match.Pin) (*match.Result, error) {
	j, _ := d.jobs.Get().(*tickJob)
	defer func() {
		j.forget()
		d.jobs.Put(j)
	}()
	return d.searchers.match(ctx, samples, pins, func(res *match.Result, legs []match.Leg, fixed *roadnet.Position, plain bool) (bool, error) {
		j.begin(samples, pins, legs, fixed)
		return d.decode(ctx, j, res, legs, samples[0].Time, plain)
	})
}

// decode puts the model's path in the place of some legs. It reports false, and
// leaves the legs as they were, where no beam comes through and, if it is to be
// plain, where the path is not.
func (d *TickDecoder) decode(ctx context.Context, j *tickJob, res *match.Result, legs []match.Leg, base int64, plain bool) (bool, error) {
	if !j.sought {
		found, err := d.search(ctx, j, base)
		if err != nil {
			return false, err
		}
		j.found, j.sought = found, true
	}
	if j.found == nil {
		return false, nil
	}
	chosen := chosenOf(j.found)
	if plain {
		if is, err := d.plain(ctx, j, chosen); err != nil || !is {
			return false, err
		}
	}
	return true, d.report(ctx, j, res, legs, j.found, chosen)
}

// plain reports whether a path is one that a vehicle drives in the time there was.
func (d *TickDecoder) plain(ctx context.Context, j *tickJob, chosen []*beam) (is bool, err error) {
	err = d.searchers.with(ctx, func(s *searcher) error {
		for gap, b := range chosen[1:] {
			if err := ctx.Err(); err != nil {
				return err
			}
			from, to := chosen[gap].at, b.at
			drive := s.matcher.Drive(wayOf(b).path(), from, to)
			if !s.matcher.Plain(drive, from, to, seconds(j.samples[gap].Time, j.samples[gap+1].Time)) {
				return nil
			}
		}
		is = true
		return nil
	})
	return is, err
}

// search walks over the ticks of a chain of samples and gives the beams alive at
// each sample. It gives nil where no beam comes through.
func (d *TickDecoder) search(ctx context.Context, j *tickJob, base int64) ([][]*beam, error) {
	whole, err := d.encode(ctx, j)
	if err != nil {
		return nil, err
	}
	beams, err := d.start(ctx, j, whole)
	if err != nil || len(beams) == 0 {
		return nil, err
	}
	alive := [][]*beam{beams}
	for gap := range len(j.samples) - 1 {
		from, to := j.samples[gap], j.samples[gap+1]
		if err := d.enter(ctx, j, gap); err != nil {
			return nil, err
		}
		last := from.Time
		for _, now := range append(trajectory.Instants(base, from.Time, to.Time, tickSeconds*1000), to.Time) {
			before := beams
			if beams, err = d.step(ctx, j, beams, last, now); err != nil {
				return nil, err
			}
			if len(beams) == 0 {
				return nil, nil
			}
			for _, b := range before {
				b.state = nil // so that a long trip keeps no more than it must
			}
			last = now
		}
		alive = append(alive, beams)
	}
	return alive, nil
}

// encode finds the candidates of the samples and has the encoder look at these,
// window by window. It gives what that says of the whole trip.
func (d *TickDecoder) encode(ctx context.Context, j *tickJob) (whole []float32, err error) {
	err = d.searchers.with(ctx, func(s *searcher) error {
		s.trips.FillCandidates(&j.trip, j.samples, fixing(d.net, j.samples, j.fixed, restrict(d.net, j.samples, j.places, j.pins)))
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	h, whole, err := encodeAll(ctx, d.searchers, d.encodings, &j.sight, j.samples, j.input.H[:0], d.roads)
	if err != nil {
		return nil, err
	}
	j.tell(h, d.roads.Width())
	return whole, nil
}
