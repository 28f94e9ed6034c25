package dataset

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sbinet/npyio"

	"retrace/engine"
	"retrace/engine/feature"
	"retrace/engine/metrics"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// cityTrip drives across a network, a tick of 15 s every 100 m.
func cityTrip(t *testing.T, net *roadnet.Network, id string) *trajectory.Trajectory {
	t.Helper()
	b := net.Info().Bounds
	place := func(share float64) roadnet.Position {
		p := roadnet.Point{Lon: b.MinLon + share*(b.MaxLon-b.MinLon), Lat: b.Center().Lat}
		return net.Near(p, 500, nil)[0].Position
	}
	router := roadnet.NewRouter(net)
	legs := router.Routes(place(0.1), []roadnet.Position{place(0.9)}, roadnet.Search{Bound: 1e5})
	if !legs[0].Found {
		t.Fatal("no way across the network")
	}
	trip := &trajectory.Trajectory{ID: id}
	for _, p := range feature.Pieces(net, router.Path(0, nil), place(0.1), place(0.9), nil) {
		if at := net.At(roadnet.Position{Segment: p.Segment, Ratio: p.From}); len(trip.Samples) == 0 || far(trip, at) {
			now := int64(1_700_000_000_000 + len(trip.Samples)*15_000)
			trip.Samples = append(trip.Samples, trajectory.Sample{Time: now, Lon: at.Lon, Lat: at.Lat})
		}
	}
	return trip
}

func far(trip *trajectory.Trajectory, at roadnet.Point) bool {
	last := trip.Samples[len(trip.Samples)-1]
	return roadnet.Distance(roadnet.Point{Lon: last.Lon, Lat: last.Lat}, at) >= 100
}

func settings() Settings {
	return Settings{
		Points: feature.DefaultSettings(), Routes: feature.DefaultRoutes(), Encoder: true, Seed: 7,
		Keep: []metrics.Keep{{Ratio: 1.0 / 8}, {Min: 60 * time.Second, Max: 120 * time.Second}},
	}
}

