package mapview

import (
	"encoding/binary"
	"image"
	"image/color"
	"math"

	"retrace/mapview/render"
)

// grid is where the tiles of one zoom fall in a viewport.
type grid struct {
	x, y  float64 // image pixels of the world's corner
	tile  float64 // size of a tile in image pixels
	count int32   // tiles along the world
}

func newGrid(v render.Viewport, zoom float64) grid {
	x, y := v.Origin()
	return grid{
		x: -x, y: -y,
		tile:  render.TileSize * math.Exp2(v.Zoom-zoom),
		count: int32(math.Ceil(math.Exp2(zoom) * v.Scale)),
	}
}

// each calls f with every tile that meets a rectangle, and where it falls.
func (g grid) each(r image.Rectangle, f func(x, y int32, r image.Rectangle)) {
	x0, y0 := g.column(float64(r.Min.X)-g.x), g.column(float64(r.Min.Y)-g.y)
	x1, y1 := g.column(float64(r.Max.X)-1-g.x), g.column(float64(r.Max.Y)-1-g.y)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			f(x, y, g.rect(x, y))
		}
	}
}

func (g grid) column(at float64) int32 {
	return max(0, min(int32(math.Floor(at/g.tile)), g.count-1))
}

// rect is where a tile falls: neighbours share their edges.
func (g grid) rect(x, y int32) image.Rectangle {
	edge := func(at float64) int { return int(math.Floor(at + 0.5)) }
	return image.Rect(
		edge(g.x+float64(x)*g.tile), edge(g.y+float64(y)*g.tile),
		edge(g.x+float64(x+1)*g.tile), edge(g.y+float64(y+1)*g.tile))
}

// scaledTile is a tile and the rectangle of the frame that is taken from it.
type scaledTile struct {
	picture *packed
	rect    image.Rectangle // of the whole tile, in frame pixels
	clip    image.Rectangle
	step    float64 // tile pixels for each frame pixel; 1 where not scaled
	x, y    float64 // of the tile's corner in frame pixels
}

func (g grid) scaled(picture *packed, x, y int32, clip image.Rectangle) *scaledTile {
	t := &scaledTile{picture: picture, rect: g.rect(x, y), clip: clip, step: render.TileSize / g.tile}
	t.x, t.y = g.x+float64(x)*g.tile, g.y+float64(y)*g.tile
	if t.rect.Dx() == render.TileSize && math.Abs(t.step-1) < 1e-9 {
		t.step = 1
	}
	return t
}

// put lays a row of pixels over another of the same length.
type put func(dst, src []uint8)

// copyRow is how opaque tiles are put.
func copyRow(dst, src []uint8) { copy(dst, src) }

// layRow is how tiles are put that show what is below, at a share of opacity.
func layRow(share float64) put {
	return func(dst, src []uint8) { render.LayRow(dst, src, share) }
}

// blitter puts tiles into a frame.
type blitter struct {
	row  []uint8 // as it shows
	line []uint8 // of a tile, before it is scaled
}

// tile puts what shows of one tile.
func (b *blitter) tile(dst *image.RGBA, t *scaledTile, put put) {
	r := t.clip.Intersect(t.rect).Intersect(dst.Rect)
	if r.Empty() {
		return
	}
	if n := 4 * r.Dx(); cap(b.row) < n {
		b.row = make([]uint8, n)
	}
	if t.step == 1 {
		b.plain(dst, t, r, put)
		return
	}
	if b.line == nil {
		b.line = make([]uint8, 4*render.TileSize)
	}
	have := -1 // the line of the tile that is at hand
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := b.row[:4*r.Dx()]
		if line := t.line(y); line != have {
			t.picture.row(b.line, line, 0)
			t.sample(row, b.line, r.Min.X)
			have = line
		}
		put(dst.Pix[dst.PixOffset(r.Min.X, y):dst.PixOffset(r.Max.X, y)], row)
	}
}

// plain puts what shows of a tile that is not scaled.
func (b *blitter) plain(dst *image.RGBA, t *scaledTile, r image.Rectangle, put put) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := b.row[:4*r.Dx()]
		t.picture.row(row, y-t.rect.Min.Y, r.Min.X-t.rect.Min.X)
		put(dst.Pix[dst.PixOffset(r.Min.X, y):dst.PixOffset(r.Max.X, y)], row)
	}
}

// line is the line of the tile that is nearest to a row of the frame.
func (t *scaledTile) line(y int) int {
	return max(0, min(int((float64(y)+0.5-t.y)*t.step), render.TileSize-1))
}

// sample takes a row of a scaled tile from a line of it: the nearest pixel for
// each of the frame's from column x on.
func (t *scaledTile) sample(row, line []uint8, x int) {
	const last = render.TileSize - 1
	const one = 1 << 16
	at := int64((float64(x) + 0.5 - t.x) * t.step * one)
	step := int64(t.step * one)
	for i := 0; i+4 <= len(row); i += 4 {
		column := max(0, min(int(at>>16), last))
		binary.LittleEndian.PutUint32(row[i:], binary.LittleEndian.Uint32(line[column*4:]))
		at += step
	}
}

// fillRect paints a rectangle in one colour.
func fillRect(dst *image.RGBA, r image.Rectangle, c color.NRGBA) {
	r = r.Intersect(dst.Rect)
	if r.Empty() {
		return
	}
	first := dst.Pix[dst.PixOffset(r.Min.X, r.Min.Y):dst.PixOffset(r.Max.X, r.Min.Y)]
	for i := 0; i < len(first); i += 4 {
		first[i], first[i+1], first[i+2], first[i+3] = c.R, c.G, c.B, c.A
	}
	for y := r.Min.Y + 1; y < r.Max.Y; y++ {
		copy(dst.Pix[dst.PixOffset(r.Min.X, y):], first)
	}
}
