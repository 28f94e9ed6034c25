package render

import (
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden images anew")

// checkImage compares an image with the golden one of a name. Single pixels may
// differ a little, as floating point does between machines; on a failure what
// was drawn is kept in the folder failed.
func checkImage(t *testing.T, name string, got *image.RGBA) {
	t.Helper()
	golden := filepath.Join("testdata", name+".png")
	if *update {
		writePNG(t, golden, got)
		return
	}
	want := readPNG(t, golden)
	if want.Bounds() != got.Bounds() {
		t.Fatalf("%s: drawn %v, golden %v", name, got.Bounds(), want.Bounds())
	}
	if share, mean := difference(got, want); share > 0.002 || mean > 0.4 {
		failed := filepath.Join("failed", name+".png")
		writePNG(t, failed, got)
		t.Errorf("%s: %.2f %% of the pixels differ, %.2f of 255 on average; see %s", name, share*100, mean, failed)
	}
}

// difference is the share of pixels that differ plainly, and the mean
// difference of all channels.
func difference(a, b image.Image) (share, mean float64) {
	r := a.Bounds()
	plain, sum := 0, 0.0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			d := apart(r1, r2) + apart(g1, g2) + apart(b1, b2)
			sum += d / 3
			if d > 60 {
				plain++
			}
		}
	}
	n := float64(r.Dx() * r.Dy())
	return float64(plain) / n, sum / n
}

func apart(a, b uint32) float64 {
	if a < b {
		a, b = b, a
	}
	return float64(a-b) / 257
}

func readPNG(t *testing.T, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatalf("no golden image: %v; run the test with -update and look at what it draws", err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return img
}

func writePNG(t *testing.T, path string, img image.Image) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
}
