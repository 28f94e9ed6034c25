package city

import "math"

// noise is a smooth random field of a seed, from -1 to 1, with bumps about
// size metres across.
type noise struct {
	seed uint64
	size float64
}

func (n noise) at(p vec) float64 {
	x, y := p.x/n.size, p.y/n.size
	x0, y0 := math.Floor(x), math.Floor(y)
	fx, fy := ease(x-x0), ease(y-y0)
	i, j := int64(x0), int64(y0)
	low := mix(n.lattice(i, j), n.lattice(i+1, j), fx)
	high := mix(n.lattice(i, j+1), n.lattice(i+1, j+1), fx)
	return mix(low, high, fy)
}

// lattice is the field's value at a lattice point.
func (n noise) lattice(i, j int64) float64 {
	h := n.seed ^ uint64(i)*0x9e3779b97f4a7c15 ^ uint64(j)*0xc2b2ae3d27d4eb4f
	h ^= h >> 31
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 29
	h *= 0x94d049bb133111eb
	h ^= h >> 32
	return float64(h>>11)/float64(1<<52) - 1
}

func ease(t float64) float64      { return t * t * (3 - 2*t) }
func mix(a, b, t float64) float64 { return a + (b-a)*t }
