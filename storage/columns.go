package storage

import (
	"encoding/binary"
	"fmt"
	"math"

	"retrace/engine/roadnet"
)

// chunkSize is how many bytes of a column go into one value.
const chunkSize = 1 << 20

// elementType is the type of a column's elements.
type elementType uint16

const (
	elementUint8 elementType = 1 + iota
	elementInt8
	elementUint16
	elementUint32
	elementInt32
	elementInt64
	elementUint64
	elementFloat32
)

// size is the size of an element in bytes, 0 for an unknown type.
func (t elementType) size() int {
	switch t {
	case elementUint8, elementInt8:
		return 1
	case elementUint16:
		return 2
	case elementUint32, elementInt32, elementFloat32:
		return 4
	case elementInt64, elementUint64:
		return 8
	}
	return 0
}

// describeColumn tells a column's element type and length.
func describeColumn(c roadnet.Column) (elementType, int, error) {
	switch d := c.Data.(type) {
	case []uint8:
		return elementUint8, len(d), nil
	case []int8:
		return elementInt8, len(d), nil
	case []uint16:
		return elementUint16, len(d), nil
	case []uint32:
		return elementUint32, len(d), nil
	case []int32:
		return elementInt32, len(d), nil
	case []int64:
		return elementInt64, len(d), nil
	case []uint64:
		return elementUint64, len(d), nil
	case []float32:
		return elementFloat32, len(d), nil
	}
	return 0, 0, fmt.Errorf("column %q: elements of type %T cannot be kept", c.Name, c.Data)
}

// newColumn makes the slice for n elements.
func newColumn(t elementType, n int) any {
	switch t {
	case elementUint8:
		return make([]uint8, n)
	case elementInt8:
		return make([]int8, n)
	case elementUint16:
		return make([]uint16, n)
	case elementUint32:
		return make([]uint32, n)
	case elementInt32:
		return make([]int32, n)
	case elementInt64:
		return make([]int64, n)
	case elementUint64:
		return make([]uint64, n)
	case elementFloat32:
		return make([]float32, n)
	}
	return nil
}

// encodeElements appends the elements from index from up to index to.
func encodeElements(b []byte, data any, from, to int) []byte {
	switch d := data.(type) {
	case []uint8:
		b = append(b, d[from:to]...)
	case []int8:
		for _, v := range d[from:to] {
			b = append(b, byte(v))
		}
	case []uint16:
		for _, v := range d[from:to] {
			b = binary.LittleEndian.AppendUint16(b, v)
		}
	case []uint32:
		for _, v := range d[from:to] {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
	case []int32:
		for _, v := range d[from:to] {
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		}
	case []int64:
		for _, v := range d[from:to] {
			b = binary.LittleEndian.AppendUint64(b, uint64(v))
		}
	case []uint64:
		for _, v := range d[from:to] {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
	case []float32:
		for _, v := range d[from:to] {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
	}
	return b
}

// decodeElements fills data from index from on with the elements in b, as many
// as b holds: the caller has seen to it that they fit.
func decodeElements(data any, from int, b []byte) {
	switch d := data.(type) {
	case []uint8:
		copy(d[from:], b)
	case []int8:
		for i, v := range b {
			d[from+i] = int8(v)
		}
	case []uint16:
		d = d[from : from+len(b)/2]
		for i := range d {
			d[i] = binary.LittleEndian.Uint16(b[i*2:])
		}
	case []uint32:
		d = d[from : from+len(b)/4]
		for i := range d {
			d[i] = binary.LittleEndian.Uint32(b[i*4:])
		}
	case []int32:
		d = d[from : from+len(b)/4]
		for i := range d {
			d[i] = int32(binary.LittleEndian.Uint32(b[i*4:]))
		}
	case []int64:
		d = d[from : from+len(b)/8]
		for i := range d {
			d[i] = int64(binary.LittleEndian.Uint64(b[i*8:]))
		}
	case []uint64:
		d = d[from : from+len(b)/8]
		for i := range d {
			d[i] = binary.LittleEndian.Uint64(b[i*8:])
		}
	case []float32:
		d = d[from : from+len(b)/4]
		for i := range d {
			d[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[i*4:]))
		}
	}
}
