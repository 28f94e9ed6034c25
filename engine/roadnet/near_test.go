package roadnet_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

func TestNearTellsBothDirections(t *testing.T) {
	net := roadnettest.Draw(t, 10, `
	A---------B

	C---------D
	`, "AB", "CD oneway=yes")
	hits := net.Near(net.PointNear('A', 50, -6), 50, nil)
	var got []roadnet.SegmentID
	for _, h := range hits {
		got = append(got, h.Segment)
	}
	if path := net.Path(got); path != "AB BA CD" {
		t.Fatalf("near are %s", path)
	}
	for i, want := range []struct {
		distance, ratio float64
		side            int8
	}{{6, 0.5, 1}, {6, 0.5, -1}, {14, 0.5, -1}} {
		h := hits[i]
		if abs(h.Distance-want.distance) > 0.05 || abs(h.Ratio-want.ratio) > 0.01 || h.Side != want.side {
			t.Errorf("%s: %+v, want %v", net.Path(got[i:i+1]), h, want)
		}
	}
	if hits := net.Near(net.PointNear('A', 50, -6), 5, nil); len(hits) != 0 {
		t.Errorf("within 5 m: %v", hits)
	}
}

// Near finds what asking every segment finds, in the same order.
func TestNearAgreesWithAskingAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64Range(0, 30).Draw(t, "seed")
		lat := rapid.SampledFrom([]int32{-840_000_000, -300_000_000, 0, 500_000_000, 700_000_000, 850_000_000}).Draw(t, "latitude")
		net := shifted(seed, 0, lat)
		b := net.Info().Bounds
		p := roadnet.Point{
			Lon: rapid.Float64Range(b.MinLon-0.01, b.MaxLon+0.01).Draw(t, "lon"),
			Lat: rapid.Float64Range(b.MinLat-0.01, b.MaxLat+0.01).Draw(t, "lat"),
		}
		radius := rapid.SampledFrom([]float64{0, 10, 50, 400, 3000}).Draw(t, "radius")
		checkNear(t, net, p, radius)
	})
}

// shifted is a random network moved so that its first vertex lies at a place.
func shifted(seed uint64, lon, lat int32) *roadnet.Network {
	ways, restrictions := roadnettest.RandomWays(seed, 6)
	first := ways[0].Coords[0]
	for _, w := range ways {
		for i := range w.Coords {
			w.Coords[i].Lon += lon - first.Lon
			w.Coords[i].Lat += lat - first.Lat
		}
	}
	return buildAll(ways, restrictions)
}

func checkNear(t *rapid.T, net *roadnet.Network, p roadnet.Point, radius float64) {
	var want []roadnet.Hit
	for id := range roadnet.SegmentID(net.NumSegments()) {
		if h := net.Project(p, id); h.Distance <= radius {
			want = append(want, h)
		}
	}
	got := net.Near(p, radius, nil)
	if !slices.IsSortedFunc(got, func(a, b roadnet.Hit) int { return int(1e6 * (a.Distance - b.Distance)) }) {
		t.Fatal("not the nearest first")
	}
	byID := func(a, b roadnet.Hit) int { return int(a.Segment) - int(b.Segment) }
	slices.SortFunc(got, byID)
	if !slices.Equal(got, want) {
		t.Fatalf("found %v, want %v", got, want)
	}
}

// The distance of a projection is that to the nearest place on the segment.
func TestProjectionIsNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lat := rapid.SampledFrom([]int32{-800_000_000, 0, 500_000_000, 750_000_000}).Draw(t, "latitude")
		net := shifted(rapid.Uint64Range(0, 30).Draw(t, "seed"), 0, lat)
		b := net.Info().Bounds
		p := roadnet.Point{
			Lon: rapid.Float64Range(b.MinLon, b.MaxLon).Draw(t, "lon"),
			Lat: rapid.Float64Range(b.MinLat, b.MaxLat).Draw(t, "lat"),
		}
		id := roadnet.SegmentID(rapid.IntRange(0, net.NumSegments()-1).Draw(t, "segment"))
		hit := net.Project(p, id)
		if d := roadnet.Distance(p, net.At(hit.Position)); abs(d-hit.Distance) > 1e-4*d+0.02 {
			t.Fatalf("the position is %g m away, not %g m", d, hit.Distance)
		}
		for i := range 101 {
			at := net.At(roadnet.Position{Segment: id, Ratio: float64(i) / 100})
			if d := roadnet.Distance(p, at); d < hit.Distance*(1-1e-3)-0.02 {
				t.Fatalf("%g m to ratio %g, but %+v", d, float64(i)/100, hit)
			}
		}
	})
}

