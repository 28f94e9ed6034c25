package rntrajrec

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// nearest stands for a model: near candidates and short routes are good, and
// time goes by evenly with the distance.
type nearest struct{ fail error }

func (n nearest) Routes(in *RouteInput) (u, v []float32, err error) {
	s := feature.CurrentSchema()
	for i := 0; i < len(in.Candidates); i += s.Width("candidates") {
		u = append(u, -4*in.Candidates[i]) // the first column is the distance
	}
	for i := 0; i < len(in.Options); i += s.Width("routes") {
		v = append(v, -10*in.Options[i]) // the first column is the length
	}
	return u, v, n.fail
}

func (n nearest) Times(in *TimeInput) (share, spread []float32, err error) {
	lengths, longest := in.Lengths, in.Longest
	share, spread = make([]float32, len(lengths)), make([]float32, len(lengths))
	for g, count := range in.Counts {
		row, sum := lengths[g*longest:][:longest], float32(0)
		for _, l := range row[:count] {
			sum += l
		}
		along := float32(0)
		for i := range row[:count] {
			along += row[i]
			share[g*longest+i] = along / sum
		}
	}
	return share, spread, n.fail
}

func block(t *testing.T) *roadnettest.Net {
	return roadnettest.Draw(t, 100, `
	    A---B---C---D
	        |   |
	        E---F
	`,
		"ABCD highway=primary", "BEFC highway=residential",
	)
}

