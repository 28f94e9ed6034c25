package recovered

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/write"
)

// What a file tells of other ways, and of how far each gap can be trusted, is read.
func TestDoubtsAndOtherWaysAreRead(t *testing.T) {
	net := roadnettest.Draw(t, 100, `
		A---B---C---D
		    |   |
		    E---F
	`, "AB", "BC", "CD", "BE", "EF", "FC")
	r := &trajectory.Recovery{Trajectory: "one", Parts: []trajectory.Part{{Segments: []roadnet.SegmentID{net.Seg("AB"), net.Seg("BC"), net.Seg("CD")}, EndRatio: 1}},
		Alternatives: []trajectory.Alternative{
			{FromSample: 3, ToSample: 5, Probability: 0.25, Part: trajectory.Part{Segments: []roadnet.SegmentID{net.Seg("AB"), net.Seg("BE"), net.Seg("EF"), net.Seg("FC"), net.Seg("CD")}, EndRatio: 1}},
			{FromSample: 3, ToSample: 5, Probability: 0.125, Part: trajectory.Part{Segments: []roadnet.SegmentID{net.Seg("AB")}}}, // it stands
		},
		Doubts: []trajectory.Doubt{{FromSample: 3, ToSample: 5, Probability: 0.5, RunnerUp: 0.25, Risk: 0.4, Error: 30, Along: 20}},
		Risk:   trajectory.Risk{Wrong: 0.125, Error: 20}}
	for i, at := range []roadnet.Position{{Segment: net.Seg("AB")}, {Segment: net.Seg("CD"), Ratio: 1}} {
		p := net.At(at)
		r.Ticks = append(r.Ticks, trajectory.Tick{Time: int64(i) * 60_000, Lon: p.Lon, Lat: p.Lat, At: at, Along: float64(i) * 1200, Observed: true, Sample: uint32(3 + 2*i), Margin: 1})
	}
	for _, ext := range []string{".gpkg", ".geojson"} {
		path := filepath.Join(t.TempDir(), "a"+ext)
		about := write.About{Network: net.Info()}
		about.Add(r)
		w, err := write.Create(path, net.Network, about)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		all, err := Read(context.Background(), path, net.Network)
		if err != nil {
			t.Fatal(err)
		}
		got := all[0]
		if len(got.Doubts) != 1 || len(got.Alternatives) != 1 {
			t.Fatalf("%s: doubts %+v, other ways %+v", ext, got.Doubts, got.Alternatives)
		}
		d, a := got.Doubts[0], got.Alternatives[0]
		if d.FromSample != 0 || d.ToSample != 1 || d.Probability != 0.5 || math.Abs(float64(d.Risk)-0.4) > 1e-6 || d.Error != 30 || got.Risk.Wrong != 0.125 {
			t.Errorf("%s: %+v, %+v", ext, d, got.Risk)
		}
		if a.Probability != 0.25 || a.FromSample != 0 || a.ToSample != 1 || !slices.Equal(a.Part.Segments, r.Alternatives[0].Part.Segments) {
			t.Errorf("%s: %+v", ext, a)
		}
	}
}
