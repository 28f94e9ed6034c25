package roadnet_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// dump is all that can be asked of a network, but for searches.
func dump(n *roadnet.Network) []any {
	all := []any{n.Info(), n.NumNodes(), n.NumLines(), n.NumComponents(), n.NumStates()}
	for id := range roadnet.SegmentID(n.NumSegments()) {
		on, atEnd := n.ControlCounts(id)
		all = append(all, n.Segment(id), n.Vertices(id, nil), n.Next(id), n.Prev(id), n.UTurnAllowed(id),
			n.FreeFlow(id), n.Ambiguous(id), n.BelowDeck(id), n.Cells(id, nil), on, atEnd)
	}
	for s := range roadnet.State(n.NumStates()) {
		all = append(all, n.StateSegment(s), n.NextStates(s))
	}
	return all
}

func TestStoredNetworkIsTheSame(t *testing.T) {
	for seed := range uint64(20) {
		net := roadnettest.Random(seed, 12)
		again, err := roadnet.FromColumns(net.Info(), net.Columns())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(dump(net), dump(again)); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
}

func TestEmptyNetwork(t *testing.T) {
	net := roadnettest.Draw(t, 10, "A")
	again, err := roadnet.FromColumns(net.Info(), net.Columns())
	if err != nil {
		t.Fatal(err)
	}
	if again.NumSegments() != 0 || len(again.Near(net.Point('A'), 1000, nil)) != 0 {
		t.Error("an empty network holds something")
	}
}

// clone copies columns so that they can be damaged.
func clone(cols []roadnet.Column) []roadnet.Column {
	copied := make([]roadnet.Column, len(cols))
	for i, c := range cols {
		v := reflect.ValueOf(c.Data)
		w := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(w, v)
		copied[i] = roadnet.Column{Name: c.Name, Data: w.Interface()}
	}
	return copied
}

// damage changes columns at random: numbers, lengths, or whole columns.
func damage(rng *rand.Rand, cols []roadnet.Column) []roadnet.Column {
	i := rng.IntN(len(cols))
	v := reflect.ValueOf(cols[i].Data)
	switch rng.IntN(12) {
	case 0:
		return append(cols[:i], cols[i+1:]...)
	case 1:
		return append(cols, cols[i])
	case 2:
		cols[i].Data = []float64{1}
	case 3:
		cols[i].Data = v.Slice(0, rng.IntN(v.Len()+1)).Interface()
	case 4:
		cols[i].Data = reflect.Append(v, reflect.Zero(v.Type().Elem())).Interface()
	default:
		if v.Len() > 0 {
			change(rng, v.Index(rng.IntN(v.Len())), v.Index(rng.IntN(v.Len())))
		}
	}
	return cols
}

// change changes one number.
func change(rng *rand.Rand, x, other reflect.Value) {
	if x.CanFloat() {
		x.SetFloat([]float64{math.NaN(), math.Inf(1), -1, 1e30, other.Float()}[rng.IntN(5)])
		return
	}
	switch rng.IntN(4) {
	case 0:
		x.Set(other)
	case 1:
		x.SetZero()
	case 2:
		add(x, []int64{-1, 1}[rng.IntN(2)])
	default:
		add(x, rng.Int64())
	}
}

func add(x reflect.Value, d int64) {
	if x.CanUint() {
		x.SetUint(x.Uint() + uint64(d)&(1<<(8*x.Type().Size())-1))
		return
	}
	x.SetInt(x.Int() + d)
}

// exercise calls everything there is.
func exercise(rng *rand.Rand, n *roadnet.Network) {
	dump(n)
	b := n.Info().Bounds
	for range 20 {
		p := roadnet.Point{
			Lon: b.MinLon + rng.Float64()*(b.MaxLon-b.MinLon),
			Lat: b.MinLat + rng.Float64()*(b.MaxLat-b.MinLat),
		}
		for _, h := range n.Near(p, 300, nil) {
			n.At(h.Position)
			n.Heading(h.Position)
			n.Piece(h.Position)
			n.Project(p, h.Segment)
			n.CellAt(p)
		}
	}
	for id := range roadnet.SegmentID(n.NumSegments()) {
		for _, next := range n.Next(id) {
			n.TurnAngle(id, next)
		}
		n.At(roadnet.Position{Segment: id, Ratio: math.NaN()})
	}
	n.Lines(b, func(l roadnet.LineID) bool { n.LineRoad(l); return true })
}

// A damaged column is refused, or does no harm: nothing panics.
func TestDamagedColumns(t *testing.T) {
	nets := []*roadnet.Network{roadnettest.Random(3, 6), stacked(t).Network}
	refused := 0
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		net := nets[rng.IntN(len(nets))]
		cols := clone(net.Columns())
		for range 1 + rng.IntN(3) {
			cols = damage(rng, cols)
		}
		damaged, err := roadnet.FromColumns(net.Info(), cols)
		if err != nil {
			refused++
			if !strings.Contains(err.Error(), "column") {
				t.Fatalf("no column is named: %v", err)
			}
			return
		}
		exercise(rng, damaged)
	})
	if refused == 0 {
		t.Error("nothing was refused")
	}
}

func TestFingerprintTellsContentApart(t *testing.T) {
	seen := make(map[string]uint64)
	for seed := range uint64(10) {
		f := roadnettest.Random(seed, 8).Info().Fingerprint
		if before, ok := seen[f]; ok || len(f) != 64 {
			t.Errorf("seeds %d and %d: %s", before, seed, f)
		}
		seen[f] = seed
	}
	if a, b := roadnettest.Random(1, 8).Info().Fingerprint, roadnettest.Random(1, 8).Info().Fingerprint; a != b {
		t.Errorf("%s and %s for the same network", a, b)
	}
}

func BenchmarkOpen600k(b *testing.B) {
	net := roadnettest.GridCity(388)
	cols := net.Columns()
	for b.Loop() {
		if _, err := roadnet.FromColumns(net.Info(), cols); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(net.NumSegments()), "segments")
	vertices := 0
	for l := range roadnet.LineID(net.NumLines()) {
		vertices += len(net.LineCoords(l))
	}
	b.ReportMetric(float64(vertices), "vertices")
}

func BenchmarkBuild600k(b *testing.B) {
	for b.Loop() {
		roadnettest.GridCity(388)
	}
}

func ExampleFromColumns() {
	net := roadnettest.GridCity(3)
	again, err := roadnet.FromColumns(net.Info(), net.Columns())
	fmt.Println(again.NumSegments(), err)
	// Output: 24 <nil>
}
