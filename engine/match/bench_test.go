package match

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// BenchmarkMatch matches trips with a point every two minutes, and says which
// share of the time goes to candidates, to routes, and to the passes.
func BenchmarkMatch(b *testing.B) {
	net := roadnettest.GridCity(150)
	m, err := New(net, DefaultSettings())
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	var spent [3]time.Duration
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		samples := drive(net, rng, 7)
		res := &Result{Matches: make([]trajectory.SampleMatch, len(samples))}
		start := time.Now()
		layers, err := m.layers(ctx, samples, res)
		if err != nil {
			b.Fatal(err)
		}
		lat := &lattice{layers: layers, set: m.set}
		near := time.Now()
		if err := m.connect(ctx, lat); err != nil {
			b.Fatal(err)
		}
		routed := time.Now()
		if err := m.decide(ctx, lat); err != nil {
			b.Fatal(err)
		}
		if err := lat.backward(ctx); err != nil {
			b.Fatal(err)
		}
		if err := m.report(ctx, lat, res); err != nil {
			b.Fatal(err)
		}
		spent[0], spent[1], spent[2] = spent[0]+near.Sub(start), spent[1]+routed.Sub(near), spent[2]+time.Since(routed)
	}
	total := (spent[0] + spent[1] + spent[2]).Seconds()
	for i, name := range []string{"candidates", "routes", "passes"} {
		b.ReportMetric(100*spent[i].Seconds()/total, name+"-%")
	}
}

// drive is a trip at some 25 km/h through the middle of a city, a sample every
// two minutes, 10 m beside the road.
func drive(net *roadnet.Network, rng *rand.Rand, count int) []trajectory.Sample {
	p := net.Info().Bounds.Center()
	var samples []trajectory.Sample
	for i := range count {
		samples = append(samples, trajectory.Sample{Time: int64(i) * 120_000, Lon: p.Lon, Lat: p.Lat})
		p.Lon += 0.006 + 0.002*(rng.Float64()-0.5)
		p.Lat += 0.004 + 0.002*(rng.Float64()-0.5)
	}
	return samples
}
