package render

import (
	"image"
	"image/draw"
	"math"
)

// FrontPainter draws what lies above tiles and labels: the front trip, what is
// selected, hovered over or played, and the furniture in the corners. It is
// made for one image size and serves one goroutine.
type FrontPainter struct {
	raster *raster
	ts     *typesetter
	key    furnitureKey
	corner *image.RGBA // legend and attribution, drawn when they change
	at     image.Point // where the corner stands in the frame
}

// furnitureKey is what legend and attribution depend on.
type furnitureKey struct {
	tracks *Tracks
	chosen string
	opt    Options
	height int
	scale  float64
	by     string
}

// NewFrontPainter makes a painter.
func NewFrontPainter() *FrontPainter { return &FrontPainter{ts: newTypesetter()} }

// Paint draws over img, which shows the viewport.
func (f *FrontPainter) Paint(img *image.RGBA, ts *Tracks, s *Scene, v Viewport, opt Options) {
	if f.raster == nil || f.raster.img.Rect != img.Rect {
		f.raster = newRaster(img)
	}
	f.raster.img = img
	p := newTripPainter(f.raster, ts, f.ts, tripView{v.ground(opt), opt.ColourBy, opt.words()})
	p.foreground(s, ts.front(s.Selection))
	f.furniture(img, p.pencil, ts, s, v, opt)
}

// furnitureWidth is how wide a strip legend and attribution may take.
const furnitureWidth = 360

// furniture lays the legend and the attribution as they were last drawn, and
// draws the scale bar.
func (f *FrontPainter) furniture(img *image.RGBA, p pencil, ts *Tracks, s *Scene, v Viewport, opt Options) {
	bar := opt
	bar.Legend, bar.Attribution = false, false
	furniture(p, ts, s, v, bar)
	key := furnitureKey{ts, s.Selection.Trip, opt, v.Height, v.Scale, attributionOf(s)}
	w := min(int(math.Ceil(furnitureWidth*v.Scale)), v.Width)
	if f.corner == nil || f.key != key {
		f.key = key
		whole := image.NewRGBA(image.Rect(0, 0, w, v.Height))
		rest, strip := opt, v
		rest.ScaleBar, strip.Width = false, w
		furniture(pencil{c: newRaster(whole), scale: v.Scale, ts: f.ts}, ts, s, strip, rest)
		used := painted(whole)
		f.corner = image.NewRGBA(image.Rect(0, 0, used.Dx(), used.Dy()))
		draw.Draw(f.corner, f.corner.Rect, whole, used.Min, draw.Src)
		f.at = used.Min.Add(image.Pt(v.Width-w, 0))
	}
	lay(img, f.corner, f.at, 1)
}

// painted is the box of all that is not clear in an image.
func painted(img *image.RGBA) image.Rectangle {
	var r image.Rectangle
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		for x := img.Rect.Min.X; x < img.Rect.Max.X; x++ {
			if img.Pix[img.PixOffset(x, y)+3] != 0 {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

// Snap moves a viewport by less than a pixel, so that image pixels fall on
// those of the tiles.
func (v Viewport) Snap() Viewport {
	x, y, world := v.origin()
	v.Center = Mercator{
		(math.Round(x) + float64(v.Width)/2) / world,
		(math.Round(y) + float64(v.Height)/2) / world,
	}.Point()
	return v
}

// Origin is the place of the image's top left in pixels from the north-west
// corner of the world: after [Viewport.Snap] whole numbers.
func (v Viewport) Origin() (x, y float64) {
	x, y, _ = v.origin()
	return x, y
}

func roundInt(v float64) int { return int(math.Floor(v + 0.5)) }

// Front is the id of the trip that is drawn above the others: the selected or
// the only one; empty where there is none.
func (ts *Tracks) Front(selected Item) string {
	if t := ts.front(selected); t != nil {
		return t.id
	}
	return ""
}
