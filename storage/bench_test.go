package storage_test

import (
	"context"
	"path/filepath"
	"testing"

	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/storage"
)

// BenchmarkOpen600k opens a workspace and its network of 600,000 segments, ready
// for use.
func BenchmarkOpen600k(b *testing.B) {
	path, ctx := filepath.Join(b.TempDir(), "w"), context.Background()
	net := roadnettest.GridCity(388)
	w := must(storage.Open(path, storage.Options{}))
	if err := w.SaveNetwork(ctx, net, background(), nil); err != nil {
		b.Fatal(err)
	}
	name := net.Info().Name
	w.Close()
	for b.Loop() {
		w := must(storage.Open(path, storage.Options{}))
		net, _, err := w.LoadNetwork(ctx, name)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(net.NumSegments()), "segments")
		w.Close()
	}
}

// BenchmarkSave600k saves a network of 600,000 segments.
func BenchmarkSave600k(b *testing.B) {
	net, ctx := roadnettest.GridCity(388), context.Background()
	w := must(storage.Open(filepath.Join(b.TempDir(), "w"), storage.Options{}))
	defer w.Close()
	for b.Loop() {
		if err := w.ReplaceNetwork(ctx, net, nil, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(must(w.Space()).File)/1e6, "MB")
}

// fleet is a workspace with many trips and their recoveries.
func fleet(b *testing.B, n int) string {
	b.Helper()
	path, ctx := filepath.Join(b.TempDir(), "w"), context.Background()
	w := must(storage.Open(path, storage.Options{}))
	defer w.Close()
	info := named("net", 1).Info()
	for i := 0; i < n; i += 1000 {
		ts := trips(i, 1000)
		must(w.SaveTrajectories(ctx, ts))
		var rs []*trajectory.Recovery
		for _, t := range ts {
			rs = append(rs, recovery(t, "hmm", info))
		}
		if err := w.SaveRecoveries(ctx, rs); err != nil {
			b.Fatal(err)
		}
	}
	return path
}

// BenchmarkOpenFleet opens a workspace of 100,000 trips and lists them.
func BenchmarkOpenFleet(b *testing.B) {
	path := fleet(b, 100_000)
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			must(storage.Open(path, storage.Options{})).Close()
		}
	})
	w := must(storage.Open(path, storage.Options{}))
	defer w.Close()
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			for _, err := range w.RecoverySummaries(context.Background()) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			for _, err := range w.Recoveries(context.Background()) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("verify", func(b *testing.B) {
		for b.Loop() {
			if _, err := w.Verify(context.Background(), nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("compact", func(b *testing.B) {
		for b.Loop() {
			if err := w.Compact(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
		s := must(w.Space())
		b.ReportMetric(float64(s.File)/100_000, "bytes/trip")
	})
}

// BenchmarkSaveTrips saves a thousand trajectories and their recoveries at a time.
func BenchmarkSaveTrips(b *testing.B) {
	w, ctx := must(storage.Open(filepath.Join(b.TempDir(), "w"), storage.Options{})), context.Background()
	defer w.Close()
	info, n := named("net", 1).Info(), 0
	for b.Loop() {
		ts := trips(n, 1000)
		must(w.SaveTrajectories(ctx, ts))
		rs := make([]*trajectory.Recovery, len(ts))
		for i, t := range ts {
			rs[i] = recovery(t, "hmm", info)
		}
		if err := w.SaveRecoveries(ctx, rs); err != nil {
			b.Fatal(err)
		}
		n += len(ts)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "trips/s")
}
