package ort

import (
	"retrace/engine/bundle"
	"retrace/engine/feature"
	"retrace/engine/rntrajrec"
)

var (
	_ rntrajrec.Encoder    = (*Model)(nil)
	_ rntrajrec.TickScorer = (*Model)(nil)
)

// Width is the number of values that the encoder says of a segment or sample.
func (m *Model) Width() int { return m.shape.D }

// Hops is how many segments away what is said of a segment depends on.
func (m *Model) Hops() int {
	if !m.shape.RoadGAT {
		return 0
	}
	return m.shape.RoadLayers
}

// Roads is X_road of the segments of a part.
func (m *Model) Roads(p *feature.Part) ([]float32, error) {
	n := int64(len(p.Segments))
	out, err := m.road.Run(
		floats(p.Roads, n, int64(p.RoadColumns)),
		floats(p.Cells, n, int64(p.CellCap), int64(p.CellColumns)),
		ints(p.CellCounts, n),
		ints(p.Successors, n, int64(p.Neighbours)),
		ints(p.Predecessors, n, int64(p.Neighbours)),
	)
	if err != nil {
		return nil, err
	}
	defer out.done()
	return out.copyOf(0), nil
}

// Encode gives the states of a trip's samples and of the whole trip.
func (m *Model) Encode(road []float32, p *feature.Points, environment []float32) (h, whole []float32, err error) {
	d, n, sub := int64(m.shape.D), int64(p.Samples), int64(p.Sub)
	out, err := m.encoder.Run(
		floats(road, int64(len(road))/d, d),
		floats(p.Values, n, int64(p.Columns)),
		ints(p.Segments, n, sub),
		floats(p.Weights, n, sub),
		floats(p.Pairs, n, sub, int64(p.PairColumns)),
		ints(p.SubSuccessors, n, sub, int64(p.Neighbours)),
		ints(p.SubPredecessors, n, sub, int64(p.Neighbours)),
		floats(environment, 1, int64(len(environment))),
	)
	if err != nil {
		return nil, nil, err
	}
	defer out.done()
	return out.copyOf(0), out.copyOf(1), nil
}

// Tick takes one tick of some beams of some trips.
func (m *Model) Tick(in *rntrajrec.TickInput) (state, scores []float32, err error) {
	d, beams, samples := int64(m.shape.D), int64(len(in.BeamTrip)), int64(in.Samples)
	trips := int64(len(in.Known)) / samples
	inputs := []bundle.Tensor{
		floats(in.State, beams, d), floats(in.Road, beams, d), floats(in.Ratio, beams),
		floats(in.H, trips, samples, d), floats(in.Known, trips, samples), ints(in.BeamTrip, beams),
		ints(in.MoveBeam, int64(len(in.MoveBeam))),
	}
	out, err := m.ticks.Run(append(inputs, m.moves(&in.Moves)...)...)
	if err != nil {
		return nil, nil, err
	}
	defer out.done()
	return out.copyOf(0), out.copyOf(1), nil
}

// Ratios gives the ratio along the segment of each of some moves.
func (m *Model) Ratios(in *rntrajrec.RatioInput) ([]float32, error) {
	out, err := m.ratios.Run(append([]bundle.Tensor{rows(in.State, int64(m.shape.D))}, m.moves(&in.Moves)...)...)
	if err != nil {
		return nil, err
	}
	defer out.done()
	return out.copyOf(0), nil
}

// moves are moves as the graphs take them.
func (m *Model) moves(in *rntrajrec.Moves) []bundle.Tensor {
	return []bundle.Tensor{rows(in.Road, int64(m.shape.D)), rows(in.Values, m.moveWidth), rows(in.Candidates, m.candidates)}
}

func floats(values []float32, shape ...int64) bundle.Tensor {
	return bundle.Tensor{Shape: shape, Floats: values}
}

func ints(values []int32, shape ...int64) bundle.Tensor {
	return bundle.Tensor{Shape: shape, Ints: values}
}
