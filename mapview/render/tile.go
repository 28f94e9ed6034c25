package render

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"retrace/engine/basemap"
)

// Tile names one square of the map behind the trips. Tiles of one zoom and
// scale lie on a grid: column X and row Y of squares of TileSize image pixels,
// counted from the north-west corner of the world.
type Tile struct {
	Zoom   float64 // of the logical map; any, not only whole ones
	Scale  float64 // image pixels for each logical pixel
	X, Y   int32
	Dark   bool
	Layers Layers // of the ground only LayerBackground and LayerRoads matter
	Fades  Fades  // of those layers
	Miles  bool   // of links: classes of speeds in miles an hour
}

// TilePainter draws tiles. It keeps what it needs between tiles, so each
// goroutine wants its own.
type TilePainter struct {
	p     painter
	links linkPainter
	ts    *typesetter
}

// NewTilePainter makes a painter.
func NewTilePainter() *TilePainter { return &TilePainter{ts: newTypesetter()} }

// view is the part of the world on a tile.
func (k Tile) view() groundView {
	world := TileSize * math.Exp2(k.Zoom) * k.Scale
	return groundView{
		frame: newFrame(float64(k.X)*TileSize, float64(k.Y)*TileSize, world, TileSize, TileSize, groundMargin*k.Scale),
		zoom:  k.Zoom, scale: k.Scale, theme: themeOf(k.Dark), layers: k.Layers, fades: k.Fades, text: 1, miles: k.Miles,
	}
}

// on is the canvas of the painter over an image.
func (t *TilePainter) on(img *image.RGBA) *raster {
	if t.p.target == nil {
		t.p.target = newRaster(img)
	}
	t.p.target.img = img
	return t.p.target
}

// Paint draws a tile into img, which is TileSize pixels wide and high.
func (t *TilePainter) Paint(img *image.RGBA, b *Base, k Tile) {
	v := k.view()
	draw.Draw(img, img.Rect, image.NewUniform(b.land(v.theme)), image.Point{}, draw.Src)
	t.p.ground(t.on(img), b, v)
}

// PaintTrips draws the trips of a tile, all but the one with the id front, over
// nothing: img is clear to begin with. It reports whether there was anything to
// draw.
func (t *TilePainter) PaintTrips(img *image.RGBA, ts *Tracks, front string, by ColourBy, k Tile) bool {
	p := newTripPainter(t.on(img), ts, t.ts, tripView{groundView: k.view(), colourBy: by})
	return p.behind(ts.find(front))
}

// PaintLinks draws the links of a tile, over nothing as [TilePainter.PaintTrips]
// does, and reports whether there were any.
func (t *TilePainter) PaintLinks(img *image.RGBA, m *LinkMap, by LinkBy, k Tile) bool {
	return t.links.paint(t.on(img), m, k.view(), by)
}

// groundMargin is how far, in logical pixels, a line may reach beyond its
// geometry.
const groundMargin = 24

// groundView is what part of the base is drawn, and how.
type groundView struct {
	frame
	zoom, scale float64
	theme       *Theme
	layers      Layers
	fades       Fades
	text        float64 // a factor on the size of texts
	miles       bool    // speeds in miles an hour
}

// tx turns the size of a text in logical pixels into image pixels.
func (v *groundView) tx(logical float64) float32 { return v.px(logical * v.text) }

// px turns logical pixels into image pixels.
func (v *groundView) px(logical float64) float32 { return float32(logical * v.scale) }

// painter draws the base onto any canvas.
type painter struct {
	target  *raster // of tiles
	buckets [numLevels][numRoadLooks]lines
	buf     lines
}

// ground draws background and roads.
func (p *painter) ground(c canvas, b *Base, v groundView) {
	if v.layers.Has(LayerBackground) {
		c.group(v.fades.Share(LayerBackground), func(c canvas) { p.background(c, b, v) })
	}
	if v.layers.Has(LayerRoads) {
		p.collect(b, v)
		c.group(v.fades.Share(LayerRoads), func(c canvas) { p.roads(c, b, v) })
	}
}

