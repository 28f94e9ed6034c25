package roadnet

// box is the box around a line or a block of lines.
type box struct{ minLon, minLat, maxLon, maxLat int32 }

func (b box) bounds() Bounds {
	return Bounds{float64(b.minLon) * 1e-7, float64(b.minLat) * 1e-7, float64(b.maxLon) * 1e-7, float64(b.maxLat) * 1e-7}
}

type index struct{}

// Near appends every segment within radius metres of p with its nearest
// position, the nearest first; both segments of a two-way road are there.
func (n *Network) Near(p Point, radius float64, buf []Hit) []Hit { return buf }

// Lines visits the lines whose box meets b, in no particular order, until
// visit returns false.
func (n *Network) Lines(b Bounds, visit func(LineID) bool) {}
