package feature

import (
	"math"

	"retrace/engine/roadnet"
)

// candidateColumns describe a candidate of a sample.
func candidateColumns() []Column {
	cols := []Column{
		scaled("distance", "m/50", Geometry, 0, 6),
		scaled("distance_log", "ln(1 + m/5)/4", Geometry, 0, 2),
		scaled("excess", "m/50 farther than the nearest candidate", Geometry, 0, 6),
		scaled("rank", "by distance / 10", Geometry, 0, 1),
		scaled("side", "1 right, -1 left of the segment", Geometry, -1, 1),
		flag("at_start", Geometry),
		flag("at_end", Geometry),
		flag("one_way", Geometry),
		scaled("previous_cosine", "of the angle to the way from the previous sample", Geometry, -1, 1),
		scaled("next_cosine", "of the angle to the way to the next sample", Geometry, -1, 1),
		flag("service", Tags), flag("private", Tags), flag("link", Tags), flag("major", Tags),
		flag("elevated", Tags), flag("below", Tags), flag("tunnel", Tags),
		scaled("typical", "ln(1 + m/5)/4, the distance to the nearest candidate as it mostly is in this trip", Geometry, 0, 2),
	}
	return append(cols, candidateTraffic()...)
}

// CandidateSettings say where candidates are looked for.
type CandidateSettings struct {
	Radius    float64 `json:"radius"`     // metres, at first
	MaxRadius float64 `json:"max_radius"` // metres; beyond it a sample is off the road
	Cap       int     `json:"cap"`        // most candidates of a sample
	Excess    float64 `json:"excess"`     // metres that a third one and later may be farther than the nearest; 0: any
}

// DefaultCandidates looks as far as the paper's constraint mask, and farther
// where no road is that near.
func DefaultCandidates() CandidateSettings {
	return CandidateSettings{Radius: 100, MaxRadius: 250, Cap: 10}
}

// candidates appends where a sample may be, the nearest first: one position a
// segment. The very start of a segment is left out where the end of the one
// before is the same place.
func (s CandidateSettings) candidates(net *roadnet.Network, p roadnet.Point, near []roadnet.Hit, buf []roadnet.Hit) (hits, nearBuf []roadnet.Hit) {
	for radius := s.Radius; ; radius = min(2*radius, s.MaxRadius) {
		near = net.Near(p, radius, near[:0])
		first := len(buf)
		for _, h := range near {
			if n := len(buf) - first; n == s.Cap || n >= 2 && s.Excess > 0 && h.Distance > buf[first].Distance+s.Excess {
				break
			}
			if h.Ratio > 0 || len(net.Prev(h.Segment)) == 0 {
				buf = append(buf, h)
			}
		}
		if len(buf) > first || radius >= s.MaxRadius {
			return buf, near
		}
	}
}

// nearby is what the candidates of one sample have in common.
type nearby struct {
	nearest       float64 // metres to the nearest
	typical       float64 // the same, as it mostly is in the trip
	before, after stay
}

func fillCandidate(net *roadnet.Network, h roadnet.Hit, rank int, s nearby, r *row) {
	east, north := unitOf(net.Heading(h.Position))
	class, flags := net.Class(h.Segment), net.Flags(h.Segment)
	_, twoWay := net.Reverse(h.Segment)
	r.put(
		clamp(h.Distance/50, 0, 6),
		clamp(math.Log1p(h.Distance/5)/4, 0, 2),
		clamp((h.Distance-s.nearest)/50, 0, 6),
		clamp(float64(rank)/10, 0, 1),
		float32(h.Side), bit(h.Ratio <= 0), bit(h.Ratio >= 1), bit(!twoWay),
		east*s.before.east+north*s.before.north,
		east*s.after.east+north*s.after.north,
		bit(class == roadnet.Service),
		bit(flags&(roadnet.FlagPrivate|roadnet.FlagDestination|roadnet.FlagParkingAisle|roadnet.FlagDriveway) != 0),
		bit(flags.Has(roadnet.FlagLink)),
		bit(class >= roadnet.Motorway && class <= roadnet.Secondary),
		bit(flags.Has(roadnet.FlagElevated)),
		bit(covered(net.BelowDeck(h.Segment), h.Ratio*net.Length(h.Segment))),
		bit(flags.Has(roadnet.FlagTunnel)),
		clamp(math.Log1p(s.typical/5)/4, 0, 2),
	)
}

// covered reports whether a place, metres along its segment, lies on one of
// the segment's stretches.
func covered(stretches []roadnet.Stretch, along float64) bool {
	for _, s := range stretches {
		if along >= s.From && along <= s.To {
			return true
		}
	}
	return false
}
