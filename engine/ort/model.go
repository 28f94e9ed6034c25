package ort

import (
	"errors"
	"fmt"
	"math"

	"retrace/engine/feature"
)

// Model is a bundle that is loaded on a device. Its methods may be called by
// several goroutines at once.
type Model struct {
	routes, times                    *Graph
	candidates, routeWidth, pieceSet int64 // columns
}

// Load makes the graphs of a bundle ready on a device, with so many threads for
// each run.
func (b *Bundle) Load(r *Runtime, device Device, threads int) (*Model, error) {
	if b.Manifest.Model.Encoder {
		return nil, fmt.Errorf("bundle %q has an encoder, which this program cannot run yet", b.Manifest.Name)
	}
	routes, err := b.load(r, "routes", device, threads)
	if err != nil {
		return nil, err
	}
	times, err := b.load(r, "time", device, threads)
	if err != nil {
		return nil, errors.Join(err, routes.Close())
	}
	s := feature.CurrentSchema()
	return &Model{routes: routes, times: times, candidates: int64(s.Width("candidates")),
		routeWidth: int64(s.Width("routes")), pieceSet: int64(s.Width("pieces"))}, nil
}

// Close frees the graphs.
func (m *Model) Close() error { return errors.Join(m.routes.Close(), m.times.Close()) }

// Routes gives the scores of candidates and of options, in rows of the schema's
// tensors "candidates" and "routes".
func (m *Model) Routes(candidates, options []float32) (u, v []float32, err error) {
	out, err := m.routes.Run(rows(candidates, m.candidates), rows(options, m.routeWidth))
	if err != nil {
		return nil, nil, err
	}
	return out[0].Floats, out[1].Floats, finite(out)
}

// Times gives, for pieces padded to [gaps][longest], the share of the gap's time
// at the end of each, and the scale of the doubt about it.
func (m *Model) Times(pieces, lengths []float32, counts []int32, longest int) (share, spread []float32, err error) {
	gaps, l := int64(len(counts)), int64(longest)
	out, err := m.times.Run(
		Tensor{Shape: []int64{gaps, l, m.pieceSet}, Floats: pieces},
		Tensor{Shape: []int64{gaps, l}, Floats: lengths},
		Tensor{Shape: []int64{gaps}, Ints: counts},
	)
	if err != nil {
		return nil, nil, err
	}
	return out[0].Floats, out[1].Floats, finite(out)
}

func rows(values []float32, width int64) Tensor {
	return Tensor{Shape: []int64{int64(len(values)) / width, width}, Floats: values}
}

// finite refuses answers that are no numbers, as a model with broken weights or
// a driver gone wrong gives them.
func finite(out []Tensor) error {
	for _, t := range out {
		for _, x := range t.Floats {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return errors.New("the model answers with what is no number")
			}
		}
	}
	return nil
}
