package render

import (
	"image"
	"image/draw"
)

// Options says how a scene is drawn.
type Options struct {
	Dark        bool
	Layers      Layers
	ColourBy    ColourBy
	Title       string // heads the legend; empty: the selected trip's name
	Legend      bool
	ScaleBar    bool
	Attribution bool   // may be left out only where the map's source stands elsewhere in sight
	Words       *Words // nil: English
}

// DefaultOptions shows everything but truth, in light colours.
func DefaultOptions() Options {
	return Options{Layers: BasicLayers, Legend: true, ScaleBar: true, Attribution: true}
}

func (opt Options) words() *Words {
	if opt.Words != nil {
		return opt.Words
	}
	return English()
}

// title is what heads the legend.
func (opt Options) title(ts *Tracks, chosen Item) string {
	if opt.Title != "" {
		return opt.Title
	}
	t := ts.find(chosen.Trip)
	if t == nil && ts.Len() == 1 {
		t = &ts.tracks[0]
	}
	if t == nil {
		return ""
	}
	if t.Name != "" {
		return t.Name
	}
	return t.id
}

// Picture draws the whole scene as the map widget shows it.
func Picture(s *Scene, v Viewport, opt Options) *image.RGBA {
	return NewBase(s.Network, s.Basemap).Picture(s, v, opt)
}

// Picture is one of several over the same network and background, which are
// those of the scene.
func (b *Base) Picture(s *Scene, v Viewport, opt Options) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, v.Width, v.Height))
	draw.Draw(img, img.Rect, image.NewUniform(b.Land(opt.Dark)), image.Point{}, draw.Src)
	paint(newRaster(img), b, s, v, opt)
	return img
}

// paint draws everything onto a canvas.
func paint(c canvas, b *Base, s *Scene, v Viewport, opt Options) {
	v = v.Snap()
	gv := v.ground(opt)
	var p painter
	p.ground(c, b, gv)
	ts, set := NewTracks(s.Network, s.Trips), newTypesetter()
	tp := newTripPainter(c, ts, set, tripView{gv, opt.ColourBy, opt.words()})
	tp.others(s.Selection)
	region := v.Around(LabelMargin)
	shift := point{float32(v.Width-region.Width) / 2, float32(v.Height-region.Height) / 2}
	for _, l := range placeLabels(newLabeler(set), b, ts, s.Selection, region, opt) {
		l.move(shift)
		l.draw(c, &tp.buf)
	}
	tp.foreground(s, ts.front(s.Selection))
	furniture(tp.pencil, ts, s, v, opt)
}

// LabelMargin is how far beyond a map labels are placed, in logical pixels: so
// that moving it a little shows labels at once.
const LabelMargin = 220

// Around is the viewport with a margin, in logical pixels, on every side.
func (v Viewport) Around(margin float64) Viewport {
	m := int(margin * v.Scale)
	v.Width, v.Height = v.Width+2*m, v.Height+2*m
	return v
}

// ground is how a viewport shows the map behind the trips.
func (v Viewport) ground(opt Options) groundView {
	x, y, world := v.origin()
	return groundView{
		frame: newFrame(x, y, world, v.Width, v.Height, groundMargin*v.Scale),
		zoom:  v.Zoom, scale: v.Scale, theme: themeOf(opt.Dark), layers: opt.Layers,
	}
}

// others draws all trips but the front one, faded where that is selected.
func (p *tripPainter) others(selected Item) {
	front := p.ts.front(selected)
	share := 1.0
	if selected.Trip != "" && front != nil {
		share = FadedShare
	}
	p.c.group(share, func(c canvas) {
		over := p.c
		p.c = c
		p.behind(front)
		p.c = over
	})
}

// behind draws the trips behind the front one, and reports whether any shows.
func (p *tripPainter) behind(front *track) bool {
	drawn := false
	p.crowd = front != nil || p.v.zoom < crowdZoom
	for i := range p.ts.tracks {
		if t := &p.ts.tracks[i]; t != front && t.box.meets(p.v.view) {
			p.trip(t, Item{})
			drawn = true
		}
	}
	p.crowd = false
	return drawn
}

// FadedShare is the opacity of trips that are not selected, while one is.
const FadedShare = 0.35

// front is the trip that is drawn above the others: the selected or only one.
func (ts *Tracks) front(selected Item) *track {
	if t := ts.find(selected.Trip); t != nil {
		return t
	}
	if ts.Len() == 1 {
		return &ts.tracks[0]
	}
	return nil
}

// foreground draws the front trip and what is selected, hovered over or played.
func (p *tripPainter) foreground(s *Scene, front *track) {
	if s.Selection.Kind == SpanItem {
		p.chosen(s.Selection)
	}
	if front != nil {
		p.trip(front, s.Selection)
		if p.v.layers.Has(LayerInput) {
			p.numbers(front)
		}
		p.doubts(front)
		p.drawSigns()
	}
	if s.Hover != (Item{}) {
		p.hover(s.Hover)
	}
	if s.Selection.Kind != SpanItem {
		p.chosen(s.Selection)
	}
	if s.Marker != nil {
		p.marker(s.Marker)
	}
}

// obstacles are what labels keep clear of: the path of the front trip.
func (ts *Tracks) obstacles(selected Item, v groundView) *lines {
	var l lines
	t := ts.front(selected)
	if t == nil || !v.layers.Has(LayerPath) || !t.box.meets(v.view) {
		return &l
	}
	for i := range t.parts {
		t.parts[i].stretch(&l, &v.frame, 0, t.parts[i].length())
	}
	return &l
}

// obstacleReach is how far from a path labels stand, in image pixels.
func obstacleReach(v groundView) float32 {
	return v.px((pathWidth/2 + haloWidth) * tripSize(v.zoom))
}
