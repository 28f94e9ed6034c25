package rntrajrec

import (
	"context"
	"math"
	"reflect"
	"testing"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// A trip of many windows has one connected path, every sample its candidates, and
// of every gap the alternatives are told once.
func TestALongTripIsDecodedInWindows(t *testing.T) {
	net := block(t)
	samples := toAndFro(net, 3*windowLegs+40)
	for name, res := range map[string]*match.Result{
		"routes": matchLong(t, decoder(t, net.Network, nearest{}), samples),
		"ticks":  matchLong(t, ticksOn(t, net.Network, plain{}), quicker(samples)),
	} {
		told := map[uint32]float64{}
		for _, a := range res.Alternatives {
			told[a.FromSample] += float64(a.Probability)
		}
		for i, leg := range res.Legs {
			if leg.Unmodelled || !net.Drivable(leg.Path) || leg.Path[0] != res.Matches[leg.From].At.Segment ||
				leg.Path[len(leg.Path)-1] != res.Matches[leg.To].At.Segment || len(leg.Times) == 0 {
				t.Fatalf("%s: leg %d is %+v", name, i, leg)
			}
			if told[uint32(leg.From)] > 1+1e-4 {
				t.Errorf("%s: the alternatives of leg %d have probability %v", name, i, told[uint32(leg.From)])
			}
			sum := 0.0
			for _, c := range res.Matches[leg.From].Candidates {
				sum += float64(c.Probability)
			}
			if math.Abs(sum-1) > 1e-3 {
				t.Errorf("%s: the candidates of sample %d have probability %v", name, leg.From, sum)
			}
		}
		if len(res.Legs) != len(samples)-1 {
			t.Errorf("%s: %d legs", name, len(res.Legs))
		}
	}
}

// quicker drives with a minute between two samples.
func quicker(samples []trajectory.Sample) []trajectory.Sample {
	var all []trajectory.Sample
	for i, s := range samples {
		s.Time = int64(i) * 60_000
		all = append(all, s)
	}
	return all
}

// Matching is what all decoders do.
type matching interface {
	Match(context.Context, []trajectory.Sample, []match.Pin) (*match.Result, error)
}

func matchLong(t *testing.T, d matching, samples []trajectory.Sample) *match.Result {
	t.Helper()
	res, err := d.Match(context.Background(), samples, nil)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// The legs of every window but what is ahead of it are kept; where one is not
// decoded, nothing is changed.
func TestWindowsAreJoinedAtAPlace(t *testing.T) {
	const legs = 2*windowLegs + 50
	made := func() *match.Result {
		res := &match.Result{Matches: make([]trajectory.SampleMatch, legs+1)}
		for i := range legs {
			res.Legs = append(res.Legs, match.Leg{From: i, To: i + 1})
		}
		return res
	}
	res, calls := made(), 0
	decode := func(first, last int, fixed *roadnet.Position) (bool, error) {
		if last-first > windowLegs+legsAhead || (fixed == nil) != (first == 0) || fixed != nil && *fixed != res.Matches[first].At {
			t.Errorf("legs %d to %d from %v", first, last, fixed)
		}
		calls++
		for i := first; i < last; i++ {
			res.Legs[i].Path = []roadnet.SegmentID{roadnet.SegmentID(calls)}
			res.Matches[i+1].At.Segment = roadnet.SegmentID(1000*calls + i)
			res.Alternatives = append(res.Alternatives, trajectory.Alternative{FromSample: uint32(i)})
		}
		return true, nil
	}
	if decoded, err := inWindows(res, 0, legs, decode); !decoded || err != nil || calls != 3 {
		t.Fatalf("%v, %v after %d calls", decoded, err, calls)
	}
	for i, leg := range res.Legs {
		if want := roadnet.SegmentID(1 + i/windowLegs); leg.Path[0] != want || int(res.Alternatives[i].FromSample) != i {
			t.Fatalf("leg %d is of window %d, want %d; alternative %+v", i, leg.Path[0], want, res.Alternatives[i])
		}
	}
	if len(res.Alternatives) != legs {
		t.Errorf("%d alternatives", len(res.Alternatives))
	}
	res, calls = made(), 0
	decoded, err := inWindows(res, 0, legs, func(first, last int, fixed *roadnet.Position) (bool, error) {
		if first > 0 {
			return false, nil
		}
		return decode(first, last, fixed)
	})
	if decoded || err != nil || !reflect.DeepEqual(res.Legs, made().Legs) || !reflect.DeepEqual(res.Matches, made().Matches) || len(res.Alternatives) != 0 {
		t.Errorf("decoded %v, %v; left %+v", decoded, err, res.Legs[0])
	}
}
