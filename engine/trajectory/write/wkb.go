package write

import (
	"encoding/binary"
	"math"

	"retrace/engine/roadnet"
)

// appendWKB appends a point or a line as well-known binary, little-endian.
func appendWKB(b []byte, points []roadnet.Point, single bool) []byte {
	if single {
		return appendPoint(binary.LittleEndian.AppendUint32(append(b, 1), 1), points[0])
	}
	b = binary.LittleEndian.AppendUint32(append(b, 1), 2)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(points)))
	for _, p := range points {
		b = appendPoint(b, p)
	}
	return b
}

func appendPoint(b []byte, p roadnet.Point) []byte {
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(p.Lon))
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(p.Lat))
}

// extent is the box around all that was added to it.
type extent struct {
	roadnet.Bounds
	any bool
}

func (e *extent) add(points []roadnet.Point) roadnet.Bounds {
	box := boundsOf(points)
	if !e.any {
		e.any, e.Bounds = true, box
		return box
	}
	e.MinLon, e.MaxLon = min(e.MinLon, box.MinLon), max(e.MaxLon, box.MaxLon)
	e.MinLat, e.MaxLat = min(e.MinLat, box.MinLat), max(e.MaxLat, box.MaxLat)
	return box
}

// boundsOf is the box around points.
func boundsOf(points []roadnet.Point) roadnet.Bounds {
	var b roadnet.Bounds
	for i, p := range points {
		if i == 0 {
			b = roadnet.Bounds{MinLon: p.Lon, MinLat: p.Lat, MaxLon: p.Lon, MaxLat: p.Lat}
		}
		b.MinLon, b.MaxLon = min(b.MinLon, p.Lon), max(b.MaxLon, p.Lon)
		b.MinLat, b.MaxLat = min(b.MinLat, p.Lat), max(b.MaxLat, p.Lat)
	}
	return b
}
