package roadnet

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
)

// fingerprint identifies the content of a network: SHA-256 over the columns in
// their fixed order, each by its name, its length and its numbers in
// little-endian order.
func fingerprint(c *columns) string {
	cols := c.list()
	sums := make([][]byte, len(cols))
	parallelBy(1, len(cols), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			sums[i] = sumColumn(cols[i])
		}
	})
	h := sha256.New()
	for _, s := range sums {
		h.Write(s)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// sumColumn is the SHA-256 of one column.
func sumColumn(col Column) []byte {
	h := sha256.New()
	switch d := col.Data.(type) {
	case []uint8:
		sumNumbers(h, col.Name, d, func(b []byte, x uint8) []byte { return append(b, x) })
	case []int8:
		sumNumbers(h, col.Name, d, func(b []byte, x int8) []byte { return append(b, byte(x)) })
	case []uint16:
		sumNumbers(h, col.Name, d, binary.LittleEndian.AppendUint16)
	case []uint32:
		sumNumbers(h, col.Name, d, binary.LittleEndian.AppendUint32)
	case []int32:
		sumNumbers(h, col.Name, d, func(b []byte, x int32) []byte { return binary.LittleEndian.AppendUint32(b, uint32(x)) })
	case []int64:
		sumNumbers(h, col.Name, d, func(b []byte, x int64) []byte { return binary.LittleEndian.AppendUint64(b, uint64(x)) })
	case []float32:
		sumNumbers(h, col.Name, d, func(b []byte, x float32) []byte { return binary.LittleEndian.AppendUint32(b, math.Float32bits(x)) })
	}
	return h.Sum(nil)
}

// sumNumbers hashes a column's name, length and numbers.
func sumNumbers[T any](h hash.Hash, name string, data []T, add func([]byte, T) []byte) {
	const chunk = 64 << 10
	fmt.Fprintf(h, "%s %d\n", name, len(data))
	buf := make([]byte, 0, chunk+8)
	for _, x := range data {
		if buf = add(buf, x); len(buf) >= chunk {
			h.Write(buf)
			buf = buf[:0]
		}
	}
	h.Write(buf)
}
