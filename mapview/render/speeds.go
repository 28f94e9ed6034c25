package render

import (
	"math"
	"slices"
	"sync"

	"retrace/engine/trajectory"
)

// kmhAMile is a mile an hour in km/h.
const kmhAMile = 1.609344

// speedSpread counts how fast trips drove, made when it is asked for first.
type speedSpread struct {
	once      sync.Once
	slow, top float64 // km/h: all but a few of the speeds lie between
}

// spreadStep is how finely speeds are counted, and most where the count ends, in
// km/h.
const (
	spreadStep = 1
	mostSpread = 250
)

// outside is the share of the speeds that lies below the scale, and above it.
const outside = 0.03

// count finds between which speeds most ticks of the trips were driven.
func (s *speedSpread) count(tracks []track) {
	counts := make([]int, mostSpread/spreadStep+1)
	all := 0
	for i := range tracks {
		if r := tracks[i].Recovery; r != nil {
			all += countSpeeds(counts, r.Ticks)
		}
	}
	s.slow, s.top = 0, 120
	if all == 0 {
		return
	}
	s.slow, s.top = -1, 0
	below := 0
	for i, n := range counts {
		below += n
		if s.slow < 0 && float64(below) > outside*float64(all) {
			s.slow = float64(i) * spreadStep
		}
		if n > 0 && float64(all-below) <= outside*float64(all) {
			s.top = float64(i+1) * spreadStep
			break
		}
	}
}

func countSpeeds(counts []int, ticks []trajectory.Tick) int {
	all := 0
	for i := 1; i < len(ticks); i++ {
		if a, b := ticks[i-1], ticks[i]; a.Part == b.Part && b.Time > a.Time {
			counts[min(max(int(speedOf(a, b)/spreadStep), 0), len(counts)-1)]++
			all++
		}
	}
	return all
}

// speedRange is from which to which speed the colours of paths go: round numbers
// around the speeds that occur, in km/h or miles an hour.
func (ts *Tracks) speedRange(miles bool) (slow, fast float64) {
	ts.speeds.once.Do(func() { ts.speeds.count(ts.tracks) })
	unit := 1.0
	if miles {
		unit = kmhAMile
	}
	slow = math.Floor(ts.speeds.slow/unit/10) * 10
	fast = math.Ceil(ts.speeds.top/unit/10) * 10
	return slow, math.Max(fast, slow+20)
}

// numSpeeds is how many classes of speeds links have at the most.
const numSpeeds = 6

// speedLimits are the upper ends of the classes of speeds but the last, in m/s: round
// numbers of the unit, so that about as many links are in each.
func speedLimits(links []Link, miles bool) []float64 {
	var speeds []float64
	for _, l := range links {
		if l.Speed > 0 {
			speeds = append(speeds, l.Speed)
		}
	}
	if len(speeds) == 0 {
		return nil
	}
	slices.Sort(speeds)
	unit := unitSpeed(miles)
	var limits []float64
	for i := 1; i < numSpeeds; i++ {
		at := speeds[len(speeds)*i/numSpeeds] * unit
		limit := math.Max(math.Round(at/5)*5, 5) / unit
		if n := len(limits); n == 0 || limit > limits[n-1]+1e-9 {
			limits = append(limits, limit)
		}
	}
	return limits
}

// unitSpeed is how many km/h or miles an hour a metre a second is.
func unitSpeed(miles bool) float64 {
	if miles {
		return 3.6 / kmhAMile
	}
	return 3.6
}
