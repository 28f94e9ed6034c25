package ort

import (
	"archive/zip"
	"context"
	"encoding/json"
	"io"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"retrace/engine/bundle"
	"retrace/engine/device"
	"retrace/engine/feature"
	"retrace/engine/rntrajrec"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// wholeBundle is a tiny model with all there is: an encoder, a decoder of routes
// that looks at it, and one of ticks. It was trained for seconds, with d = 8, two
// heads, one block and two layers of roads, on forty trips that retrace dataset
// simulated in the city of retrace sample. It is read as if trained on the features
// that the program makes.
func wholeBundle(t *testing.T) *bundle.Bundle {
	t.Helper()
	packed, err := zip.OpenReader(filepath.Join("testdata", "whole.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	files := fstest.MapFS{}
	for _, f := range packed.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = &fstest.MapFile{Data: data}
	}
	var manifest map[string]any
	if err := json.Unmarshal(files["manifest.json"].Data, &manifest); err != nil {
		t.Fatal(err)
	}
	manifest["schema"] = feature.CurrentSchema()
	if files["manifest.json"].Data, err = json.Marshal(manifest); err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Read(files)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

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
	m, err := open(t).Load(b, Options{Device: device.CPU, Threads: 1})
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

// Beams are answered as PyTorch did, and each alone as among others.
func TestTicksAreAnsweredAsPyTorchDid(t *testing.T) {
	b := wholeBundle(t)
	m, ticks := wholeModel(t, b), askedOf(t, b, "decoder_ticks")
	shape := ticks.in("moves").Shape
	all := rntrajrec.TickInput{
		Beams: int(shape[0]), Moves: int(shape[1]), H: ticks.in("h").Floats,
		State: ticks.in("state").Floats, Road: ticks.in("road").Floats, Ratio: ticks.in("ratio").Floats,
		MoveRoad: ticks.in("move_road").Floats, Values: ticks.in("moves").Floats, Candidates: ticks.in("candidates").Floats,
	}
	out, err := m.Tick(&all)
	if err != nil {
		t.Fatal(err)
	}
	alike(t, "state_now", out.State, ticks.out("state_now"))
	alike(t, "scores", out.Scores, ticks.out("scores"))
	alike(t, "ratios", out.Ratios, ticks.out("ratios"))
	row := func(values []float32, i int) []float32 {
		size := len(values) / all.Beams
		return values[i*size : (i+1)*size]
	}
	for i := range all.Beams {
		alone, err := m.Tick(&rntrajrec.TickInput{
			Beams: 1, Moves: all.Moves, H: all.H, State: row(all.State, i), Road: row(all.Road, i), Ratio: row(all.Ratio, i),
			MoveRoad: row(all.MoveRoad, i), Values: row(all.Values, i), Candidates: row(all.Candidates, i),
		})
		if err != nil {
			t.Fatal(err)
		}
		alike(t, "the scores of one beam", alone.Scores, row(out.Scores, i))
		alike(t, "the state of one beam", alone.State, row(out.State, i))
	}
}

// What is said of a network in pieces is what would be said of it as a whole.
func TestPiecesOfANetworkAreToldAsTheWhole(t *testing.T) {
	b := wholeBundle(t)
	if wide := askedOf(t, b, "road").in("roads").Shape[1]; int(wide) != feature.CurrentSchema().Width("roads") {
		t.Skipf("the model takes %d features of a road, the program makes others: train it anew", wide)
	}
	m, net := wholeModel(t, b), roadnettest.GridCity(36)
	pieces, err := rntrajrec.NewRoads(context.Background(), net, m, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	var whole feature.Part
	feature.NewPartMaker(net).Fill(&whole, 0, roadnet.SegmentID(net.NumSegments()), 0)
	values, err := m.Roads(&whole)
	if err != nil {
		t.Fatal(err)
	}
	alike(t, "road", pieces.Values, values)
}
