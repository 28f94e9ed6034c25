package traffic_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strconv"
	"testing"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/traffic"
	"retrace/engine/trajectory"
)

func street(t *testing.T) *roadnettest.Net {
	return roadnettest.Draw(t, 100, `
	    A---B---C---D
	`, "ABCD highway=primary")
}

// trip drives from A to D, a sample every 20 s.
func trip(net *roadnettest.Net, id string, begin int64) *trajectory.Trajectory {
	t := &trajectory.Trajectory{ID: id}
	for i, metres := range []float64{50, 350, 700, 1100} {
		p := net.PointNear('A', metres, 3)
		t.Samples = append(t.Samples, trajectory.Sample{Time: begin + int64(i)*20_000, Lon: p.Lon, Lat: p.Lat})
	}
	return t
}

func of(trips ...*trajectory.Trajectory) iter.Seq2[*trajectory.Trajectory, error] {
	return trajectory.Each(trips)
}

func TestGather(t *testing.T) {
	net := street(t)
	far := &trajectory.Trajectory{ID: "far", Samples: []trajectory.Sample{{Time: 1, Lon: 50, Lat: 50}, {Time: 60_001, Lon: 50, Lat: 50}}}
	last := 0
	all, err := traffic.Gather(context.Background(), net.Network, of(trip(net, "a", 0), far, trip(net, "b", 1_000_000)),
		match.DefaultSettings(), 2, func(n int) { last = n })
	if err != nil {
		t.Fatal(err)
	}
	if all.Trips() != 3 || last != 3 { // one of them tells nothing
		t.Errorf("%d trips, %d told of", all.Trips(), last)
	}
}

func TestWhatAMatchedTripTells(t *testing.T) {
	net := street(t)
	m, err := match.New(net.Network, match.DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	one := trip(net, "a", 0)
	res, err := m.Match(context.Background(), one.Samples, nil)
	if err != nil {
		t.Fatal(err)
	}
	told := traffic.Of("a", one.Samples, res)
	driven := []roadnet.SegmentID{}
	for _, w := range told.Ways {
		driven = append(driven, w.Segments...)
	}
	if got := net.Path(driven); len(told.Ways) != 3 || told.Seconds[0] != 20 || got == "" {
		t.Errorf("%d gaps of %v s along %s, want 3 of 20 s", len(told.Ways), told.Seconds, got)
	}
}

func TestGatherEndsWithTheErrorOfTheTripsOrTheContext(t *testing.T) {
	net := street(t)
	broken := errors.New("broken")
	bad := func(yield func(*trajectory.Trajectory, error) bool) { yield(nil, broken) }
	if _, err := traffic.Gather(context.Background(), net.Network, bad, match.DefaultSettings(), 2, nil); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the trips", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := traffic.Gather(ctx, net.Network, of(trip(net, "a", 0)), match.DefaultSettings(), 2, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	add := func(traffic.Trip) error { return broken }
	if err := traffic.Each(context.Background(), net.Network, of(trip(net, "a", 0), trip(net, "b", 1)), match.DefaultSettings(), 1, add); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of add", err)
	}
}

// Of two trips that begin with the same sample the later one counts, whichever was
// matched first: what is gathered is the same in every run.
func TestTripsTellInTheirOrder(t *testing.T) {
	net := street(t)
	var trips []*trajectory.Trajectory
	var want []string
	for i := range 200 {
		id := strconv.Itoa(i)
		one := trip(net, id, int64(i)*1_000_000)
		for i%7 == 0 && len(one.Samples) < 100 { // takes longer than those after it
			last := one.Samples[len(one.Samples)-1]
			last.Time += 20_000
			one.Samples = append(one.Samples, last)
		}
		want = append(want, id)
		trips = append(trips, one)
	}
	var got []string
	err := traffic.Each(context.Background(), net.Network, of(trips...), match.DefaultSettings(), 8, func(t traffic.Trip) error {
		got = append(got, t.ID)
		return nil
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("error %v, told in the order %v", err, got)
	}
}
