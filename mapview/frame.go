package mapview

import (
	"image"
	"math"
	"slices"
	"sort"

	"retrace/mapview/render"
)

// frame composes what the map shows out of tiles, labels and the front trip.
type frame struct {
	img      *image.RGBA
	panes    []pane
	whole    *render.FrontPainter // of what stands over all panes
	tiles    float64              // zoom of the tiles in use
	complete bool                 // nothing was missing in the last frame
	versions [numTileKinds]int    // in the last frame
	drawn    labelKey
	missing  []tileKey
	asked    labelKey
	region   render.Viewport
	blit     blitter
	last     [numTileKinds]tileKey // of the last frame in which nothing was missing, by kind
}

// pane is a part of the frame that shows the world by itself.
type pane struct {
	render.Pane
	img   *image.RGBA // that part of the frame
	front *render.FrontPainter
}

// paint is the raster's generator: w and h are in image pixels.
func (m *Map) paint(w, h int) image.Image {
	m.resize(w, h)
	if m.frame.img == nil || m.frame.img.Rect.Dx() != w || m.frame.img.Rect.Dy() != h {
		m.frame.img = image.NewRGBA(image.Rect(0, 0, w, h))
		if m.opt.CacheBytes == 0 {
			m.work.cache.setLimit(max(cachedFrames*int64(len(m.frame.img.Pix)), leastCache))
		}
	}
	if m.frame.whole == nil {
		m.frame.whole = render.NewFrontPainter()
	}
	m.compose()
	return m.frame.img
}

// compose draws one frame.
func (m *Map) compose() {
	f := &m.frame
	from := m.work.state()
	f.missing = f.missing[:0]
	if !m.motion.zooming() {
		f.tiles = m.view.Zoom
	}
	labels := m.labels(from.versions[groundTile], from.versions[tripTile])
	m.layPanes()
	scene := m.shown()
	for i := range f.panes {
		p := &f.panes[i]
		m.layGround(p, from)
		m.layLinks(p, from)
		m.layTrips(p, from)
		if labels != nil {
			labels.Draw(p.img, p.View, m.look.Fades.Share(render.LayerLabels))
		}
		p.front.Paint(p.img, from.tracks, scene, p.Pane, m.look)
	}
	f.whole.Furnish(f.img, from.tracks, from.links, &m.scene, m.view, m.look)
	m.work.want(f.missing)
	f.versions = from.versions
	f.complete = len(f.missing) == 0 && f.drawn == f.asked
}

// layPanes divides the frame. The painters of panes stay, for they keep what
// they have prepared.
func (m *Map) layPanes() {
	f := &m.frame
	parts := render.Panes(&m.scene, m.view)
	if len(f.panes) != len(parts) {
		f.panes = make([]pane, len(parts))
		for i := range f.panes {
			f.panes[i].front = render.NewFrontPainter()
		}
		if len(parts) == 1 {
			f.panes[0].front = f.whole
		}
	}
	for i, part := range parts {
		img := *f.img
		img.Pix = img.Pix[4*part.X:]
		img.Rect = image.Rect(0, 0, part.View.Width, part.View.Height)
		f.panes[i].Pane, f.panes[i].img = part, &img
	}
}

// tileLayers are the layers that change ground tiles.
const tileLayers = render.LayerBackground | render.LayerRoads

// tripLayers are those that change tiles of trips.
const tripLayers = render.AllLayers &^ (tileLayers | render.LayerLabels | render.LayerLinks | render.LayerComparison)

// tile is a tile of some layers as the map is set to draw it.
func (m *Map) tile(kind tileKind, version int, layers render.Layers) tileKey {
	return tileKey{kind: kind, version: version, Tile: render.Tile{
		Scale: m.view.Scale, Dark: m.look.Dark, Layers: m.look.Layers & layers, Fades: m.look.Fades.Of(layers),
	}}
}

// layGround lays the map behind the trips.
func (m *Map) layGround(p *pane, from stock) {
	key := m.tile(groundTile, from.versions[groundTile], tileLayers)
	land := from.base.Land(m.look.Dark)
	m.layTiles(p, key, func(dst *image.RGBA, r image.Rectangle) { fillRect(dst, r, land) }, copyRow)
}

// nothing is what missing tiles are blanked with that lie over others.
func nothing(*image.RGBA, image.Rectangle) {}

// layLinks lays the links over the roads.
func (m *Map) layLinks(p *pane, from stock) {
	if from.links.Len() == 0 || !m.look.Layers.Has(render.LayerLinks) {
		return
	}
	key := m.tile(linkTile, from.versions[linkTile], 0)
	key.linkBy, key.Miles = m.look.LinkBy, m.look.Miles
	m.layTiles(p, key, nothing, layRow(m.look.Fades.Share(render.LayerLinks)*from.tracks.Faded(&m.scene)))
}

// layTrips lays the trips behind the front one.
func (m *Map) layTrips(p *pane, from stock) {
	ts := from.tracks
	if ts.Len() == 0 {
		return
	}
	key := m.tile(tripTile, 0, tripLayers)
	key.front, key.by = ts.FrontOf(&m.scene), m.look.ColourBy
	key.behind = ts.Behind(key.front)
	m.layTiles(p, key, nothing, layRow(ts.Faded(&m.scene)))
}

