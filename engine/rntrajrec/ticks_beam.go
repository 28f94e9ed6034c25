package rntrajrec

import (
	"maps"
	"math"

	"retrace/engine/match"
	"retrace/engine/roadnet"
)

// The search keeps so many beams, if it is not told otherwise, and no more than so
// many on one segment.
const (
	beamWidth  = 8
	perSegment = 2
)

// leftOut is the power by which the share of what is followed counts for
// probabilities: most of what is left out soon meets again what is followed. It was
// chosen on validation trips (tools/tune), with the bundle's temperature.
const leftOut = 0.02

// beam is one way to be somewhere at a tick.
type beam struct {
	before    *beam // at the tick before; nil at the first
	at        roadnet.Position
	path      []roadnet.SegmentID // driven since then, without that segment
	car       roadnet.State       // after that
	time      int64               // Unix milliseconds
	candidate int                 // of the trip, at a sample; else -1
	score     float64             // logarithm of its probability
	state     []float32
	belief    *belief // of its instant, shared with the others
}

// belief is how probable it is, as far as the ticks up to an instant tell, that the
// vehicle is on a segment, or at a candidate of a sample. The beams alive in the end
// would not do: they mostly are of one mind about what lies some ticks back.
type belief struct {
	shares     []match.Share
	candidates map[int]float64 // of the trip
	followed   float64         // the share of what was kept of all since the sample before
}

// believed sums the probabilities of all ways on from beams, the kept and the others.
// That of a beam is evened out by the temperature: a sum over many ticks is too sure.
// What was not followed since the sample before may be anywhere but at a sample.
func (j *tickJob) believed(beams []*beam, temperature float64, sample bool) *belief {
	w, followed := weights(beams, temperature), 1.0
	if before := beams[0].belief; before != nil && !sample {
		followed = before.followed
	}
	segments, candidates := make(map[roadnet.SegmentID]float64), make(map[int]float64)
	all := 0.0
	j.chances = j.chances[:0]
	for at, i := range j.input.MoveBeam {
		p := w[i] * math.Exp(j.logs[at]-beams[i].score)
		j.chances, all = append(j.chances, p), all+p
	}
	known := math.Pow(followed, leftOut)
	for at, i := range j.input.MoveBeam {
		k, m := at-j.first[i], &j.moves[i]
		j.chances[at] /= all
		segments[roadnet.SegmentID(m.Segments[k])] += known * j.chances[at]
		if c := int(m.Candidates[k]); c >= 0 {
			candidates[int(j.trip.CandidateStart[j.gap+1])+c] += j.chances[at]
		}
	}
	maps.DeleteFunc(segments, func(_ roadnet.SegmentID, p float64) bool { return p < negligible })
	return &belief{sharesOf(segments), candidates, followed}
}

// best are the most probable of the ways on, the best first: so many, and
// perSegment on each segment. Of two alike the first comes first.
func best(logs []float64, most int, segment func(int) int32) []int {
	kept := make([]int, 0, most)
	for len(kept) < most {
		at := -1
		for i, s := range logs {
			if at >= 0 && s <= logs[at] || math.IsInf(s, -1) {
				continue
			}
			if crowded(kept, segment, i) {
				continue
			}
			at = i
		}
		if at < 0 {
			break
		}
		kept = append(kept, at)
	}
	return kept
}

// crowded reports whether a way on is chosen already, or as many on its segment as
// may be.
func crowded(kept []int, segment func(int) int32, i int) bool {
	on := 0
	for _, k := range kept {
		if k == i {
			return true
		}
		if segment(k) == segment(i) {
			on++
		}
	}
	return on == perSegment
}

// weights are the probabilities of beams beside one another, evened out by the
// temperature: a sum over many ticks is too sure.
func weights(beams []*beam, temperature float64) []float64 {
	most := math.Inf(-1)
	for _, b := range beams {
		most = max(most, b.score)
	}
	all, sum := make([]float64, len(beams)), 0.0
	for i, b := range beams {
		all[i] = math.Exp((b.score - most) / temperature)
		sum += all[i]
	}
	for i := range all {
		all[i] /= sum
	}
	return all
}
