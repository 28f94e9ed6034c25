package basemap

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"retrace/engine/roadnet"
)

// Builder makes a [Map] from features. Use [NewBuilder].
type Builder struct {
	columns
	texts map[string]uint32
	names strings.Builder
}

// NewBuilder makes an empty builder.
func NewBuilder() *Builder {
	b := &Builder{texts: map[string]uint32{"": 0}}
	b.ringStart, b.start, b.textStart = []uint32{0}, []uint32{0}, []uint32{0, 0}
	return b
}

// maxCount is how many coordinates, and bytes of names, a map can have.
const maxCount = math.MaxUint32 / 2

// Add adds a feature, copied. Points in a row at the same place become one, a
// ring's last point is left out where it repeats the first, and rings too
// short for the kind are left out. It returns false, and no error, where
// nothing remains.
func (b *Builder) Add(f Feature) (bool, error) {
	if f.Kind >= NumKinds {
		return false, fmt.Errorf("unknown kind %d", f.Kind)
	}
	for _, ring := range f.Rings {
		if len(b.coords)+len(ring) > maxCount || b.names.Len()+len(f.Name) > maxCount {
			return false, fmt.Errorf("a map cannot have more than %d coordinates, or bytes of names", maxCount)
		}
		b.addRing(f.Kind, ring)
	}
	if uint32(len(b.start)-1) == b.ringStart[len(b.ringStart)-1] {
		return false, nil
	}
	b.ringStart = append(b.ringStart, uint32(len(b.start)-1))
	b.kind = append(b.kind, uint8(f.Kind))
	b.rank = append(b.rank, f.Rank)
	b.name = append(b.name, b.textNumber(f.Name))
	return true, nil
}

// addRing appends a ring or line if enough of it remains.
func (b *Builder) addRing(k Kind, ring []roadnet.Coord) {
	first := len(b.coords)
	for _, c := range ring {
		if len(b.coords) == first || b.coords[len(b.coords)-1] != c {
			b.coords = append(b.coords, c)
		}
	}
	if k.IsArea() && len(b.coords)-first > 1 && b.coords[len(b.coords)-1] == b.coords[first] {
		b.coords = b.coords[:len(b.coords)-1]
	}
	if len(b.coords)-first < k.minPoints() {
		b.coords = b.coords[:first]
		return
	}
	b.start = append(b.start, uint32(len(b.coords)))
}

func (k Kind) minPoints() int {
	switch {
	case k.IsArea():
		return 3
	case k == Place:
		return 1
	}
	return 2
}

func (b *Builder) textNumber(s string) uint32 {
	if i, ok := b.texts[s]; ok {
		return i
	}
	i := uint32(len(b.textStart) - 1)
	b.texts[strings.Clone(s)] = i
	b.names.WriteString(s)
	b.textStart = append(b.textStart, uint32(b.names.Len()))
	return i
}

// Build makes the map. The builder is empty afterwards. The error is the
// context's.
func (b *Builder) Build(ctx context.Context) (*Map, error) {
	b.text = b.names.String()
	order, err := b.sorted(ctx)
	if err != nil {
		return nil, err
	}
	m := &Map{columns: b.take(order)}
	*b = *NewBuilder()
	m.derive()
	return m, ctx.Err()
}

// sorted is the features in the order of kind and of their place on a Hilbert
// curve.
func (b *Builder) sorted(ctx context.Context) ([]uint32, error) {
	type key struct {
		place   uint64
		kind    uint8
		feature uint32
	}
	keys := make([]key, len(b.kind))
	for f := range keys {
		if f%65536 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		box := boxOf(b.coords[b.start[b.ringStart[f]]:b.start[b.ringStart[f+1]]])
		keys[f] = key{hilbert(box.center()), b.kind[f], uint32(f)}
	}
	slices.SortFunc(keys, func(x, y key) int {
		return cmp.Or(cmp.Compare(x.kind, y.kind), cmp.Compare(x.place, y.place), cmp.Compare(x.feature, y.feature))
	})
	order := make([]uint32, len(keys))
	for i, k := range keys {
		order[i] = k.feature
	}
	return order, ctx.Err()
}

// take copies the features in an order into columns of the right length.
func (b *Builder) take(order []uint32) columns {
	c := columns{textStart: slices.Clip(b.textStart), text: b.text,
		kind: make([]uint8, 0, len(order)), rank: make([]uint8, 0, len(order)), name: make([]uint32, 0, len(order)),
		ringStart: append(make([]uint32, 0, len(b.ringStart)), 0), start: append(make([]uint32, 0, len(b.start)), 0),
		coords: make([]roadnet.Coord, 0, len(b.coords))}
	for _, f := range order {
		c.kind = append(c.kind, b.kind[f])
		c.rank = append(c.rank, b.rank[f])
		c.name = append(c.name, b.name[f])
		for r := b.ringStart[f]; r < b.ringStart[f+1]; r++ {
			c.coords = append(c.coords, b.coords[b.start[r]:b.start[r+1]]...)
			c.start = append(c.start, uint32(len(c.coords)))
		}
		c.ringStart = append(c.ringStart, uint32(len(c.start)-1))
	}
	return c
}

func (b box) center() roadnet.Coord {
	return roadnet.Coord{Lon: int32((int64(b.minLon) + int64(b.maxLon)) / 2), Lat: int32((int64(b.minLat) + int64(b.maxLat)) / 2)}
}

// hilbert is the place of a coordinate on a Hilbert curve over the earth.
func hilbert(c roadnet.Coord) uint64 {
	x, y := uint32(c.Lon)+1<<31, uint32(c.Lat)+1<<31
	d := uint64(0)
	for s := uint32(1 << 31); s > 0; s >>= 1 {
		var rx, ry uint64
		if x&s != 0 {
			rx = 1
		}
		if y&s != 0 {
			ry = 1
		}
		d = d<<2 | 3*rx ^ ry
		if ry == 0 {
			if rx == 1 {
				x, y = ^x, ^y
			}
			x, y = y, x
		}
	}
	return d
}
