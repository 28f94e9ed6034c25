package mapview

import (
	"encoding/binary"
	"image"
	"math"
	"slices"

	"retrace/mapview/render"
)

// packed is the picture of a tile as rows of runs of one colour: a map is mostly
// flat, so that it takes a small part of the memory of its pixels, and nothing
// is lost.
type packed struct {
	colours []uint32               // RGBA, little endian
	runs    []uint16               // see packer.row
	rows    [render.TileSize]int32 // where in runs each row begins
	raw     []uint8                // the pixels, in place of all this, where there are too many colours
}

// A run of n pixels of one colour is n|same and the colour's index; n pixels of
// different colours are n and the index of each.
const same = 1 << 15

// leastRun is how many pixels of one colour are worth a run of their own.
const leastRun = 6

func (p *packed) bytes() int64 {
	return int64(4*len(p.colours) + 2*len(p.runs) + 4*len(p.rows) + len(p.raw))
}

// pack packs the picture of a tile.
func pack(img *image.RGBA) *packed {
	k := packer{index: map[uint32]uint16{}, packed: &packed{}}
	for y := range render.TileSize {
		k.rows[y] = int32(len(k.runs))
		if !k.row(img.Pix[y*img.Stride : y*img.Stride+4*render.TileSize]) {
			return &packed{raw: slices.Clone(img.Pix)}
		}
	}
	return &packed{colours: slices.Clone(k.colours), runs: slices.Clone(k.runs), rows: k.rows}
}

type packer struct {
	*packed
	index map[uint32]uint16 // of the colours
}

// row packs a row; false where there are too many colours.
func (k *packer) row(pix []uint8) bool {
	apart := -1 // where in runs the pixels of different colours began last
	for i := 0; i < len(pix); {
		colour := binary.LittleEndian.Uint32(pix[i:])
		n := 1
		for i+4*n < len(pix) && binary.LittleEndian.Uint32(pix[i+4*n:]) == colour {
			n++
		}
		i += 4 * n
		at, ok := k.index[colour]
		if !ok {
			if len(k.colours) > math.MaxUint16 {
				return false
			}
			at = uint16(len(k.colours))
			k.index[colour] = at
			k.colours = append(k.colours, colour)
		}
		if n >= leastRun {
			k.runs = append(k.runs, uint16(n)|same, at)
			apart = -1
			continue
		}
		if apart < 0 {
			apart = len(k.runs)
			k.runs = append(k.runs, 0)
		}
		for range n {
			k.runs = append(k.runs, at)
		}
		k.runs[apart] += uint16(n)
	}
	return true
}

// row writes the pixels of a row from a column on, as many as dst has room for.
func (p *packed) row(dst []uint8, y, from int) {
	if p.raw != nil {
		copy(dst, p.raw[4*(y*render.TileSize+from):])
		return
	}
	runs := p.runs[p.rows[y]:]
	for at := 0; len(dst) > 0; {
		n := int(runs[0] &^ same)
		flat := runs[0]&same != 0
		skip := min(max(from-at, 0), n)
		count := min(n-skip, len(dst)/4)
		if flat {
			fill(dst[:4*count], p.colours[runs[1]])
			runs = runs[2:]
		} else {
			for i, colour := range runs[1+skip : 1+skip+count] {
				binary.LittleEndian.PutUint32(dst[4*i:], p.colours[colour])
			}
			runs = runs[1+n:]
		}
		at += n
		dst = dst[4*count:]
	}
}

// fill fills pixels with one colour.
func fill(dst []uint8, colour uint32) {
	const few = 64
	for i := 0; i+4 <= min(len(dst), few); i += 4 {
		binary.LittleEndian.PutUint32(dst[i:], colour)
	}
	for done := few; done < len(dst); done *= 2 {
		copy(dst[done:], dst[:done])
	}
}