// A road on the other side of the 180th meridian is near.
func TestNearAcrossTheMeridian(t *testing.T) {
	west := way(1, []int64{1, 2}, 149_999, 150_000)
	east := way(2, []int64{3, 4}, -150_000, -149_999)
	net := buildAll([]roadnet.Way{west, east}, nil)
	for _, lon := range []float64{179.9999, -179.9999, 180, -180} {
		if hits := net.Near(roadnet.Point{Lon: lon, Lat: 41.15}, 50, nil); len(hits) != 4 {
			t.Errorf("at %g: %d segments, want 4", lon, len(hits))
		}
	}
}

func TestNearKeepsWhatIsInTheBuffer(t *testing.T) {
	net := roadnettest.Draw(t, 10, "A   B", "AB")
	buf := []roadnet.Hit{{Distance: 99}}
	if buf = net.Near(net.Point('A'), 10, buf); len(buf) != 3 || buf[0].Distance != 99 {
		t.Errorf("%v", buf)
	}
}

func TestNearDoesNotAllocate(t *testing.T) {
	net := roadnettest.GridCity(30)
	buf := make([]roadnet.Hit, 0, 1000)
	p := net.Info().Bounds.Center()
	if n := testing.AllocsPerRun(100, func() { buf = net.Near(p, 400, buf[:0]) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestLinesInABox(t *testing.T) {
	net := roadnettest.Random(5, 10)
	rng := rand.New(rand.NewPCG(1, 2))
	whole := net.Info().Bounds
	for range 200 {
		lon := whole.MinLon + rng.Float64()*(whole.MaxLon-whole.MinLon)
		lat := whole.MinLat + rng.Float64()*(whole.MaxLat-whole.MinLat)
		b := roadnet.Bounds{MinLon: lon, MinLat: lat, MaxLon: lon + rng.Float64()*0.01, MaxLat: lat + rng.Float64()*0.01}
		got := make(map[roadnet.LineID]bool)
		net.Lines(b, func(l roadnet.LineID) bool { got[l] = true; return true })
		for l := range roadnet.LineID(net.NumLines()) {
			if net.LineBounds(l).Intersects(b) && !got[l] {
				t.Fatalf("line %d is not found in %v", l, b)
			}
		}
	}
	visits := 0
	net.Lines(whole, func(roadnet.LineID) bool { visits++; return visits < 3 })
	if visits != 3 {
		t.Errorf("%d visits after saying stop at 3", visits)
	}
}

func benchmarkNear(b *testing.B, radius float64) {
	net := roadnettest.GridCity(123) // 60,000 segments
	rng := rand.New(rand.NewPCG(1, 2))
	bounds := net.Info().Bounds
	points := make([]roadnet.Point, 1000)
	for i := range points {
		points[i] = roadnet.Point{
			Lon: bounds.MinLon + rng.Float64()*(bounds.MaxLon-bounds.MinLon),
			Lat: bounds.MinLat + rng.Float64()*(bounds.MaxLat-bounds.MinLat),
		}
	}
	buf := make([]roadnet.Hit, 0, 4096)
	b.ReportAllocs()
	hits, i := 0, 0
	for b.Loop() {
		buf = net.Near(points[i%len(points)], radius, buf[:0])
		hits += len(buf)
		i++
	}
	b.ReportMetric(float64(hits)/float64(i), "hits/op")
}

func BenchmarkNear50m(b *testing.B)  { benchmarkNear(b, 50) }
func BenchmarkNear400m(b *testing.B) { benchmarkNear(b, 400) }
