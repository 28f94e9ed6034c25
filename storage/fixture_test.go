package storage_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// named is a small network under a name; seed makes it differ.
func named(name string, seed uint64) *roadnet.Network {
	net := roadnettest.Random(seed, 6)
	info := net.Info()
	info.Name, info.Source, info.TimeZone = name, "city.osm.pbf", "Europe/Lisbon"
	return must(roadnet.FromColumns(info, net.Columns()))
}

// background is a map with a lake and a place.
func background() *basemap.Map {
	b := basemap.NewBuilder()
	lake := []roadnet.Coord{{Lon: 0, Lat: 0}, {Lon: 1000, Lat: 0}, {Lon: 1000, Lat: 1000}}
	for _, f := range []basemap.Feature{
		{Kind: basemap.Water, Name: "Lake", Rings: [][]roadnet.Coord{lake}},
		{Kind: basemap.Place, Rank: basemap.RankCity, Name: "City", Rings: [][]roadnet.Coord{{{Lon: 500, Lat: 500}}}},
	} {
		must(b.Add(f))
	}
	return must(b.Build(context.Background()))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// trips are n trajectories of a fleet, with ids from first on.
func trips(first, n int) []*trajectory.Trajectory {
	rng := rand.New(rand.NewPCG(uint64(first), 7))
	list := make([]*trajectory.Trajectory, n)
	for i := range list {
		t := &trajectory.Trajectory{ID: fmt.Sprintf("trip-%06d", first+i), Vehicle: fmt.Sprint("taxi-", i%40), Source: "porto.csv"}
		lon, lat, at := -8.6+rng.Float64()/10, 41.1+rng.Float64()/10, int64(1.4e12)+int64(first+i)*1000
		for range 10 + rng.IntN(20) {
			t.Samples = append(t.Samples, trajectory.Sample{Time: at, Lon: round7(lon), Lat: round7(lat)})
			lon, lat, at = lon+rng.Float64()/500, lat+rng.Float64()/500, at+60_000
		}
		list[i] = t
	}
	return list
}

func round7(v float64) float64 { return float64(int64(v*1e7)) / 1e7 }

// recovery is a made-up recovery of a trajectory on a network.
func recovery(t *trajectory.Trajectory, method string, on roadnet.Info) *trajectory.Recovery {
	r := &trajectory.Recovery{Trajectory: t.ID, Warnings: []string{"a long gap"},
		Provenance: trajectory.Provenance{Method: method, Network: on.Name, Fingerprint: on.Fingerprint, Settings: "tick=15s", Version: "0.1"}}
	part := trajectory.Part{StartRatio: 0.25, EndRatio: 0.75}
	for i, s := range t.Samples {
		at := roadnet.Position{Segment: roadnet.SegmentID(1000 + 2*i), Ratio: 0.5}
		part.Segments = append(part.Segments, at.Segment)
		c := trajectory.Candidate{Position: at, Distance: 7.5, Probability: 1}
		r.Matches = append(r.Matches, trajectory.SampleMatch{At: at, Distance: 7.5, Candidates: []trajectory.Candidate{c, c, c}})
		for k := range 4 {
			r.Ticks = append(r.Ticks, trajectory.Tick{Time: s.Time + int64(k)*15_000, Lon: s.Lon, Lat: s.Lat, At: at,
				Observed: k == 0, Along: float64(i*100 + k*25), Probability: 1, Margin: 1})
			if k == 0 {
				r.Ticks[len(r.Ticks)-1].Sample = uint32(i)
			}
		}
	}
	r.Parts = []trajectory.Part{part}
	r.Spans = []trajectory.Span{{Enter: r.Ticks[1].Time, Exit: r.Ticks[3].Time, From: 25, To: 75, Road: "Via Alta", Kind: trajectory.OnDeck, Probability: 1, RunnerUp: "Rua Baixa", Margin: 1}}
	return r
}
