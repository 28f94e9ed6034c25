package recovered

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/write"
)

// What is written is read again: ticks, parts and spans, from each format as
// far as it holds them.
func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		net := roadnettest.Random(rapid.Uint64Range(1, 30).Draw(rt, "seed"), 6)
		var all []*trajectory.Recovery
		for i := range rapid.IntRange(1, 3).Draw(rt, "recoveries") {
			all = append(all, randomRecovery(rt, net, fmt.Sprintf("%strip %d", rapid.SampledFrom([]string{"", "=", "'=", "-"}).Draw(rt, "begin"), i)))
		}
		ext := rapid.SampledFrom([]string{".gpkg", ".geojson", ".csv"}).Draw(rt, "format")
		path := filepath.Join(dir, "out"+ext)
		w, err := write.Create(path, net, write.About{Network: net.Info()})
		if err != nil {
			rt.Fatal(err)
		}
		for _, r := range all {
			if err := w.Write(r); err != nil {
				rt.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			rt.Fatal(err)
		}
		got, err := Read(context.Background(), path, net)
		if err != nil {
			rt.Fatalf("%s: %v", ext, err)
		}
		if len(got) != len(all) {
			rt.Fatalf("%s: %d recoveries, want %d", ext, len(got), len(all))
		}
		for i := range all {
			compare(rt, net, ext, got[i], all[i])
		}
	})
}

func compare(rt *rapid.T, net *roadnet.Network, ext string, got, want *trajectory.Recovery) {
	if got.Trajectory != want.Trajectory || len(got.Ticks) != len(want.Ticks) {
		rt.Fatalf("%s: %q with %d ticks, want %q with %d", ext, got.Trajectory, len(got.Ticks), want.Trajectory, len(want.Ticks))
	}
	for i, g := range got.Ticks {
		w := want.Ticks[i]
		if g.Time != w.Time || g.At.Segment != w.At.Segment || math.Abs(g.At.Ratio-w.At.Ratio) > 1e-5 || g.Observed != w.Observed ||
			g.Deck != w.Deck || g.Uncertain() != w.Uncertain() || math.Abs(float64(g.Probability-w.Probability)) > 1e-5 {
			rt.Fatalf("%s: tick %d is %+v, was %+v", ext, i, g, w)
		}
		if ext != ".csv" && (g.Part != w.Part || math.Abs(g.Along-w.Along) > 1) {
			rt.Fatalf("%s: tick %d is %.1f m along part %d, was %.1f m along part %d; the parts are %+v, were %+v", ext, i, g.Along, g.Part, w.Along, w.Part, got.Parts, want.Parts)
		}
	}
	if ext == ".csv" {
		return
	}
	if len(got.Parts) != len(want.Parts) || len(got.Spans) != len(want.Spans) {
		rt.Fatalf("%s: %d parts and %d spans", ext, len(got.Parts), len(got.Spans))
	}
	for i, g := range got.Parts {
		w := want.Parts[i]
		if !slices.Equal(g.Segments, w.Segments) || math.Abs(g.StartRatio-w.StartRatio)*net.Length(w.Segments[0]) > 2*tooShort ||
			math.Abs(g.EndRatio-w.EndRatio)*net.Length(w.Segments[len(w.Segments)-1]) > 2*tooShort {
			rt.Fatalf("%s: part %d is %+v, was %+v", ext, i, g, w)
		}
	}
	for i, g := range got.Spans {
		w := want.Spans[i]
		if g.Part != w.Part || g.Kind != w.Kind || math.Abs(g.From-w.From) > 1 || math.Abs(g.To-w.To) > 1 {
			rt.Fatalf("%s: span %d is %+v, was %+v", ext, i, g, w)
		}
	}
}

// randomRecovery drives along a random path at 10 m/s, with a tick every ten
// seconds and a span over a piece of it.
func randomRecovery(rt *rapid.T, net *roadnet.Network, id string) *trajectory.Recovery {
	r := &trajectory.Recovery{Trajectory: id}
	now := int64(1_700_000_000_000)
	for part := range rapid.IntRange(1, 2).Draw(rt, "parts") {
		p := randomPart(rt, net)
		r.Parts = append(r.Parts, p)
		ends := []float64{0}
		for i, s := range p.Segments {
			from, to := roadnet.Driven(i, len(p.Segments), p.StartRatio, p.EndRatio)
			ends = append(ends, ends[i]+(to-from)*net.Length(s))
		}
		length := ends[len(ends)-1]
		begin := now
		for along := 0.0; ; along = min(along+100, length) {
			k := 0
			for k+2 < len(ends) && ends[k+1] <= along {
				k++
			}
			start := 0.0
			if k == 0 {
				start = p.StartRatio
			}
			at := roadnet.Position{Segment: p.Segments[k], Ratio: start + (along-ends[k])/net.Length(p.Segments[k])}
			place := net.At(at)
			r.Ticks = append(r.Ticks, trajectory.Tick{Time: begin + int64(along*100), Lon: place.Lon, Lat: place.Lat, At: at, Along: along,
				Part: int32(part), Observed: along == 0, Probability: 0.5, Margin: 1})
			if along == length {
				break
			}
		}
		now = begin + int64(length*100) + 60_000
		if length > 50 {
			from := rapid.Float64Range(0, length-50).Draw(rt, "span")
			r.Spans = append(r.Spans, trajectory.Span{Enter: begin + int64(from*100), Exit: begin + int64((from+50)*100), Part: int32(part),
				From: from, To: from + 50, Kind: trajectory.OnDeck, Road: "R1", Margin: 1})
		}
	}
	r.Ticks[len(r.Ticks)-1].Deck, r.Ticks[len(r.Ticks)-1].Margin = trajectory.Below, 0.1
	return r
}

