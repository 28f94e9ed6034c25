package render

import (
	"image"
	"image/draw"
	"math"
)

// FrontPainter draws what lies above tiles and labels: the front trip or a
// comparison, what is selected, hovered over or played, and the furniture in the
// corners. It serves one goroutine.
type FrontPainter struct {
	raster *raster
	ts     *typesetter
	key    furnitureKey
	corner *image.RGBA // legend and attribution, drawn when they change
	at     image.Point // where the corner stands in the frame
	legend legendPlace // in the frame

	tracks   *Tracks // that versus was made of
	compared *Comparison
	versus   *versus
	stamps   vehicles
}

// furnitureKey is what legend and attribution depend on.
type furnitureKey struct {
	tracks *Tracks
	links  *LinkMap
	chosen string
	opt    Options
	view   image.Point // width and height
	scale  float64
	by     string
	sides  [2]string // names of a comparison's
}

// NewFrontPainter makes a painter.
func NewFrontPainter() *FrontPainter { return &FrontPainter{ts: newTypesetter()} }

// Paint draws over img, which shows a pane of the map.
func (f *FrontPainter) Paint(img *image.RGBA, ts *Tracks, s *Scene, pane Pane, opt Options) {
	if f.tracks != ts || f.compared != s.Comparison {
		f.tracks, f.compared, f.versus = ts, s.Comparison, newVersus(ts, s.Comparison)
	}
	p := newTripPainter(f.on(img), ts, f.ts, tripView{groundView: pane.View.ground(opt), colourBy: opt.ColourBy, words: opt.words(), side: pane.Side})
	p.foreground(s, pane.View, f.versus, &f.stamps)
}

// on is the canvas of the painter over an image.
func (f *FrontPainter) on(img *image.RGBA) *raster {
	if f.raster == nil || f.raster.img.Rect != img.Rect {
		f.raster = newRaster(img)
	}
	f.raster.img = img
	return f.raster
}

// Furnish draws what stands in the corners of the whole map, and what parts the
// sides of a comparison.
func (f *FrontPainter) Furnish(img *image.RGBA, ts *Tracks, links *LinkMap, s *Scene, v Viewport, opt Options) {
	p := pencil{c: f.on(img), scale: v.Scale, text: opt.textScale(), ts: f.ts}
	p.parting(s.Comparison, v, themeOf(opt.Dark))
	f.furniture(img, p, ts, links, s, v, opt)
}

// furnitureWidth is how wide a strip legend and attribution may take, in logical
// pixels at text scale 1.
const furnitureWidth = 360

// furniture lays the legend and the attribution as they were last drawn, and
// draws the scale bar.
func (f *FrontPainter) furniture(img *image.RGBA, p pencil, ts *Tracks, links *LinkMap, s *Scene, v Viewport, opt Options) {
	bar := opt
	bar.Legend, bar.Attribution = false, false
	furniture(p, ts, links, s, v, bar)
	key := furnitureKey{tracks: ts, links: links, chosen: s.Selection.Trip, opt: opt, view: image.Pt(v.Width, v.Height), scale: v.Scale, by: attributionOf(s), sides: s.Comparison.names()}
	if f.corner == nil || f.key != key {
		f.key = key
		f.corners(ts, links, s, v, opt)
	}
	lay(img, f.corner, f.at, 1)
}

// corners draws legend and attribution anew.
func (f *FrontPainter) corners(ts *Tracks, links *LinkMap, s *Scene, v Viewport, opt Options) {
	w := min(int(math.Ceil(furnitureWidth*opt.textScale()*v.Scale)), v.Width)
	whole := image.NewRGBA(image.Rect(0, 0, w, v.Height))
	rest, strip := opt, v
	rest.ScaleBar, strip.Width = false, w
	place := furniture(pencil{c: newRaster(whole), scale: v.Scale, text: opt.textScale(), ts: f.ts}, ts, links, s, strip, rest)
	used := painted(whole)
	f.corner = image.NewRGBA(image.Rect(0, 0, used.Dx(), used.Dy()))
	draw.Draw(f.corner, f.corner.Rect, whole, used.Min, draw.Src)
	shift := image.Pt(v.Width-w, 0)
	f.at, f.legend = used.Min.Add(shift), legendPlace{place.whole.Add(shift), place.head.Add(shift)}
}

// OnLegend reports whether an image pixel of the last frame lies on the legend, and
// whether on its head, which folds it.
func (f *FrontPainter) OnLegend(x, y float64) (on, head bool) {
	at := image.Pt(int(x), int(y))
	return at.In(f.legend.whole), at.In(f.legend.head)
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
