package citymodel

import (
	"cmp"
	"context"
	"slices"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// stretch is how many samples are recovered as one trip: about as many as in the
// longest that systems are trained on. The next ones begin where these end.
const stretch = 64

// Recoverer recovers trajectories by a system, one after another. It must not be
// used by two goroutines at once.
type Recoverer struct {
	net       *roadnet.Network
	describer *describer
	walker    *walker
	joiner    joiner
}

// New prepares recovery on the network that the system's tables belong to; the error
// on any other is [ErrOtherNetwork]. Matching says what the ways between ticks cost.
func New(net *roadnet.Network, m *Model, matching match.Settings) (*Recoverer, error) {
	if err := m.Fit(net); err != nil {
		return nil, err
	}
	d, err := newDescriber(net, m)
	if err != nil {
		return nil, err
	}
	return &Recoverer{net: net, describer: d, walker: newWalker(m), joiner: newJoiner(net, matching)}, nil
}

// Match finds where the system says that the samples and the ticks between them are,
// and joins these by the cheapest ways. A sample that no road is near, or that is not
// later than the one before, is left out, as in no trip that the systems are trained
// on; nothing else is. Where the network has no way from a tick to the next one the leg
// is broken. The error is that of ctx, of the model, or of a pin that fits no sample.
func (r *Recoverer) Match(ctx context.Context, samples []trajectory.Sample, pins []match.Pin) (*match.Result, error) {
	if err := match.Pins(pins).Check(r.net, len(samples)); err != nil {
		return nil, err
	}
	res := &match.Result{Matches: make([]trajectory.SampleMatch, len(samples))}
	r.describer.trips.Done, r.joiner.router.Done = ctx.Done(), ctx.Done()
	places := inOrder(samples, res.Matches)
	var seam *known // the last of the stretch before, which the next one begins with
	for len(places) > 0 {
		n := min(len(places), stretch)
		kept, err := r.onRoads(ctx, samples, places[:n], pins, seam, res)
		if err != nil {
			return nil, err
		}
		places = places[n:]
		if len(kept) == 0 || seam != nil && len(kept) == 1 {
			continue // no road is near any of them
		}
		spots, err := r.walker.walk(ctx, r.describer, kept, samples[0].Time)
		if err != nil {
			return nil, err
		}
		if err := r.report(ctx, res, spots, kept, seam == nil); err != nil {
			return nil, err
		}
		seam = &kept[len(kept)-1]
		seam.candidates = []roadnet.Hit{{Position: spots[len(spots)-1].at}}
	}
	return res, nil
}

// inOrder are the samples that are later than those before; the others are marked.
func inOrder(samples []trajectory.Sample, matches []trajectory.SampleMatch) []int {
	var places []int
	for i, s := range samples {
		if len(places) > 0 && s.Time <= samples[places[len(places)-1]].Time {
			matches[i].State = trajectory.Duplicate
			continue
		}
		places = append(places, i)
	}
	return places
}

// onRoads are the samples at some places, the seam before them, that have candidates;
// the others are marked.
func (r *Recoverer) onRoads(ctx context.Context, samples []trajectory.Sample, places []int, pins match.Pins, seam *known, res *match.Result) ([]known, error) {
	var held *roadnet.SegmentID
	if seam != nil {
		places, held = append([]int{seam.place}, places...), &seam.candidates[0].Segment
	}
	all := make([]trajectory.Sample, len(places))
	for i, at := range places {
		all[i] = samples[at]
	}
	trip := r.describer.candidates(all, places, pins, held)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var kept []known
	for i, at := range places {
		hits := trip.CandidatesOf(i)
		if len(hits) == 0 {
			res.Matches[at].State = trajectory.OffRoad
			continue
		}
		k := known{Sample: all[i], place: at, candidates: hits}
		if n := len(kept); n > 0 {
			k.avoid = pins.Avoided(kept[n-1].place, at)
		}
		kept = append(kept, k)
	}
	return kept, nil
}

// report writes down spots: matches of the samples, but of a first one that is known
// already, and legs between them.
func (r *Recoverer) report(ctx context.Context, res *match.Result, spots []spot, samples []known, first bool) error {
	begin := 0
	for k := range spots {
		s := &spots[k]
		if s.sample < 0 {
			continue
		}
		to := &samples[s.sample]
		if s.sample > 0 || first {
			res.Matches[to.place] = matchOf(s, to)
		}
		if s.sample > 0 {
			leg, err := r.joiner.leg(ctx, spots[begin:k+1], to.avoid)
			if err != nil {
				return err
			}
			leg.From, leg.To = samples[s.sample-1].place, to.place
			res.Legs = append(res.Legs, leg)
		}
		begin = k
	}
	return nil
}

// matchOf says where a sample is and what else it may be.
func matchOf(s *spot, k *known) trajectory.SampleMatch {
	m := trajectory.SampleMatch{State: trajectory.Matched, At: s.at}
	told := match.Instant{Shares: s.shares}
	for _, h := range k.candidates {
		if h.Segment == s.at.Segment {
			m.Distance = float32(h.Distance)
		}
		m.Candidates = append(m.Candidates, trajectory.Candidate{Position: h.Position, Distance: float32(h.Distance), Probability: told.ShareOf(h.Segment)})
	}
	slices.SortStableFunc(m.Candidates, func(a, b trajectory.Candidate) int { return cmp.Compare(b.Probability, a.Probability) })
	return m
}
