package simulate

import (
	"math"
	"math/rand/v2"
)

// hash mixes two numbers into one that looks random.
func hash(a, b uint64) uint64 {
	h := a ^ b*0x9e3779b97f4a7c15
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}

// normalOf is a number that looks drawn from the normal distribution, always
// the same for the same hash: the sum of four uniform ones.
func normalOf(h uint64) float64 {
	sum := float64(h&0xffff) + float64(h>>16&0xffff) + float64(h>>32&0xffff) + float64(h>>48)
	return (sum/65535 - 2) * 1.7320508
}

// spread is a factor around 1 whose logarithm has the standard deviation sigma.
func spread(rng *rand.Rand, sigma float64) float64 { return math.Exp(sigma * rng.NormFloat64()) }

// pick is an index drawn with the given weights.
func pick(rng *rand.Rand, weights []float64) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	x := rng.Float64() * sum
	for i, w := range weights {
		if x -= w; x < 0 {
			return i
		}
	}
	return len(weights) - 1
}
