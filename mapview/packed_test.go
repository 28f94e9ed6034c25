package mapview

import (
	"bytes"
	"image"
	"math/rand"
	"testing"

	"retrace/mapview/render"
)

// noise is a tile of so many colours, in runs of random lengths.
func noise(rng *rand.Rand, colours, longest int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, render.TileSize, render.TileSize))
	for at := 0; at < len(img.Pix); {
		c := rng.Intn(colours) * 2654435761
		for range 1 + rng.Intn(longest) {
			if at < len(img.Pix) {
				copy(img.Pix[at:], []uint8{uint8(c), uint8(c >> 8), uint8(c >> 16), uint8(c >> 24)})
				at += 4
			}
		}
	}
	return img
}

func TestPackedTilesComeBackExactly(t *testing.T) {
	seed := rand.Int63()
	rng := rand.New(rand.NewSource(seed))
	for _, c := range []struct{ colours, longest int }{{1, 2000}, {2, 1}, {40, 9}, {3000, 2}, {1 << 20, 1}} {
		img := noise(rng, c.colours, c.longest)
		p := pack(img)
		for range 2000 {
			y, from := rng.Intn(render.TileSize), rng.Intn(render.TileSize)
			got := make([]uint8, 4*(1+rng.Intn(render.TileSize-from)))
			p.row(got, y, from)
			at := img.PixOffset(from, y)
			if !bytes.Equal(got, img.Pix[at:at+len(got)]) {
				t.Fatalf("seed %d: %d colours: row %d from column %d on comes back differently", seed, c.colours, y, from)
			}
		}
	}
}

func TestFlatTilesTakeLittleMemory(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	if got := pack(noise(rng, 100, 60)).bytes(); got > tileBytes/20 {
		t.Errorf("a tile of 100 colours in runs takes %d bytes, of %d unpacked", got, int64(tileBytes))
	}
	if got := pack(noise(rng, 1<<20, 1)).bytes(); got > tileBytes+1<<12 {
		t.Errorf("a tile of noise takes %d bytes, more than its %d pixels", got, int64(tileBytes))
	}
}
