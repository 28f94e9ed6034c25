package rntrajrec

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// chosenOf is the most probable of the beams alive at the last sample, and where it
// was at each sample before.
func chosenOf(alive [][]*beam) []*beam {
	last := len(alive) - 1
	chosen := make([]*beam, last+1)
	chosen[last] = alive[last][0] // they are sorted
	for gap := last - 1; gap >= 0; gap-- {
		chosen[gap] = wayOf(chosen[gap+1]).from
	}
	return chosen
}

// report writes down the most probable way through a chain of samples, and how
// probable it and the others are: paths over a gap by the beams alive at the sample
// at its end, segments at an instant by what was believed then. It ends when ctx is
// done.
func (d *TickDecoder) report(ctx context.Context, j *tickJob, res *match.Result, legs []match.Leg, alive [][]*beam, chosen []*beam) error {
	last := len(alive) - 1
	for gap := range legs {
		if err := ctx.Err(); err != nil {
			return err
		}
		beams, w := alive[gap+1], wayOf(chosen[gap+1])
		p := weights(beams, d.temperature)
		legs[gap].Path, legs[gap].Shares = w.path(), shares(beams, p)
		legs[gap].Times, legs[gap].Instants = d.times(w), instantsOf(w)
		res.Alternatives = append(res.Alternatives, d.others(beams, p, w, j.places[gap], j.places[gap+1])...)
		d.reportSample(j, res, j.places[gap], j.samples[gap], w.from)
	}
	d.reportSample(j, res, j.places[last], j.samples[last], chosen[last])
	return nil
}

// way is what a beam did in one gap.
type way struct {
	from  *beam   // at the sample before
	ticks []*beam // after it, up to the sample
}

// wayOf is the way of a beam at a sample since the sample before.
func wayOf(end *beam) way {
	w := way{ticks: []*beam{end}}
	for w.from = end.before; w.from.candidate < 0; w.from = w.from.before {
		w.ticks = append(w.ticks, w.from)
	}
	slices.Reverse(w.ticks)
	return w
}

// path is the segments driven, from that of the sample before on.
func (w way) path() []roadnet.SegmentID {
	path := []roadnet.SegmentID{w.from.at.Segment}
	for _, t := range w.ticks {
		path = append(path, t.path...)
	}
	return path
}

// reportSample says where a sample is matched and what else it may be.
func (d *TickDecoder) reportSample(j *tickJob, res *match.Result, place int, sample trajectory.Sample, b *beam) {
	m := &res.Matches[place]
	m.At = b.at
	m.Distance = float32(roadnet.Distance(roadnet.Point{Lon: sample.Lon, Lat: sample.Lat}, d.net.At(b.at)))
	m.Candidates = nil
	sums := b.belief.candidates
	for _, k := range slices.Sorted(maps.Keys(sums)) {
		h := j.trip.Candidates[k]
		m.Candidates = append(m.Candidates, trajectory.Candidate{Position: h.Position, Distance: float32(h.Distance), Probability: float32(sums[k])})
	}
	slices.SortStableFunc(m.Candidates, func(a, b trajectory.Candidate) int { return cmp.Compare(b.Probability, a.Probability) })
}

// shares sums the probability of beams over the segments that they drive in a gap.
func shares(beams []*beam, p []float64) []match.Share {
	sums := make(map[roadnet.SegmentID]float64)
	for i, b := range beams {
		path := wayOf(b).path()
		for k, id := range path {
			if !slices.Contains(path[:k], id) {
				sums[id] += p[i]
			}
		}
	}
	return sharesOf(sums)
}

func sharesOf(sums map[roadnet.SegmentID]float64) []match.Share {
	var all []match.Share
	for _, id := range slices.Sorted(maps.Keys(sums)) {
		all = append(all, match.Share{Segment: id, Probability: float32(sums[id])})
	}
	return all
}

// instantsOf says of each tick in a gap how probable the segments are.
func instantsOf(w way) []match.Instant {
	all := make([]match.Instant, len(w.ticks))
	for k, t := range w.ticks {
		all[k] = match.Instant{Time: t.time, Shares: t.belief.shares}
	}
	return all
}

// times says when the places of a way are reached: the ticks when they are, and
// the ends of the segments between two ticks at an even pace.
func (d *TickDecoder) times(w way) []match.Time {
	var all []match.Time
	step, at, begin := 0, w.from.at, w.from.time
	whole := float64(w.ticks[len(w.ticks)-1].time - begin)
	share := 0.0
	for _, t := range w.ticks {
		end := float64(t.time-begin) / whole
		total, along := d.metres(at, t), 0.0
		for _, id := range t.path {
			along += (1 - at.Ratio) * d.net.Length(at.Segment)
			all = append(all, match.Time{Step: step, To: 1, Share: share + (end-share)*part(along, total)})
			step, at = step+1, roadnet.Position{Segment: id}
		}
		all = append(all, match.Time{Step: step, To: t.at.Ratio, Share: end})
		at, share = t.at, end
	}
	return all
}

// metres from a place to that of a later tick.
func (d *TickDecoder) metres(from roadnet.Position, t *beam) float64 {
	if len(t.path) == 0 {
		return (t.at.Ratio - from.Ratio) * d.net.Length(from.Segment)
	}
	sum := (1-from.Ratio)*d.net.Length(from.Segment) + t.at.Ratio*d.net.Length(t.at.Segment)
	for _, id := range t.path[:len(t.path)-1] {
		sum += d.net.Length(id)
	}
	return sum
}

func part(along, total float64) float64 {
	if total <= 0 {
		return 1
	}
	return min(1, along/total)
}

// others are the most probable other paths of a gap.
func (d *TickDecoder) others(beams []*beam, p []float64, chosen way, from, to int) []trajectory.Alternative {
	var all []trajectory.Alternative
	seen := [][]roadnet.SegmentID{chosen.path()}
	for i, b := range beams {
		w := wayOf(b)
		path := w.path()
		if slices.Equal(path, seen[0]) || p[i] < negligible {
			continue
		}
		if k := slices.IndexFunc(seen[1:], func(o []roadnet.SegmentID) bool { return slices.Equal(o, path) }); k >= 0 {
			all[k].Probability += float32(p[i])
			continue
		}
		seen = append(seen, path)
		all = append(all, trajectory.Alternative{
			FromSample: uint32(from), ToSample: uint32(to), Probability: float32(p[i]),
			Part: trajectory.Part{Segments: path, StartRatio: w.from.at.Ratio, EndRatio: b.at.Ratio},
		})
	}
	slices.SortStableFunc(all, func(a, b trajectory.Alternative) int { return cmp.Compare(b.Probability, a.Probability) })
	return slices.Clip(all[:min(len(all), d.alternatives)])
}
