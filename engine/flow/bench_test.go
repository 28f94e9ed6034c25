package flow

import (
	"context"
	"math/rand/v2"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// hundredThousand is an index over 100,000 trips in a city of 60 by 60 streets,
// and some of the trips.
func hundredThousand(b *testing.B) (*Index, []Trip) {
	b.Helper()
	net := roadnettest.GridCity(60)
	rng := rand.New(rand.NewPCG(1, 1))
	some := make([]Trip, 1000)
	for i := range some {
		some[i] = randomTrip(net, rng, i)
	}
	x := NewIndex(net)
	for n := range 100 {
		x.Put(renamed(some, n))
	}
	return x, renamed(some, 0)
}

func renamed(trips []Trip, n int) []Trip {
	all := make([]Trip, len(trips))
	for i, t := range trips {
		all[i] = Trip{ID: t.ID + string(rune('A'+n)), Recovery: t.Recovery}
	}
	return all
}

// Benchmark100000Trips asks an index over 100,000 trips, about ten segments each.
func Benchmark100000Trips(b *testing.B) {
	x, some := hundredThousand(b)
	ids := make([]string, 100)
	for i := range ids {
		ids[i] = some[i].ID
	}
	ctx := context.Background()
	middle := x.net.Info().Bounds.Center()
	line := Screen{Line: []roadnet.Point{{Lon: middle.Lon, Lat: middle.Lat - 0.005}, {Lon: middle.Lon, Lat: middle.Lat + 0.005}}}
	links := func(ask Ask) func(*testing.B) {
		return func(b *testing.B) {
			for b.Loop() {
				if _, err := x.Links(ctx, ask); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	b.Run("links of all", links(Ask{}))
	b.Run("links in the morning", links(Ask{When: When{Hours: 0x380}}))
	b.Run("links of 100 trips", links(Ask{Trips: ids}))
	b.Run("trips on a segment", func(b *testing.B) {
		for b.Loop() {
			x.TripsOn([]roadnet.SegmentID{100}, Ask{})
		}
	})
	b.Run("trips across 1 km", func(b *testing.B) {
		for b.Loop() {
			if _, err := x.Cross(ctx, line, Ask{}, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("1000 trips more", func(b *testing.B) {
		for b.Loop() {
			x.Put(some)
		}
	})
}
