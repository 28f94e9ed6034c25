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

// tickJob is a chain of samples on its way through a TickDecoder. Its memory is
// used again.
type tickJob struct {
	samples []trajectory.Sample // of the chain
	places  []int               // of these in the trajectory
	pins    []match.Pin
	fixed   *roadnet.Position // of the first sample; nil: not known
	sought  bool              // found is of the samples
	found   [][]*beam         // alive at each of them; nil: no beam comes through

	trip  feature.Trip // its candidates
	sight sight
	goal  feature.Goal // of the gap
	gap   int
	avoid func(gap int) []roadnet.SegmentID // what is not driven in a gap; nil: nothing is known
	shut  []roadnet.SegmentID               // in this gap

	moves   []feature.Moves     // by beam
	paths   []roadnet.SegmentID // of all moves, one after the other
	ends    []int               // of the paths, by move
	first   []int               // move of each beam
	added   []roadnet.SegmentID // of the moves that are asked about
	logs    []float64           // of the probability of each move, with its beam's
	chances []float64           // of each move beside the others
	input   TickInput
	ratio   RatioInput
}

func newTickJob() *tickJob { return &tickJob{sight: newSight()} }

// begin takes another chain of legs. Where it leads through the same samples as the
// one before, what was found out of them holds.
func (j *tickJob) begin(samples []trajectory.Sample, pins []match.Pin, legs []match.Leg, fixed *roadnet.Position) {
	places, own := samplesOf(samples, legs)
	j.sought = j.sought && len(pins) == 0 && fixed == nil && j.fixed == nil && slices.Equal(places, j.places)
	j.places, j.samples = places, own
	j.pins, j.fixed, j.avoid = pins, fixed, avoid(j.places, pins)
}

// forget lets go of what is not its own.
func (j *tickJob) forget() {
	j.pins, j.samples, j.fixed, j.avoid, j.shut = nil, nil, nil, nil, nil
	j.sought, j.found = false, nil
}

// tell tells of the samples what the encoder says of them. They are padded as far
// as their number says, so that what is answered depends on the trip alone.
func (j *tickJob) tell(h []float32, width int) {
	n := rung(len(j.samples))
	j.input.H = append(h, make([]float32, n*width-len(h))...)
	j.input.Known = zeros(j.input.Known, n)
	for i := range j.samples {
		j.input.Known[i] = 1
	}
	j.input.Samples = n
}

// start chooses among the candidates of the first sample.
func (d *TickDecoder) start(ctx context.Context, j *tickJob, whole []float32) ([]*beam, error) {
	j.gap = -1
	root := []*beam{{state: whole, candidate: -1}}
	err := d.searchers.with(ctx, func(s *searcher) error {
		j.reset(1)
		s.moves.FillFirst(&j.moves[0], j.trip.CandidatesOf(0))
		for range j.moves[0].Segments {
			j.ends = append(j.ends, 0)
		}
		return j.ask(ctx, root, d.roads)
	})
	if err != nil {
		return nil, err
	}
	beams, err := d.choose(ctx, j, root, j.samples[0].Time, true)
	for _, b := range beams {
		b.before = nil
	}
	return beams, err
}

// enter begins the gap after a sample.
func (d *TickDecoder) enter(ctx context.Context, j *tickJob, gap int) error {
	j.gap, j.shut = gap, nil
	if j.avoid != nil {
		j.shut = j.avoid(gap)
	}
	from, to := j.samples[gap], j.samples[gap+1]
	a, b := roadnet.Point{Lon: from.Lon, Lat: from.Lat}, roadnet.Point{Lon: to.Lon, Lat: to.Lat}
	return d.searchers.with(ctx, func(s *searcher) error {
		s.moves.Begin(&j.goal, a, b, j.trip.CandidatesOf(gap+1), seconds(from.Time, to.Time))
		return ctx.Err()
	})
}

func seconds(from, to int64) float64 { return float64(to-from) / 1000 }

