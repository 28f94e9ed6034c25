package rntrajrec

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Decoder recovers trajectories by whole routes. It may be used by several
// goroutines at once: what they ask of the model goes into common calls.
type Decoder struct {
	net          *roadnet.Network
	alternatives int
	searchers    *searchers
	spread       float64
	worth        float64
	blend        Blend
	jobs         sync.Pool
	routes       *exchange[routeQuestion, routeAnswer]
	times        *exchange[[]gapQuestion, []gapAnswer]
	context      *Context // nil: the model looks at no encoder
	encodings    *exchange[*sight, Encoding]
}

// Settings say how a Decoder works.
type Settings struct {
	Routes   feature.RouteSettings // that the model was trained with
	Matching match.Settings        // of what finds outliers and breaks
	Threads  int                   // goroutines that compute at once
	Calls    int                   // of the model at once
	Traffic  *feature.Traffic      // what other trips tell of the network; nil: nothing
	Spread   float64               // the model's doubt about times is multiplied by it; 0: 1
	Centroid float64               // how probable a segment is worth driving, see [match.Centroid]; 0: the most probable path
	Blend    Blend                 // with map matching, in short gaps
	Context  *Context              // of a model that looks at its encoder; else nil
}

// New prepares recovery on a network.
func New(net *roadnet.Network, scorer Scorer, s Settings) (*Decoder, error) {
	s.Routes.Candidates.Excess = cmp.Or(s.Routes.Candidates.Excess, Excess)
	look := searching{Routes: s.Routes, Matching: s.Matching, Threads: s.Threads, Traffic: s.Traffic, Blend: s.Blend}
	if s.Context != nil {
		look.Points = &s.Context.Points
	}
	searchers, err := newSearchers(net, look)
	if err != nil {
		return nil, err
	}
	schema, width := feature.CurrentSchema(), 0
	d := &Decoder{net: net, alternatives: s.Matching.Alternatives, searchers: searchers, spread: cmp.Or(s.Spread, 1), worth: s.Centroid, blend: s.Blend, context: s.Context}
	if c := s.Context; c != nil {
		if err := c.Roads.Fit(net); err != nil {
			return nil, err
		}
		width = c.Roads.Width()
		d.encodings = &exchange[*sight, Encoding]{call: askEncoder(c.Encoder), size: func(*sight) int { return 1 }, most: 1, lanes: s.Calls}
	}
	d.jobs.New = func() any { return new(job) }
	d.routes = &exchange[routeQuestion, routeAnswer]{
		call: askRoutes(scorer, schema.Width("candidates"), schema.Width("routes"), width),
		size: routeQuestion.size, most: mostValues, lanes: s.Calls,
	}
	d.times = &exchange[[]gapQuestion, []gapAnswer]{
		call: askTimes(scorer, schema.Width("pieces"), width),
		size: sizeOfGaps, most: mostPieces, lanes: s.Calls,
	}
	return d, nil
}

// Match finds the path of the samples and its times. The error is that of ctx,
// of the model, or of a pin that fits no sample or segment.
//
// Where the model's path is one that a vehicle drives, nothing else is asked.
// Where it is not, or where nothing leads through all samples, map matching says
// first which samples are outliers and where the network has no way.
func (d *Decoder) Match(ctx context.Context, samples []trajectory.Sample, pins []match.Pin) (*match.Result, error) {
	j, _ := d.jobs.Get().(*job)
	defer func() {
		j.pins, j.res, j.legs, j.shares, j.scored = nil, nil, nil, nil, false // what is handed out is not kept
		d.jobs.Put(j)
	}()
	return d.searchers.match(ctx, samples, pins, func(res *match.Result, legs []match.Leg, fixed *roadnet.Position, plain bool) (bool, error) {
		j.begin(samples, pins, res, legs, fixed)
		return d.decode(ctx, j, plain)
	})
}

