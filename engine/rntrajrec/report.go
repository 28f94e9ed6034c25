package rntrajrec

import (
	"cmp"
	"context"
	"slices"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// report writes down the path that was settled on, and how probable it and the
// others are, unless ctx is done.
func (d *Decoder) report(ctx context.Context, j *job) error {
	for i, at := range j.places {
		var k int
		if i == 0 {
			k, _ = j.chain.ends(0, j.path[0])
		} else {
			_, k = j.chain.ends(i-1, j.path[i-1])
		}
		h := j.trip.Candidates[k]
		m := &j.res.Matches[at]
		m.At, m.Distance = h.Position, float32(h.Distance)
		m.Candidates = j.candidates(i)
	}
	for gap := range j.legs {
		if err := ctx.Err(); err != nil {
			return err
		}
		j.legs[gap].Path = slices.Clone(j.trip.Options[j.path[gap]].Segments)
		j.legs[gap].Shares = j.shares[gap]
		j.legs[gap].Others = j.ways(gap, j.path[gap])
		j.res.Alternatives = append(j.res.Alternatives, j.others(d.net, gap, j.path[gap], d.alternatives)...)
	}
	return nil
}

// ways are the noticeable options of a gap but the chosen one.
func (j *job) ways(gap, chosen int) []match.Way {
	var all []match.Way
	first, last := j.chain.options(gap)
	for k := first; k < last; k++ {
		p := j.chain.option(gap, k)
		if k == chosen || p < match.Noticeable {
			continue
		}
		all = append(all, match.Way{Part: j.part(gap, k), Probability: float32(p)})
	}
	return all
}

// part is option k of a gap, in memory of its own.
func (j *job) part(gap, k int) trajectory.Part {
	from, to := j.chain.ends(gap, k)
	return trajectory.Part{
		Segments:   slices.Clone(j.trip.Options[k].Segments),
		StartRatio: j.trip.Candidates[from].Ratio, EndRatio: j.trip.Candidates[to].Ratio,
	}
}

// candidates of a sample by falling probability.
func (j *job) candidates(sample int) []trajectory.Candidate {
	first := int(j.trip.CandidateStart[sample])
	var all []trajectory.Candidate
	for i, h := range j.trip.CandidatesOf(sample) {
		all = append(all, trajectory.Candidate{Position: h.Position, Distance: float32(h.Distance), Probability: float32(j.chain.candidate(first + i))})
	}
	slices.SortStableFunc(all, func(a, b trajectory.Candidate) int { return cmp.Compare(b.Probability, a.Probability) })
	return all
}

// Options and shares of a lower probability are not reported.
const negligible = 0.001

// sharesOf sums the probability of the options of a gap over each segment.
func (j *job) sharesOf(gap int) []match.Share {
	sums := make(map[roadnet.SegmentID]float64)
	first, last := j.chain.options(gap)
	for k := first; k < last; k++ {
		p := j.chain.option(gap, k)
		if p < negligible {
			continue
		}
		path := j.trip.Options[k].Segments
		for i, id := range path {
			if !slices.Contains(path[:i], id) {
				sums[id] += p
			}
		}
	}
	shares := make([]match.Share, 0, len(sums))
	for id, p := range sums {
		shares = append(shares, match.Share{Segment: id, Probability: float32(p)})
	}
	slices.SortFunc(shares, func(a, b match.Share) int { return cmp.Compare(a.Segment, b.Segment) })
	return shares
}
