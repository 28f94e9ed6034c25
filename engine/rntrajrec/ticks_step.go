package rntrajrec

import (
	"math"
	"slices"

	"retrace/engine/feature"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// stepper takes beams from one tick to the next. Its memory is used again.
type stepper struct {
	scorer TickScorer
	roads  *Roads
	maker  *feature.MoveMaker
	trip   *feature.Trip
	h      []float32 // of the trip's samples
	gap    int
	end    int64                             // of the gap, Unix milliseconds
	avoid  func(gap int) []roadnet.SegmentID // what is not driven in a gap; nil: nothing is known
	shut   []roadnet.SegmentID               // in this gap

	moves []feature.Moves // by beam
	paths [][]roadnet.SegmentID
	start []int // by beam: of its paths
	input TickInput
}

// begin chooses among the candidates of the first sample.
func (s *stepper) begin(whole []float32, now int64) ([]*beam, error) {
	s.reset(1)
	s.maker.FillFirst(&s.moves[0], s.trip.CandidatesOf(0))
	root := &beam{state: whole, candidate: -1}
	for range s.moves[0].Segments {
		s.paths = append(s.paths, nil)
	}
	s.gap = -1
	next, err := s.score([]*beam{root}, now, true)
	for _, b := range next {
		b.before = nil
	}
	return next, err
}

// enter begins the gap after a sample.
func (s *stepper) enter(samples []trajectory.Sample, gap int) {
	from, to := samples[gap], samples[gap+1]
	s.gap, s.end = gap, to.Time
	s.shut = nil
	if s.avoid != nil {
		s.shut = s.avoid(gap)
	}
	a, b := roadnet.Point{Lon: from.Lon, Lat: from.Lat}, roadnet.Point{Lon: to.Lon, Lat: to.Lat}
	s.maker.Begin(a, b, s.trip.CandidatesOf(gap+1), seconds(from.Time, to.Time))
}

func seconds(from, to int64) float64 { return float64(to-from) / 1000 }

// step takes beams from one instant to another, where the end of the gap is
// that of its sample.
func (s *stepper) step(beams []*beam, last, now int64) ([]*beam, error) {
	s.reset(len(beams))
	for i, b := range beams {
		if now == s.end {
			s.maker.FillSample(&s.moves[i], b.at, seconds(last, now))
		} else {
			s.maker.Fill(&s.moves[i], b.at, seconds(last, now), seconds(now, s.end))
		}
		s.start[i] = len(s.paths)
		for k := range s.moves[i].Segments {
			path := s.maker.Path(k, nil)
			s.paths = append(s.paths, path)
			if slices.ContainsFunc(path, func(id roadnet.SegmentID) bool { return slices.Contains(s.shut, id) }) {
				s.moves[i].Weights[k] = float32(math.Inf(-1))
			}
		}
	}
	return s.score(beams, now, now == s.end)
}

func (s *stepper) reset(beams int) {
	for len(s.moves) < beams {
		s.moves = append(s.moves, feature.Moves{})
		s.start = append(s.start, 0)
	}
	s.paths = s.paths[:0]
}

// score has the model judge all moves, and keeps the best.
func (s *stepper) score(beams []*beam, now int64, sample bool) ([]*beam, error) {
	longest := 0
	for i := range beams {
		longest = max(longest, len(s.moves[i].Segments))
	}
	if longest == 0 {
		return nil, nil
	}
	s.fill(beams, longest)
	out, err := s.scorer.Tick(&s.input)
	if err != nil {
		return nil, err
	}
	var next []*beam
	width := s.roads.Width
	for i, b := range beams {
		logs := s.logs(i, out.Scores[i*longest:])
		for k := range s.moves[i].Segments {
			if math.IsInf(logs[k], -1) {
				continue
			}
			n := &beam{
				before: b, path: s.paths[s.start[i]+k], time: now, candidate: -1,
				score: b.score + logs[k], state: out.State[i*width : (i+1)*width],
			}
			n.at = roadnet.Position{Segment: roadnet.SegmentID(s.moves[i].Segments[k]), Ratio: float64(out.Ratios[i*longest+k])}
			if sample {
				n.candidate = int(s.trip.CandidateStart[s.gap+1] + s.moves[i].Candidates[k])
				n.at.Ratio = s.trip.Candidates[n.candidate].Ratio
			}
			if s.gap >= 0 && len(n.path) == 0 { // no one drives backwards
				n.at.Ratio = max(n.at.Ratio, b.at.Ratio)
			}
			next = append(next, n)
		}
	}
	return choose(next), nil
}

// logs are the logarithms of the probabilities of a beam's moves (eq. 24). At a
// sample the candidates out of reach count among those that there are: else a
// beam that has lost its way, and can reach one only, would be sure of it.
func (s *stepper) logs(beam int, scores []float32) []float64 {
	weights := s.moves[beam].Weights
	logs, sum := make([]float64, len(weights)), math.Inf(-1)
	for k := range weights {
		logs[k] = float64(scores[k]) + float64(weights[k])
		sum = logAdd(sum, logs[k])
	}
	for k := range logs {
		if math.IsInf(sum, -1) {
			break // there is no way on
		}
		logs[k] += s.moves[beam].Within - sum
	}
	return logs
}

// fill lays out what the model is given.
func (s *stepper) fill(beams []*beam, longest int) {
	in, width := &s.input, s.roads.Width
	columns, wide := s.moves[0].Columns, s.trip.CandidateColumns
	in.Beams, in.Moves, in.H = len(beams), longest, s.h
	in.State, in.Ratio = in.State[:0], in.Ratio[:0]
	in.Road = zeros(in.Road, len(beams)*width)
	in.MoveRoad = zeros(in.MoveRoad, len(beams)*longest*width)
	in.Values = zeros(in.Values, len(beams)*longest*columns)
	in.Candidates = zeros(in.Candidates, len(beams)*longest*wide)
	for i, b := range beams {
		m := &s.moves[i]
		in.State, in.Ratio = append(in.State, b.state...), append(in.Ratio, float32(b.at.Ratio))
		if s.gap >= 0 {
			copy(in.Road[i*width:], s.roads.of(b.at.Segment))
		}
		copy(in.Values[i*longest*columns:], m.Values)
		for k, id := range m.Segments {
			copy(in.MoveRoad[(i*longest+k)*width:], s.roads.of(roadnet.SegmentID(id)))
			if c := m.Candidates[k]; c >= 0 {
				at := (int(s.trip.CandidateStart[s.gap+1]) + int(c)) * wide
				copy(in.Candidates[(i*longest+k)*wide:], s.trip.CandidateValues[at:at+wide])
			}
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
