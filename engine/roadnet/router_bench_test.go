package roadnet_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// BenchmarkGap routes from eight candidates to eight others 1 km away, as
// matching does for one gap. Its time must not grow with the city.
func BenchmarkGap(b *testing.B) {
	for _, side := range []int{50, 100, 200} {
		net := roadnettest.GridCity(side)
		b.Run(fmt.Sprintf("segments=%d", net.NumSegments()), func(b *testing.B) {
			r := roadnet.NewRouter(net)
			centre := net.Info().Bounds.Center()
			a, c := candidates(net, centre, 0, 0), candidates(net, centre, 0.009, 0.006)
			s := roadnet.Search{TimeShare: 0.5, Speed: 12, Turn: 50, UTurn: 150, Back: 30, Bound: 5000, Spread: 2000}
			var table roadnet.Table
			b.ReportAllocs()
			for b.Loop() {
				table.ManyToMany(r, a, c, s)
			}
		})
	}
}

func candidates(net *roadnet.Network, p roadnet.Point, east, north float64) []roadnet.Position {
	var out []roadnet.Position
	for _, h := range net.Near(roadnet.Point{Lon: p.Lon + east, Lat: p.Lat + north}, 150, nil)[:8] {
		out = append(out, h.Position)
	}
	return out
}

// BenchmarkSearch routes from anywhere to anywhere within 2 km.
func BenchmarkSearch(b *testing.B) {
	net := roadnettest.GridCity(100)
	r := roadnet.NewRouter(net)
	rng := rand.New(rand.NewPCG(1, 2))
	to := make([]roadnet.Position, 1)
	b.ReportAllocs()
	for b.Loop() {
		from := roadnet.Position{Segment: roadnet.SegmentID(rng.IntN(net.NumSegments())), Ratio: 0.5}
		p := net.At(from)
		hits := net.Near(roadnet.Point{Lon: p.Lon + 0.02*(rng.Float64()-0.5), Lat: p.Lat + 0.02*(rng.Float64()-0.5)}, 150, nil)
		if len(hits) == 0 {
			continue
		}
		to[0] = hits[0].Position
		r.Routes(from, to, roadnet.Search{UTurn: 150, Back: 30, Bound: 20_000})
	}
}
