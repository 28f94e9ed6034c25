package mapview

import (
	"image"
	"runtime"
	"sync"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
	"retrace/mapview/render"
)

// defaultCache is the memory for tiles.
const defaultCache = 256 << 20

// workshop draws tiles and labels and prepares networks and trips, apart from
// the user interface's thread. What is wanted is said anew with every frame;
// what no frame wants any more is not begun.
type workshop struct {
	cache *tileCache
	ready func() // tells that something has been finished

	mu     sync.Mutex
	wake   *sync.Cond
	closed bool
	busy   int

	ground  prepared[*render.Base]
	tracks  prepared[*render.Tracks]
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
		limit = defaultCache
	}
	w := &workshop{cache: newTileCache(limit), ready: ready, working: map[tileKey]bool{}}
	w.wake = sync.NewCond(&w.mu)
	w.ground.value, w.tracks.value = render.NewBase(nil, nil), render.NewTracks(nil, nil)
	for range max(2, min(4, runtime.NumCPU()-1)) {
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
	prepare(w, &w.ground, func() *render.Base { return render.NewBase(net, bm) })
}

// setTrips prepares other trips.
func (w *workshop) setTrips(net *roadnet.Network, trips []render.Trip) {
	prepare(w, &w.tracks, func() *render.Tracks { return render.NewTracks(net, trips) })
}

// prepare makes a new value in the background, unless a later one is asked for
// meanwhile.
func prepare[T any](w *workshop, p *prepared[T], make func() T) {
	w.mu.Lock()
	p.wanted++
	version := p.wanted
	w.busy++
	w.mu.Unlock()
	go func() {
		value := make()
		w.mu.Lock()
		if p.wanted == version {
			p.value, p.version = value, version
		}
		w.busy--
		w.mu.Unlock()
		w.ready()
	}()
}

// state is what frames are drawn of now.
func (w *workshop) state() (b *render.Base, ground int, ts *render.Tracks, tracks int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ground.value, w.ground.version, w.tracks.value, w.tracks.version
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

// idle reports whether nothing is in work, and some versions of network and
// trips are the latest.
func (w *workshop) idle(versions [2]int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return versions == [2]int{w.ground.wanted, w.tracks.wanted} && w.busy == 0 && len(w.wanted) == 0 && !w.naming.set
}

// draw is a worker that draws tiles.
func (w *workshop) draw() {
	painter := render.NewTilePainter()
	for {
		key, base, tracks, ok := w.nextTile()
		if !ok {
			return
		}
		tile := &cachedTile{key: key, img: image.NewRGBA(image.Rect(0, 0, render.TileSize, render.TileSize))}
		if key.kind == groundTile {
			painter.Paint(tile.img, base, key.Tile)
		} else if !painter.PaintTrips(tile.img, tracks, key.front, key.by, key.Tile) {
			tile.img = nil
		}
		w.cache.put(tile)
		w.mu.Lock()
		delete(w.working, key)
		w.busy--
		w.mu.Unlock()
		w.ready()
	}
}

// nextTile waits for a wanted tile that nobody works on.
func (w *workshop) nextTile() (tileKey, *render.Base, *render.Tracks, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.closed {
		for len(w.wanted) > 0 {
			key := w.wanted[0]
			w.wanted = w.wanted[1:]
			if !w.working[key] && w.current(key) {
				w.working[key] = true
				w.busy++
				return key, w.ground.value, w.tracks.value, true
			}
		}
		w.wake.Wait()
	}
	return tileKey{}, nil, nil, false
}

// current reports whether a tile is of what is drawn now.
func (w *workshop) current(k tileKey) bool {
	if k.kind == groundTile {
		return k.version == w.ground.version
	}
	return k.version == w.tracks.version
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
