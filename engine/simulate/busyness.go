package simulate

import (
	"math"

	"retrace/engine/roadnet"
)

// quarter is the side of the cells in which busyness is told, metres.
const quarter = 500.0

// signalWorth is how many metres of street a traffic signal counts as: signals
// stand where many want to go.
const signalWorth = 1500.0

// busyness says how busy each quarter is, from 0 to 1: by a power of the length
// of streets there and around it, signals counted as streets.
type busyness struct {
	w, h  int
	share []float64
}

func newBusyness(w *world) busyness {
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for i := range w.x {
		low[0], high[0] = math.Min(low[0], float64(w.x[i])), math.Max(high[0], float64(w.x[i]))
		low[1], high[1] = math.Min(low[1], float64(w.y[i])), math.Max(high[1], float64(w.y[i]))
	}
	reach := math.Max(math.Max(high[0], -low[0]), math.Max(high[1], -low[1]))
	side := 2*int(reach/quarter) + 3
	b := busyness{w: side, h: side, share: make([]float64, side*side)}
	for id := range roadnet.SegmentID(w.net.NumSegments()) {
		if w.net.Class(id) != roadnet.Service {
			on, atEnd := w.net.ControlCounts(id)
			b.share[b.index(float64(w.x[id]), float64(w.y[id]))] += w.net.Length(id) + signalWorth*float64(on.Signals+atEnd.Signals)
		}
	}
	b.smooth()
	most := 0.0
	for _, s := range b.share {
		most = math.Max(most, s)
	}
	for i, s := range b.share {
		if most > 0 {
			b.share[i] = math.Pow(s/most, w.profile.Focus)
		}
	}
	return b
}

// index is the cell of a place in metres from the middle of the network, or the
// one at the edge that is nearest.
func (b *busyness) index(x, y float64) int {
	i := int(math.Floor(x/quarter)) + b.w/2
	j := int(math.Floor(y/quarter)) + b.h/2
	return max(0, min(b.h-1, j))*b.w + max(0, min(b.w-1, i))
}

func (b *busyness) at(x, y float64) float64 { return b.share[b.index(x, y)] }

// smooth gives each quarter the mean of itself and those around it.
func (b *busyness) smooth() {
	out := make([]float64, len(b.share))
	for j := 1; j < b.h-1; j++ {
		for i := 1; i < b.w-1; i++ {
			for dj := -1; dj <= 1; dj++ {
				for di := -1; di <= 1; di++ {
					out[j*b.w+i] += b.share[(j+dj)*b.w+i+di] / 9
				}
			}
		}
	}
	b.share = out
}
