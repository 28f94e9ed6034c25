package ort

import (
	"context"
	"math"
	"slices"
	"testing"
	"testing/fstest"

	"retrace/engine/bundle"
	"retrace/engine/bundle/bundletest"
	"retrace/engine/device"
	"retrace/engine/feature"
	"retrace/engine/rntrajrec"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// wholeBundle is a tiny model with all there is.
func wholeBundle(t testing.TB) *bundle.Bundle {
	t.Helper()
	b, err := bundle.Read(wholeFiles(t))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// wholeFiles are the files of that bundle.
func wholeFiles(t testing.TB) fstest.MapFS { return bundletest.Whole(t) }

// asked are the golden vectors of a graph by name.
type asked struct {
	graph   bundle.Graph
	answers *bundle.Golden
}

func askedOf(t *testing.T, b *bundle.Bundle, graph string) asked {
	t.Helper()
	g, err := b.Manifest.Graph(graph)
	if err != nil {
		t.Fatal(err)
	}
	golden, err := b.Golden(graph)
	if err != nil {
		t.Fatal(err)
	}
	return asked{g, golden}
}

func (a asked) in(name string) bundle.Tensor {
	return a.answers.Inputs[slices.IndexFunc(a.graph.Inputs, func(p bundle.Port) bool { return p.Name == name })]
}

func (a asked) out(name string) []float32 {
	return a.answers.Outputs[slices.IndexFunc(a.graph.Outputs, func(p bundle.Port) bool { return p.Name == name })].Floats
}

func alike(t *testing.T, what string, got, want []float32) {
	t.Helper()
	if len(got) != len(want) || len(want) == 0 {
		t.Fatalf("%s has %d values, want %d", what, len(got), len(want))
	}
	for i := range want {
		if math.Abs(float64(got[i]-want[i])) > 1e-4 {
			t.Fatalf("%s[%d] is %v, PyTorch answered %v", what, i, got[i], want[i])
		}
	}
}

func wholeModel(t *testing.T, b *bundle.Bundle) *Model {
	t.Helper()
	m, err := open(t).Load(context.Background(), b, Options{Device: device.CPU, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func TestTheEncoderAnswersAsPyTorchDid(t *testing.T) {
	b := wholeBundle(t)
	m := wholeModel(t, b)
	if m.Width() != 8 || m.Hops() != 2 {
		t.Errorf("a model of %d values and %d hops", m.Width(), m.Hops())
	}
	road := askedOf(t, b, "road")
	n := len(road.in("cell_count").Ints)
	values, err := m.Roads(&feature.Part{
		Segments: make([]roadnet.SegmentID, n), RoadColumns: int(road.in("roads").Shape[1]),
		CellColumns: int(road.in("cells").Shape[2]), CellCap: int(road.in("cells").Shape[1]), Neighbours: int(road.in("successors").Shape[1]),
		Roads: road.in("roads").Floats, Cells: road.in("cells").Floats, CellCounts: road.in("cell_count").Ints,
		Successors: road.in("successors").Ints, Predecessors: road.in("predecessors").Ints,
	})
	if err != nil {
		t.Fatal(err)
	}
	alike(t, "road", values, road.out("road"))

	encoder := askedOf(t, b, "encoder")
	pairs := encoder.in("sub_pairs").Shape
	h, whole, err := m.Encode(encoder.in("road").Floats, &feature.Points{
		Samples: int(pairs[0]), Sub: int(pairs[1]), PairColumns: int(pairs[2]),
		Columns: int(encoder.in("points").Shape[1]), Neighbours: int(encoder.in("sub_successors").Shape[2]),
		Values: encoder.in("points").Floats, Segments: encoder.in("sub_segments").Ints, Weights: encoder.in("sub_weights").Floats,
		Pairs: encoder.in("sub_pairs").Floats, SubSuccessors: encoder.in("sub_successors").Ints, SubPredecessors: encoder.in("sub_predecessors").Ints,
	}, encoder.in("environment").Floats)
	if err != nil {
		t.Fatal(err)
	}
	alike(t, "h", h, encoder.out("h"))
	alike(t, "whole", whole, encoder.out("whole"))
}

// Beams are answered as PyTorch did, and moves that are chosen as among all.
func TestTicksAreAnsweredAsPyTorchDid(t *testing.T) {
	b := wholeBundle(t)
	m, ticks, ratios := wholeModel(t, b), askedOf(t, b, "ticks"), askedOf(t, b, "ratios")
	movesOf := func(a asked) rntrajrec.Moves {
		return rntrajrec.Moves{Road: a.in("move_road").Floats, Values: a.in("moves").Floats, Candidates: a.in("candidates").Floats}
	}
	state, scores, err := m.Tick(&rntrajrec.TickInput{
		State: ticks.in("state").Floats, Road: ticks.in("road").Floats, Ratio: ticks.in("ratio").Floats, BeamTrip: ticks.in("beam_trip").Ints,
		H: ticks.in("h").Floats, Known: ticks.in("known").Floats, Samples: int(ticks.in("known").Shape[1]),
		MoveBeam: ticks.in("move_beam").Ints, Moves: movesOf(ticks),
	})
	if err != nil {
		t.Fatal(err)
	}
	alike(t, "state_now", state, ticks.out("state_now"))
	alike(t, "scores", scores, ticks.out("scores"))
	got, err := m.Ratios(&rntrajrec.RatioInput{State: ratios.in("state").Floats, Moves: movesOf(ratios)})
	if err != nil {
		t.Fatal(err)
	}
	alike(t, "ratios", got, ratios.out("ratios"))
}

// What is said of a network in pieces is what would be said of it as a whole.
func TestPiecesOfANetworkAreToldAsTheWhole(t *testing.T) {
	b := wholeBundle(t)
	if wide := askedOf(t, b, "road").in("roads").Shape[1]; int(wide) != feature.CurrentSchema().Width("roads") {
		t.Skipf("the model takes %d features of a road, the program makes others: train it anew", wide)
	}
	m, net := wholeModel(t, b), roadnettest.GridCity(36)
	var all []roadnet.SegmentID
	for id := range roadnet.SegmentID(net.NumSegments()) {
		all = append(all, id)
	}
	pieces, err := rntrajrec.NewRoads(net, m, nil).Append(context.Background(), nil, all)
	if err != nil {
		t.Fatal(err)
	}
	var whole feature.Part
	maker := feature.NewPartMaker(net)
	maker.Fill(&whole, 0, roadnet.SegmentID(net.NumSegments()), 0)
	values, err := m.Roads(&whole)
	if err != nil {
		t.Fatal(err)
	}
	alike(t, "road", pieces, values)
}
