package mapview

import (
	"image"
	"math"
	"sort"

	"retrace/mapview/render"
)

// frame composes what the map shows out of tiles, labels and the front trip.
type frame struct {
	img      *image.RGBA
	front    *render.FrontPainter
	tiles    float64 // zoom of the tiles in use
	complete bool    // nothing was missing in the last frame
	versions [2]int  // of network and trips in the last frame
	drawn    labelKey
	missing  []tileKey
	asked    labelKey
	region   render.Viewport
	blit     blitter
	last     [2]tileKey // of the last frame in which nothing was missing, by kind
}

// paint is the raster's generator: w and h are in image pixels.
func (m *Map) paint(w, h int) image.Image {
	m.resize(w, h)
	if m.frame.img == nil || m.frame.img.Rect.Dx() != w || m.frame.img.Rect.Dy() != h {
		m.frame.img = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	if m.frame.front == nil {
		m.frame.front = render.NewFrontPainter()
	}
	m.compose()
	return m.frame.img
}

// compose draws one frame.
func (m *Map) compose() {
	f := &m.frame
	v := m.view.Snap()
	base, ground, tracks, version := m.work.state()
	f.missing = f.missing[:0]
	if !m.motion.zooming() {
		f.tiles = v.Zoom
	}
	m.layGround(v, base, ground)
	if tracks.Len() > 0 {
		m.layTrips(v, tracks, version)
	}
	m.layLabels(v, ground, version)
	f.front.Paint(f.img, tracks, &m.scene, v, m.look)
	m.work.want(f.missing)
	f.versions = [2]int{ground, version}
	f.complete = len(f.missing) == 0 && f.drawn == f.asked
}

// tileLayers are the layers that change ground tiles.
const tileLayers = render.LayerBackground | render.LayerRoads

// layGround lays the map behind the trips.
func (m *Map) layGround(v render.Viewport, base *render.Base, version int) {
	key := tileKey{kind: groundTile, version: version}
	key.Tile = render.Tile{Scale: v.Scale, Dark: m.look.Dark, Layers: m.look.Layers & tileLayers}
	land := base.Land(m.look.Dark)
	m.layTiles(v, key, func(dst *image.RGBA, r image.Rectangle) { fillRect(dst, r, land) }, copyRow)
}

// layTrips lays the trips behind the front one.
func (m *Map) layTrips(v render.Viewport, ts *render.Tracks, version int) {
	key := tileKey{kind: tripTile, version: version, front: ts.Front(m.scene.Selection), by: m.look.ColourBy}
	key.Tile = render.Tile{Scale: v.Scale, Dark: m.look.Dark, Layers: m.look.Layers &^ (tileLayers | render.LayerLabels)}
	share := 1.0
	if m.scene.Selection.Trip != "" && key.front != "" {
		share = render.FadedShare
	}
	m.layTiles(v, key, func(*image.RGBA, image.Rectangle) {}, layRow(share))
}

// layTiles lays the tiles of one kind. Where one is missing it is asked for, and
// what is at hand shows in its place.
func (m *Map) layTiles(v render.Viewport, key tileKey, blank func(*image.RGBA, image.Rectangle), put put) {
	key.Zoom = m.frame.tiles
	g := newGrid(v, key.Zoom)
	before := len(m.frame.missing)
	var others []tileKey
	g.each(m.frame.img.Rect, func(x, y int32, r image.Rectangle) {
		key.X, key.Y = x, y
		t := m.work.cache.get(key)
		if t == nil {
			m.frame.missing = append(m.frame.missing, key)
			blank(m.frame.img, r)
			if others == nil {
				others = m.instead(key, v.Zoom)
			}
			m.layOthers(v, others, r, put)
			return
		}
		if t.img == nil {
			blank(m.frame.img, r)
			return
		}
		m.frame.blit.tile(m.frame.img, g.scaled(t.img, x, y, r), put)
	})
	if len(m.frame.missing) == before {
		m.frame.last[key.kind] = key
	}
	if key.Zoom != m.motion.target(v.Zoom) {
		m.ahead(v, key)
	}
}

// mostZooms is from how many zooms a missing tile is made up.
const mostZooms = 3

// instead lists what may stand in for missing tiles like key, the best last:
// other zooms of the same, and the same of before the last change. Tiles that
// let through what is below cannot be laid over one another: of these one kind.
func (m *Map) instead(key tileKey, zoom float64) []tileKey {
	var keys []tileKey
	add := func(like tileKey, most int) {
		if like.kind != key.kind {
			return // there was no complete frame yet
		}
		zooms := m.work.cache.zooms(like)
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

// layOthers fills a rectangle with other tiles, the best last.
func (m *Map) layOthers(v render.Viewport, keys []tileKey, r image.Rectangle, put put) {
	for _, key := range keys {
		g := newGrid(v, key.Zoom)
		g.each(r, func(x, y int32, part image.Rectangle) {
			key.X, key.Y = x, y
			if t := m.work.cache.get(key); t != nil && t.img != nil {
				m.frame.blit.tile(m.frame.img, g.scaled(t.img, x, y, part.Intersect(r)), put)
			}
		})
	}
}

// ahead asks for the tiles of the zoom that the map is on its way to.
func (m *Map) ahead(v render.Viewport, key tileKey) {
	to := m.motion.goal(v)
	key.Zoom = to.Zoom
	newGrid(to, to.Zoom).each(image.Rect(0, 0, to.Width, to.Height), func(x, y int32, _ image.Rectangle) {
		key.X, key.Y = x, y
		if m.work.cache.get(key) == nil {
			m.frame.missing = append(m.frame.missing, key)
		}
	})
}

// layLabels lays the labels at hand, and asks for others where they do not fit.
func (m *Map) layLabels(v render.Viewport, ground, tracks int) {
	if !m.look.Layers.Has(render.LayerLabels) {
		m.frame.asked, m.frame.drawn = labelKey{}, labelKey{}
		return
	}
	key := labelKey{ground, tracks, m.scene.Selection.Trip, m.look.Dark, m.look.Layers, m.motion.target(v.Zoom), v.Scale}
	if m.frame.asked != key || !inside(m.motion.goal(v), m.frame.region) {
		m.frame.asked, m.frame.region = key, m.motion.goal(v).Around(render.LabelMargin)
		m.work.wantLabels(labelJob{key, m.frame.region, m.look, m.scene.Selection, true})
	}
	got := m.work.labels()
	m.frame.drawn = got.key
	if got.labels == nil || got.key.ground != ground || got.key.dark != m.look.Dark || got.key.scale != v.Scale {
		return
	}
	got.labels.Draw(m.frame.img, v)
}

// inside reports whether a viewport lies within a region, at about its zoom.
func inside(v, region render.Viewport) bool {
	b, r := v.Bounds(), region.Bounds()
	return b.MinLon >= r.MinLon && b.MaxLon <= r.MaxLon && b.MinLat >= r.MinLat && b.MaxLat <= r.MaxLat
}