func blocksOf(t *testing.T, net *roadnet.Network) []Block {
	t.Helper()
	rec, err := engine.NewRecoverer(net, engine.DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	block := func(name string) Block {
		return Block{Name: name, Content: name, Cases: func(context.Context) ([]Case, error) {
			var cases []Case
			for _, id := range []string{"first", "second"} {
				dense := cityTrip(t, net, name+id)
				cases = append(cases, func(ctx context.Context) (metrics.Case, Reason, error) {
					truth, err := rec.Recover(ctx, dense, nil)
					return metrics.Case{Dense: dense, Truth: truth}, "", err
				})
			}
			return cases, nil
		}}
	}
	return []Block{block("shard-00000"), block("shard-00001")}
}

func write(t *testing.T, dir string, net *roadnet.Network) *Manifest {
	t.Helper()
	m, err := Write(context.Background(), dir, []*roadnet.Network{net}, blocksOf(t, net), settings(), 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func load[T any](t *testing.T, dir, shard, name string) []T {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, shard, name+".npy"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var values []T
	if err := npyio.Read(f, &values); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return values
}

func TestTheSameTripsMakeTheSameBytes(t *testing.T) {
	net := roadnettest.GridCity(20)
	a, b := t.TempDir(), t.TempDir()
	first, second := write(t, a, net), write(t, b, net)
	for i, shard := range first.Shards {
		if shard.Trips == 0 {
			t.Fatalf("shard %s is empty: %v", shard.Name, shard.Dropped)
		}
		for name, sum := range shard.Files {
			if second.Shards[i].Files[name] != sum {
				t.Errorf("%s/%s differs between two runs", shard.Name, name)
			}
		}
	}
	if read, err := Read(a); err != nil || len(read.Shards) != 2 {
		t.Errorf("the manifest reads as %v, %v", read, err)
	}
}

func TestOffsetsAndTargetsFit(t *testing.T) {
	dir := t.TempDir()
	net := roadnettest.GridCity(20)
	m := write(t, dir, net)
	const shard = "shard-00000"
	samples := m.Shards[0].Samples
	start := load[int32](t, dir, shard, "candidate_start")
	target := load[int32](t, dir, shard, "candidate_target")
	if len(start) != samples+1 || len(target) != samples {
		t.Fatalf("%d samples, %d offsets, %d targets", samples, len(start), len(target))
	}
	found := 0
	for i, k := range target {
		if k < start[i+1]-start[i] {
			found++
		}
	}
	if found*10 < samples*8 {
		t.Errorf("the true segment is among the candidates of %d of %d samples", found, samples)
	}
	checkOptions(t, dir, shard)
	checkPieces(t, dir, shard)
}

// checkOptions looks for the true way among the routes of each gap.
func checkOptions(t *testing.T, dir, shard string) {
	t.Helper()
	start, overlap := load[int32](t, dir, shard, "option_start"), load[float32](t, dir, shard, "option_overlap")
	good := 0
	for g := range len(start) - 1 {
		best := float32(0)
		for _, o := range overlap[start[g]:start[g+1]] {
			if o < 0 || o > 1 {
				t.Fatalf("overlap %v", o)
			}
			best = max(best, o)
		}
		if best > 0.95 {
			good++
		}
	}
	if gaps := len(start) - 1; good*10 < gaps*8 {
		t.Errorf("the true way is among the routes of %d of %d gaps", good, gaps)
	}
}

// checkPieces: times grow along the pieces and end with the gap.
func checkPieces(t *testing.T, dir, shard string) {
	t.Helper()
	start, times := load[int32](t, dir, shard, "piece_start"), load[float32](t, dir, shard, "piece_time")
	seconds := load[float32](t, dir, shard, "gap_seconds")
	for g := range seconds {
		last := float32(0)
		for _, at := range times[start[g]:start[g+1]] {
			if at < last-1e-3 || at > seconds[g]+1e-3 {
				t.Fatalf("gap %d of %v s: a piece ends at %v s after one at %v s", g, seconds[g], at, last)
			}
			last = at
		}
	}
}

func TestTimesAloneAreTheSameTimes(t *testing.T) {
	net := roadnettest.GridCity(20)
	whole, times := t.TempDir(), t.TempDir()
	write(t, whole, net)
	s := settings()
	s.Encoder, s.Times = false, true
	m, err := Write(context.Background(), times, []*roadnet.Network{net}, blocksOf(t, net), s, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	const shard = "shard-00000"
	for _, name := range []string{"pieces", "piece_time", "piece_length", "gap_seconds", "sample_time"} {
		if a, b := load[float32](t, whole, shard, name), load[float32](t, times, shard, name); len(a) == 0 || !slices.Equal(a, b) {
			t.Errorf("%s is %d numbers, and %d others with times alone", name, len(a), len(b))
		}
	}
	for _, name := range []string{"candidate_start", "option_start", "candidate_target"} {
		values := load[int32](t, times, shard, name)
		if want := len(load[int32](t, whole, shard, name)); len(values) != want || slices.Max(values) != 0 {
			t.Errorf("%s is %v, want %d times 0", name, values, want)
		}
	}
	if m.Shards[0].Trips == 0 || len(load[float32](t, times, shard, "options")) != 0 {
		t.Errorf("%d trips, with options", m.Shards[0].Trips)
	}
}

func TestFinishedShardsAreKept(t *testing.T) {
	dir := t.TempDir()
	net := roadnettest.GridCity(20)
	write(t, dir, net)
	path := filepath.Join(dir, "shard-00001", "options.npy")
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "shard-00000")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, net)
	after, err := os.Stat(path)
	if err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("a finished shard was written again (%v)", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "shard-00000", "options.npy")); err != nil {
		t.Errorf("the missing shard was not: %v", err)
	}
}
