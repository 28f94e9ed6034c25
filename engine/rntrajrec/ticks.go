package rntrajrec

import (
	"cmp"
	"context"
	"math"
	"slices"

	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// TickScorer is the decoder of ticks of a model. It may be used by several
// goroutines at once.
type TickScorer interface {
	// Tick takes one tick of some beams of one trip.
	Tick(in *TickInput) (TickOutput, error)
}

// TickInput is what the decoder of ticks is given of one tick.
type TickInput struct {
	Beams, Moves int // moves: of the beam with most; the others are padded

	State      []float32 // [Beams][width]
	Road       []float32 // [Beams][width] X_road of the last segment; 0 at the first tick
	Ratio      []float32 // [Beams] along it
	H          []float32 // [samples][width] of the trip
	MoveRoad   []float32 // [Beams][Moves][width] X_road of the moves
	Values     []float32 // [Beams][Moves][columns of the schema's tensor "moves"]
	Candidates []float32 // [Beams][Moves][columns of "candidates"], 0 at a tick without a sample
}

// TickOutput is what it answers.
type TickOutput struct {
	State  []float32 // [Beams][width]
	Scores []float32 // [Beams][Moves], without the moves' weights
	Ratios []float32 // [Beams][Moves] along the segments
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
	Traffic     *feature.Traffic // what other trips tell of the network; nil: nothing
}

// The search keeps so many beams, and no more than so many on one segment.
const (
	beamWidth  = 8
	perSegment = 2
)

// tickSeconds is the time between two ticks that the models are trained with.
const tickSeconds = 15

// TickDecoder recovers trajectories tick by tick, one trajectory after another.
// It must not be used by two goroutines at once.
type TickDecoder struct {
	net          *roadnet.Network
	matcher      *match.Matcher
	encoder      Encoder
	describer    *describer
	sight        sight
	trips        *feature.TripMaker
	alternatives int
	temperature  float64
	trip         feature.Trip
	stepper      stepper
}

// NewTicks prepares recovery on a network. Matching finds outliers and breaks.
func NewTicks(net *roadnet.Network, m TickModel, matching match.Settings) (*TickDecoder, error) {
	if err := m.Ticks.Check(); err != nil {
		return nil, err
	}
	matcher, err := match.New(net, matching)
	if err != nil {
		return nil, err
	}
	if err := m.Roads.Fit(net, m.Encoder); err != nil {
		return nil, err
	}
	describer, err := newDescriber(net, m.Points)
	if err != nil {
		return nil, err
	}
	d := &TickDecoder{net: net, matcher: matcher, encoder: m.Encoder, describer: describer, sight: newSight(m.Roads), trips: feature.NewTripMaker(net, m.Routes), alternatives: matching.Alternatives}
	d.trips.Traffic = m.Traffic
	d.temperature = cmp.Or(m.Temperature, 1)
	d.stepper = stepper{scorer: m.Scorer, roads: m.Roads, maker: feature.NewMoveMaker(net, m.Ticks), trip: &d.trip}
	return d, nil
}

// Match finds the path of the samples and its times. The error is that of ctx,
// of the model, or of a pin that fits no sample or segment.
func (d *TickDecoder) Match(ctx context.Context, samples []trajectory.Sample, pins []match.Pin) (*match.Result, error) {
	res, err := d.matcher.Match(ctx, samples, pins)
	if err != nil {
		return nil, err
	}
	err = eachChain(res, func(first, last int, fixed *roadnet.Position) (bool, error) {
		legs := res.Legs[first:last]
		places, own := samplesOf(samples, legs)
		d.trips.FillCandidates(&d.trip, own, fixing(d.net, own, fixed, restrict(d.net, own, places, pins)))
		d.stepper.avoid = avoid(places, pins)
		found, err := d.search(ctx, own, samples[0].Time)
		if err != nil || found == nil {
			return false, err
		}
		return true, d.report(ctx, res, legs, places, own, found)
	})
	if err != nil {
		return nil, err
	}
	return res, nil
}

// search walks over the ticks of a chain of samples and gives the beams alive at
// each sample. It gives nil where no beam comes through.
func (d *TickDecoder) search(ctx context.Context, samples []trajectory.Sample, base int64) ([][]*beam, error) {
	e, err := d.encode(samples)
	if err != nil {
		return nil, err
	}
	s := &d.stepper
	s.h = e.H
	beams, err := s.begin(e.Whole, samples[0].Time)
	if err != nil {
		return nil, err
	}
	alive := [][]*beam{beams}
	for gap := range len(samples) - 1 {
		from, to := samples[gap], samples[gap+1]
		s.enter(samples, gap)
		last := from.Time
		for _, now := range append(instants(base, from.Time, to.Time), to.Time) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			before := beams
			if beams, err = s.step(beams, last, now); err != nil {
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

// encode has the encoder look at the samples, window by window.
func (d *TickDecoder) encode(samples []trajectory.Sample) (all Encoding, err error) {
	width := d.sight.pool.roads.Width
	err = windows(len(samples), func(first, last, from, to int) error {
		d.sight.fill(d.describer, samples[first:last])
		h, whole, err := d.encoder.Encode(d.sight.pool.values, &d.sight.point, d.sight.environment)
		if err != nil {
			return err
		}
		if from == 0 {
			all.Whole = whole
		}
		all.H = append(all.H, h[(from-first)*width:(to-first)*width]...)
		return nil
	})
	return all, err
}

// instants are the ticks between two instants, Unix milliseconds, that lie whole
// ticks after a base.
func instants(base, from, to int64) []int64 {
	const every = tickSeconds * 1000
	var all []int64
	for now := base + (from-base)/every*every + every; now < to; now += every {
		all = append(all, now)
	}
	return all
}

// beam is one way to be somewhere at a tick.
type beam struct {
	before    *beam // at the tick before; nil at the first
	at        roadnet.Position
	path      []roadnet.SegmentID // driven since then, without that segment
	time      int64               // Unix milliseconds
	candidate int                 // of the trip, at a sample; else -1
	score     float64             // logarithm of its probability
	state     []float32
}

// weights are the probabilities of beams beside one another, evened out by the
// temperature: a sum over many ticks is too sure.
func (d *TickDecoder) weights(beams []*beam) []float64 {
	most := math.Inf(-1)
	for _, b := range beams {
		most = max(most, b.score)
	}
	all, sum := make([]float64, len(beams)), 0.0
	for i, b := range beams {
		all[i] = math.Exp((b.score - most) / d.temperature)
		sum += all[i]
	}
	for i := range all {
		all[i] /= sum
	}
	return all
}

// choose keeps the best of the ways on: beamWidth, and perSegment on each.
func choose(all []*beam) []*beam {
	slices.SortStableFunc(all, func(a, b *beam) int { return cmp.Compare(b.score, a.score) })
	on := make(map[roadnet.SegmentID]int)
	var kept []*beam
	for _, b := range all {
		if on[b.at.Segment] < perSegment && len(kept) < beamWidth {
			on[b.at.Segment]++
			kept = append(kept, b)
		}
	}
	return kept
}
