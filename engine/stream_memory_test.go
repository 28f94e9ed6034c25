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
