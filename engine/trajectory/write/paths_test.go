package write

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// On any path, the vertices run from the exact start to the exact end, along
// never falls, and consecutive nodes are those of the network's pieces.
func TestPathVertices(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		net := roadnettest.Random(rapid.Uint64Range(1, 50).Draw(rt, "seed"), 6)
		p := randomPart(rt, net)
		w := walker{net: net}
		path := w.path(p)
		first := net.At(roadnet.Position{Segment: p.Segments[0], Ratio: p.StartRatio})
		last := net.At(roadnet.Position{Segment: p.Segments[len(p.Segments)-1], Ratio: p.EndRatio})
		if path[0].Point != first || path[len(path)-1].Point != last {
			rt.Fatalf("runs from %v to %v, want %v to %v", path[0], path[len(path)-1], first, last)
		}
		for i := 1; i < len(path); i++ {
			if path[i].along < path[i-1].along-1e-6 {
				rt.Fatalf("along falls from %g to %g at %d", path[i-1].along, path[i].along, i)
			}
			if i > 1 && i < len(path)-1 && path[i].node == 0 {
				rt.Fatalf("vertex %d has no node", i)
			}
		}
		whole := clip(path, 0, path[len(path)-1].along, nil)
		if whole[0] != first || roadnet.CoordOf(whole[len(whole)-1]) != roadnet.CoordOf(last) {
			rt.Fatalf("clipped to %v, %v", whole[0], whole[len(whole)-1])
		}
	})
}

// randomPart drives on from a random segment.
func randomPart(rt *rapid.T, net *roadnet.Network) trajectory.Part {
	id := roadnet.SegmentID(rapid.IntRange(0, net.NumSegments()-1).Draw(rt, "segment"))
	p := trajectory.Part{Segments: []roadnet.SegmentID{id}}
	for range rapid.IntRange(0, 8).Draw(rt, "length") {
		next := net.Next(id)
		if len(next) == 0 {
			break
		}
		id = rapid.SampledFrom(next).Draw(rt, "next")
		p.Segments = append(p.Segments, id)
	}
	ratio := rapid.Float64Range(0, 1)
	p.StartRatio, p.EndRatio = ratio.Draw(rt, "start"), ratio.Draw(rt, "end")
	if len(p.Segments) == 1 && p.EndRatio < p.StartRatio {
		p.StartRatio, p.EndRatio = p.EndRatio, p.StartRatio
	}
	return p
}

func TestLinksCountTripsAndSpeeds(t *testing.T) {
	net, r := drawn(t)
	c := NewLinkCounter(net.Network)
	for _, seconds := range []int64{40, 20, 80} { // over the 400 m of BC
		again := *r
		again.Ticks = append([]trajectory.Tick(nil), r.Ticks...)
		again.Ticks[2].Time = again.Ticks[1].Time + seconds*1000
		again.Ticks[3].Time = again.Ticks[2].Time + 15_000
		c.Add(&again)
	}
	got := map[string]string{}
	for _, name := range []string{"AB", "BC", "CD", "EB"} {
		c.Each(func(l Link) bool {
			if l.Segment == net.Seg(name) {
				speeds := []string{}
				for _, v := range []float64{l.Mean, l.Slow15, l.Top15} {
					speeds = append(speeds, strconv.FormatFloat(v, 'f', 1, 64))
				}
				got[name] = fmt.Sprint(l.Trips, l.Speeds, speeds)
			}
			return true
		})
	}
	want := map[string]string{
		"AB": "3 3 [36.0 36.0 36.0]",
		"BC": "3 3 [30.9 23.4 61.2]", // 1200 m in 140 s; quantiles between 18, 36 and 72
		"CD": "3 3 [24.0 24.0 24.0]",
		"EB": "3 3 [24.0 24.0 24.0]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
