package rntrajrec

import (
	"cmp"
	"context"

	"retrace/engine/feature"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Context is the encoder of a model whose decoder of routes looks at it, as one
// network sees it.
type Context struct {
	Encoder       Encoder
	Roads         *Roads // of the network
	Points        feature.Settings
	Routes, Times bool // which of the two models look
}

// The samples of a long trip are encoded in windows of so many, and of so many
// more on either side, so that the memory is bounded.
const windowSamples, windowMargin = 64, 16

// windows cuts n samples into windows: samples first to last are looked at to tell
// of those from from to to.
func windows(n int, each func(first, last, from, to int) error) error {
	if n <= windowSamples+2*windowMargin {
		return each(0, n, 0, n)
	}
	for from := 0; from < n; from += windowSamples {
		to := min(from+windowSamples, n)
		if err := each(max(0, from-windowMargin), min(to+windowMargin, n), from, to); err != nil {
			return err
		}
	}
	return nil
}

// describer describes samples for an encoder, for one goroutine at a time.
type describer struct {
	points      *feature.PointMaker
	environment feature.Environment
}

func newDescriber(net *roadnet.Network, s feature.Settings) (*describer, error) {
	points, err := feature.NewPointMaker(net, s)
	if err != nil {
		return nil, err
	}
	return &describer{points, feature.NewEnvironment(net.Info().TimeZone)}, nil
}

// sight is a window of samples as an encoder is asked about it.
type sight struct {
	point       feature.Points
	environment []float32
	pool        pool
	road        []float32 // of the places of the pool
}

func newSight() sight {
	return sight{environment: make([]float32, feature.CurrentSchema().Width("environment")), pool: newPool()}
}

// fill describes samples.
func (s *sight) fill(ctx context.Context, d *describer, roads *Roads, samples []trajectory.Sample) (err error) {
	d.points.Fill(&s.point, samples)
	s.point.Trim()
	d.environment.Fill(s.environment, samples[0].Time)
	s.pool.reset()
	s.pool.gather(s.point.Segments, roads.net.NumSegments())
	s.road, err = roads.Append(ctx, s.road[:0], s.pool.segments)
	return err
}

// askEncoder encodes windows, one a call.
func askEncoder(e Encoder) func([]*sight) ([]Encoding, error) {
	return func(asked []*sight) ([]Encoding, error) {
		all := make([]Encoding, len(asked))
		for i, s := range asked {
			h, whole, err := e.Encode(s.road, &s.point, s.environment)
			if err != nil {
				return nil, err
			}
			all[i] = Encoding{h, whole}
		}
		return all, nil
	}
}

// encodeAll appends what an encoder says of samples, and gives what it says of the
// first window of them as a whole.
func encodeAll(ctx context.Context, searchers *searchers, encoder *exchange[*sight, Encoding], look *sight, samples []trajectory.Sample, h []float32, roads *Roads) (all, whole []float32, err error) {
	width := roads.Width()
	err = windows(len(samples), func(first, last, from, to int) error {
		err := searchers.with(ctx, func(s *searcher) error {
			return cmp.Or(look.fill(ctx, s.describer, roads, samples[first:last]), ctx.Err())
		})
		if err != nil {
			return err
		}
		e, err := encoder.ask(ctx, look)
		if err != nil {
			return err
		}
		if from == 0 {
			whole = e.Whole
		}
		h = append(h, e.H[(from-first)*width:(to-first)*width]...)
		return nil
	})
	return h, whole, err
}

// encode has the encoder look at the samples of a job.
func (d *Decoder) encode(ctx context.Context, j *job) (err error) {
	if d.context == nil {
		return nil
	}
	if j.sight.environment == nil {
		j.sight, j.pool = newSight(), newPool()
	}
	j.h, _, err = encodeAll(ctx, d.searchers, d.encodings, &j.sight, j.samples, j.h[:0], d.context.Roads)
	return err
}

// routeQuestion is what is asked of some candidates and options of a job. Of a model
// that looks at the encoder it is told of what they lie on only, with options padded to
// so many segments.
func (d *Decoder) routeQuestion(ctx context.Context, j *job, r rows, longest int) (q routeQuestion, err error) {
	t := &j.trip
	c0, c1, o0, o1 := r.c0, r.c1, r.o0, r.o1
	q = routeQuestion{RouteInput: RouteInput{
		Candidates: t.CandidateValues[c0*t.CandidateColumns : c1*t.CandidateColumns],
		Options:    t.RouteValues[o0*t.RouteColumns : o1*t.RouteColumns],
	}}
	if d.context == nil || !d.context.Routes {
		return q, nil
	}
	c, o := t.Candidates[c0:c1], t.Options[o0:o1]
	sample := owners(t.CandidateStart, c0, c1)
	before := owners(t.OptionStart, o0, o1)
	q.Longest = longest
	j.pool.reset()
	for i, h := range c {
		q.CandidateSample = append(q.CandidateSample, sample[i])
		q.CandidateSegment = append(q.CandidateSegment, j.pool.place(h.Segment))
	}
	q.OptionSample = before
	q.OptionSegments = make([]int32, 0, len(o)*q.Longest)
	for _, opt := range o {
		for _, id := range opt.Segments {
			q.OptionSegments = append(q.OptionSegments, j.pool.place(id))
		}
		for range q.Longest - len(opt.Segments) {
			q.OptionSegments = append(q.OptionSegments, nowhere)
		}
	}
	q.Seen, err = d.around(ctx, j, q.CandidateSample, q.OptionSample)
	return q, err
}

// around is what is seen of the segments in a job's pool and of the samples told
// of and those after them, which are numbered anew.
func (d *Decoder) around(ctx context.Context, j *job, told ...[]int32) (Seen, error) {
	width := d.context.Roads.Width()
	first, last := int32(len(j.samples)), int32(0)
	for _, all := range told {
		for _, at := range all {
			first, last = min(first, at), max(last, at)
		}
	}
	for _, all := range told {
		for i := range all {
			all[i] -= first
		}
	}
	end := min(int(last)+2, len(j.samples))
	road, err := d.context.Roads.Append(ctx, nil, j.pool.segments)
	return Seen{Road: road, H: j.h[int(first)*width : end*width]}, err
}

// owners says of each of the rows from first to last which group it is of, where
// start are the first rows of the groups, and where those of the last end.
func owners(start []int32, first, last int) []int32 {
	all := make([]int32, 0, last-first)
	group := int32(0)
	for row := int32(first); row < int32(last); row++ {
		for start[group+1] <= row {
			group++
		}
		all = append(all, group)
	}
	return all
}

// see adds what a gap's pieces lie on to a question about it, where the model
// looks at that.
func (d *Decoder) see(ctx context.Context, j *job, gap int, pieces []feature.Piece) (segments []int32, seen Seen, err error) {
	if d.context == nil || !d.context.Times {
		return nil, Seen{}, nil
	}
	j.pool.reset()
	for _, p := range pieces {
		segments = append(segments, j.pool.place(p.Segment))
	}
	seen, err = d.around(ctx, j, []int32{int32(gap)})
	return segments, seen, err
}
