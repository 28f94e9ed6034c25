package metrics

import (
	"math"

	"retrace/engine/roadnet"
)

// How far off a tick can count, metres.
const (
	farthest     = 20_000.0 // on the network, in the paper's reading
	codeCap      = 4_000.0  // on the network, in the code's reading
	missingGreat = 1_000.0  // on the great circle, for a tick that is missing
)

// meter measures distances on a network; not for two goroutines at once.
type meter struct {
	router *roadnet.Router
	to     [1]roadnet.Position
}

// network is the network distance between two places in whichever direction it
// is shorter, metres; farthest where no way is shorter than that. U-turns at the
// ends of two-way segments are allowed and cost nothing.
func (m *meter) network(a, b roadnet.Position) float64 {
	if a == b {
		return 0
	}
	there := m.oneWay(a, b, farthest)
	return math.Min(there, m.oneWay(b, a, there))
}

func (m *meter) oneWay(a, b roadnet.Position, bound float64) float64 {
	m.to[0] = b
	if leg := m.router.Routes(a, m.to[:], roadnet.Search{Bound: bound})[0]; leg.Found {
		return leg.Length
	}
	return bound
}

// great is the great-circle distance, metres.
func great(lon1, lat1, lon2, lat2 float64) float64 {
	const k = math.Pi / 180
	s1, s2 := math.Sin((lat2-lat1)*k/2), math.Sin((lon2-lon1)*k/2)
	h := s1*s1 + math.Cos(lat1*k)*math.Cos(lat2*k)*s2*s2
	return 2 * roadnet.EarthRadius * math.Asin(math.Sqrt(math.Min(1, h)))
}
