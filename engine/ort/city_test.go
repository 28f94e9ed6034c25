package ort

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrace/engine"
	"retrace/engine/bundle"
	"retrace/engine/bundle/bundletest"
	"retrace/engine/citymodel"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/osmimport"
)

// cityBundle is the bundle of a system.
func cityBundle(t *testing.T, system string) *bundle.Bundle {
	t.Helper()
	b, err := bundle.Read(bundletest.City(t, system))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// cityNetwork is the network that the tables belong to.
func cityNetwork(t *testing.T) *roadnet.Network {
	t.Helper()
	file := filepath.Join(t.TempDir(), "roads.osm.gz")
	if err := os.WriteFile(file, bundletest.CityNetwork(t), 0o666); err != nil {
		t.Fatal(err)
	}
	imported, err := osmimport.Import(t.Context(), []string{file}, osmimport.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return imported.Network
}

// noted are graphs that note what their encoder is asked.
type noted struct {
	citymodel.Graphs
	city  *city
	asked []bundle.Tensor
}

func (n *noted) Encode(in *citymodel.Samples) (*citymodel.States, error) {
	g, err := n.city.manifest.Graph("encoder")
	if err != nil {
		return nil, err
	}
	n.asked = nil
	for _, p := range g.Inputs {
		t, _ := n.city.input(p.Name, in)
		n.asked = append(n.asked, t)
	}
	return n.Graphs.Encode(in)
}

// What a system is told of a trip is what it was trained on, its graphs answer as
// PyTorch did, and so does the trip come out.
func TestSystemsRecoverATripAsInPyTorch(t *testing.T) {
	r, net := open(t), cityNetwork(t)
	for _, system := range citymodel.Systems() {
		t.Run(system, func(t *testing.T) {
			b := cityBundle(t, system)
			model, err := r.LoadCity(t.Context(), b)
			if err != nil {
				t.Fatal(err)
			}
			loaded := model.Graphs.(*city)
			defer loaded.Close()
			for name, g := range map[string]*Graph{"encoder": loaded.encoder, "tick": loaded.tick} {
				golden := askedOf(t, b, name)
				out, err := g.Run(golden.answers.Inputs...)
				if err != nil {
					t.Fatal(err)
				}
				if worst := farthest(out.tensors, golden.answers.Outputs); worst > 1e-4 {
					t.Errorf("the graph %s is off by %v", name, worst)
				}
			}
			n := &noted{Graphs: loaded, city: loaded}
			model.Graphs = n
			recoverGolden(t, net, model, bundletest.GoldenTrip(t, bundletest.City(t, system)))
			for i, want := range askedOf(t, b, "encoder").answers.Inputs {
				checkFeatures(t, b, i, n.asked[i], want)
			}
		})
	}
}

func checkFeatures(t *testing.T, b *bundle.Bundle, input int, got, want bundle.Tensor) {
	t.Helper()
	g, err := b.Manifest.Graph("encoder")
	if err != nil {
		t.Fatal(err)
	}
	name := g.Inputs[input].Name
	if len(got.Floats) != len(want.Floats) || len(got.Ints) != len(want.Ints) {
		t.Fatalf("%s: %d and %d values, want %d and %d", name, len(got.Floats), len(got.Ints), len(want.Floats), len(want.Ints))
	}
	for i, x := range want.Floats {
		if math.Abs(float64(got.Floats[i]-x)) > 1e-6 {
			t.Fatalf("%s: value %d is %v, want %v", name, i, got.Floats[i], x)
		}
	}
	for i, x := range want.Ints {
		if got.Ints[i] != x {
			t.Fatalf("%s: value %d is %v, want %v", name, i, got.Ints[i], x)
		}
	}
}

// recoverGolden recovers a trip and compares it, tick by tick.
func recoverGolden(t *testing.T, net *roadnet.Network, model *citymodel.Model, trip bundletest.Trip) {
	t.Helper()
	s := engine.DefaultSettings()
	s.Method, s.City = model.System, model
	rec, err := engine.NewRecoverer(net, s)
	if err != nil {
		t.Fatal(err)
	}
	in := &trajectory.Trajectory{ID: "golden"}
	for i, time := range trip.Time {
		in.Samples = append(in.Samples, trajectory.Sample{Time: time, Lon: trip.Lon[i], Lat: trip.Lat[i]})
	}
	got, err := rec.Recover(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Ticks) != len(trip.Segment) {
		t.Fatalf("%d ticks in %d parts, want %d: %v", len(got.Ticks), len(got.Parts), len(trip.Segment), got.Warnings)
	}
	hidden := 0
	for i, k := range got.Ticks {
		if int32(k.At.Segment) != trip.Segment[i] {
			t.Errorf("tick %d is on segment %d, want %d", i, k.At.Segment, trip.Segment[i])
		}
		if !(k.Probability > 0 && k.Probability <= 1.0001) {
			t.Errorf("tick %d has the probability %v", i, k.Probability)
		}
		if k.Observed {
			continue
		}
		hidden++
		if math.Abs(k.At.Ratio-float64(trip.Ratio[i])) > 1e-4 {
			t.Errorf("tick %d is at %v of its segment, want %v", i, k.At.Ratio, trip.Ratio[i])
		}
	}
	if hidden == 0 {
		t.Error("the trip has no tick between its samples")
	}
	if p := got.Provenance; p.Method != model.System || p.Model != model.String() || p.Device != "cpu" {
		t.Errorf("provenance %+v", p)
	}
}

func TestASystemRunsOnNoOtherNetwork(t *testing.T) {
	model, err := open(t).LoadCity(t.Context(), cityBundle(t, citymodel.MTrajRec))
	if err != nil {
		t.Fatal(err)
	}
	s := engine.DefaultSettings()
	s.Method, s.City = model.System, model
	_, err = engine.NewRecoverer(roadnettest.Random(1, 5), s)
	if !errors.Is(err, citymodel.ErrOtherNetwork) || !strings.Contains(err.Error(), `belongs to the network "roads"`) {
		t.Errorf("error %v", err)
	}
}

func TestBundlesOfOneNetworkAndOfAllAreToldApart(t *testing.T) {
	r := open(t)
	if _, err := r.Load(t.Context(), cityBundle(t, citymodel.T2Vec), Options{Device: "cpu", Threads: 1}); err == nil || !strings.Contains(err.Error(), "t2vec") {
		t.Errorf("a system is loaded as a model for any network: %v", err)
	}
	if _, err := r.LoadCity(t.Context(), shipped(t)); err == nil || !strings.Contains(err.Error(), "no system") {
		t.Errorf("a model for any network is loaded as a system: %v", err)
	}
}

func TestGraphsThatAskForWhatNobodyMakesAreRefused(t *testing.T) {
	r := open(t)
	for name, c := range map[string]struct {
		change func(map[string]any)
		says   string
	}{
		"an unknown system": {func(m map[string]any) { m["system"] = "oracle" }, "oracle"},
		"an unknown input":  {func(m map[string]any) { inputOf(m, 0, 0)["name"] = "moon" }, "moon"},
		"another decoder":   {func(m map[string]any) { inputOf(m, 1, 5)["name"] = "weather" }, "weather"},
		"no decoder":        {func(m map[string]any) { m["graphs"] = m["graphs"].([]any)[:1] }, "tick"},
	} {
		files := bundletest.City(t, citymodel.MTrajRec)
		bundletest.Change(t, files, c.change)
		b, err := bundle.Read(files)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.LoadCity(t.Context(), b); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// inputOf is an input of a graph as a manifest tells it.
func inputOf(manifest map[string]any, graph, input int) map[string]any {
	g := manifest["graphs"].([]any)[graph].(map[string]any)
	return g["inputs"].([]any)[input].(map[string]any)
}
