package rntrajrec

import (
	"cmp"
	"slices"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// An alternative drives at least so far where another path does not, metres, or
// the other does where it does not.
const apart = 30

// others are the most probable paths over a gap but the chosen one. Options that
// hardly differ are one path, as probable as all of them together.
func (j *job) others(net *roadnet.Network, gap, chosen, most int) []trajectory.Alternative {
	if most == 0 {
		return nil
	}
	own := j.trip.Options[chosen].Segments
	var all []trajectory.Alternative
	for _, k := range j.byProbability(gap) {
		path := j.trip.Options[k].Segments
		if alike(net, path, own) {
			continue
		}
		p := float32(j.chain.option(gap, k))
		if at := slices.IndexFunc(all, func(a trajectory.Alternative) bool { return alike(net, path, a.Part.Segments) }); at >= 0 {
			all[at].Probability += p
			continue
		}
		all = append(all, trajectory.Alternative{
			FromSample: uint32(j.places[gap]), ToSample: uint32(j.places[gap+1]), Probability: p, Part: j.part(gap, k),
		})
	}
	slices.SortStableFunc(all, func(a, b trajectory.Alternative) int { return cmp.Compare(b.Probability, a.Probability) })
	return slices.Clip(all[:min(len(all), most)])
}

// byProbability are the options of a gap that are not negligible, the most
// probable first.
func (j *job) byProbability(gap int) []int {
	var options []int
	first, last := j.chain.options(gap)
	for k := first; k < last; k++ {
		if j.chain.option(gap, k) >= negligible {
			options = append(options, k)
		}
	}
	slices.SortStableFunc(options, func(a, b int) int { return cmp.Compare(j.chain.option(gap, b), j.chain.option(gap, a)) })
	return options
}

// alike reports whether two paths hardly differ.
func alike(net *roadnet.Network, a, b []roadnet.SegmentID) bool {
	return beside(net, a, b) < apart && beside(net, b, a) < apart
}

// beside is the length of the segments of a path that another does not drive.
func beside(net *roadnet.Network, path, other []roadnet.SegmentID) float64 {
	metres := 0.0
	for _, id := range path {
		if !slices.Contains(other, id) {
			metres += net.Length(id)
		}
	}
	return metres
}