// step takes beams from one instant to another.
func (d *TickDecoder) step(ctx context.Context, j *tickJob, beams []*beam, last, now int64) ([]*beam, error) {
	end := j.samples[j.gap+1].Time
	err := d.searchers.with(ctx, func(s *searcher) error {
		j.reset(len(beams))
		for i, b := range beams {
			if now == end {
				s.moves.FillSample(&j.moves[i], &j.goal, b.at, seconds(last, now))
			} else {
				s.moves.Fill(&j.moves[i], &j.goal, b.at, seconds(last, now), seconds(now, end))
			}
			for k := range j.moves[i].Segments {
				j.lead(d.net, s.moves, b, i, k)
			}
		}
		return cmp.Or(j.ask(ctx, beams, d.roads), ctx.Err())
	})
	if err != nil {
		return nil, err
	}
	return d.choose(ctx, j, beams, now, now == end)
}

func (j *tickJob) reset(beams int) {
	for len(j.moves) < beams {
		j.moves = append(j.moves, feature.Moves{})
	}
	j.paths, j.ends = j.paths[:0], j.ends[:0]
}

// lead notes the way of a move, and rules it out where that is shut, or where a
// restriction over several junctions forbids it to who comes from where the beam does.
func (j *tickJob) lead(net *roadnet.Network, m *feature.MoveMaker, b *beam, beam, k int) {
	begin := len(j.paths)
	j.paths = m.Path(k, j.paths)
	j.ends = append(j.ends, len(j.paths))
	way := j.paths[begin:]
	allowed := true
	if net.NumStates() > net.NumSegments() {
		_, allowed = net.DriveOn(b.car, way)
	}
	if !allowed || len(j.shut) > 0 && slices.ContainsFunc(way, func(id roadnet.SegmentID) bool { return slices.Contains(j.shut, id) }) {
		j.moves[beam].Weights[k] = float32(math.Inf(-1))
	}
}

// ask lays out what the model is asked of the beams' moves.
func (j *tickJob) ask(ctx context.Context, beams []*beam, roads *Roads) (err error) {
	in := &j.input
	in.State, in.Road, in.Ratio, in.BeamTrip = in.State[:0], in.Road[:0], in.Ratio[:0], in.BeamTrip[:0]
	in.MoveBeam, j.first = in.MoveBeam[:0], j.first[:0]
	in.Moves.reset()
	j.added = j.added[:0]
	for i, b := range beams {
		j.first = append(j.first, len(in.MoveBeam))
		in.State, in.Ratio, in.BeamTrip = append(in.State, b.state...), append(in.Ratio, float32(b.at.Ratio)), append(in.BeamTrip, 0)
		for k := range j.moves[i].Segments {
			in.MoveBeam = append(in.MoveBeam, int32(i))
			j.add(&in.Moves, i, k)
		}
	}
	if in.Moves.Road, err = roads.Append(ctx, in.Moves.Road, j.added); err != nil {
		return err
	}
	if j.gap < 0 {
		in.Road = append(in.Road, make([]float32, len(beams)*roads.Width())...)
		return nil
	}
	j.added = j.added[:0]
	for _, b := range beams {
		j.added = append(j.added, b.at.Segment)
	}
	in.Road, err = roads.Append(ctx, in.Road, j.added)
	return err
}

func (m *Moves) reset() {
	m.Road, m.Values, m.Candidates = m.Road[:0], m.Values[:0], m.Candidates[:0]
}

// add appends what is known of a move, but for X_road of its segment, which is asked
// for with those of the others.
func (j *tickJob) add(to *Moves, beam, k int) {
	m, wide := &j.moves[beam], j.trip.CandidateColumns
	j.added = append(j.added, roadnet.SegmentID(m.Segments[k]))
	to.Values = append(to.Values, m.Values[k*m.Columns:(k+1)*m.Columns]...)
	c := m.Candidates[k]
	if c < 0 {
		n := len(to.Candidates)
		to.Candidates = slices.Grow(to.Candidates, wide)[:n+wide]
		clear(to.Candidates[n:])
		return
	}
	at := (int(j.trip.CandidateStart[j.gap+1]) + int(c)) * wide
	to.Candidates = append(to.Candidates, j.trip.CandidateValues[at:at+wide]...)
}

