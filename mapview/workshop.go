package mapview

import (
	"image"
	"runtime"
	"sync"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
	"retrace/mapview/render"
)

// The memory for packed tiles: as much as some frames, for the zooms and places
// that were just left, but not less than leastCache.
const (
	cachedFrames = 2
	leastCache   = 6 << 20
)

// workshop draws tiles and labels and prepares networks and trips, apart from
// the user interface's thread. What is wanted is said anew with every frame;
// what no frame wants any more is not begun.
type workshop struct {
	cache   *tileCache
	ready   func()    // tells that something has been finished
	brushes sync.Pool // of *brush

	mu     sync.Mutex
	wake   *sync.Cond
	closed bool
	busy   int

	ground  prepared[*render.Base]
	tracks  prepared[*render.Tracks]
	links   prepared[*render.LinkMap]
	wanted  []tileKey
	working map[tileKey]bool
	naming  labelJob
	named   labelResult
}

// prepared is something that is made of the host's data in the background; the
// last one stays in use until the next is made.
type prepared[T any] struct {
	value   T
	version int // of value
	wanted  int // the latest asked for
}

// labelKey is what placed labels depend on, besides the region.
type labelKey struct {
	ground, tracks int
	selected       string
	dark           bool
	layers         render.Layers
	zoom, scale    float64
	text           float64 // a factor on the size of texts
}

type labelJob struct {
	key    labelKey
	region render.Viewport
	opt    render.Options
	chosen render.Item
	set    bool
}

type labelResult struct {
	key    labelKey
	labels *render.Labels
}

func newWorkshop(limit int64, ready func()) *workshop {
	if limit <= 0 {
		limit = leastCache
	}
	w := &workshop{cache: newTileCache(limit), ready: ready, brushes: sync.Pool{New: newBrush}, working: map[tileKey]bool{}}
	w.wake = sync.NewCond(&w.mu)
	w.ground.value, w.tracks.value, w.links.value = render.NewBase(nil, nil), render.NewTracks(nil, nil), render.NewLinkMap(nil, nil)
	for range max(1, min(4, runtime.NumCPU()-1)) {
		go w.draw()
	}
	go w.name()
	return w
}

func (w *workshop) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.wake.Broadcast()
}

// setGround prepares another network and background.
func (w *workshop) setGround(net *roadnet.Network, bm *basemap.Map) {
	prepare(w, &w.ground, func(int) *render.Base { return render.NewBase(net, bm) })
}

// setTrips prepares other trips; those that are the same as before stay.
func (w *workshop) setTrips(net *roadnet.Network, trips []render.Trip) {
	before := w.state().tracks
	prepare(w, &w.tracks, func(version int) *render.Tracks { return before.Renew(net, trips, version) })
}

// setLinks prepares other links.
func (w *workshop) setLinks(net *roadnet.Network, links []render.Link) {
	prepare(w, &w.links, func(int) *render.LinkMap { return render.NewLinkMap(net, links) })
}

// prepare makes a new value in the background, unless a later one is asked for
// meanwhile.
func prepare[T any](w *workshop, p *prepared[T], make func(version int) T) {
	w.mu.Lock()
	p.wanted++
	version := p.wanted
	w.busy++
	w.mu.Unlock()
	go func() {
		value := make(version)
		w.mu.Lock()
		if p.wanted == version {
			p.value, p.version = value, version
		}
		w.busy--
		w.mu.Unlock()
		w.ready()
	}()
}

// stock is what frames are drawn of, and the version of each kind of tile.
type stock struct {
	base     *render.Base
	tracks   *render.Tracks
	links    *render.LinkMap
	versions [numTileKinds]int
}

// has reports whether a tile can be drawn of it.
func (s stock) has(key tileKey) bool {
	if key.kind == tripTile {
		return key.behind == s.tracks.Behind(key.front)
	}
	return key.version == s.versions[key.kind]
}

// state is what frames are drawn of now.
func (w *workshop) state() stock {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stock()
}

