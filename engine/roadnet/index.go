package roadnet

import (
	"math"

	"github.com/tidwall/rtree"
)

// blockSize is how many lines share an entry of the index. Lines in a row are
// neighbours on the map, so a block's box is small; and a tree of blocks is
// built much faster than one of lines.
const blockSize = 32

// index finds blocks of lines by box. Coordinates are in 1e-7 degrees; they
// are floats because the tree multiplies them.
type index struct {
	tree rtree.RTreeGN[float64, uint32]
}

// box is the box around a line or a block of lines, in 1e-7 degrees.
type box struct{ minLon, minLat, maxLon, maxLat int32 }

func (b box) bounds() Bounds {
	lo, hi := Coord{b.minLon, b.minLat}.Point(), Coord{b.maxLon, b.maxLat}.Point()
	return Bounds{lo.Lon, lo.Lat, hi.Lon, hi.Lat}
}

func (b box) meets(o box) bool {
	return b.minLon <= o.maxLon && o.minLon <= b.maxLon && b.minLat <= o.maxLat && o.minLat <= b.maxLat
}

func (b box) union(o box) box {
	return box{min(b.minLon, o.minLon), min(b.minLat, o.minLat), max(b.maxLon, o.maxLon), max(b.maxLat, o.maxLat)}
}

// boxOf is the box around some coordinates, at least one.
func boxOf(coords []Coord) box {
	b := box{coords[0].Lon, coords[0].Lat, coords[0].Lon, coords[0].Lat}
	for _, c := range coords[1:] {
		b = b.union(box{c.Lon, c.Lat, c.Lon, c.Lat})
	}
	return b
}

// boxAround is the smallest box of whole units that holds the given one.
func boxAround(minLon, minLat, maxLon, maxLat float64) box {
	return box{
		whole(math.Floor(minLon)), whole(math.Floor(minLat)),
		whole(math.Ceil(maxLon)), whole(math.Ceil(maxLat)),
	}
}

// whole converts a whole number to an int32, the nearest where it is too large.
func whole(x float64) int32 {
	return int32(max(math.MinInt32, min(math.MaxInt32, x)))
}

// newIndex makes the index of lines given by their boxes.
func newIndex(boxes []box) (x index, whole box) {
	for lo := 0; lo < len(boxes); lo += blockSize {
		b := boxes[lo]
		for _, o := range boxes[lo+1 : min(lo+blockSize, len(boxes))] {
			b = b.union(o)
		}
		if lo == 0 {
			whole = b
		}
		whole = whole.union(b)
		x.tree.Insert(b.min(), b.max(), uint32(lo))
	}
	return x, whole
}

func (b box) min() [2]float64 { return [2]float64{float64(b.minLon), float64(b.minLat)} }
func (b box) max() [2]float64 { return [2]float64{float64(b.maxLon), float64(b.maxLat)} }

// Lines visits the lines whose box meets b, in no particular order, until
// visit returns false.
func (n *Network) Lines(b Bounds, visit func(LineID) bool) {
	n.linesIn(boxAround(b.MinLon*1e7, b.MinLat*1e7, b.MaxLon*1e7, b.MaxLat*1e7), visit)
}

// linesIn visits the lines whose box meets b until visit returns false.
func (n *Network) linesIn(b box, visit func(LineID) bool) {
	n.index.tree.Search(b.min(), b.max(), func(_, _ [2]float64, lo uint32) bool {
		for l := lo; l < min(lo+blockSize, uint32(len(n.boxes))); l++ {
			if b.meets(n.boxes[l]) && !visit(LineID(l)) {
				return false
			}
		}
		return true
	})
}
