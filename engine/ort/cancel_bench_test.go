package ort

import (
	"context"
	"errors"
	"testing"
	"time"

	"retrace/engine"
	"retrace/engine/device"
	"retrace/engine/rntrajrec"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/internal/cputime"
)

// BenchmarkCancel is how long recovery goes on after it is called off at any
// moment, with the bundle that ships on the CPU, two threads: of many trips, and of
// one trip of ten thousand samples. On a machine that others use too, the
// processor's time counts.
func BenchmarkCancel(b *testing.B) {
	model, files := onCPU(b, open(b))
	net := roadnettest.GridCity(48)
	s := engine.DefaultSettings()
	s.Method, s.Decoder, s.Threads, s.Model = engine.MethodRNTrajRec, engine.DecoderRoutes, 2, model.engine(files)
	r, err := engine.NewRecoverer(net, s)
	if err != nil {
		b.Fatal(err)
	}
	trip := crossing(net)
	long := &trajectory.Trajectory{ID: "long"}
	for i := range 10_000 {
		at := trip.Samples[[]int{0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1}[i%12]]
		at.Time = int64(i) * 120_000
		long.Samples = append(long.Samples, at)
	}
	for name, one := range map[string]*trajectory.Trajectory{"many": trip, "long": long} {
		b.Run(name, func(b *testing.B) {
			calledOff(b, 1500, func(ctx context.Context) error {
				return r.AsFinished(ctx, func(yield func(*trajectory.Trajectory, error) bool) {
					for yield(one, nil) {
					}
				}, nil, func(*trajectory.Trajectory, *trajectory.Recovery, error) error { return nil })
			})
		})
	}
}

// BenchmarkCancelOfWhatComesFirst is the same for what a model says of 600,000
// segments, and for loading a model of all graphs.
func BenchmarkCancelOfWhatComesFirst(b *testing.B) {
	r, files := open(b), wholeBundle(b)
	m, err := r.Load(context.Background(), files, Options{Device: device.CPU, Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	b.Run("roads", func(b *testing.B) {
		net := roadnettest.GridCity(388)
		calledOff(b, 1500, func(ctx context.Context) error {
			return rntrajrec.NewRoads(net, m, nil).All(ctx, 2)
		})
	})
	b.Run("load", func(b *testing.B) {
		calledOff(b, 50, func(ctx context.Context) error {
			for {
				m, err := r.Load(ctx, files, Options{Device: device.CPU, Threads: 1})
				if err != nil {
					return err
				}
				if err := m.Close(); err != nil {
					return err
				}
			}
		})
	})
}

// calledOff measures how long work goes on that is called off at a moment that is
// another one each time, within so many milliseconds after a tenth of a second.
func calledOff(b *testing.B, within int, work func(context.Context) error) {
	b.Helper()
	var worst, sum, used time.Duration
	for i := range b.N {
		ctx, cancel := context.WithCancel(context.Background())
		var asked time.Time
		var before time.Duration
		time.AfterFunc(time.Duration(100+i*67%within)*time.Millisecond, func() { asked, before = time.Now(), cputime.Used(); cancel() })
		err := work(ctx)
		took, cpu := time.Since(asked), cputime.Used()-before
		if !errors.Is(err, context.Canceled) {
			b.Fatal(err)
		}
		worst, sum, used = max(worst, took), sum+took, max(used, cpu)
	}
	b.ReportMetric(float64(worst.Milliseconds()), "worst-ms")
	b.ReportMetric(float64(used.Milliseconds()), "worst-cpu-ms")
	b.ReportMetric(float64(sum.Milliseconds())/float64(b.N), "mean-ms")
}
