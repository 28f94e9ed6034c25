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
	LinkBy      LinkBy
	Fades       Fades  // how much the layers let through
	Title       string // heads the legend; empty: the selected trip's name
	Legend      bool
	ScaleBar    bool
	Attribution bool    // may be left out only where the map's source stands elsewhere in sight
	Words       *Words  // nil: English
	TextScale   float64 // a factor on the size of texts and legend; 0: 1
	Miles       bool    // lengths and speeds in miles and feet rather than in kilometres and metres
	Folded      bool    // of the legend its title alone
	Foldable    bool    // the legend has a sign that folds it
}

// DefaultOptions shows everything but truth, in light colours.
func DefaultOptions() Options {
	return Options{Layers: BasicLayers, Legend: true, ScaleBar: true, Attribution: true}
}

func (opt Options) textScale() float64 {
	if opt.TextScale <= 0 {
		return 1
	}
	return opt.TextScale
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
		t = ts.only()
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
	pic := picture{scene: s, base: b, tracks: NewTracks(s.Network, s.Trips), set: newTypesetter(), opt: opt}
	if opt.Layers.Has(LayerLinks) {
		pic.links = NewLinkMap(s.Network, s.Links)
	}
	pic.versus = newVersus(pic.tracks, s.Comparison)
	panes := Panes(s, v)
	for _, pane := range panes {
		if len(panes) == 1 {
			pic.pane(c, pane)
			continue
		}
		left := float32(pane.X)
		c.clip(box{left, 0, left + float32(pane.View.Width), float32(v.Height)}, func(c canvas) {
			pic.pane(&shifted{c: c, by: point{left, 0}}, pane)
		})
	}
	p := pencil{c: c, scale: v.Scale, text: opt.textScale(), ts: pic.set}
	p.parting(s.Comparison, v, themeOf(opt.Dark))
	furniture(p, pic.tracks, pic.links, s, v, opt)
}

// picture is a scene with all that is made ready of it.
type picture struct {
	scene  *Scene
	base   *Base
	tracks *Tracks
	links  *LinkMap // nil: not shown
	versus *versus
	set    *typesetter
	opt    Options
}

// pane draws one pane, all but the furniture.
func (pic *picture) pane(c canvas, pane Pane) {
	b, ts, set, s, opt, v := pic.base, pic.tracks, pic.set, pic.scene, pic.opt, pane.View
	gv := v.ground(opt)
	var p painter
	p.ground(c, b, gv)
	if pic.links != nil {
		c.group(opt.Fades.Share(LayerLinks)*ts.Faded(s), func(c canvas) { new(linkPainter).paint(c, pic.links, gv, opt.LinkBy) })
	}
	tp := newTripPainter(c, ts, set, tripView{groundView: gv, colourBy: opt.ColourBy, words: opt.words(), side: pane.Side})
	tp.others(s)
	region := v.Around(LabelMargin)
	shift := point{float32(v.Width-region.Width) / 2, float32(v.Height-region.Height) / 2}
	c.group(opt.Fades.Share(LayerLabels), func(c canvas) {
		for _, l := range placeLabels(newLabeler(set), b, ts, s.Selection, region, opt) {
			l.move(shift)
			l.draw(c, &tp.buf)
		}
	})
	tp.foreground(s, v, pic.versus, nil)
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
		zoom:  v.Zoom, scale: v.Scale, theme: themeOf(opt.Dark), layers: opt.Layers, fades: opt.Fades,
		text: opt.textScale(), miles: opt.Miles,
	}
}

// others draws all trips but the front one, faded where something is selected.
func (p *tripPainter) others(s *Scene) {
	front := p.ts.find(p.ts.FrontOf(s))
	over := p.c
	over.group(p.ts.Faded(s), func(c canvas) {
		p.c = c
		p.behind(front)
	})
	p.c = over
}

// behind draws the trips behind the front one, and reports whether any shows.
func (p *tripPainter) behind(front *track) bool {
	p.list = p.list[:0]
	for i := range p.ts.tracks {
		if t := &p.ts.tracks[i]; t != front && t.box.meets(p.v.view) {
			p.list = append(p.list, t)
		}
	}
	far := p.farInView(front)
	if len(far) > mostRead {
		p.sketches(far)
	} else {
		for _, f := range far {
			p.list = append(p.list, p.ts.read(f))
		}
	}
	if len(p.list)+len(far) == 0 {
		return false
	}
	p.crowd = front != nil || p.v.zoom < crowdZoom
	p.trips(p.list, Item{})
	p.crowd = false
	return true
}

// fadedShare is the opacity of what is not selected, while something is: enough to tell
// that there are other trips, too little to tint the roads below them.
const fadedShare = 0.12

// Faded is the opacity of the trips behind the front one.
func (ts *Tracks) Faded(s *Scene) float64 {
	road := s.Selection.Kind == RoadItem && s.Comparison == nil
	if road || (s.Selection.Trip != "" || s.Comparison != nil) && ts.FrontOf(s) != "" {
		return fadedShare
	}
	return 1
}

// FrontOf is the id of the trip that is drawn above the others: the one that is
// compared, the selected or the only one; empty where there is none.
func (ts *Tracks) FrontOf(s *Scene) string {
	if s.Comparison != nil && ts.find(s.Comparison.Trip) != nil {
		return s.Comparison.Trip
	}
	if t := ts.front(s.Selection); t != nil {
		return t.id
	}
	return ""
}

// front is the trip that is drawn above the others: the selected or only one.
func (ts *Tracks) front(selected Item) *track {
	if t := ts.find(selected.Trip); t != nil {
		return t
	}
	if ts.Len() == 1 {
		return ts.only()
	}
	return nil
}

// foreground draws the front trip or the comparison, and what is selected,
// hovered over or played.
func (p *tripPainter) foreground(s *Scene, v Viewport, vs *versus, stamps *vehicles) {
	if s.Selection.Kind == SpanItem && vs == nil {
		p.chosen(s.Selection)
	}
	switch front := p.ts.front(s.Selection); {
	case vs != nil:
		p.compared(vs, float32(v.Width), float32(v.Height), s.Selection)
	case front != nil && front.box.meets(p.v.view):
		p.front(front, s.Selection)
	}
	if s.Hover != (Item{}) {
		p.hover(s.Hover)
	}
	if s.Selection.Kind != SpanItem {
		p.chosen(s.Selection)
	}
	p.shapes(s.Shapes)
	p.vehicles(s.Markers, stamps)
	if s.Marker != nil {
		p.marker(s.Marker)
	}
}

// front draws the front trip with its numbers and signs.
func (p *tripPainter) front(t *track, chosen Item) {
	p.trips([]*track{t}, chosen)
	if p.v.layers.Has(LayerInput) {
		p.numbers(t)
	}
	p.doubts(t)
	p.drawSigns()
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
