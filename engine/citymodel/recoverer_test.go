package citymodel

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"retrace/engine/bundle"
	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// driver is a system that wants to be on given segments, one tick after another; at
// a tick with a sample the nearest candidate is liked as much as the mask says.
type driver struct {
	wants  []roadnet.Position // at ticks without a sample; nil: stay where the tick before was
	samp   []int              // samples of each stretch that was encoded
	last   []int32            // the segments that the ticks were told to be the last
	masks  [][]float32
	cancel context.CancelFunc // called at the second tick
}

func (d *driver) Encode(in *Samples) (*States, error) {
	d.samp = append(d.samp, in.Points.Samples)
	return &States{H: make([]float32, len(in.Cells)), Whole: []float32{0}, Keys: make([]float32, len(in.Cells))}, nil
}

func (d *driver) Tick(in *Tick) (state, log, ratios []float32, err error) {
	d.last = append(d.last, in.Segment)
	d.masks = append(d.masks, append([]float32(nil), in.Mask...))
	if d.cancel != nil && len(d.last) == 2 {
		d.cancel()
	}
	log, ratios = append([]float32(nil), in.Mask...), make([]float32, len(in.Mask))
	for i := range ratios {
		ratios[i] = 0.5
	}
	if free(in.Mask) {
		want := roadnet.Position{Segment: roadnet.SegmentID(in.Segment), Ratio: 0.5}
		if len(d.wants) > 0 {
			want, d.wants = d.wants[0], d.wants[1:]
		}
		log[want.Segment] += 10
		ratios[want.Segment] = float32(want.Ratio)
	}
	sum := 0.0
	for _, l := range log {
		sum += math.Exp(float64(l))
	}
	for i := range log {
		log[i] -= float32(math.Log(sum))
	}
	return in.State, log, ratios, nil
}

// free reports whether a mask is that of a tick without a sample.
func free(mask []float32) bool {
	open := 0
	for _, m := range mask {
		if m == 0 {
			open++
		}
	}
	return open > 1
}

func modelOf(net *roadnet.Network, d *driver) *Model {
	info := net.Info()
	return &Model{
		System: MTrajRec, Name: "toy", Hash: "0123", Points: feature.DefaultSettings(), Routes: feature.DefaultRoutes(), Graphs: d,
		City: bundle.City{Network: info.Name, Fingerprint: info.Fingerprint, Segments: net.NumSegments(), Tick: 15, Beta: 15,
			Frame: feature.Frame{Scale: [2]float64{1e5, 1e5}, Half: [2]float64{1e3, 1e3}, Cell: 50, Columns: 40, Rows: 40}},
	}
}

// street is one of three blocks with a street beside it that no way leads to.
func street(t *testing.T) *roadnettest.Net {
	return roadnettest.Draw(t, 300, `
		A-B-C-D

		E-F`, "AB", "BC", "CD", "EF")
}