// randomPart drives on from a random segment, by no segment twice: which of two
// passes a place belongs to, a file does not say.
func randomPart(rt *rapid.T, net *roadnet.Network) trajectory.Part {
	id := roadnet.SegmentID(rapid.IntRange(0, net.NumSegments()-1).Draw(rt, "segment"))
	p := trajectory.Part{Segments: []roadnet.SegmentID{id}, StartRatio: 0.25, EndRatio: 0.75}
	for range rapid.IntRange(0, 8).Draw(rt, "length") {
		next := slices.DeleteFunc(slices.Clone(net.Next(id)), func(s roadnet.SegmentID) bool { return slices.Contains(p.Segments, s) })
		if len(next) == 0 {
			break
		}
		id = rapid.SampledFrom(next).Draw(rt, "next")
		p.Segments = append(p.Segments, id)
	}
	return p
}

func TestWhatCannotBeRead(t *testing.T) {
	net := roadnettest.Random(1, 6)
	other := roadnettest.Random(2, 6)
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	written := filepath.Join(dir, "written.geojson")
	w, err := write.Create(written, other, write.About{Network: other.Info()})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	header := "trajectory,time,lon,lat,segment,ratio,probability,layer,deck\n"
	for path, want := range map[string]string{
		written:                 "recovered on another network",
		file("a.gpx", "<gpx/>"): "read from .gpkg, .geojson and .csv",
		file("a.csv", "a,b\n"):  "no column trajectory",
		file("b.csv", header):   "there are no recoveries",
		file("c.csv", header+"x,2024-01-02T08:00:00Z,1,2,0,0.5,1,0,ground\n"):        "line 2: trajectory x: a point lies",
		file("d.csv", header+"x,2024-01-02T08:00:00Z,1,2,99999999,0.5,1,0,ground\n"): "names no segment",
		file("e.csv", header+"x,2024-01-02T08:00:00Z,1,2,-1,,,,\n"):                  "names no segment",
		file("a.gpkg", "no database"):                                                "this is no GeoPackage",
		file("a.geojson", "[]"):                                                      "no GeoJSON feature collection",
		file("b.geojson", `{"features":[{"properties":{"kind":"path"},"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}}]}`): "does not run along the roads",
		file("c.geojson", `{"features":[{"properties":{"kind":"path"},"geometry":{"type":"LineString","coordinates":[[1]]}}]}`):         "less than two numbers",
		filepath.Join(dir, "missing.gpkg"): "no such file",
	} {
		_, err := Read(context.Background(), path, net)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), filepath.Base(path)) {
			t.Errorf("%s: %v, want %q", filepath.Base(path), err, want)
		}
	}
}

func FuzzGeometry(f *testing.F) {
	f.Add([]byte("GP\x00\x01\xe6\x10\x00\x00\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\xf0?\x00\x00\x00\x00\x00\x00\x00@"))
	f.Add([]byte("GP\x00\x03\xe6\x10\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		points, err := parseBlob(b)
		if err == nil && len(points)*16 > len(b) {
			t.Errorf("%d points out of %d bytes", len(points), len(b))
		}
	})
}

// A path across the 180th meridian comes back as it was driven.
func TestPathsAcrossTheMeridian(t *testing.T) {
	way := roadnet.Way{ID: 5, Nodes: []int64{1, 2}, Flags: make([]roadnet.VertexFlags, 2), Road: roadnet.Road{Class: roadnet.Primary},
		Coords: []roadnet.Coord{{Lon: 1_799_950_000, Lat: -160_000_000}, {Lon: -1_799_950_000, Lat: -160_000_000}}}
	b := roadnet.NewBuilder()
	if err := b.AddWay(way); err != nil {
		t.Fatal(err)
	}
	net, _, err := b.Build(context.Background(), roadnet.Info{})
	if err != nil {
		t.Fatal(err)
	}
	line := []roadnet.Point{{Lon: 179.996, Lat: -16}, {Lon: 180, Lat: -16}, {Lon: -180, Lat: -16}, {Lon: -179.996, Lat: -16}}
	part, err := trace(net, line)
	if err != nil || len(part.Segments) != 2 || part.StartRatio < 0.1 || part.EndRatio > 0.9 {
		t.Errorf("%+v, %v", part, err)
	}
}

// A vehicle that stands may have another way of some centimetres to and fro.
func TestAWayOfCentimetresIsAPlace(t *testing.T) {
	net := roadnettest.Draw(t, 100, `A---B---C`, "ABC")
	at := func(metres float64) roadnet.Point { return net.PointNear('B', metres, 0) }
	for _, line := range [][]roadnet.Point{{at(50), at(50)}, {at(50), at(50.05), at(50)}} {
		part, err := trace(net.Network, line)
		if err != nil {
			t.Fatal(err)
		}
		got := net.At(roadnet.Position{Segment: part.Segments[len(part.Segments)-1], Ratio: part.EndRatio})
		if len(part.Segments) > 2 || roadnet.Distance(got, at(50)) > 0.2 {
			t.Errorf("%v: segments %s end %.2f m off", line, net.Path(part.Segments), roadnet.Distance(got, at(50)))
		}
	}
	if _, err := trace(net.Network, []roadnet.Point{net.PointNear('B', 50, 30), net.PointNear('B', 50, 30)}); err == nil {
		t.Error("a place beside the roads is taken for a way")
	}
}
