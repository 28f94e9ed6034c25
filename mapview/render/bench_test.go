package render

import (
	"context"
	"image"
	"math"
	"os"
	"path/filepath"
	"testing"

	"retrace/osmimport"
)

// dataFile is a file of the shared data, which may be absent.
func dataFile(tb testing.TB, name string) string {
	tb.Helper()
	root := os.Getenv("RETRACE_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	path := filepath.Join(root, "data", "osm", name)
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("no shared data: %v", err)
	}
	return path
}

// realBase is a base made of an extract.
func realBase(tb testing.TB, name string) *Base {
	tb.Helper()
	res, err := osmimport.Import(context.Background(), []string{dataFile(tb, name)}, osmimport.Options{Name: name})
	if err != nil {
		tb.Fatal(err)
	}
	return NewBase(res.Network, res.Basemap)
}

// BenchmarkTile draws the tile with the most roads at three zooms: the whole
// extract in a window, a quarter of the city, and a street.
func BenchmarkTile(b *testing.B) {
	for _, name := range []string{"imperial-county", "mannheim", "milan", "porto", "london"} {
		b.Run(name, func(b *testing.B) {
			base := realBase(b, name+".osm.pbf")
			window := Viewport{Width: 1600, Height: 1000, Scale: 1}
			full := window.Fit(base.net.Info().Bounds, 20)
			for _, at := range []struct {
				what string
				zoom float64
			}{{"full", full.Zoom}, {"city", 12.5}, {"street", 15}} {
				b.Run(at.what, func(b *testing.B) { benchmarkTile(b, base, at.zoom) })
			}
		})
	}
}

func benchmarkTile(b *testing.B, base *Base, zoom float64) {
	t := busiest(base, zoom)
	p := NewTilePainter()
	img := image.NewRGBA(image.Rect(0, 0, TileSize, TileSize))
	b.ReportAllocs()
	for b.Loop() {
		p.Paint(img, base, t)
	}
}

// busiest is the tile of a zoom with the most vertices.
func busiest(base *Base, zoom float64) Tile {
	tiles := math.Exp2(zoom)
	count := map[[2]int32]int{}
	for _, p := range base.roads.places {
		x, y := float64(p.X)/placeUnits*tiles, float64(p.Y)/placeUnits*tiles
		count[[2]int32{int32(x), int32(y)}]++
	}
	var best [2]int32
	for k, n := range count {
		if n > count[best] {
			best = k
		}
	}
	return Tile{Zoom: zoom, Scale: 1, X: best[0], Y: best[1], Layers: AllLayers}
}

// BenchmarkLabels places the labels of a window over the busiest place.
func BenchmarkLabels(b *testing.B) {
	base := realBase(b, "milan.osm.pbf")
	for _, zoom := range []float64{11, 13, 15, 17} {
		t := busiest(base, zoom)
		v := Viewport{Width: 2040, Height: 1440, Scale: 1, Zoom: zoom}
		world := v.WorldSize()
		v.Center = Mercator{(float64(t.X) + 0.5) * TileSize / world, (float64(t.Y) + 0.5) * TileSize / world}.Point()
		b.Run(rune2(zoom), func(b *testing.B) {
			p := NewLabelPainter()
			for b.Loop() {
				p.Place(base, nil, Item{}, v, DefaultOptions())
			}
		})
	}
}

func rune2(z float64) string { return string([]byte{byte('0' + int(z)/10), byte('0' + int(z)%10)}) }

// BenchmarkNewBase prepares a whole extract.
func BenchmarkNewBase(b *testing.B) {
	res, err := osmimport.Import(context.Background(), []string{dataFile(b, "milan.osm.pbf")}, osmimport.Options{Name: "milan"})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		NewBase(res.Network, res.Basemap)
	}
}