func decoder(t *testing.T, net *roadnet.Network, s Scorer) *Decoder {
	t.Helper()
	matching := match.DefaultSettings()
	matching.Alternatives = 3
	d, err := New(net, s, Settings{Routes: feature.DefaultRoutes(), Matching: matching, Threads: 2, Calls: 1})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// drive is three samples from A over the middle to D, two minutes apart.
func drive(net *roadnettest.Net) []trajectory.Sample {
	var samples []trajectory.Sample
	for i, p := range []roadnet.Point{net.PointNear('A', 150, 4), net.PointNear('B', 200, 4), net.PointNear('D', -150, 4)} {
		samples = append(samples, trajectory.Sample{Time: int64(i) * 120_000, Lon: p.Lon, Lat: p.Lat})
	}
	return samples
}

func TestTheMostProbablePathAndItsTimes(t *testing.T) {
	net := block(t)
	res, err := decoder(t, net.Network, nearest{}).Match(context.Background(), drive(net), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Legs) != 2 || net.Path(res.Legs[0].Path) != "AB BC" || net.Path(res.Legs[1].Path) != "BC CD" {
		t.Fatalf("legs %+v", res.Legs)
	}
	for i, m := range res.Matches {
		sum := 0.0
		for _, c := range m.Candidates {
			sum += float64(c.Probability)
		}
		if math.Abs(sum-1) > 1e-4 {
			t.Errorf("the candidates of sample %d have probability %v together", i, sum)
		}
	}
	for i, l := range res.Legs {
		own := 1.0 // probability of the path, since all ways are one of it and others
		for _, w := range l.Others {
			own -= float64(w.Probability)
		}
		for _, s := range l.Shares {
			sum := 0.0
			for _, w := range append(l.Others, match.Way{Part: trajectory.Part{Segments: l.Path}, Probability: float32(own)}) {
				if slices.Contains(w.Part.Segments, s.Segment) {
					sum += float64(w.Probability)
				}
			}
			if math.Abs(sum-float64(s.Probability)) > 0.05 { // ways that are not noticeable are left out
				t.Errorf("leg %d: share %v, of the ways that drive it %v", i, s, sum)
			}
		}
	}
	times := res.Legs[0].Times
	if last := times[len(times)-1]; math.Abs(last.Share-1) > 1e-5 || last.Step != 1 {
		t.Errorf("the leg ends at %+v", last)
	}
	for i := 1; i < len(times); i++ {
		if times[i].Share < times[i-1].Share || times[i].Step < times[i-1].Step {
			t.Errorf("time %d goes back: %+v after %+v", i, times[i], times[i-1])
		}
	}
	if len(res.Alternatives) == 0 {
		t.Error("no alternatives")
	}
}

func TestPinsHoldThePath(t *testing.T) {
	net := block(t)
	d := decoder(t, net.Network, nearest{})
	res, err := d.Match(context.Background(), drive(net), []match.Pin{{Sample: 1, Segment: net.Seg("BEFC")}})
	if err != nil {
		t.Fatal(err)
	}
	if res.Matches[1].At.Segment != net.Seg("BEFC") {
		t.Errorf("the pinned sample is matched to %v", res.Matches[1].At)
	}
	res, err = d.Match(context.Background(), drive(net), nil)
	if err != nil {
		t.Fatal(err)
	}
	forbidden := res.Matches[1].At.Segment
	res, err = d.Match(context.Background(), drive(net), []match.Pin{{Sample: 1, Segment: forbidden, Forbid: true}})
	if err != nil {
		t.Fatal(err)
	}
	if res.Matches[1].At.Segment == forbidden {
		t.Error("the sample is matched to the segment that is forbidden")
	}
}

func TestAFailingModelIsAnError(t *testing.T) {
	net := block(t)
	want := errors.New("the device is gone")
	if _, err := decoder(t, net.Network, nearest{fail: want}).Match(context.Background(), drive(net), nil); !errors.Is(err, want) {
		t.Errorf("error %v", err)
	}
}

// Probabilities and the best path agree with adding up every path by hand.
func TestTheChainAgreesWithCountingAllPaths(t *testing.T) {
	net := block(t)
	var trip feature.Trip
	feature.NewTripMaker(net.Network, feature.DefaultRoutes()).Fill(&trip, drive(net), nil)
	c := &chain{trip: &trip}
	c.u, c.v, _ = nearest{}.Routes(&RouteInput{Candidates: trip.CandidateValues, Options: trip.RouteValues})
	if ok, err := c.solve(context.Background()); !ok || err != nil {
		t.Fatal("no way through")
	}
	total, best := 0.0, math.Inf(-1)
	byOption := make([]float64, len(trip.Options))
	first, middle := c.options(0)
	_, last := c.options(1)
	for i := first; i < middle; i++ {
		for j := middle; j < last; j++ {
			a, b := c.ends(0, i)
			b2, e := c.ends(1, j)
			if b != b2 {
				continue
			}
			s := float64(c.u[a]) + float64(c.v[i]) + float64(c.u[b]) + float64(c.v[j]) + float64(c.u[e])
			total += math.Exp(s)
			byOption[i] += math.Exp(s)
			byOption[j] += math.Exp(s)
			best = max(best, s)
		}
	}
	for gap, bounds := range [][2]int{{first, middle}, {middle, last}} {
		for k := bounds[0]; k < bounds[1]; k++ {
			if got, want := c.option(gap, k), byOption[k]/total; math.Abs(got-want) > 1e-9 {
				t.Fatalf("option %d has probability %v, want %v", k, got, want)
			}
		}
	}
	path := c.path()
	a, b := c.ends(0, path[0])
	_, e := c.ends(1, path[1])
	score := float64(c.u[a]) + float64(c.v[path[0]]) + float64(c.u[b]) + float64(c.v[path[1]]) + float64(c.u[e])
	if math.Abs(score-best) > 1e-9 {
		t.Errorf("the path has a score of %v, the best %v", score, best)
	}
}

// A forbidden segment is not driven around its sample, by any option.
func TestAForbiddenSegmentIsNotDriven(t *testing.T) {
	net := block(t)
	d := decoder(t, net.Network, nearest{})
	free, err := d.Match(context.Background(), drive(net), nil)
	if err != nil {
		t.Fatal(err)
	}
	forbidden := free.Legs[1].Path[0]
	res, err := d.Match(context.Background(), drive(net), []match.Pin{{Sample: 2, Segment: forbidden, Forbid: true}})
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(res.Legs[1].Path, forbidden) || len(res.Legs[1].Times) == 0 {
		t.Errorf("the way to the sample is %s", net.Path(res.Legs[1].Path))
	}
	for _, a := range res.Alternatives {
		if a.ToSample == 2 && slices.Contains(a.Part.Segments, forbidden) {
			t.Errorf("an alternative is %s", net.Path(a.Part.Segments))
		}
	}
}

// Alternatives are paths of their own, each with its probability.
func TestAlternativesAreOtherPaths(t *testing.T) {
	net := block(t)
	res, err := decoder(t, net.Network, nearest{}).Match(context.Background(), drive(net), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, leg := range res.Legs {
		seen := [][]roadnet.SegmentID{leg.Path}
		last, sum := float32(1), float32(0)
		for _, a := range res.Alternatives {
			if int(a.FromSample) != leg.From {
				continue
			}
			if !net.Drivable(a.Part.Segments) || a.Probability > last || a.Probability <= 0 {
				t.Errorf("alternative %+v", a)
			}
			for _, other := range seen {
				if alike(net.Network, a.Part.Segments, other) {
					t.Errorf("%s and %s are alternatives", net.Path(a.Part.Segments), net.Path(other))
				}
			}
			seen, last, sum = append(seen, a.Part.Segments), a.Probability, sum+a.Probability
		}
		if len(seen) < 2 || sum > 1 {
			t.Errorf("%d paths from sample %d, the others with probability %v", len(seen), leg.From, sum)
		}
	}
}
