package dataset

import (
	"context"
	"path/filepath"
	"testing"

	"retrace/engine/feature"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

func writeWithMoves(t *testing.T, dir string, net *roadnet.Network) *Manifest {
	t.Helper()
	s := settings()
	ticks := feature.DefaultTicks()
	s.Ticks = &ticks
	m, err := Write(context.Background(), dir, []*roadnet.Network{net}, blocksOf(t, net), s, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestEveryTickHasItsMoves(t *testing.T) {
	dir := t.TempDir()
	m := writeWithMoves(t, dir, roadnettest.GridCity(20))
	shard := m.Shards[0]
	starts, segments := load[int32](t, dir, shard.Name, "step_start"), load[int32](t, dir, shard.Name, "step_segment")
	ticks, samples := load[float32](t, dir, shard.Name, "tick_time"), shard.Samples
	if len(starts) != shard.Trips+1 || int(starts[shard.Trips]) != len(segments) || len(segments) != len(ticks)+samples {
		t.Fatalf("%d trips, %d offsets, %d steps of %d hidden ticks and %d samples", shard.Trips, len(starts), len(segments), len(ticks), samples)
	}
	if c := shard.Ticks; c.Hidden != len(ticks) || c.Samples != samples || c.HiddenAmong < c.Hidden*95/100 {
		t.Errorf("%+v: want %d hidden ticks and %d samples, and nearly all among the moves", c, len(ticks), samples)
	}
	if m.Ticks.Hidden != shard.Ticks.Hidden+m.Shards[1].Ticks.Hidden {
		t.Errorf("the data set counts %+v", m.Ticks)
	}
	checkMoves(t, dir, shard.Name, segments)
}

func TestPlacesAreThoseOfSamplesTicksAndSegments(t *testing.T) {
	dir, net := t.TempDir(), roadnettest.GridCity(20)
	shard := writeWithMoves(t, dir, net).Shards[0]
	lon, lat := load[float64](t, dir, shard.Name, "sample_lon"), load[float64](t, dir, shard.Name, "sample_lat")
	if len(lon) != shard.Samples || len(lat) != shard.Samples {
		t.Fatalf("%d and %d coordinates of %d samples", len(lon), len(lat), shard.Samples)
	}
	if times := load[int64](t, dir, shard.Name, "trip_time"); len(times) != shard.Trips || times[0] < 1_700_000_000_000 {
		t.Fatalf("%d trips begin at %v", shard.Trips, times)
	}
	segments, ratio := load[int32](t, dir, shard.Name, "step_segment"), load[float32](t, dir, shard.Name, "step_ratio")
	lon, lat = load[float64](t, dir, shard.Name, "step_lon"), load[float64](t, dir, shard.Name, "step_lat")
	for i, id := range segments {
		at := net.At(roadnet.Position{Segment: roadnet.SegmentID(id), Ratio: float64(ratio[i])})
		if d := roadnet.Distance(at, roadnet.Point{Lon: lon[i], Lat: lat[i]}); d > 0.1 {
			t.Fatalf("step %d lies %.1f m from its place", i, d)
		}
	}
	checkCuts(t, filepath.Join(dir, "networks"), net)
}

// checkCuts: each segment begins and ends at cut points, at most 100 m apart.
func checkCuts(t *testing.T, dir string, net *roadnet.Network) {
	t.Helper()
	start := load[int32](t, dir, "0", "cut_start")
	lon, lat := load[float64](t, dir, "0", "cut_lon"), load[float64](t, dir, "0", "cut_lat")
	for id := range roadnet.SegmentID(net.NumSegments()) {
		first, last := start[id], start[id+1]-1
		for _, end := range []struct {
			cut   int32
			ratio float64
		}{{first, 0}, {last, 1}} {
			at := net.At(roadnet.Position{Segment: id, Ratio: end.ratio})
			if at.Lon != lon[end.cut] || at.Lat != lat[end.cut] {
				t.Fatalf("segment %d has cut point %v, %v in place of %v", id, lon[end.cut], lat[end.cut], at)
			}
		}
		for i := first; i < last; i++ {
			if d := roadnet.Distance(roadnet.Point{Lon: lon[i], Lat: lat[i]}, roadnet.Point{Lon: lon[i+1], Lat: lat[i+1]}); d > cutLength+0.1 {
				t.Fatalf("segment %d has cut points %.1f m apart", id, d)
			}
		}
	}
}

// checkMoves: targets name the true segment, and only moves at a sample belong
// to a candidate, whose segment they have.
func checkMoves(t *testing.T, dir, shard string, true []int32) {
	t.Helper()
	start, target := load[int32](t, dir, shard, "move_start"), load[int32](t, dir, shard, "step_target")
	moves, candidate := load[int32](t, dir, shard, "move_segment"), load[int32](t, dir, shard, "move_candidate")
	segments, first := load[int32](t, dir, shard, "candidate_segment"), load[int32](t, dir, shard, "candidate_start")
	weight, ratio := load[float32](t, dir, shard, "move_weight"), load[float32](t, dir, shard, "step_ratio")
	sample := -1
	for i := range true {
		own := moves[start[i]:start[i+1]]
		if k := target[i]; int(k) < len(own) && own[k] != true[i] {
			t.Fatalf("step %d: move %d is segment %d, not the true %d", i, k, own[k], true[i])
		}
		if ratio[i] < 0 || ratio[i] > 1 {
			t.Fatalf("step %d: ratio %v", i, ratio[i])
		}
		if len(own) > 0 && candidate[start[i]] >= 0 {
			sample++
		}
		for j, id := range own {
			c, w := candidate[int(start[i])+j], weight[int(start[i])+j]
			if c < 0 && w != 0 || c >= 0 && (w > 0 || segments[first[sample]+c] != id) {
				t.Fatalf("step %d: move %d of candidate %d has weight %v", i, j, c, w)
			}
		}
	}
}

func TestMovesAreTheSameBytesAndAreNotMixedWithShardsThatHaveNone(t *testing.T) {
	net := roadnettest.GridCity(20)
	a, b := t.TempDir(), t.TempDir()
	plain := write(t, a, net)
	first, second := writeWithMoves(t, a, net), writeWithMoves(t, b, net)
	for i, shard := range first.Shards {
		if shard.Key == plain.Shards[i].Key || plain.Shards[i].Files["moves.npy"] != "" {
			t.Errorf("%s without moves passes for one with them", shard.Name)
		}
		for _, name := range []string{"moves.npy", "step_target.npy", "move_weight.npy"} {
			if sum := shard.Files[name]; sum == "" || sum != second.Shards[i].Files[name] {
				t.Errorf("%s/%s differs between two runs", shard.Name, name)
			}
		}
	}
}
