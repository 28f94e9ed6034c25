package roadnet

// hilbert is the place of a coordinate on a Hilbert curve over the earth:
// coordinates near each other mostly have places near each other.
func hilbert(c Coord) uint64 {
	x, y := uint32(c.Lon)+1<<31, uint32(c.Lat)+1<<31
	var d uint64
	for s := uint32(1) << 31; s > 0; s >>= 1 {
		var rx, ry uint32
		if x&s != 0 {
			rx = 1
		}
		if y&s != 0 {
			ry = 1
		}
		d = d<<2 | uint64(3*rx^ry)
		if ry == 0 {
			if rx == 1 {
				x, y = ^x, ^y
			}
			x, y = y, x
		}
	}
	return d
}
