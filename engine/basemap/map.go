package basemap

import (
	"math"

	"github.com/tidwall/rtree"

	"retrace/engine/roadnet"
)

// Map is an immutable collection of features. Its zero value is an empty map.
// Its methods may be called from any number of goroutines at once.
type Map struct {
	columns
	kindStart [NumKinds + 1]uint32 // first feature of each kind
	boxes     []box                // feature
	index     [NumKinds]rtree.RTreeGN[float64, uint32]
}

// columns is what is stored of a map. Features lie in the order of their kinds,
// those of a kind along a Hilbert curve.
type columns struct {
	kind      []uint8
	rank      []uint8
	name      []uint32 // text
	ringStart []uint32 // feature: its first ring; one more entry than features
	start     []uint32 // ring: its first coordinate; one more entry than rings
	coords    []roadnet.Coord
	textStart []uint32 // one more entry than texts; text 0 is empty
	text      string
}

// blockSize is how many features share an entry of the index.
const blockSize = 32

// box is the box around a feature, in 1e-7 degrees.
type box struct{ minLon, minLat, maxLon, maxLat int32 }

func (b box) meets(o box) bool {
	return b.minLon <= o.maxLon && o.minLon <= b.maxLon && b.minLat <= o.maxLat && o.minLat <= b.maxLat
}

func (b box) union(o box) box {
	return box{min(b.minLon, o.minLon), min(b.minLat, o.minLat), max(b.maxLon, o.maxLon), max(b.maxLat, o.maxLat)}
}

func (b box) min() [2]float64 { return [2]float64{float64(b.minLon), float64(b.minLat)} }
func (b box) max() [2]float64 { return [2]float64{float64(b.maxLon), float64(b.maxLat)} }

func boxOf(coords []roadnet.Coord) box {
	b := box{coords[0].Lon, coords[0].Lat, coords[0].Lon, coords[0].Lat}
	for _, c := range coords[1:] {
		b = b.union(box{c.Lon, c.Lat, c.Lon, c.Lat})
	}
	return b
}

// boxOfBounds is the smallest box of whole units around bounds.
func boxOfBounds(b roadnet.Bounds) box {
	whole := func(degrees float64, round func(float64) float64) int32 {
		return int32(max(math.MinInt32, min(math.MaxInt32, round(degrees*1e7))))
	}
	return box{whole(b.MinLon, math.Floor), whole(b.MinLat, math.Floor), whole(b.MaxLon, math.Ceil), whole(b.MaxLat, math.Ceil)}
}

// derive fills in what is not stored.
func (m *Map) derive() {
	m.boxes = make([]box, len(m.kind))
	for f := range m.boxes {
		m.boxes[f] = boxOf(m.coords[m.start[m.ringStart[f]]:m.start[m.ringStart[f+1]]])
		m.kindStart[m.kind[f]+1]++
	}
	for k := range NumKinds {
		m.kindStart[k+1] += m.kindStart[k]
		m.indexKind(Kind(k))
	}
}

func (m *Map) indexKind(k Kind) {
	from, to := m.kindStart[k], m.kindStart[k+1]
	for lo := from; lo < to; lo += blockSize {
		b := m.boxes[lo]
		for _, o := range m.boxes[lo+1 : min(lo+blockSize, to)] {
			b = b.union(o)
		}
		m.index[k].Insert(b.min(), b.max(), lo)
	}
}

// Len is the number of features of a kind.
func (m *Map) Len(k Kind) int { return int(m.kindStart[k+1] - m.kindStart[k]) }

// Visit calls f with the features of a kind whose box meets b, in no
// particular order, until f returns false. What a feature holds is valid until
// f returns.
func (m *Map) Visit(b roadnet.Bounds, k Kind, f func(Feature) bool) {
	want, to := boxOfBounds(b), m.kindStart[k+1]
	var rings [][]roadnet.Coord
	m.index[k].Search(want.min(), want.max(), func(_, _ [2]float64, lo uint32) bool {
		for i := lo; i < min(lo+blockSize, to); i++ {
			if !want.meets(m.boxes[i]) {
				continue
			}
			rings = m.rings(i, rings[:0])
			if !f(Feature{Kind: k, Rank: m.rank[i], Name: m.textOf(m.name[i]), Rings: rings}) {
				return false
			}
		}
		return true
	})
}

// rings appends views of the rings of a feature.
func (m *Map) rings(feature uint32, rings [][]roadnet.Coord) [][]roadnet.Coord {
	for r := m.ringStart[feature]; r < m.ringStart[feature+1]; r++ {
		rings = append(rings, m.coords[m.start[r]:m.start[r+1]:m.start[r+1]])
	}
	return rings
}

func (m *Map) textOf(t uint32) string { return m.text[m.textStart[t]:m.textStart[t+1]] }
