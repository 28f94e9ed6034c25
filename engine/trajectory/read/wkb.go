package read

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strconv"
)

// The types of geometry in well-known binary.
const (
	wkbPoint, wkbLine, wkbMultiPoint, wkbMultiLine = 1, 2, 4, 5
)

// The flags that PostGIS adds to a type; ISO adds 1000 for heights, 2000 for
// measures, 3000 for both.
const (
	wkbHasZ, wkbHasM, wkbHasSRID = 0x80000000, 0x40000000, 0x20000000
)

// wkbReader reads well-known binary, ISO's or PostGIS's. No count in it makes it
// take more memory than the bytes that are left can fill.
type wkbReader struct {
	left  []byte
	shape shape
}

// wkbHead is what stands before the positions of a geometry.
type wkbHead struct {
	order   binary.ByteOrder
	kind    uint32
	numbers int // of a position
	measure int // which of them is the measure; -1: none
}

// parseWKB reads points and lines, single or several.
func parseWKB(b []byte) (shape, error) {
	r := wkbReader{left: b}
	if err := r.geometry(0); err != nil {
		return shape{}, err
	}
	return r.shape, r.shape.finish()
}

// geometry reads one geometry; inside is the type of the one that it is a part
// of, 0 for none.
func (r *wkbReader) geometry(inside uint32) error {
	h, err := r.head()
	if err != nil {
		return err
	}
	if inside == wkbMultiPoint && h.kind != wkbPoint || inside == wkbMultiLine && h.kind != wkbLine {
		return errGeometry
	}
	switch h.kind {
	case wkbPoint:
		return r.positions(h, 1)
	case wkbLine:
		n, err := r.count(h.order, 8*h.numbers)
		if err != nil {
			return err
		}
		r.shape.line = true
		return r.positions(h, n)
	case wkbMultiPoint, wkbMultiLine:
		r.shape.line = true
		n, err := r.count(h.order, 9) // a type and a count, or more, for each
		for range n {
			if err = r.geometry(h.kind); err != nil {
				break
			}
		}
		return err
	}
	return errNoLine
}

// head reads the byte order, the type and, where there is one, the number of the
// coordinate system.
func (r *wkbReader) head() (h wkbHead, err error) {
	if len(r.left) < 5 || r.left[0] > 1 {
		return h, errGeometry
	}
	h.order = binary.ByteOrder(binary.LittleEndian)
	if r.left[0] == 0 {
		h.order = binary.BigEndian
	}
	word := h.order.Uint32(r.left[1:])
	r.left = r.left[5:]
	if word&wkbHasSRID != 0 {
		if len(r.left) < 4 {
			return h, errGeometry
		}
		if r.shape.srid == 0 {
			r.shape.srid = int(int32(h.order.Uint32(r.left)))
		}
		r.left = r.left[4:]
	}
	plain := word &^ (wkbHasZ | wkbHasM | wkbHasSRID)
	if plain >= 4000 {
		return h, errGeometry
	}
	z := word&wkbHasZ != 0 || plain/1000 == 1 || plain/1000 == 3
	m := word&wkbHasM != 0 || plain/1000 >= 2
	h.kind, h.numbers, h.measure = plain%1000, 2, -1
	if z {
		h.numbers++
	}
	if m {
		h.measure = h.numbers
		h.numbers++
	}
	return h, nil
}

// count reads how many elements follow, each of so many bytes or more.
func (r *wkbReader) count(order binary.ByteOrder, size int) (int, error) {
	if len(r.left) < 4 {
		return 0, errGeometry
	}
	n := order.Uint32(r.left)
	r.left = r.left[4:]
	if uint64(n)*uint64(size) > uint64(len(r.left)) {
		return 0, errGeometry
	}
	return int(n), nil
}

// positions reads so many positions.
func (r *wkbReader) positions(h wkbHead, n int) error {
	size := 8 * h.numbers
	if n*size > len(r.left) {
		return errGeometry
	}
	r.shape.vertices = slices.Grow(r.shape.vertices, n)
	number := func(i int) float64 { return math.Float64frombits(h.order.Uint64(r.left[8*i:])) }
	for range n {
		v := vertex{x: number(0), y: number(1)}
		if h.measure >= 0 {
			v.when = measureTime(number(h.measure))
		}
		if !math.IsNaN(v.x) || !math.IsNaN(v.y) { // as an empty point is written
			r.shape.vertices = append(r.shape.vertices, v)
		}
		r.left = r.left[size:]
	}
	return nil
}

// measureTime is a measure as a time; empty where it is none.
func measureTime(m float64) string {
	if _, ok := epochUnit(m); !ok {
		return ""
	}
	return strconv.FormatFloat(m, 'f', -1, 64)
}

// finish refuses a shape without positions, and takes a line of one as a point.
func (s *shape) finish() error {
	if len(s.vertices) == 0 {
		return errors.New("the geometry is empty")
	}
	if len(s.vertices) == 1 {
		s.line = false
	}
	return nil
}
