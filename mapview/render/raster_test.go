package render

import (
	"image"
	"image/color"
	"math"
	"testing"

	"pgregory.net/rapid"
)

var black = color.NRGBA{A: 255}

func drawPoint(t *rapid.T, name string) point {
	at := rapid.Float32Range(-30, 70)
	return point{at.Draw(t, name+" x"), at.Draw(t, name+" y")}
}

// capsule is the coverage that a stroke of a straight piece ought to have.
func capsule(a, b, p point, width float32) float64 {
	d := b.minus(a)
	t := float32(0)
	if l := d.X*d.X + d.Y*d.Y; l > 0 {
		t = max(0, min(1, ((p.X-a.X)*d.X+(p.Y-a.Y)*d.Y)/l))
	}
	off := distance(p, a.plus(d.times(t)))
	return math.Max(0, math.Min(float64(width/2+0.5-off), math.Min(1, float64(width))))
}

func TestStrokeCoversByDistance(t *testing.T) {
	const size = 40
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	c := newRaster(img)
	rapid.Check(t, func(t *rapid.T) {
		clear(img.Pix)
		a, b := drawPoint(t, "a"), drawPoint(t, "b")
		if rapid.Bool().Draw(t, "level") {
			b.Y = a.Y
		}
		if rapid.Bool().Draw(t, "plumb") {
			b.X = a.X
		}
		width := rapid.Float32Range(0.2, 12).Draw(t, "width")
		var l lines
		l.add(a, b)
		c.stroke(&l, stroke{width: width, color: black})
		for y := range size {
			for x := range size {
				want := capsule(a, b, point{float32(x) + 0.5, float32(y) + 0.5}, width)
				got := float64(img.RGBAAt(x, y).A) / 255
				if math.Abs(got-want) > 0.02 {
					t.Fatalf("pixel %d, %d: covered %.3f, want %.3f", x, y, got, want)
				}
			}
		}
	})
}

func TestButtEndsAreCutStraight(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 60, 40))
	c := newRaster(img)
	var l lines
	l.add(point{10, 20.5}, point{50, 20.5})
	c.stroke(&l, stroke{width: 7, color: black, butt: true})
	for _, p := range []struct {
		x, y int
		in   bool
	}{{9, 20, false}, {10, 20, true}, {49, 20, true}, {50, 20, false}, {30, 17, true}, {30, 24, false}} {
		if got := img.RGBAAt(p.x, p.y).A > 127; got != p.in {
			t.Errorf("pixel %d, %d: covered %v, want %v", p.x, p.y, got, p.in)
		}
	}
}

func TestFillIsExactOnAverage(t *testing.T) {
	const size = 40
	img := image.NewRGBA(image.Rect(0, 0, size, size))
	c := newRaster(img)
	rapid.Check(t, func(t *rapid.T) {
		clear(img.Pix)
		var rings lines
		n := rapid.IntRange(3, 7).Draw(t, "corners")
		for i := range n {
			rings.move(drawPoint(t, string(rune('a'+i))))
		}
		rings.end()
		c.fill(&rings, evenOdd, black)
		for y := range size {
			for x := range size {
				want := sampled(rings.at(0), float64(x), float64(y))
				got := float64(img.RGBAAt(x, y).A) / 255
				if pure(want) && math.Abs(got-want) > 0.02 {
					t.Fatalf("pixel %d, %d: covered %.3f, want %.3f", x, y, got, want)
				}
			}
		}
	})
}

// pure holds where no edge passes: there the coverage is sure.
func pure(share float64) bool { return share == 0 || share == 1 }

// sampled is the share of a pixel inside a ring by the even-odd rule, or 0.5
// where an edge comes near.
func sampled(ring []point, x, y float64) float64 {
	inside := 0
	prev := ring[len(ring)-1]
	centre := point{float32(x) + 0.5, float32(y) + 0.5}
	for _, p := range ring {
		if capsule(prev, p, centre, 2) > 0 {
			return 0.5
		}
		if (p.Y > centre.Y) != (prev.Y > centre.Y) &&
			centre.X < (prev.X-p.X)*(centre.Y-p.Y)/(prev.Y-p.Y)+p.X {
			inside ^= 1
		}
		prev = p
	}
	return float64(inside)
}