// layTiles lays the tiles of one kind. Where one is missing it is asked for, and
// what is at hand shows in its place.
func (m *Map) layTiles(p *pane, key tileKey, blank func(*image.RGBA, image.Rectangle), put put) {
	v := p.View
	key.Zoom = m.frame.tiles
	g := newGrid(v, key.Zoom)
	before := len(m.frame.missing)
	var others []tileKey
	g.each(p.img.Rect, func(x, y int32, r image.Rectangle) {
		key.X, key.Y = x, y
		t := m.work.cache.get(key)
		if t == nil {
			m.frame.missing = append(m.frame.missing, key)
			blank(p.img, r)
			if others == nil {
				others = m.instead(key, v.Zoom)
			}
			m.layOthers(p, others, r, put)
			return
		}
		if t.picture == nil {
			blank(p.img, r)
			return
		}
		m.frame.blit.tile(p.img, g.scaled(t.picture, x, y, r), put)
	})
	if len(m.frame.missing) == before {
		m.frame.last[key.kind] = key
	}
	if key.Zoom != m.motion.target(v.Zoom) {
		m.ahead(v, key)
	}
}

// mostZooms is from how many zooms a missing tile is made up, and mostFiner by
// how much they may be finer: each level takes four times as many tiles.
const (
	mostZooms = 3
	mostFiner = 3.5
)

// instead lists what may stand in for missing tiles like key, the best last:
// other zooms of the same, and the same of before the last change. Tiles that
// let through what is below cannot be laid over one another: of these one kind.
func (m *Map) instead(key tileKey, zoom float64) []tileKey {
	var keys []tileKey
	add := func(like tileKey, most int) {
		if like.kind != key.kind {
			return // there was no complete frame yet
		}
		zooms := slices.DeleteFunc(m.work.cache.zooms(like), func(z float64) bool { return z > zoom+mostFiner })
		sort.Slice(zooms, func(i, j int) bool { return math.Abs(zooms[i]-zoom) > math.Abs(zooms[j]-zoom) })
		for _, z := range zooms[max(len(zooms)-most, 0):] {
			like.Zoom = z
			keys = append(keys, like)
		}
	}
	if key.kind == groundTile {
		add(m.frame.last[key.kind], mostZooms)
		add(key, mostZooms)
		return keys
	}
	add(m.frame.last[key.kind], 1)
	if len(keys) == 0 {
		add(key, 1)
	}
	return keys
}

// layOthers fills a rectangle with other tiles, the best last; what they cover
// wholly is not laid.
func (m *Map) layOthers(p *pane, keys []tileKey, r image.Rectangle, put put) {
	first := len(keys) - 1
	for first > 0 && !m.covers(p, keys[first], r) {
		first--
	}
	for _, key := range keys[max(first, 0):] {
		g := newGrid(p.View, key.Zoom)
		g.each(r, func(x, y int32, part image.Rectangle) {
			key.X, key.Y = x, y
			if t := m.work.cache.get(key); t != nil && t.picture != nil {
				m.frame.blit.tile(p.img, g.scaled(t.picture, x, y, part.Intersect(r)), put)
			}
		})
	}
}

// covers reports whether there are all the tiles like key that a rectangle needs.
func (m *Map) covers(p *pane, key tileKey, r image.Rectangle) bool {
	whole := true
	g := newGrid(p.View, key.Zoom)
	g.each(r, func(x, y int32, _ image.Rectangle) {
		key.X, key.Y = x, y
		whole = whole && m.work.cache.get(key) != nil
	})
	return whole
}

// ahead asks for the tiles of the zoom that the map is on its way to.
func (m *Map) ahead(v render.Viewport, key tileKey) {
	to := m.motion.goal(v)
	to.Width, to.Height = v.Width, v.Height
	key.Zoom = to.Zoom
	newGrid(to, to.Zoom).each(image.Rect(0, 0, to.Width, to.Height), func(x, y int32, _ image.Rectangle) {
		key.X, key.Y = x, y
		if m.work.cache.get(key) == nil {
			m.frame.missing = append(m.frame.missing, key)
		}
	})
}

// labels are those at hand, nil where there are none; others are asked for where
// they do not fit.
func (m *Map) labels(ground, tracks int) *render.Labels {
	v := m.view.Snap()
	if !m.look.Layers.Has(render.LayerLabels) {
		m.frame.asked, m.frame.drawn = labelKey{}, labelKey{}
		return nil
	}
	key := labelKey{ground, tracks, m.scene.Selection.Trip, m.look.Dark, m.look.Layers, m.motion.target(v.Zoom), v.Scale, m.look.TextScale}
	if m.frame.asked != key || !inside(m.motion.goal(v), m.frame.region) {
		m.frame.asked, m.frame.region = key, m.motion.goal(v).Around(render.LabelMargin)
		m.work.wantLabels(labelJob{key, m.frame.region, m.look, m.scene.Selection, true})
	}
	got := m.work.labels()
	m.frame.drawn = got.key
	if got.labels == nil || got.key.ground != ground || got.key.dark != m.look.Dark || got.key.scale != v.Scale || got.key.text != m.look.TextScale {
		return nil
	}
	return got.labels
}

// inside reports whether a viewport lies within a region, at about its zoom.
func inside(v, region render.Viewport) bool {
	b, r := v.Bounds(), region.Bounds()
	return b.MinLon >= r.MinLon && b.MaxLon <= r.MaxLon && b.MinLat >= r.MinLat && b.MaxLat <= r.MaxLat
}