// choose has the model judge all moves, and keeps the best.
func (d *TickDecoder) choose(ctx context.Context, j *tickJob, beams []*beam, now int64, sample bool) ([]*beam, error) {
	if len(j.input.MoveBeam) == 0 {
		return nil, nil
	}
	answer, err := d.ticks.ask(ctx, &j.input)
	if err != nil {
		return nil, err
	}
	j.judge(beams, answer.scores)
	told := j.believed(beams, d.temperature, sample)
	kept := 0.0
	width := d.roads.Width()
	var next []*beam
	var chosen []int
	for _, at := range best(j.logs, d.beams, func(at int) int32 { i := j.input.MoveBeam[at]; return j.moves[i].Segments[at-j.first[i]] }) {
		i := int(j.input.MoveBeam[at])
		k := at - j.first[i]
		n := &beam{before: beams[i], path: j.pathOf(at), time: now, candidate: -1, score: j.logs[at], belief: told,
			state: answer.state[i*width : (i+1)*width : (i+1)*width]}
		n.at.Segment = roadnet.SegmentID(j.moves[i].Segments[k])
		n.car = roadnet.State(n.at.Segment)
		if j.gap >= 0 {
			n.car, _ = d.net.DriveOn(beams[i].car, n.path) // it may, else it were not chosen
		}
		if sample {
			n.candidate = int(j.trip.CandidateStart[j.gap+1] + j.moves[i].Candidates[k])
			n.at.Ratio = j.trip.Candidates[n.candidate].Ratio
		}
		next, chosen = append(next, n), append(chosen, at)
		kept += j.chances[at]
	}
	if !sample { // at a sample all that may be is known again
		told.followed *= kept
	}
	if !sample && len(next) > 0 {
		if err := d.place(ctx, j, next, chosen); err != nil {
			return nil, err
		}
	}
	for _, n := range next {
		if j.gap >= 0 && len(n.path) == 0 { // no one drives backwards
			n.at.Ratio = max(n.at.Ratio, n.before.at.Ratio)
		}
	}
	return next, nil
}

// pathOf is the way of a move.
func (j *tickJob) pathOf(move int) []roadnet.SegmentID {
	begin := 0
	if move > 0 {
		begin = j.ends[move-1]
	}
	return slices.Clone(j.paths[begin:j.ends[move]])
}

// place asks how far along their segments the beams are that were chosen.
func (d *TickDecoder) place(ctx context.Context, j *tickJob, next []*beam, chosen []int) error {
	in := &j.ratio
	in.State = in.State[:0]
	in.Moves.reset()
	j.added = j.added[:0]
	for n, at := range chosen {
		i := int(j.input.MoveBeam[at])
		in.State = append(in.State, next[n].state...)
		j.add(&in.Moves, i, at-j.first[i])
	}
	var err error
	if in.Road, err = d.roads.Append(ctx, in.Road, j.added); err != nil {
		return err
	}
	ratios, err := d.ratios.ask(ctx, in)
	if err != nil {
		return err
	}
	for n, b := range next {
		b.at.Ratio = float64(ratios[n])
	}
	return nil
}

// judge finds the logarithms of the probabilities of the beams' moves (eq. 24),
// with those of the beams. At a sample the candidates out of reach count among
// those that there are: else a beam that has lost its way, and can reach one only,
// would be sure of it.
func (j *tickJob) judge(beams []*beam, scores []float32) {
	j.logs = j.logs[:0]
	for i, b := range beams {
		weights, begin, most := j.moves[i].Weights, len(j.logs), math.Inf(-1)
		for k := range weights {
			s := float64(scores[begin+k]) + float64(weights[k])
			j.logs, most = append(j.logs, s), max(most, s)
		}
		if math.IsInf(most, -1) {
			continue // there is no way on
		}
		sum := 0.0
		for _, s := range j.logs[begin:] {
			sum += math.Exp(s - most)
		}
		for k := begin; k < len(j.logs); k++ {
			j.logs[k] += b.score + j.moves[i].Within - most - math.Log(sum)
		}
	}
}

// zeros is n zeros, in the memory of s where it is enough.
func zeros(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	s = s[:n]
	clear(s)
	return s
}
