package rntrajrec

import (
	"cmp"
	"context"
	"slices"

	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Decoder recovers trajectories, one after another. It must not be used by two
// goroutines at once.
type Decoder struct {
	net          *roadnet.Network
	matcher      *match.Matcher
	scorer       Scorer
	trips        *feature.TripMaker
	alternatives int
	trip         feature.Trip
	pieces       feature.GapPieces
	chain        chain
	batch        timeBatch
}

// New prepares recovery on a network with a model that was trained on routes
// found by these settings. Matching finds outliers and breaks.
func New(net *roadnet.Network, scorer Scorer, routes feature.RouteSettings, matching match.Settings) (*Decoder, error) {
	matcher, err := match.New(net, matching)
	if err != nil {
		return nil, err
	}
	return &Decoder{net: net, matcher: matcher, scorer: scorer, trips: feature.NewTripMaker(net, routes), alternatives: matching.Alternatives}, nil
}

// Match finds the path of the samples and its times. The error is that of ctx,
// of the model, or of a pin that fits no sample or segment.
func (d *Decoder) Match(ctx context.Context, samples []trajectory.Sample, pins []match.Pin) (*match.Result, error) {
	res, err := d.matcher.Match(ctx, samples, pins)
	if err != nil {
		return nil, err
	}
	err = eachChain(res, func(first, last int) (bool, error) { return d.decode(ctx, samples, pins, res, first, last) })
	if err != nil {
		return nil, err
	}
	return res, nil
}

// eachChain has every unbroken chain of legs decoded, which decode reports to
// have done. Where it has not, the alternatives stay that matching found.
func eachChain(res *match.Result, decode func(first, last int) (bool, error)) error {
	alternatives := res.Alternatives
	res.Alternatives = nil
	for first := 0; first < len(res.Legs); {
		last := first
		for last < len(res.Legs) && !res.Legs[last].Broken {
			last++
		}
		if last > first {
			decoded, err := decode(first, last)
			if err != nil {
				return err
			}
			if !decoded {
				for i := first; i < last; i++ {
					res.Legs[i].Unmodelled = true
				}
				res.Alternatives = append(res.Alternatives, within(alternatives, res.Legs[first:last])...)
			}
		}
		first = last + 1
	}
	return nil
}

// within are the alternatives of some legs.
func within(all []trajectory.Alternative, legs []match.Leg) []trajectory.Alternative {
	var some []trajectory.Alternative
	for _, a := range all {
		if int(a.FromSample) >= legs[0].From && int(a.ToSample) <= legs[len(legs)-1].To {
			some = append(some, a)
		}
	}
	return some
}

// decode puts the model's path in the place of legs first to last, which form
// an unbroken chain. It reports false, and leaves the legs as matched, where two
// samples have no route between their candidates.
func (d *Decoder) decode(ctx context.Context, samples []trajectory.Sample, pins []match.Pin, res *match.Result, first, last int) (bool, error) {
	legs := res.Legs[first:last]
	places, own := samplesOf(samples, legs)
	d.trips.Fill(&d.trip, own, restrict(d.net, own, places, pins))
	if err := ctx.Err(); err != nil {
		return false, err
	}
	for gap := range legs {
		if len(d.trip.OptionsOf(gap)) == 0 {
			return false, nil
		}
	}
	u, v, err := d.scorer.Routes(d.trip.CandidateValues, d.trip.RouteValues)
	if err != nil {
		return false, err
	}
	d.chain.trip, d.chain.u, d.chain.v = &d.trip, u, v
	if !d.chain.solve() {
		return false, nil
	}
	d.report(res, legs, places)
	return true, d.times(own, res, legs)
}

// samplesOf are the samples that a chain of legs leads through, and their places
// in the trajectory.
func samplesOf(samples []trajectory.Sample, legs []match.Leg) (places []int, own []trajectory.Sample) {
	places = append(places, legs[0].From)
	for _, leg := range legs {
		places = append(places, leg.To)
	}
	for _, at := range places {
		own = append(own, samples[at])
	}
	return places, own
}

// restrict holds the candidates of pinned samples to what the pins say.
func restrict(net *roadnet.Network, samples []trajectory.Sample, places []int, pins []match.Pin) feature.Restrict {
	if len(pins) == 0 {
		return nil
	}
	return func(sample int, found []roadnet.Hit) []roadnet.Hit {
		for _, pin := range pins {
			if pin.Sample != places[sample] {
				continue
			}
			if !pin.Forbid {
				s := samples[sample]
				return []roadnet.Hit{net.Project(roadnet.Point{Lon: s.Lon, Lat: s.Lat}, pin.Segment)}
			}
			found = slices.DeleteFunc(found, func(h roadnet.Hit) bool { return h.Segment == pin.Segment })
		}
		return found
	}
}

// report writes down the most probable path, and how probable it and the
// others are.
func (d *Decoder) report(res *match.Result, legs []match.Leg, places []int) {
	path := d.chain.path()
	for i, at := range places {
		var k int
		if i == 0 {
			k, _ = d.chain.ends(0, path[0])
		} else {
			_, k = d.chain.ends(i-1, path[i-1])
		}
		h := d.trip.Candidates[k]
		m := &res.Matches[at]
		m.At, m.Distance = h.Position, float32(h.Distance)
		m.Candidates = d.candidates(i)
	}
	for gap := range legs {
		legs[gap].Path = slices.Clone(d.trip.Options[path[gap]].Segments)
		legs[gap].Shares = d.shares(gap)
		res.Alternatives = append(res.Alternatives, d.others(gap, path[gap], places)...)
	}
}

// candidates of a sample by falling probability.
func (d *Decoder) candidates(sample int) []trajectory.Candidate {
	first := int(d.trip.CandidateStart[sample])
	var all []trajectory.Candidate
	for i, h := range d.trip.CandidatesOf(sample) {
		all = append(all, trajectory.Candidate{Position: h.Position, Distance: float32(h.Distance), Probability: float32(d.chain.candidate(first + i))})
	}
	slices.SortStableFunc(all, func(a, b trajectory.Candidate) int { return cmp.Compare(b.Probability, a.Probability) })
	return all
}

// Options and shares of a lower probability are not reported.
const negligible = 0.001

// shares sums the probability of the options of a gap over each segment.
func (d *Decoder) shares(gap int) []match.Share {
	sums := make(map[roadnet.SegmentID]float64)
	first, last := d.chain.options(gap)
	for k := first; k < last; k++ {
		p := d.chain.option(gap, k)
		if p < negligible {
			continue
		}
		path := d.trip.Options[k].Segments
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

// others are the most probable options of a gap but the chosen one.
func (d *Decoder) others(gap, chosen int, places []int) []trajectory.Alternative {
	if d.alternatives == 0 {
		return nil
	}
	var all []trajectory.Alternative
	first, last := d.chain.options(gap)
	for k := first; k < last; k++ {
		p := d.chain.option(gap, k)
		if k == chosen || p < negligible {
			continue
		}
		from, to := d.chain.ends(gap, k)
		all = append(all, trajectory.Alternative{
			FromSample: uint32(places[gap]), ToSample: uint32(places[gap+1]), Probability: float32(p),
			Part: trajectory.Part{
				Segments:   slices.Clone(d.trip.Options[k].Segments),
				StartRatio: d.trip.Candidates[from].Ratio, EndRatio: d.trip.Candidates[to].Ratio,
			},
		})
	}
	slices.SortStableFunc(all, func(a, b trajectory.Alternative) int { return cmp.Compare(b.Probability, a.Probability) })
	return slices.Clip(all[:min(len(all), d.alternatives)])
}
