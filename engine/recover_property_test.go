package engine

import (
	"context"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// anyTrip draws samples on and around a network, some of them far off, late or
// twice at an instant.
func anyTrip(t *rapid.T, net *roadnet.Network) *trajectory.Trajectory {
	trip := &trajectory.Trajectory{ID: "any"}
	now := int64(start)
	for range rapid.IntRange(1, 12).Draw(t, "samples") {
		id := roadnet.SegmentID(rapid.IntRange(0, net.NumSegments()-1).Draw(t, "segment"))
		p := net.At(roadnet.Position{Segment: id, Ratio: rapid.Float64Range(0, 1).Draw(t, "ratio")})
		off := rapid.SampledFrom([]float64{0, 0.0001, 0.0003, 0.02}).Draw(t, "off")
		now += rapid.SampledFrom([]int64{0, 1, 1000, 15_000, 60_000, 240_000, -5000}).Draw(t, "gap")
		trip.Samples = append(trip.Samples, trajectory.Sample{Time: now, Lon: p.Lon + off, Lat: p.Lat - off/2})
	}
	return trip
}

func TestAnyRecoveryHoldsTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := roadnettest.Random(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(3, 7).Draw(t, "size"))
		trip := anyTrip(t, net)
		s := DefaultSettings()
		s.Tick = rapid.SampledFrom([]time.Duration{time.Second, 15 * time.Second}).Draw(t, "tick")
		s.Alternatives = 2
		s.HMM.Centroid = rapid.SampledFrom([]float64{0, 0.5}).Draw(t, "centroid")
		r, err := NewRecoverer(net, s)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := r.Recover(context.Background(), trip, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkParts(t, net, rec)
		for i, a := range rec.Alternatives {
			if p := a.Part; len(p.Segments) == 0 || len(p.Segments) == 1 && p.EndRatio < p.StartRatio {
				t.Fatalf("alternative %d is %+v", i, p)
			}
		}
		checkTicks(t, net, trip, rec)
		checkMatches(t, trip, rec)
	})
}

func checkParts(t *rapid.T, net *roadnet.Network, rec *trajectory.Recovery) {
	for i, p := range rec.Parts {
		if len(p.Segments) == 0 || p.StartRatio < 0 || p.EndRatio > 1 || len(p.Segments) == 1 && p.EndRatio < p.StartRatio {
			t.Fatalf("part %d is %+v", i, p)
		}
		for k := 1; k < len(p.Segments); k++ {
			if _, end := net.Ends(p.Segments[k-1]); end != startOf(net, p.Segments[k]) {
				t.Fatalf("part %d: segment %d does not follow %d", i, p.Segments[k], p.Segments[k-1])
			}
		}
	}
}

func startOf(net *roadnet.Network, id roadnet.SegmentID) roadnet.NodeID {
	from, _ := net.Ends(id)
	return from
}

func checkTicks(t *rapid.T, net *roadnet.Network, trip *trajectory.Trajectory, rec *trajectory.Recovery) {
	var last *trajectory.Tick
	observed := 0
	for i := range rec.Ticks {
		k := &rec.Ticks[i]
		if k.Probability < 0 || k.Probability > 1.001 || k.At.Ratio < 0 || k.At.Ratio > 1 || math.IsNaN(k.Along) {
			t.Fatalf("tick %+v", k)
		}
		p := net.At(k.At)
		if math.Abs(p.Lon-k.Lon) > 1e-9 || math.Abs(p.Lat-k.Lat) > 1e-9 {
			t.Fatalf("tick %+v is not at %v", k, p)
		}
		if math.Abs(length(net, rec.Parts[k.Part], k)-k.Along) > 0.01 {
			t.Fatalf("tick %+v is not so far along part %+v", k, rec.Parts[k.Part])
		}
		if last != nil && (k.Time <= last.Time || k.Part < last.Part || k.Part == last.Part && k.Along < last.Along-1e-9) {
			t.Fatalf("tick %+v after %+v", k, last)
		}
		if k.Observed {
			observed++
			if trip.Samples[k.Sample].Time != k.Time {
				t.Fatalf("tick %+v is not at the instant of its sample", k)
			}
		}
		last = k
	}
	matched := 0
	for _, m := range rec.Matches {
		matched += btoi(m.State == trajectory.Matched)
	}
	if observed < matched || (matched == 0) != (len(rec.Ticks) == 0) {
		t.Fatalf("%d points matched, %d ticks, %d of them observed", matched, len(rec.Ticks), observed)
	}
}

// length is how far along a part a tick can be: the sum of segments up to one
// of its visits to the tick's segment, whichever fits best.
func length(net *roadnet.Network, p trajectory.Part, k *trajectory.Tick) float64 {
	along := -p.StartRatio * net.Length(p.Segments[0])
	best := math.Inf(1)
	for _, id := range p.Segments {
		if here := along + k.At.Ratio*net.Length(id); id == k.At.Segment && math.Abs(here-k.Along) < math.Abs(best-k.Along) {
			best = here
		}
		along += net.Length(id)
	}
	return best
}

func checkMatches(t *rapid.T, trip *trajectory.Trajectory, rec *trajectory.Recovery) {
	if len(rec.Matches) != len(trip.Samples) {
		t.Fatalf("%d matches for %d samples", len(rec.Matches), len(trip.Samples))
	}
	anyMatched, anyNear := false, false
	for i, m := range rec.Matches {
		anyMatched = anyMatched || m.State == trajectory.Matched
		anyNear = anyNear || len(m.Candidates) > 0
		for k, c := range m.Candidates {
			if c.Probability < 0 || c.Probability > 1.001 || k > 0 && c.Probability > m.Candidates[k-1].Probability {
				t.Fatalf("point %d: candidates %v", i, m.Candidates)
			}
		}
	}
	if anyNear && !anyMatched {
		t.Fatalf("points near roads, none matched")
	}
}