func TestFillCoversAreaOfSlantedEdges(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 64, 64))
	c := newRaster(img)
	var rings lines
	rings.add(point{3.25, 5.5}, point{60.75, 11.25}, point{40.5, 58.125}, point{7.5, 44.75})
	rings.add(point{20.25, 20.5}, point{30.5, 20.75}, point{27.75, 33.5})
	c.fill(&rings, evenOdd, black)
	var sum float64
	for i := 3; i < len(img.Pix); i += 4 {
		sum += float64(img.Pix[i]) / 255
	}
	want := math.Abs(shoelace(rings.at(0))) - math.Abs(shoelace(rings.at(1)))
	if math.Abs(sum-want) > 0.005*want {
		t.Errorf("covered %.2f square pixels, want %.2f", sum, want)
	}
}

func shoelace(ring []point) (sum float64) {
	prev := ring[len(ring)-1]
	for _, p := range ring {
		sum += float64(prev.X)*float64(p.Y) - float64(p.X)*float64(prev.Y)
		prev = p
	}
	return sum / 2
}

func TestDashesKeepTheirLengths(t *testing.T) {
	pts := []point{{0, 0}, {10, 0}, {10, 7}, {40, 7}}
	var out lines
	dashes(&out, pts, []float32{5, 3})
	if out.len() != 6 {
		t.Fatalf("got %d dashes, want 6 of 47 px in steps of 8", out.len())
	}
	for i := range out.len() - 1 {
		if l := lineLength(out.at(i)); math.Abs(float64(l)-5) > 1e-3 {
			t.Errorf("dash %d is %.3f px long, want 5", i, l)
		}
	}
}

func TestHalfTransparentLinesLayColourOnce(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 20, 20))
	c := newRaster(img)
	var l lines
	l.add(point{2, 10}, point{18, 10})
	l.add(point{10, 2}, point{10, 18})
	c.stroke(&l, stroke{width: 4, color: color.NRGBA{A: 128}})
	if at, arm := img.RGBAAt(10, 10).A, img.RGBAAt(5, 10).A; at != arm {
		t.Errorf("alpha %d where lines cross, %d beside", at, arm)
	}
}

func TestLayingMixesColoursAtEveryShare(t *testing.T) {
	for alpha := range 256 {
		for _, share := range []float64{1, 0.35, 0.7} {
			for _, under := range []uint8{0, 37, 255} {
				over := []uint8{uint8(alpha), uint8(alpha / 2), 0, uint8(alpha)}
				dst := []uint8{under, under, under, 255}
				LayRow(dst, over, share)
				for i, v := range dst {
					below := float64(under)
					if i == 3 {
						below = 255
					}
					want := float64(over[i])*share + below*(1-float64(alpha)/255*share)
					if math.Abs(float64(v)-want) > 2.5 {
						t.Fatalf("alpha %d at %v over %d: channel %d is %d, want %.1f", alpha, share, under, i, v, want)
					}
				}
			}
		}
	}
}

func BenchmarkStrokeThin(b *testing.B) { benchmarkStroke(b, 1.5) }
func BenchmarkStrokeWide(b *testing.B) { benchmarkStroke(b, 7) }

// benchmarkStroke draws 1,000 pieces of about 20 px into a tile.
func benchmarkStroke(b *testing.B, width float32) {
	c := newRaster(image.NewRGBA(image.Rect(0, 0, TileSize, TileSize)))
	var l lines
	for i := range 1000 {
		x, y := float32(i*37%500), float32(i*91%500)
		a := float64(i)
		l.add(point{x, y}, point{x + 20*float32(math.Cos(a)), y + 20*float32(math.Sin(a))})
	}
	for b.Loop() {
		c.stroke(&l, stroke{width: width, color: black})
	}
}
