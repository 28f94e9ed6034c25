package mapview

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"

	"retrace/osmimport"
)

// bigMap is a host of the benchmarks' size over an extract.
func bigMap(b *testing.B, name string) *host {
	root := os.Getenv("RETRACE_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	path := filepath.Join(root, "data", "osm", name)
	if _, err := os.Stat(path); err != nil {
		b.Skipf("no shared data: %v", err)
	}
	res, err := osmimport.Import(context.Background(), []string{path}, osmimport.Options{Name: name})
	if err != nil {
		b.Fatal(err)
	}
	h := newHost(b, 1600, 1000)
	h.SetNetwork(res.Network, res.Basemap)
	h.frameNow()
	h.Fit(res.Network.Info().Bounds)
	h.settle(b)
	return h
}

// BenchmarkFrame composes frames while the map is panned and zoomed over
// finished tiles.
func BenchmarkFrame(b *testing.B) {
	for _, name := range []string{"imperial-county", "milan", "porto"} {
		h := bigMap(b, name+".osm.pbf")
		h.GoTo(h.view.Center, 13)
		h.settle(b)
		b.Run(name+"/pan", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				h.view = h.view.Pan(float64(i%2*2-1)*7, 3*float64(i%2*2-1))
				h.frameNow()
			}
		})
		b.Run(name+"/zoom", func(b *testing.B) {
			to := h.view.ZoomAt(13.5, 800, 500)
			h.motion.to = &to
			for i := 0; b.Loop(); i++ {
				h.view = h.view.ZoomAt(13+float64(i%8)/16, 800, 500)
				h.frameNow()
			}
			h.motion.stop()
		})
		h.Close()
	}
}

// BenchmarkHover looks for what lies under the pointer.
func BenchmarkHover(b *testing.B) {
	h := bigMap(b, "porto.osm.pbf")
	h.GoTo(h.view.Center, 14)
	for i := 0; b.Loop(); i++ {
		h.hits(fyne.NewPos(float32(i%1600), float32(i%1000)))
	}
}