func (w *workshop) stock() stock {
	s := stock{base: w.ground.value, tracks: w.tracks.value, links: w.links.value}
	s.versions[groundTile], s.versions[tripTile], s.versions[linkTile] = w.ground.version, w.tracks.version, w.links.version
	return s
}

// want says which tiles the present frame lacks, the most urgent first.
func (w *workshop) want(keys []tileKey) {
	w.mu.Lock()
	w.wanted = append(w.wanted[:0], keys...)
	w.mu.Unlock()
	w.wake.Broadcast()
}

// wantLabels asks for labels, in place of those asked for before.
func (w *workshop) wantLabels(j labelJob) {
	w.mu.Lock()
	w.naming = j
	w.mu.Unlock()
	w.wake.Broadcast()
}

// labels are those placed last.
func (w *workshop) labels() labelResult {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.named
}

// idle reports whether nothing is in work, and some versions are the latest.
func (w *workshop) idle(versions [numTileKinds]int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	latest := [numTileKinds]int{groundTile: w.ground.wanted, tripTile: w.tracks.wanted, linkTile: w.links.wanted}
	return versions == latest && w.busy == 0 && len(w.wanted) == 0 && !w.naming.set
}

// wantedGround is the version of the network that was asked for last.
func (w *workshop) wantedGround() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ground.wanted
}

// draw is a worker that draws tiles.
func (w *workshop) draw() {
	for {
		key, from, ok := w.nextTile()
		if !ok {
			return
		}
		b := w.brushes.Get().(*brush)
		w.cache.put(b.draw(key, from))
		w.brushes.Put(b)
		w.mu.Lock()
		delete(w.working, key)
		w.busy--
		w.mu.Unlock()
		w.ready()
	}
}

// brush is what tiles are drawn with: megabytes, which the collector takes away
// while nothing is drawn.
type brush struct {
	painter *render.TilePainter
	img     *image.RGBA
}

func newBrush() any {
	return &brush{render.NewTilePainter(), image.NewRGBA(image.Rect(0, 0, render.TileSize, render.TileSize))}
}

// draw draws one tile.
func (b *brush) draw(key tileKey, from stock) *cachedTile {
	painter, img, some := b.painter, b.img, true
	switch key.kind {
	case groundTile:
		painter.Paint(img, from.base, key.Tile)
	case tripTile:
		clear(img.Pix)
		some = painter.PaintTrips(img, from.tracks, key.front, key.by, key.Tile)
	case linkTile:
		clear(img.Pix)
		some = painter.PaintLinks(img, from.links, key.linkBy, key.Tile)
	}
	if !some {
		return &cachedTile{key: key}
	}
	return &cachedTile{key: key, picture: pack(img)}
}

// nextTile waits for a wanted tile that nobody works on.
func (w *workshop) nextTile() (tileKey, stock, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.closed {
		for len(w.wanted) > 0 {
			key := w.wanted[0]
			w.wanted = w.wanted[1:]
			if from := w.stock(); !w.working[key] && from.has(key) {
				w.working[key] = true
				w.busy++
				return key, from, true
			}
		}
		w.wake.Wait()
	}
	return tileKey{}, stock{}, false
}

// name is the worker that places labels.
func (w *workshop) name() {
	painter := render.NewLabelPainter()
	for {
		j, base, tracks, ok := w.nextLabels()
		if !ok {
			return
		}
		labels := painter.Place(base, tracks, j.chosen, j.region, j.opt)
		w.mu.Lock()
		w.named = labelResult{j.key, labels}
		w.busy--
		w.mu.Unlock()
		w.ready()
	}
}

func (w *workshop) nextLabels() (labelJob, *render.Base, *render.Tracks, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.closed {
		if w.naming.set {
			j := w.naming
			w.naming = labelJob{}
			w.busy++
			return j, w.ground.value, w.tracks.value, true
		}
		w.wake.Wait()
	}
	return labelJob{}, nil, nil, false
}
