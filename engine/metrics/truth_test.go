package metrics

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// straight is a street of 4 km and a trip along it at 10 m/s with a point every
// 15 s, matched as it is.
func straight(t *testing.T) (*roadnettest.Net, *trajectory.Trajectory, *trajectory.Recovery) {
	net := roadnettest.Draw(t, 400, `A---------B`, "AB")
	dense := &trajectory.Trajectory{ID: "fine"}
	rec := &trajectory.Recovery{Trajectory: "fine"}
	for i := range 20 {
		at := net.Pos("AB", float64(i)*150/4000)
		p := net.At(at)
		dense.Samples = append(dense.Samples, trajectory.Sample{Time: int64(i) * 15000, Lon: p.Lon, Lat: p.Lat})
		rec.Ticks = append(rec.Ticks, trajectory.Tick{Time: int64(i) * 15000, At: at, Along: float64(i) * 150})
		rec.Matches = append(rec.Matches, trajectory.SampleMatch{State: trajectory.Matched, At: at, Distance: 3})
	}
	rec.Parts = []trajectory.Part{{Segments: []roadnet.SegmentID{net.Seg("AB")}, EndRatio: 19. * 150 / 4000}}
	return net, dense, rec
}

func TestTruthsThatCannotBeTrustedAreLeftOut(t *testing.T) {
	q := DefaultQuality()
	q.MaxUTurnRate = 0.1
	for want, spoil := range map[string]func(*roadnettest.Net, *trajectory.Trajectory, *trajectory.Recovery){
		"":               func(*roadnettest.Net, *trajectory.Trajectory, *trajectory.Recovery) {},
		"too few points": func(_ *roadnettest.Net, d *trajectory.Trajectory, _ *trajectory.Recovery) { d.Samples = d.Samples[:9] },
		"a long gap": func(_ *roadnettest.Net, d *trajectory.Trajectory, _ *trajectory.Recovery) {
			d.Samples[19].Time += 60_000
		},
		"the path breaks": func(_ *roadnettest.Net, _ *trajectory.Trajectory, r *trajectory.Recovery) {
			r.Parts = append(r.Parts, r.Parts[0])
		},
		"off the road": func(_ *roadnettest.Net, _ *trajectory.Trajectory, r *trajectory.Recovery) {
			r.Matches[3].State, r.Matches[4].State = trajectory.OffRoad, trajectory.Outlier
		},
		"too short": func(_ *roadnettest.Net, _ *trajectory.Trajectory, r *trajectory.Recovery) { r.Parts[0].EndRatio = 0.1 },
		"far from the roads": func(_ *roadnettest.Net, _ *trajectory.Trajectory, r *trajectory.Recovery) {
			r.Matches[0].Distance = 300
		},
		"the path is a detour": func(n *roadnettest.Net, _ *trajectory.Trajectory, r *trajectory.Recovery) {
			r.Parts[0].Segments = []roadnet.SegmentID{n.Seg("AB"), n.Seg("BA"), n.Seg("AB")}
		},
		"turns back": func(n *roadnettest.Net, d *trajectory.Trajectory, r *trajectory.Recovery) {
			r.Parts[0].Segments = nil
			for range 6 {
				r.Parts[0].Segments = append(r.Parts[0].Segments, n.Seg("AB"), n.Seg("BA"))
			}
			for i := range d.Samples { // as far to and fro as the path
				d.Samples[i].Lon += float64(i%2) * 0.1
			}
		},
	} {
		net, dense, rec := straight(t)
		spoil(net, dense, rec)
		got, err := MakeTruths(context.Background(), net.Network, one(dense, nil), answer(rec, nil), q, 1)
		if err != nil {
			t.Fatal(err)
		}
		if kept := len(got.Cases) == 1; kept != (want == "") {
			t.Errorf("%q: kept %v", want, kept)
		}
		for _, c := range got.Dropped {
			if should := want != "" && strings.Contains(c.Reason, want); (c.Trips == 1) != should {
				t.Errorf("%q: %d trips left out because of %q", want, c.Trips, c.Reason)
			}
		}
	}
}