// match has the chains of legs of some samples decoded: of a result as it is when
// nothing is known or, where that is not to be had plain, of the one that map
// matching gives.
func (all *searchers) match(ctx context.Context, samples []trajectory.Sample, pins []match.Pin,
	decode func(res *match.Result, legs []match.Leg, fixed *roadnet.Position, plain bool) (bool, error)) (*match.Result, error) {
	if res := unmatched(samples); len(pins) == 0 && len(res.Legs) > 0 {
		decoded, err := inWindows(res, 0, len(res.Legs), func(first, last int, fixed *roadnet.Position) (bool, error) {
			return decode(res, res.Legs[first:last], fixed, true)
		})
		if decoded || err != nil {
			return res, err
		}
	}
	var res *match.Result
	err := all.with(ctx, func(s *searcher) (err error) {
		res, err = s.matcher.Match(ctx, samples, pins)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = eachChain(res, func(first, last int, fixed *roadnet.Position) (bool, error) {
		return decode(res, res.Legs[first:last], fixed, false)
	})
	if err != nil {
		return nil, err
	}
	return res, nil
}

// unmatched is a result of which nothing is known but which samples are
// duplicates: legs lead from each other sample to the next.
func unmatched(samples []trajectory.Sample) *match.Result {
	res := &match.Result{Matches: make([]trajectory.SampleMatch, len(samples))}
	last := 0
	for i := 1; i < len(samples); i++ {
		if samples[i].Time <= samples[last].Time {
			res.Matches[i].State = trajectory.Duplicate
			continue
		}
		res.Legs = append(res.Legs, match.Leg{From: last, To: i})
		last = i
	}
	return res
}

// eachChain has every unbroken chain of legs decoded, which decode reports to
// have done. Where it has not, the alternatives stay that matching found.
func eachChain(res *match.Result, decode func(first, last int, fixed *roadnet.Position) (bool, error)) error {
	alternatives := res.Alternatives
	res.Alternatives = nil
	for first := 0; first < len(res.Legs); {
		last := first
		for last < len(res.Legs) && !res.Legs[last].Broken {
			last++
		}
		if last > first {
			decoded, err := inWindows(res, first, last, decode)
			if err != nil {
				return err
			}
			if !decoded {
				for i := first; i < last; i++ {
					res.Legs[i].Unmodelled = true
				}
				res.Alternatives = append(res.Alternatives, within(alternatives, res.Legs[first:last])...)
			}
		}
		first = last + 1
	}
	return nil
}

// within are the alternatives of some legs.
func within(all []trajectory.Alternative, legs []match.Leg) []trajectory.Alternative {
	var some []trajectory.Alternative
	for _, a := range all {
		if int(a.FromSample) >= legs[0].From && int(a.ToSample) <= legs[len(legs)-1].To {
			some = append(some, a)
		}
	}
	return some
}

// job is a chain of legs on its way through a Decoder.
type job struct {
	samples []trajectory.Sample // of the chain
	places  []int               // of these in the trajectory
	pins    []match.Pin
	res     *match.Result
	legs    []match.Leg
	fixed   *roadnet.Position // of the first sample; nil: not known
	trip    feature.Trip
	scored  bool // the trip and the scores in the chain are those of the samples
	chain   chain
	path    []int           // by gap, the option that is driven
	shares  [][]match.Share // by gap
	pieces  gapPieces

	sight sight     // of a model that looks at the encoder
	h     []float32 // what that says of the samples
	pool  pool
}

// begin takes another chain of legs. Where it leads through the same samples as
// the one before, what was found out of them holds.
func (j *job) begin(samples []trajectory.Sample, pins []match.Pin, res *match.Result, legs []match.Leg, fixed *roadnet.Position) {
	places, own := samplesOf(samples, legs)
	j.scored = j.scored && len(pins) == 0 && fixed == nil && j.fixed == nil && slices.Equal(places, j.places)
	j.pins, j.res, j.legs, j.fixed = pins, res, legs, fixed
	j.places, j.samples = places, own
}

// decode puts the model's path in the place of the legs of a job. It reports
// false, and leaves the legs as they were, where two samples have no route between
// their candidates and, if it is to be plain, where the path is not.
func (d *Decoder) decode(ctx context.Context, j *job, plain bool) (bool, error) {
	if !j.scored {
		if found, err := d.score(ctx, j); err != nil || !found {
			return false, err
		}
	}
	decoded := false
	err := d.searchers.with(ctx, func(s *searcher) error {
		if solved, err := j.chain.solve(ctx); err != nil || !solved {
			return err
		}
		if err := j.settle(ctx, d.worth); err != nil {
			return err
		}
		if plain {
			if is, err := j.plain(ctx, s.matcher); err != nil || !is {
				return err
			}
		}
		decoded = true
		if err := d.report(ctx, j); err != nil {
			return err
		}
		return d.cut(ctx, j, s)
	})
	if err != nil || !decoded {
		return false, err
	}
	answers, err := d.askTimes(ctx, j.pieces.questions)
	if err != nil {
		return false, err
	}
	j.pieces.tell(answers, j.legs, d.spread)
	return true, nil
}

// score finds the routes of a job and asks the model about them. It reports false
// where none lead through all gaps.
func (d *Decoder) score(ctx context.Context, j *job) (bool, error) {
	through := false
	err := d.searchers.with(ctx, func(s *searcher) error {
		s.trips.Avoid = avoid(j.places, j.pins)
		through = s.trips.Fill(&j.trip, j.samples, fixing(d.net, j.samples, j.fixed, restrict(d.net, j.samples, j.places, j.pins)))
		return ctx.Err()
	})
	if err != nil || !through {
		return false, err
	}
	a, err := d.scores(ctx, j)
	if err != nil {
		return false, err
	}
	j.chain.trip, j.chain.u, j.chain.v, j.scored = &j.trip, a.u, a.v, true
	return true, d.searchers.with(ctx, func(s *searcher) error {
		j.blend(s.matcher, s.trips.Close, d.blend)
		return nil
	})
}

// scores are those of the model; none where no gap is long enough to ask it, as map
// matching then scores all.
func (d *Decoder) scores(ctx context.Context, j *job) (routeAnswer, error) {
	if d.blend.all(j.samples) {
		if d.context != nil && d.context.Times && d.asksWhen(j) {
			if err := d.encode(ctx, j); err != nil {
				return routeAnswer{}, err
			}
		}
		return routeAnswer{make([]float32, len(j.trip.Candidates)), make([]float32, len(j.trip.Options))}, nil
	}
	if err := d.encode(ctx, j); err != nil {
		return routeAnswer{}, err
	}
	return d.askRoutes(ctx, j)
}

// plain reports whether the path settled on is one that a vehicle drives in
// the time there was, unless ctx is done.
func (j *job) plain(ctx context.Context, m *match.Matcher) (bool, error) {
	for gap, k := range j.path {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		from, to := j.chain.ends(gap, k)
		seconds := float64(j.samples[gap+1].Time-j.samples[gap].Time) / 1000
		if !m.Plain(j.trip.Options[k].Route, j.trip.Candidates[from].Position, j.trip.Candidates[to].Position, seconds) {
			return false, nil
		}
	}
	return true, nil
}

// samplesOf are the samples that a chain of legs leads through, and their places
// in the trajectory.
func samplesOf(samples []trajectory.Sample, legs []match.Leg) (places []int, own []trajectory.Sample) {
	places = append(places, legs[0].From)
	for _, leg := range legs {
		places = append(places, leg.To)
	}
	for _, at := range places {
		own = append(own, samples[at])
	}
	return places, own
}

// restrict holds the candidates of samples to what pins say.
func restrict(net *roadnet.Network, samples []trajectory.Sample, places []int, pins match.Pins) feature.Restrict {
	if len(pins) == 0 {
		return nil
	}
	return func(sample int, found []roadnet.Hit) []roadnet.Hit {
		if id, ok := pins.Pinned(places[sample]); ok {
			s := samples[sample]
			return []roadnet.Hit{net.Project(roadnet.Point{Lon: s.Lon, Lat: s.Lat}, id)}
		}
		return pins.Keep(places[sample], found)
	}
}

// avoid says which segments pins keep out of each gap.
func avoid(places []int, pins match.Pins) func(gap int) []roadnet.SegmentID {
	if len(pins) == 0 {
		return nil
	}
	return func(gap int) []roadnet.SegmentID { return pins.Avoided(places[gap], places[gap+1]) }
}
