package rntrajrec

import (
	"context"
	"math"
	"reflect"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// anyTrip draws samples on and around a network, some of them far off, late or
// twice at an instant.
func anyTrip(t *rapid.T, net *roadnet.Network) []trajectory.Sample {
	var samples []trajectory.Sample
	now := int64(0)
	for range rapid.IntRange(1, 8).Draw(t, "samples") {
		id := roadnet.SegmentID(rapid.IntRange(0, net.NumSegments()-1).Draw(t, "segment"))
		p := net.At(roadnet.Position{Segment: id, Ratio: rapid.Float64Range(0, 1).Draw(t, "ratio")})
		off := rapid.SampledFrom([]float64{0, 0.0001, 0.0003, 0.02}).Draw(t, "off")
		now += rapid.SampledFrom([]int64{0, 1000, 15_000, 60_000, 240_000}).Draw(t, "gap")
		samples = append(samples, trajectory.Sample{Time: now, Lon: p.Lon + off, Lat: p.Lat - off/2})
	}
	return samples
}

// A trip gets the same result alone and among others, on any number of threads.
func TestATripDoesNotDependOnThoseBesideIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := roadnettest.Random(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(3, 6).Draw(t, "size"))
		var trips [][]trajectory.Sample
		for range rapid.IntRange(2, 6).Draw(t, "trips") {
			trips = append(trips, anyTrip(t, net))
		}
		alone, together := fresh(t, net, 1), fresh(t, net, rapid.IntRange(1, 4).Draw(t, "threads"))
		want, got := make([]*match.Result, len(trips)), make([]*match.Result, len(trips))
		var all sync.WaitGroup
		for i, samples := range trips {
			var err error
			if want[i], err = alone.Match(context.Background(), samples, nil); err != nil {
				t.Fatal(err)
			}
			all.Go(func() {
				res, err := together.Match(context.Background(), samples, nil)
				if err != nil {
					t.Error(err)
				}
				got[i] = res
			})
		}
		all.Wait()
		for i := range trips {
			checkChain(t, net, want[i])
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Fatalf("trip %d is\n%+v together, and\n%+v alone", i, got[i], want[i])
			}
		}
	})
}

func fresh(t *rapid.T, net *roadnet.Network, threads int) *Decoder {
	matching := match.DefaultSettings()
	matching.Alternatives = 3
	d, err := New(net, nearest{}, Settings{Routes: feature.DefaultRoutes(), Matching: matching, Threads: threads, Calls: 1})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// checkChain checks that the path leads on, its times do not go back, and
// alternatives and candidates have probabilities that add up.
func checkChain(t *rapid.T, net *roadnet.Network, res *match.Result) {
	for i, leg := range res.Legs {
		if leg.Broken {
			continue
		}
		if !net.Drivable(leg.Path) || leg.Path[0] != res.Matches[leg.From].At.Segment ||
			leg.Path[len(leg.Path)-1] != res.Matches[leg.To].At.Segment {
			t.Fatalf("leg %d is %+v", i, leg)
		}
		sum := 0.0
		for _, a := range res.Alternatives {
			if int(a.FromSample) == leg.From {
				sum += float64(a.Probability)
			}
		}
		if sum > 1+1e-4 {
			t.Fatalf("the alternatives of leg %d have probability %v", i, sum)
		}
		last := match.Time{}
		for _, at := range leg.Times {
			if at.Share < last.Share || at.Step < last.Step || at.Step == last.Step && at.To < last.To || math.IsNaN(at.Share) {
				t.Fatalf("leg %d: %+v after %+v", i, at, last)
			}
			last = at
		}
	}
}
