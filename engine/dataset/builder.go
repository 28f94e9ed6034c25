package dataset

import (
	"retrace/engine/feature"
	"retrace/engine/metrics"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Settings say how trips become tensors.
type Settings struct {
	Points    feature.Settings      `json:"points"`
	Routes    feature.RouteSettings `json:"routes"`
	Keep      []metrics.Keep        `json:"keep"`                // each trip is there once in each
	Stretches float64               `json:"stretches,omitempty"` // share of these of which only a stretch is taken
	Encoder   bool                  `json:"encoder"`             // sub-graphs too
	Times     bool                  `json:"times,omitempty"`     // the pieces of the ways driven alone: no candidates, no options
	Ticks     *feature.TickSettings `json:"ticks,omitempty"`     // the moves of every tick too
	Gather    bool                  `json:"gather,omitempty"`    // what the other trips tell of the roads too
	Seed      uint64                `json:"seed"`
}

// Reason says why a trip is not in a data set.
type Reason string

// The reasons.
const (
	Short     Reason = "fewer than three samples or a minute"
	Broken    Reason = "the true path is broken"
	OffRoad   Reason = "a sample has no road near"
	NoRoute   Reason = "two samples have no route between their candidates"
	Unmatched Reason = "the truth has no tick at every point"
)

// Maker makes the tensors of trips on one network. It must not be used by two
// goroutines at once.
type Maker struct {
	net         *roadnet.Network
	index       int32
	settings    Settings
	points      *feature.PointMaker
	trips       *feature.TripMaker
	environment feature.Environment
	point       feature.Points
	trip        feature.Trip
	pieces      feature.GapPieces
	moves       *feature.MoveMaker // nil: none are wanted
	move        feature.Moves
	goal        feature.Goal
	marks       map[roadnet.SegmentID]float64
	columns     int // of the environment
}

// NewMaker prepares tensors on the network that has this place in the manifest.
func NewMaker(net *roadnet.Network, index int, s Settings) (*Maker, error) {
	points, err := feature.NewPointMaker(net, s.Points)
	if err != nil {
		return nil, err
	}
	m := &Maker{
		net: net, index: int32(index), settings: s, points: points,
		trips:       feature.NewTripMaker(net, s.Routes),
		environment: feature.NewEnvironment(net.Info().TimeZone),
		marks:       make(map[roadnet.SegmentID]float64),
		columns:     feature.CurrentSchema().Width("environment"),
	}
	if s.Ticks != nil {
		if err := s.Ticks.Check(); err != nil {
			return nil, err
		}
		m.moves = feature.NewMoveMaker(net, *s.Ticks)
	}
	return m, nil
}

// Add appends one trip to a shard, thinned in the keepth way of the settings.
// Truth must have a tick at each of the dense trip's instants; gathered may be nil. An empty reason means that it was added.
func (m *Maker) Add(s *Shard, dense *trajectory.Trajectory, truth *trajectory.Recovery, keep int, gathered *Gathered) Reason {
	if len(dense.Samples) < 5 || dense.Samples[len(dense.Samples)-1].Time-dense.Samples[0].Time < 60_000 {
		return Short
	}
	if len(truth.Parts) != 1 {
		return Broken
	}
	samples := m.settings.thinned(dense, keep).Samples
	ticks := ticksAt(truth, samples)
	if ticks == nil {
		return Unmatched
	}
	m.trips.Traffic = gathered.of(keep, dense.ID)
	if reason := m.fill(samples); reason != "" {
		return reason
	}
	m.addSamples(s, samples, truth, ticks)
	if m.moves != nil {
		m.addMoves(s, samples, truth.Ticks, ticks)
	}
	part := measure(m.net, truth.Parts[0])
	ways, driven := make([]way, len(samples)-1), make([]feature.Way, len(samples)-1)
	for i := range ways {
		ways[i] = part.cut(m.net, truth.Ticks, ticks[i], ticks[i+1])
		driven[i] = feature.Way{Segments: ways[i].segments, From: ways[i].from, To: ways[i].to}
	}
	m.trips.Drive(samples, driven)
	for i := range ways {
		m.addOptions(s, i, &ways[i])
		m.addPieces(s, i, seconds(samples, i), &ways[i])
	}
	return ""
}

// ticksAt are the indices of the truth's ticks at the samples' instants, nil
// where one is missing.
func ticksAt(truth *trajectory.Recovery, samples []trajectory.Sample) []int {
	ticks := make([]int, 0, len(samples))
	i := 0
	for _, s := range samples {
		for i < len(truth.Ticks) && truth.Ticks[i].Time < s.Time {
			i++
		}
		if i == len(truth.Ticks) || truth.Ticks[i].Time != s.Time {
			return nil
		}
		ticks = append(ticks, i)
	}
	return ticks
}

// fill finds the candidates and routes of a trip, where they are wanted.
func (m *Maker) fill(samples []trajectory.Sample) Reason {
	if m.settings.Times {
		m.trip.Empty(len(samples))
		return ""
	}
	m.trips.Fill(&m.trip, samples, nil)
	return m.usable(len(samples))
}

func (m *Maker) usable(samples int) Reason {
	for i := range samples {
		if len(m.trip.CandidatesOf(i)) == 0 {
			return OffRoad
		}
		if i+1 < samples && len(m.trip.OptionsOf(i)) == 0 {
			return NoRoute
		}
	}
	return ""
}

func (m *Maker) addSamples(s *Shard, samples []trajectory.Sample, truth *trajectory.Recovery, ticks []int) {
	s.Network = append(s.Network, m.index)
	s.SampleStart = append(s.SampleStart, s.SampleStart[len(s.SampleStart)-1]+int32(len(samples)))
	environment := make([]float32, m.columns)
	m.environment.Fill(environment, samples[0].Time)
	s.Environment = append(s.Environment, environment...)
	for i, sample := range samples {
		s.SampleTime = append(s.SampleTime, float32(sample.Time-samples[0].Time)/1000)
		hits := m.trip.CandidatesOf(i)
		target := int32(len(hits))
		for k, h := range hits {
			s.CandidateSegment = append(s.CandidateSegment, int32(h.Segment))
			if h.Segment == truth.Ticks[ticks[i]].At.Segment {
				target = int32(k)
			}
		}
		s.CandidateTarget = append(s.CandidateTarget, target)
		s.CandidateStart = append(s.CandidateStart, s.CandidateStart[len(s.CandidateStart)-1]+int32(len(hits)))
	}
	s.Candidates = append(s.Candidates, m.trip.CandidateValues...)
	if m.settings.Times {
		return
	}
	m.points.Fill(&m.point, samples)
	s.Points = append(s.Points, m.point.Values...)
	if m.settings.Encoder {
		m.addSubGraphs(s, truth, ticks)
	}
}

func (m *Maker) addSubGraphs(s *Shard, truth *trajectory.Recovery, ticks []int) {
	p := &m.point
	s.SubSegments = append(s.SubSegments, p.Segments...)
	s.SubWeights = append(s.SubWeights, p.Weights...)
	s.SubPairs = append(s.SubPairs, p.Pairs...)
	s.SubSuccessors = append(s.SubSuccessors, p.SubSuccessors...)
	s.SubPredecessors = append(s.SubPredecessors, p.SubPredecessors...)
	for i, k := range ticks {
		target := int32(p.Sub)
		for j, id := range p.Segments[i*p.Sub : (i+1)*p.Sub] {
			if roadnet.SegmentID(id) == truth.Ticks[k].At.Segment {
				target = int32(j)
			}
		}
		s.SubTarget = append(s.SubTarget, target)
	}
}

func (m *Maker) addOptions(s *Shard, gap int, w *way) {
	w.mark(m.net, m.marks)
	from, to := m.trip.CandidatesOf(gap), m.trip.CandidatesOf(gap+1)
	options := m.trip.OptionsOf(gap)
	for _, o := range options {
		s.OptionFrom = append(s.OptionFrom, int32(o.From))
		s.OptionTo = append(s.OptionTo, int32(o.To))
		s.OptionOverlap = append(s.OptionOverlap, w.overlap(m.net, m.marks, o.Route, from[o.From].Position, to[o.To].Position))
		if m.settings.Encoder {
			for _, id := range o.Segments {
				s.OptionSegments = append(s.OptionSegments, int32(id))
			}
		}
		s.OptionSegmentStart = append(s.OptionSegmentStart, int32(len(s.OptionSegments)))
	}
	first := int(m.trip.OptionStart[gap]) * m.trip.RouteColumns
	s.Options = append(s.Options, m.trip.RouteValues[first:first+len(options)*m.trip.RouteColumns]...)
	s.OptionStart = append(s.OptionStart, int32(len(s.OptionFrom)))
}

// seconds of the gap after sample i.
func seconds(samples []trajectory.Sample, i int) float64 {
	return float64(samples[i+1].Time-samples[i].Time) / 1000
}

func (m *Maker) addPieces(s *Shard, gap int, seconds float64, w *way) {
	m.trips.FillPieces(&m.pieces, gap)
	along := 0.0
	for _, p := range m.pieces.Pieces {
		along += p.Length
		s.PieceSegment = append(s.PieceSegment, int32(p.Segment))
		s.PieceLength = append(s.PieceLength, float32(p.Length))
		s.PieceTime = append(s.PieceTime, float32(w.timeAt(along, seconds)))
	}
	s.Pieces = append(s.Pieces, m.pieces.Values...)
	s.PieceStart = append(s.PieceStart, int32(len(s.PieceSegment)))
	s.GapSeconds = append(s.GapSeconds, float32(seconds))
	for i := range w.seconds {
		s.TickTime = append(s.TickTime, float32(w.seconds[i]))
		s.TickAlong = append(s.TickAlong, float32(w.along[i]))
	}
	s.TickStart = append(s.TickStart, int32(len(s.TickTime)))
}
