package rntrajrec

import (
	"slices"

	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// A chain of more legs than this is decoded in windows, one after another, so that
// the memory is bounded: each with some legs more than it tells of, for what lies
// ahead, and from the very place where the one before ended.
const windowLegs, legsAhead = 256, 16

// inWindows has a chain of legs, first to last of a result, decoded. Fixed is where
// the first sample of a window lies; nil: that is not known. Where a window is not
// decoded, nothing of the chain is.
func inWindows(res *match.Result, first, last int, decode func(first, last int, fixed *roadnet.Position) (bool, error)) (bool, error) {
	if last-first <= windowLegs+legsAhead {
		return decode(first, last, nil)
	}
	legs, matches, alternatives := slices.Clone(res.Legs[first:last]), slices.Clone(res.Matches), len(res.Alternatives)
	var fixed *roadnet.Position
	for at := first; at < last; at += windowLegs {
		from := res.Legs[at].From
		known := res.Matches[from]
		decoded, err := decode(at, min(at+windowLegs+legsAhead, last), fixed)
		if err != nil {
			return false, err
		}
		if !decoded {
			copy(res.Legs[first:last], legs)
			copy(res.Matches, matches)
			res.Alternatives = res.Alternatives[:alternatives]
			return false, nil
		}
		if fixed != nil {
			res.Matches[from] = known // the window before told what else it may be
		}
		if next := at + windowLegs; next < last {
			from := res.Legs[next].From
			fixed = &roadnet.Position{}
			*fixed = res.Matches[from].At
			res.Alternatives = slices.DeleteFunc(res.Alternatives, func(a trajectory.Alternative) bool { return int(a.FromSample) >= from })
		}
	}
	return true, nil
}

// fixing holds the first sample to a place where one is fixed, and all to what is
// known of them otherwise.
func fixing(net *roadnet.Network, samples []trajectory.Sample, fixed *roadnet.Position, known feature.Restrict) feature.Restrict {
	if fixed == nil {
		return known
	}
	return func(sample int, found []roadnet.Hit) []roadnet.Hit {
		if known != nil {
			found = known(sample, found)
		}
		if sample > 0 {
			return found
		}
		if k := slices.IndexFunc(found, func(h roadnet.Hit) bool { return h.Segment == fixed.Segment }); k >= 0 {
			return found[k : k+1]
		}
		s := samples[0]
		return []roadnet.Hit{net.Project(roadnet.Point{Lon: s.Lon, Lat: s.Lat}, fixed.Segment)}
	}
}