// TestTripsAreCutWhereTheyBreak lets a vehicle come out of a tunnel 700 m farther
// than it can have driven, told as one path or as two parts: what is longer of both
// sides stays, with its own times.
func TestTripsAreCutWhereTheyBreak(t *testing.T) {
	for _, c := range []struct {
		at, first, last int
		parts           bool
	}{{3, 3, 19, false}, {12, 0, 11, false}, {3, 3, 19, true}, {12, 0, 11, true}} {
		net, dense, rec := straight(t)
		for i := c.at; i < len(rec.Ticks); i++ {
			if c.parts {
				rec.Ticks[i].Part = 1
			} else {
				rec.Ticks[i].Along += 700
			}
		}
		whole := dense.Samples
		match := func(_ context.Context, piece *trajectory.Trajectory) (*trajectory.Recovery, error) {
			if len(piece.Samples) == len(whole) {
				return rec, nil
			}
			again := *rec
			again.Ticks = slices.Clone(rec.Ticks[c.first : c.last+1])
			for i := range again.Ticks {
				again.Ticks[i].Part = 0
			}
			again.Matches = rec.Matches[c.first : c.last+1]
			again.Parts = []trajectory.Part{{Segments: rec.Parts[0].Segments, StartRatio: float64(c.first) * 150 / 4000, EndRatio: float64(c.last) * 150 / 4000}}
			return &again, nil
		}
		got, err := MakeTruths(context.Background(), net.Network, one(dense, nil), match, DefaultQuality(), 1)
		if err != nil || len(got.Cases) != 1 || got.Cut != 1 {
			t.Fatalf("cut at %d: %d cases, %d of them cut, %v", c.at, len(got.Cases), got.Cut, err)
		}
		kept := got.Cases[0]
		n := c.last - c.first + 1
		if len(kept.Dense.Samples) != n || kept.Dense.Samples[0] != whole[c.first] || len(kept.Truth.Ticks) != n {
			t.Errorf("cut at %d: %d points and %d ticks from %d on are kept, want points %d to %d", c.at, len(kept.Dense.Samples),
				len(kept.Truth.Ticks), kept.Dense.Samples[0].Time/15000, c.first, c.last)
		}
		if len(dense.Samples) != len(whole) {
			t.Error("the trip itself was changed")
		}
	}
}

func TestPiecesThatAreTooShortAreLeftOut(t *testing.T) {
	net, dense, rec := straight(t)
	for i := range rec.Ticks {
		rec.Ticks[i].Along += float64(i/7) * 700
	}
	got, err := MakeTruths(context.Background(), net.Network, one(dense, nil), answer(rec, nil), DefaultQuality(), 1)
	if err != nil || len(got.Cases) != 0 || got.Dropped[0] != (Count{"too few points", 1}) {
		t.Errorf("%d cases, left out %v, %v", len(got.Cases), got.Dropped, err)
	}
}

func one(t *trajectory.Trajectory, err error) iter.Seq2[*trajectory.Trajectory, error] {
	return func(yield func(*trajectory.Trajectory, error) bool) { yield(t, err) }
}

func answer(rec *trajectory.Recovery, err error) Recover {
	return func(context.Context, *trajectory.Trajectory) (*trajectory.Recovery, error) { return rec, err }
}

func TestTripsThatFailAreNamed(t *testing.T) {
	net, dense, rec := straight(t)
	wrong := errors.New("wrong")
	for _, c := range []struct {
		in    iter.Seq2[*trajectory.Trajectory, error]
		match Recover
	}{{one(dense, nil), answer(nil, wrong)}, {one(nil, wrong), answer(rec, nil)}} {
		got, err := MakeTruths(context.Background(), net.Network, c.in, c.match, DefaultQuality(), 2)
		if err != nil || len(got.Cases) != 0 || len(got.Failed) != 1 || !errors.Is(got.Failed[0], wrong) {
			t.Errorf("got %+v, %v; want one failure", got, err)
		}
	}
}

func TestEvaluateStopsWithTheContext(t *testing.T) {
	net, dense, rec := straight(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	cases := []Case{{dense, rec}}
	_, err := Evaluate(ctx, net.Network, cases, []Method{{Name: "m", Recover: answer(rec, nil)}}, Options{Keep: []Keep{{Ratio: 0.125}}, Draws: 2, Threads: 2})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want that of the context", err)
	}
}
