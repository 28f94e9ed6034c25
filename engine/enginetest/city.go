package enginetest

import (
	"math"

	"retrace/engine/bundle"
	"retrace/engine/citymodel"
	"retrace/engine/feature"
	"retrace/engine/roadnet"
)

// CityOf is a system whose tables belong to a network: it likes near candidates, and
// between samples it stays in the middle of the segment where it was.
func CityOf(net *roadnet.Network, system string) *citymodel.Model {
	info := net.Info()
	return &citymodel.Model{
		System: system, Name: "toy of one city", Hash: "fedcba9876543210",
		Points: feature.DefaultSettings(), Routes: feature.DefaultRoutes(), Graphs: stays{},
		City: bundle.City{
			Network: info.Name, Fingerprint: info.Fingerprint, Segments: net.NumSegments(), Tick: 15, Beta: 15,
			Frame: feature.Frame{Scale: [2]float64{1e5, 1e5}, Half: [2]float64{1e3, 1e3}, Cell: 50, Columns: 40, Rows: 40},
		},
	}
}

// stays is that system.
type stays struct{}

// Encode says nothing.
func (stays) Encode(in *citymodel.Samples) (*citymodel.States, error) {
	h := make([]float32, width*in.Points.Samples)
	return &citymodel.States{H: h, Keys: h, Whole: make([]float32, width)}, nil
}

// Tick likes the mask and the segment of the tick before.
func (stays) Tick(in *citymodel.Tick) (state, log, ratios []float32, err error) {
	log, ratios = make([]float32, len(in.Mask)), make([]float32, len(in.Mask))
	sum := 0.0
	for i, m := range in.Mask {
		log[i], ratios[i] = m, 0.5
		if i == int(in.Segment) {
			log[i] += 12
		}
		sum += math.Exp(float64(log[i]))
	}
	for i := range log {
		log[i] -= float32(math.Log(sum))
	}
	return in.State, log, ratios, nil
}
