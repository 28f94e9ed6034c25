package dataset

import (
	"retrace/engine/feature"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// TickCounts says how often the true segment is among the moves of a tick.
type TickCounts struct {
	Samples      int `json:"samples"` // ticks with a sample
	SamplesAmong int `json:"samples_among"`
	Hidden       int `json:"hidden"` // ticks without one
	HiddenAmong  int `json:"hidden_among"`
	Moves        int `json:"moves"` // of all ticks
}

func (c *TickCounts) add(o TickCounts) {
	c.Samples += o.Samples
	c.SamplesAmong += o.SamplesAmong
	c.Hidden += o.Hidden
	c.HiddenAmong += o.HiddenAmong
	c.Moves += o.Moves
}

// addMoves appends the ticks of a trip with the moves that a decoder chooses
// from who was right at the tick before. Ticks are those of the truth at the
// samples.
func (m *Maker) addMoves(s *Shard, samples []trajectory.Sample, truth []trajectory.Tick, ticks []int) {
	s.TripTime = append(s.TripTime, samples[0].Time)
	for _, sample := range samples {
		s.SampleLon, s.SampleLat = append(s.SampleLon, sample.Lon), append(s.SampleLat, sample.Lat)
	}
	m.moves.FillFirst(&m.move, m.trip.CandidatesOf(0))
	m.addStep(s, truth[ticks[0]], true)
	for i := range len(samples) - 1 {
		from, to := pointOf(samples[i]), pointOf(samples[i+1])
		m.moves.Begin(&m.goal, from, to, m.trip.CandidatesOf(i+1), between(samples[i].Time, samples[i+1].Time))
		for k := ticks[i] + 1; k <= ticks[i+1]; k++ {
			last, tick := truth[k-1].At, between(truth[k-1].Time, truth[k].Time)
			if k == ticks[i+1] {
				m.moves.FillSample(&m.move, &m.goal, last, tick)
			} else {
				m.moves.Fill(&m.move, &m.goal, last, tick, between(truth[k].Time, samples[i+1].Time))
			}
			m.addStep(s, truth[k], k == ticks[i+1])
		}
	}
	s.StepStart = append(s.StepStart, int32(len(s.StepSegment)))
}

// addStep appends a tick with the moves just filled.
func (m *Maker) addStep(s *Shard, tick trajectory.Tick, sample bool) {
	p, true := &m.move, tick.At
	target := len(p.Segments)
	for k, id := range p.Segments {
		if roadnet.SegmentID(id) == true.Segment {
			target = k
		}
	}
	s.StepSegment = append(s.StepSegment, int32(true.Segment))
	s.StepRatio = append(s.StepRatio, float32(true.Ratio))
	s.StepLon, s.StepLat = append(s.StepLon, tick.Lon), append(s.StepLat, tick.Lat)
	s.StepTarget = append(s.StepTarget, int32(target))
	s.MoveSegment = append(s.MoveSegment, p.Segments...)
	s.MoveCandidate = append(s.MoveCandidate, p.Candidates...)
	s.MoveWeight = append(s.MoveWeight, p.Weights...)
	s.Moves = append(s.Moves, p.Values...)
	s.MoveStart = append(s.MoveStart, int32(len(s.MoveSegment)))
	s.counts.add(countsOf(sample, target < len(p.Segments), len(p.Segments)))
}

func countsOf(sample, among bool, moves int) TickCounts {
	found := 0
	if among {
		found = 1
	}
	if sample {
		return TickCounts{Samples: 1, SamplesAmong: found, Moves: moves}
	}
	return TickCounts{Hidden: 1, HiddenAmong: found, Moves: moves}
}

func pointOf(s trajectory.Sample) roadnet.Point { return roadnet.Point{Lon: s.Lon, Lat: s.Lat} }

// between two instants are so many seconds.
func between(from, to int64) float64 { return float64(to-from) / 1000 }

// counted is what a shard tells of its ticks; nil where it holds no moves.
func (s *Shard) counted(settings *feature.TickSettings) *TickCounts {
	if settings == nil {
		return nil
	}
	counts := s.counts
	return &counts
}

// moveArrays are the files of a shard with moves, by name.
func (s *Shard) moveArrays() map[string]any {
	return map[string]any{
		"step_start": s.StepStart, "step_segment": s.StepSegment, "step_ratio": s.StepRatio, "step_target": s.StepTarget,
		"move_start": s.MoveStart, "moves": s.Moves, "move_segment": s.MoveSegment,
		"move_candidate": s.MoveCandidate, "move_weight": s.MoveWeight,
		"sample_lon": s.SampleLon, "sample_lat": s.SampleLat, "step_lon": s.StepLon, "step_lat": s.StepLat,
		"trip_time": s.TripTime,
	}
}