func recovererOf(t *testing.T, net *roadnettest.Net, d *driver) *Recoverer {
	t.Helper()
	r, err := New(net.Network, modelOf(net.Network, d), match.DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sample is some metres east of a letter, seconds after the start.
func sample(n *roadnettest.Net, second int64, letter rune, east float64) trajectory.Sample {
	p := n.PointNear(letter, east, 3)
	return trajectory.Sample{Time: 1_700_000_000_000 + second*1000, Lon: p.Lon, Lat: p.Lat}
}

func matched(t *testing.T, r *Recoverer, pins []match.Pin, samples ...trajectory.Sample) *match.Result {
	t.Helper()
	res, err := r.Match(t.Context(), samples, pins)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestTicksAreJoinedByTheWayBetweenThem(t *testing.T) {
	n := street(t)
	d := &driver{wants: []roadnet.Position{n.Pos("AB", 0.9), n.Pos("AB", 0.6), n.Pos("BC", 0.4)}}
	res := matched(t, recovererOf(t, n, d), nil, sample(n, 0, 'A', 100), sample(n, 60, 'C', 200))
	if len(res.Legs) != 1 || n.Path(res.Legs[0].Path) != "AB BC CD" {
		t.Fatalf("legs %+v", res.Legs)
	}
	leg := res.Legs[0]
	for i, want := range []roadnet.Position{n.Pos("AB", 0.9), n.Pos("AB", 0.6), n.Pos("BC", 0.4)} {
		told := leg.Instants[i]
		if told.At.Segment != want.Segment || math.Abs(told.At.Ratio-want.Ratio) > 1e-6 {
			t.Errorf("tick %d is told at %v, want %v: what the system says is not changed", i, *told.At, want)
		}
		if p := told.ShareOf(want.Segment); p < 0.9 || p > 1 {
			t.Errorf("tick %d has the probability %v", i, p)
		}
	}
	last := match.Time{}
	for _, at := range leg.Times {
		if at.Share < last.Share || at.Step < last.Step || at.Step == last.Step && at.To < last.To {
			t.Errorf("times %+v go back: the path is driven forwards", leg.Times)
		}
		last = at
	}
	if last.Step != 2 || last.Share != 1 {
		t.Errorf("the last time is %+v, want the end of the leg", last)
	}
	if s := int32(n.NumSegments()); d.last[0] != s || d.last[1] != int32(n.Seg("AB")) {
		t.Errorf("the ticks were told of %v before them, want %d (none) and then AB", d.last, s)
	}
}

func TestAPathBreaksWhereNoWayIsFound(t *testing.T) {
	n := street(t)
	d := &driver{wants: []roadnet.Position{n.Pos("EF", 0.5)}}
	res := matched(t, recovererOf(t, n, d), nil, sample(n, 0, 'A', 100), sample(n, 30, 'A', 200), sample(n, 60, 'C', 100))
	if len(res.Legs) != 2 || !res.Legs[0].Broken || len(res.Legs[0].Path) > 0 || res.Legs[1].Broken {
		t.Errorf("legs %+v", res.Legs)
	}
}

func TestSamplesHoldTheSystemToTheirCandidates(t *testing.T) {
	n := street(t)
	d := &driver{wants: []roadnet.Position{n.Pos("CD", 0.5)}}
	res := matched(t, recovererOf(t, n, d), nil, sample(n, 0, 'A', 100), sample(n, 30, 'A', 200))
	for i, m := range res.Matches {
		if m.State != trajectory.Matched || n.Path([]roadnet.SegmentID{m.At.Segment}) != "AB" || len(m.Candidates) == 0 || m.Candidates[0].Probability <= 0 {
			t.Errorf("sample %d: %+v", i, m)
		}
	}
	if got := res.Matches[0].At.Ratio; math.Abs(got-1.0/6) > 0.01 {
		t.Errorf("the sample is put at %v of its segment, want the nearest place", got)
	}
}

func TestSamplesOffTheRoadAndOutOfTimeAreLeftOut(t *testing.T) {
	n := street(t)
	far := sample(n, 30, 'A', 0)
	far.Lat += 0.1
	d := &driver{}
	res := matched(t, recovererOf(t, n, d), nil, sample(n, 0, 'A', 100), sample(n, 0, 'A', 200), far, sample(n, 60, 'A', 250))
	want := []trajectory.SampleState{trajectory.Matched, trajectory.Duplicate, trajectory.OffRoad, trajectory.Matched}
	for i, m := range res.Matches {
		if m.State != want[i] {
			t.Errorf("sample %d is %v, want %v", i, m.State, want[i])
		}
	}
	if len(res.Legs) != 1 || res.Legs[0].From != 0 || res.Legs[0].To != 3 || d.samp[0] != 2 {
		t.Errorf("legs %+v over %v samples", res.Legs, d.samp)
	}
	none := matched(t, recovererOf(t, n, &driver{}), nil, far)
	if len(none.Legs) != 0 || none.Matches[0].State != trajectory.OffRoad {
		t.Errorf("a trip far from any road: %+v", none)
	}
}

func TestPinsHoldSamplesAndKeepSegmentsOut(t *testing.T) {
	n := street(t)
	back := n.Seg("BA")
	res := matched(t, recovererOf(t, n, &driver{}), []match.Pin{{Sample: 0, Segment: back}}, sample(n, 0, 'A', 100), sample(n, 30, 'A', 50))
	if res.Matches[0].At.Segment != back {
		t.Errorf("pinned to BA, matched on %s", n.Path([]roadnet.SegmentID{res.Matches[0].At.Segment}))
	}
	d := &driver{}
	res = matched(t, recovererOf(t, n, d), []match.Pin{{Sample: 0, Segment: n.Seg("AB"), Forbid: true}}, sample(n, 0, 'A', 100), sample(n, 30, 'A', 50))
	if res.Matches[0].At.Segment == n.Seg("AB") || d.masks[1][n.Seg("AB")] > never/2 {
		t.Errorf("AB is forbidden, and matched %+v with a mask of %v", res.Matches[0].At, d.masks[1][n.Seg("AB")])
	}
	if _, err := recovererOf(t, n, &driver{}).Match(t.Context(), []trajectory.Sample{sample(n, 0, 'A', 1)}, []match.Pin{{Sample: 7}}); err == nil {
		t.Error("a pin on a sample that there is not is taken")
	}
}

func TestLongTripsGoOnWhereAStretchEnded(t *testing.T) {
	n := street(t)
	var samples []trajectory.Sample
	for i := range 3*stretch + 5 {
		samples = append(samples, sample(n, int64(15*i), 'A', 20+float64(i)))
	}
	d := &driver{}
	res := matched(t, recovererOf(t, n, d), nil, samples...)
	if len(d.samp) != 4 || d.samp[0] != stretch || d.samp[1] != stretch+1 || d.samp[3] != 6 {
		t.Errorf("encoded %v samples at once", d.samp)
	}
	if len(res.Legs) != len(samples)-1 {
		t.Fatalf("%d legs of %d samples", len(res.Legs), len(samples))
	}
	for i, leg := range res.Legs {
		if leg.Broken || leg.From != i || leg.To != i+1 || leg.Path[0] != res.Matches[i].At.Segment || leg.Path[len(leg.Path)-1] != res.Matches[i+1].At.Segment {
			t.Errorf("leg %d: %+v", i, leg)
		}
	}
}

func TestRecoveryEndsWhenItIsCalledOff(t *testing.T) {
	n := street(t)
	ctx, cancel := context.WithCancel(t.Context())
	d := &driver{cancel: cancel}
	_, err := recovererOf(t, n, d).Match(ctx, []trajectory.Sample{sample(n, 0, 'A', 100), sample(n, 3600, 'A', 200)}, nil)
	if !errors.Is(err, context.Canceled) || len(d.last) > 3 {
		t.Errorf("%v after %d ticks", err, len(d.last))
	}
}

func TestAnotherNetworkIsRefused(t *testing.T) {
	n := street(t)
	_, err := New(roadnettest.Random(1, 4), modelOf(n.Network, &driver{}), match.DefaultSettings())
	if !errors.Is(err, ErrOtherNetwork) || !strings.Contains(err.Error(), "the model toy belongs to the network") {
		t.Errorf("%v", err)
	}
}
