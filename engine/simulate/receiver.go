package simulate

import (
	"math"
	"math/rand/v2"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// receiver reports positions with errors that last.
type receiver struct {
	w      *world
	rng    *rand.Rand
	east   float64 // lasting error in units of its usual size
	north  float64
	last   float64 // seconds
	silent float64 // until when no report comes, seconds
	scale  float64 // how much larger the error is here, follows slowly
}

func newReceiver(w *world, rng *rand.Rand) *receiver {
	return &receiver{w: w, rng: rng, east: rng.NormFloat64(), north: rng.NormFloat64(), scale: 1}
}

// report is what the receiver says at an instant; false where it says nothing.
func (r *receiver) report(seconds float64, t *trajectory.Tick) (roadnet.Point, bool) {
	p := r.w.profile
	keep := math.Exp(-(seconds - r.last) / p.DriftSeconds)
	shake := math.Sqrt(1 - keep*keep)
	r.east = keep*r.east + shake*r.rng.NormFloat64()
	r.north = keep*r.north + shake*r.rng.NormFloat64()
	slow := math.Exp(-(seconds - r.last) / 20)
	r.scale = slow*r.scale + (1-slow)*r.around(t)
	r.last = seconds
	dx := p.Drift*r.scale*r.east + p.Noise*r.rng.NormFloat64()
	dy := p.Drift*r.scale*r.north + p.Noise*r.rng.NormFloat64()
	if r.rng.Float64() < p.Outlier {
		a := 2 * math.Pi * r.rng.Float64()
		far := p.OutlierReach * (0.3 + r.rng.ExpFloat64())
		dx, dy = dx+far*math.Cos(a), dy+far*math.Sin(a)
	}
	return offset(roadnet.Point{Lon: t.Lon, Lat: t.Lat}, dx, dy), r.heard(seconds, t)
}

// around is how much larger the error is at a place than in the open.
func (r *receiver) around(t *trajectory.Tick) float64 {
	p := r.w.profile
	line, _ := r.w.net.LineOf(t.At.Segment)
	scale := 1 + (p.Canyon-1)*float64(r.w.canyon[line])
	if t.Deck == trajectory.Below || t.Deck == trajectory.Tunnel {
		scale = math.Max(scale, p.UnderDeck)
	}
	return scale
}

// heard reports whether a report comes at all.
func (r *receiver) heard(seconds float64, t *trajectory.Tick) bool {
	p := r.w.profile
	if r.rng.Float64() < p.Gap {
		r.silent = math.Max(r.silent, seconds+p.GapSeconds*r.rng.ExpFloat64())
	}
	if t.Deck == trajectory.Tunnel && r.rng.Float64() < 0.8 {
		return false
	}
	return seconds >= r.silent
}

// offset moves a point by metres east and north, rounded as receivers round.
func offset(p roadnet.Point, dx, dy float64) roadnet.Point {
	p.Lon += dx / (roadnet.Degree * math.Cos(p.Lat*math.Pi/180))
	p.Lat += dy / roadnet.Degree
	return roadnet.Point{Lon: math.Round(p.Lon*1e6) / 1e6, Lat: math.Round(p.Lat*1e6) / 1e6}
}

// deck says on which deck a position lies.
func deck(net *roadnet.Network, at roadnet.Position) trajectory.Deck {
	switch f := net.Flags(at.Segment); {
	case f.Has(roadnet.FlagTunnel):
		return trajectory.Tunnel
	case f.Has(roadnet.FlagElevated):
		return trajectory.OnDeck
	}
	along := at.Ratio * net.Length(at.Segment)
	for _, s := range net.BelowDeck(at.Segment) {
		if along >= s.From && along <= s.To {
			return trajectory.Below
		}
	}
	return trajectory.Ground
}
