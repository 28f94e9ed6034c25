package mapview

import (
	"container/list"
	"sync"

	"retrace/mapview/render"
)

// tileKind says what a tile holds.
type tileKind uint8

const (
	groundTile tileKind = iota // the map behind the trips, opaque
	tripTile                   // the trips, over nothing
	linkTile                   // the links, over nothing
	numTileKinds
)

// tileKey names a tile and the state of the world that it shows.
type tileKey struct {
	render.Tile
	kind    tileKind
	version int             // of the network or the links
	behind  uint64          // what a tripTile shows: see render.Tracks.Behind
	front   string          // trip left out of a tripTile
	by      render.ColourBy // of a tripTile
	linkBy  render.LinkBy   // of a linkTile
}

// tileBytes is the memory of one tile before it is packed.
const tileBytes = 4 * render.TileSize * render.TileSize

// tileCache keeps finished tiles, the ones used last the longest. It is safe
// for use by several goroutines.
type tileCache struct {
	mu    sync.Mutex
	limit int64
	bytes int64
	tiles map[tileKey]*list.Element
	order list.List // of *cachedTile, most recently used first
}

// cachedTile is a finished tile; picture is nil where there is nothing on it.
type cachedTile struct {
	key     tileKey
	picture *packed
}

func (t *cachedTile) bytes() int64 {
	const key = 256 // what it takes beside the picture
	if t.picture == nil {
		return key
	}
	return key + t.picture.bytes()
}

func newTileCache(limit int64) *tileCache {
	return &tileCache{limit: limit, tiles: map[tileKey]*list.Element{}}
}

// setLimit sets how much memory tiles may take.
func (c *tileCache) setLimit(limit int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.limit = limit
}

// get is a finished tile, or nil.
func (c *tileCache) get(k tileKey) *cachedTile {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.tiles[k]
	if !ok {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*cachedTile)
}

// put keeps a tile and drops those unused for longest beyond the limit.
func (c *tileCache) put(t *cachedTile) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old, ok := c.tiles[t.key]; ok {
		c.drop(old)
	}
	c.tiles[t.key] = c.order.PushFront(t)
	c.bytes += t.bytes()
	for c.bytes > c.limit && c.order.Len() > 1 {
		c.drop(c.order.Back())
	}
}

func (c *tileCache) drop(e *list.Element) {
	t := e.Value.(*cachedTile)
	c.bytes -= t.bytes()
	delete(c.tiles, t.key)
	c.order.Remove(e)
}

// zooms lists the zooms of which there are tiles like k.
func (c *tileCache) zooms(k tileKey) []float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	seen := map[float64]bool{}
	var out []float64
	for o := range c.tiles {
		z := o.Zoom
		o.Zoom, o.X, o.Y = k.Zoom, k.X, k.Y
		if o == k && !seen[z] {
			seen[z] = true
			out = append(out, z)
		}
	}
	return out
}
