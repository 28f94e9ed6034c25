package recovered

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/write"
)

// Whatever a file holds, reading it ends without a panic, and what is read lies
// on the network.
func FuzzRead(f *testing.F) {
	net := roadnettest.Random(1, 6)
	dir := f.TempDir()
	kinds := []string{".geojson", ".csv", ".gpkg"}
	for i, ext := range kinds {
		f.Add(uint8(i), seed(f, net, filepath.Join(dir, "seed"+ext)))
	}
	f.Fuzz(func(t *testing.T, kind uint8, content []byte) {
		path := filepath.Join(t.TempDir(), "a"+kinds[int(kind)%len(kinds)])
		if os.WriteFile(path, content, 0o600) != nil {
			t.Skip("no room on disk")
		}
		all, err := Read(context.Background(), path, net)
		if err != nil {
			return
		}
		for _, r := range all {
			checkOn(t, net, r)
		}
	})
}

// checkOn checks that a recovery names segments of the network alone.
func checkOn(t *testing.T, net *roadnet.Network, r *trajectory.Recovery) {
	for _, k := range r.Ticks {
		if int(k.At.Segment) >= net.NumSegments() || !(k.At.Ratio >= 0 && k.At.Ratio <= 1) {
			t.Errorf("a tick lies at %+v", k.At)
		}
	}
	for _, p := range r.Parts {
		for _, s := range p.Segments {
			if int(s) >= net.NumSegments() {
				t.Errorf("a part has the segment %d of %d", s, net.NumSegments())
			}
		}
	}
}

// seed is a file of one recovery.
func seed(f *testing.F, net *roadnet.Network, path string) []byte {
	at := roadnet.Position{Segment: 0, Ratio: 0.5}
	place := net.At(at)
	r := &trajectory.Recovery{Trajectory: "a", Parts: []trajectory.Part{{Segments: []roadnet.SegmentID{0}, EndRatio: 1}},
		Ticks: []trajectory.Tick{{Time: 1_700_000_000_000, Lon: place.Lon, Lat: place.Lat, At: at, Along: net.Length(0) / 2, Probability: 1, Margin: 1}},
		Spans: []trajectory.Span{{Enter: 1_700_000_000_000, Exit: 1_700_000_000_000, To: net.Length(0), Kind: trajectory.OnDeck, Margin: 1}}}
	w, err := write.Create(path, net, write.About{Network: net.Info()})
	if err != nil {
		f.Fatal(err)
	}
	if err := w.Write(r); err != nil {
		f.Fatal(err)
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	return b
}