// background draws what lies below the roads.
func (p *painter) background(c canvas, b *Base, v groundView) {
	t := v.theme
	if v.zoom >= builtUpZoom {
		p.areas(c, &b.areas[basemap.BuiltUp], v, 2, t.BuiltUp)
	}
	p.areas(c, &b.areas[basemap.Green], v, 2, t.Green)
	p.water(c, b, v)
	if v.zoom >= buildingZoom {
		p.buildings(c, b, v)
	}
	if v.zoom >= railZoom {
		p.rails(c, b, v)
	}
}

// areas fills the polygons of a kind; those under least pixels are left out.
func (p *painter) areas(c canvas, fs *features, v groundView, least float64, paint color.NRGBA) {
	small := uint32(float64(v.px(least)) / v.frame.scale)
	visit(fs.blocks, v.view, func(k block) {
		for i := k.from; i < k.to; i++ {
			if fs.boxes[i].size() < small || !fs.boxes[i].meets(v.view) {
				continue
			}
			p.rings(fs, i, v)
			c.fill(&p.buf, evenOdd, paint)
		}
	})
}

// rings collects the rings of one feature.
func (p *painter) rings(fs *features, i uint32, v groundView) {
	p.buf.reset()
	for r := fs.rings[i]; r < fs.rings[i+1]; r++ {
		v.append(&p.buf, &fs.geometry, r)
	}
}

// shown collects the lines of a kind, closed where they are rings.
func (p *painter) shown(fs *features, v groundView, least float64, closed bool) *lines {
	small := uint32(float64(v.px(least)) / v.frame.scale)
	p.buf.reset()
	visit(fs.blocks, v.view, func(k block) {
		for i := k.from; i < k.to; i++ {
			if fs.boxes[i].size() < small || !fs.boxes[i].meets(v.view) {
				continue
			}
			for r := fs.rings[i]; r < fs.rings[i+1]; r++ {
				first := len(p.buf.pts)
				n := p.buf.len()
				v.append(&p.buf, &fs.geometry, r)
				if closed && p.buf.len() > n {
					p.buf.pts = append(p.buf.pts, p.buf.pts[first])
					p.buf.ends[n]++
				}
			}
		}
	})
	return &p.buf
}

func (p *painter) water(c canvas, b *Base, v groundView) {
	t := v.theme
	if v.zoom >= 11 {
		w := v.px(math.Min(0.9*math.Exp2((v.zoom-13)*0.6), 4))
		c.stroke(p.shown(&b.areas[basemap.Waterway], v, 3, false), stroke{width: w, color: t.Water})
	}
	p.areas(c, &b.areas[basemap.Water], v, 1.5, t.Water)
	if v.zoom >= 12 {
		c.stroke(p.shown(&b.areas[basemap.Water], v, 4, true), stroke{width: v.px(0.9), color: t.Bank})
	}
}

func (p *painter) buildings(c canvas, b *Base, v groundView) {
	share := math.Min(1, (v.zoom-buildingZoom)/0.6+0.2)
	fs := &b.areas[basemap.Building]
	p.areas(c, fs, v, 1.5, fade(v.theme.Building, share))
	if v.zoom >= 15.5 {
		c.stroke(p.shown(fs, v, 4, true), stroke{width: v.px(0.7), color: v.theme.BuildingEdge})
	}
}

func (p *painter) rails(c canvas, b *Base, v groundView) {
	w := v.px(math.Min(0.5+0.2*(v.zoom-railZoom), 2.2))
	l := p.shown(&b.areas[basemap.Rail], v, 2, false)
	near := math.Max(0.3, math.Min(1, (v.zoom-11)/4))
	c.stroke(l, stroke{width: w, color: blend(b.land(v.theme), v.theme.Rail, near), butt: true})
	if v.zoom >= 14 {
		c.stroke(l, stroke{width: w * 0.5, color: b.land(v.theme), dash: []float32{v.px(5), v.px(5)}, butt: true})
	}
}
