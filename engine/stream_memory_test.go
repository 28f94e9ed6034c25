package engine_test

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"retrace/engine"
	"retrace/engine/device"
	"retrace/engine/enginetest"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// streaming is one of the ways to recover many trajectories.
type streaming func(context.Context, iter.Seq2[*trajectory.Trajectory, error], func(*trajectory.Trajectory) []engine.Pin,
	func(*trajectory.Trajectory, *trajectory.Recovery, error) error) error

// eachStreaming tests both methods, in order and as they finish, on two threads.
func eachStreaming(t *testing.T, net *roadnet.Network, test func(*testing.T, streaming)) {
	model, err := new(enginetest.Models).Open(context.Background(), "", device.CPU)
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{engine.MethodHMM, engine.MethodRNTrajRec} {
		s := engine.DefaultSettings()
		s.Method, s.Model, s.Threads, s.Alternatives = method, model, 2, 2
		r, err := engine.NewRecoverer(net, s)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(method+" in order", func(t *testing.T) { test(t, r.Stream) })
		t.Run(method+" as finished", func(t *testing.T) { test(t, r.AsFinished) })
	}
}

// short is one of many trips over a network: every eighth drives, the others stand.
func short(net *roadnet.Network, i int) *trajectory.Trajectory {
	t := &trajectory.Trajectory{ID: fmt.Sprint(i)}
	for k := range 1 + (i%8)/7 {
		p := net.At(roadnet.Position{Segment: roadnet.SegmentID((i*7 + k) % net.NumSegments()), Ratio: 0.4})
		t.Samples = append(t.Samples, trajectory.Sample{Time: int64(k) * 30_000, Lon: p.Lon, Lat: p.Lat})
	}
	return t
}

// live is the memory in use, bytes.
func live() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestMemoryDoesNotGrowWithTheTripsStreamed(t *testing.T) {
	const trips, most = 10_000, 2 << 20 // bytes: 280 for each of the later trips
	net := roadnettest.GridCity(3)
	eachStreaming(t, net, func(t *testing.T, stream streaming) {
		n, quarter, end := 0, int64(0), int64(0)
		err := stream(context.Background(), func(yield func(*trajectory.Trajectory, error) bool) {
			for i := 0; i < trips && yield(short(net, i), nil); i++ {
			}
		}, nil, func(_ *trajectory.Trajectory, _ *trajectory.Recovery, err error) error {
			switch n++; n {
			case trips / 4:
				quarter = live()
			case trips:
				end = live()
			}
			return err
		})
		if err != nil || n != trips {
			t.Fatalf("%d of %d trips, error %v", n, trips, err)
		}
		t.Logf("%d bytes more after %d trips than after %d", end-quarter, trips, trips/4)
		if end-quarter > most {
			t.Errorf("%d bytes more are in use after %d trips than after %d, want at most %d", end-quarter, trips, trips/4, most)
		}
	})
}

// Whoever is slow to take the results holds up the input: what is between waits
// in the memory.
func TestASlowConsumerHoldsUpTheInput(t *testing.T) {
	const most = 64 + 2*(32+2) + 2 // read ahead, under way and finished, in two hands
	net := roadnettest.GridCity(3)
	eachStreaming(t, net, func(t *testing.T, stream streaming) {
		var taken atomic.Int64
		n := int64(0)
		err := stream(context.Background(), func(yield func(*trajectory.Trajectory, error) bool) {
			for i := 0; i < 300; i++ {
				taken.Add(1)
				if !yield(short(net, i), nil) {
					return
				}
			}
		}, nil, func(_ *trajectory.Trajectory, _ *trajectory.Recovery, err error) error {
			for n == 0 && taken.Load() < 60 { // it does read ahead
				time.Sleep(time.Millisecond)
			}
			if n < 3 {
				time.Sleep(50 * time.Millisecond) // and could go on
			}
			n++
			if over := taken.Load() - n; over > most {
				return fmt.Errorf("%d trips were read and not yet handed out", over)
			}
			return err
		})
		if err != nil || n != 300 {
			t.Errorf("%d trips, error %v", n, err)
		}
	})
}

// BenchmarkMemoryOfAStream streams b.N trips through a model (-benchtime 1000000x) and
// tells how much more memory is in use at the end than after a tenth of them.
func BenchmarkMemoryOfAStream(b *testing.B) {
	r := toyRecoverer(b, roadnettest.GridCity(3))
	n, early := 0, int64(0)
	net := roadnettest.GridCity(3)
	err := r.AsFinished(context.Background(), func(yield func(*trajectory.Trajectory, error) bool) {
		for i := 0; i < b.N && yield(short(net, i), nil); i++ {
		}
	}, nil, func(_ *trajectory.Trajectory, _ *trajectory.Recovery, err error) error {
		if n++; n == max(1, b.N/10) {
			early = live()
		}
		return err
	})
	if err != nil || n != b.N {
		b.Fatalf("%d of %d trips, error %v", n, b.N, err)
	}
	b.ReportMetric(float64(live()-early), "more-bytes")
}

// BenchmarkMemoryOfALongTrip recovers one trip of b.N samples (-benchtime 100000x) and
// tells how much memory is in use at the most, and how much of it the recovery takes
// that is handed out.
func BenchmarkMemoryOfALongTrip(b *testing.B) {
	net := roadnettest.GridCity(12)
	r := toyRecoverer(b, net)
	c := net.Info().Bounds.Center()
	long := &trajectory.Trajectory{ID: "long"}
	for i := range max(2, b.N) {
		k := float64(min(i%12, 12-i%12)) // there and back
		long.Samples = append(long.Samples, trajectory.Sample{Time: int64(i) * 60_000, Lon: c.Lon + 0.0006*(k-3), Lat: c.Lat + 0.00004})
	}
	before := live()
	most, done, ended := int64(0), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
				most = max(most, live()-before)
			}
		}
	}()
	rec, err := r.Recover(context.Background(), long, nil)
	close(done)
	<-ended
	if err != nil || len(rec.Parts) == 0 {
		b.Fatalf("%v: %+v", err, rec)
	}
	kept := live() - before
	runtime.KeepAlive(rec)
	b.ReportMetric(float64(most)/float64(b.N), "most-bytes/sample")
	b.ReportMetric(float64(kept)/float64(b.N), "kept-bytes/sample")
	b.ReportMetric(float64(max(0, most-kept))/1e6, "MB-more-on-the-way")
}

// toyRecoverer recovers by the model for tests, on two threads.
func toyRecoverer(b *testing.B, net *roadnet.Network) *engine.Recoverer {
	b.Helper()
	model, err := new(enginetest.Models).Open(context.Background(), "", device.CPU)
	if err != nil {
		b.Fatal(err)
	}
	s := engine.DefaultSettings()
	s.Method, s.Model, s.Threads = engine.MethodRNTrajRec, model, 2
	r, err := engine.NewRecoverer(net, s)
	if err != nil {
		b.Fatal(err)
	}
	return r
}
