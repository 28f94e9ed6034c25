package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/internal/canceltest"
)

// trips drives along a regular city, a sample a minute.
func trips(net *roadnet.Network, count int) []*trajectory.Trajectory {
	var all []*trajectory.Trajectory
	b := net.Info().Bounds
	for i := range count {
		t := &trajectory.Trajectory{ID: fmt.Sprint(i)}
		for k := range 6 {
			f := float64(k) / 8
			t.Samples = append(t.Samples, trajectory.Sample{
				Time: start + int64(k)*60_000,
				Lon:  b.MinLon + (b.MaxLon-b.MinLon)*(0.1+f*float64(1+i%3)/3),
				Lat:  b.MinLat + (b.MaxLat-b.MinLat)*(0.1+f*float64(1+i%5)/5),
			})
		}
		all = append(all, t)
	}
	return all
}

func TestResultsDoNotDependOnThreads(t *testing.T) {
	net := roadnettest.GridCity(15)
	in := trips(net, 30)
	var want []*trajectory.Recovery
	for _, threads := range []int{1, 2, 7} {
		var got []*trajectory.Recovery
		r := recoverer(t, net, func(s *Settings) { s.Threads, s.Alternatives = threads, 3 })
		err := r.Stream(context.Background(), trajectory.Each(in), nil, func(_ *trajectory.Trajectory, rec *trajectory.Recovery, err error) error {
			got = append(got, rec)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if len(got) != len(in) || !reflect.DeepEqual(got, want) {
			t.Errorf("%d threads give another result", threads)
		}
	}
}

func TestStreamGoesOnAfterABadTrajectory(t *testing.T) {
	net := roadnettest.GridCity(15)
	in := trips(net, 5)
	in[1].Samples = nil
	unread := errors.New("line 7 is not a point")
	source := func(yield func(*trajectory.Trajectory, error) bool) {
		for i, t := range in {
			if i == 3 && !yield(nil, unread) {
				return
			}
			if !yield(t, nil) {
				return
			}
		}
	}
	var log []string
	pins := func(t *trajectory.Trajectory) []Pin {
		if t.ID == "4" {
			return []Pin{{Sample: 99}}
		}
		return nil
	}
	err := recoverer(t, net, nil).Stream(context.Background(), source, pins, func(in *trajectory.Trajectory, rec *trajectory.Recovery, err error) error {
		switch {
		case in == nil:
			log = append(log, err.Error())
		case err != nil:
			log = append(log, in.ID+" failed")
		default:
			log = append(log, rec.Trajectory)
		}
		return nil
	})
	if got, want := strings.Join(log, ", "), "0, 1 failed, 2, line 7 is not a point, 3, 4 failed"; err != nil || got != want {
		t.Errorf("emitted %q, want %q (error %v)", got, want, err)
	}
}

// failing panics on one trajectory.
type failing struct{ method }

func (f failing) Match(ctx context.Context, samples []trajectory.Sample, pins []Pin) (*match.Result, error) {
	if len(samples) == 1 {
		panic("out of range")
	}
	return f.method.Match(ctx, samples, pins)
}

func TestAPanicCostsOnlyItsTrajectory(t *testing.T) {
	net := roadnettest.GridCity(15)
	in := trips(net, 3)
	in[1].Samples = in[1].Samples[:1]
	r := recoverer(t, net, nil)
	inner := r.newMethod
	r.newMethod = func() (method, error) {
		m, err := inner()
		return failing{m}, err
	}
	var failed []string
	err := r.Stream(context.Background(), trajectory.Each(in), nil, func(in *trajectory.Trajectory, _ *trajectory.Recovery, err error) error {
		if err != nil {
			failed = append(failed, err.Error())
		}
		return nil
	})
	if err != nil || len(failed) != 1 || !strings.Contains(failed[0], `"1": internal error: out of range`) {
		t.Errorf("failed %q, error %v", failed, err)
	}
}

func TestAPanicOfTheInputIsAnError(t *testing.T) {
	net := roadnettest.GridCity(15)
	source := func(yield func(*trajectory.Trajectory, error) bool) { panic("broken reader") }
	var got error
	err := recoverer(t, net, nil).Stream(context.Background(), source, nil, func(_ *trajectory.Trajectory, _ *trajectory.Recovery, err error) error {
		got = err
		return nil
	})
	if err != nil || got == nil || !strings.Contains(got.Error(), "broken reader") {
		t.Errorf("emitted %v, error %v", got, err)
	}
}

func TestStreamEndsWithTheErrorOfEmit(t *testing.T) {
	net := roadnettest.GridCity(15)
	full := errors.New("disk full")
	n := 0
	err := recoverer(t, net, nil).Stream(context.Background(), trajectory.Each(trips(net, 200)), nil, func(*trajectory.Trajectory, *trajectory.Recovery, error) error {
		n++
		return full
	})
	if !errors.Is(err, full) || n != 1 {
		t.Errorf("error %v after %d trajectories", err, n)
	}
}

func TestStreamStopsSoonWhenCancelled(t *testing.T) {
	net := roadnettest.GridCity(15)
	endless := func(yield func(*trajectory.Trajectory, error) bool) {
		for all := trips(net, 1); yield(all[0], nil); {
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	var asked time.Time
	err := recoverer(t, net, nil).Stream(ctx, endless, nil, func(*trajectory.Trajectory, *trajectory.Recovery, error) error {
		if n++; n == 10 {
			asked = time.Now()
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || n != 10 {
		t.Errorf("error %v after %d trajectories", err, n)
	}
	if d := time.Since(asked); d > 5*time.Second { // 0.2 s on an idle machine
		t.Errorf("stopped after %v", d)
	}
}

// A long trip looks at every step whether it is called off, to the last of its
// ticks, and ends at that look.
func TestALongTripIsCancelledAtAnyStep(t *testing.T) {
	net := roadnettest.GridCity(15)
	trip := trips(net, 1)[0]
	for len(trip.Samples) < 60 {
		last := trip.Samples[len(trip.Samples)-1]
		again := trip.Samples[len(trip.Samples)-5]
		again.Time = last.Time + 60_000
		trip.Samples = append(trip.Samples, again)
	}
	r := recoverer(t, net, func(s *Settings) { s.Tick = time.Second })
	whole := canceltest.Never()
	rec, err := r.Recover(whole, trip, nil)
	if err != nil {
		t.Fatal(err)
	}
	if least := len(rec.Ticks) + 3*len(trip.Samples); whole.Looks < least {
		t.Errorf("%d looks for %d ticks and %d samples", whole.Looks, len(rec.Ticks), len(trip.Samples))
	}
	for most := 0; most < whole.Looks; most += 1 + whole.Looks/150 {
		ctx := canceltest.After(most)
		if _, err := r.Recover(ctx, trip, nil); !errors.Is(err, context.Canceled) || ctx.Looks > most+1 {
			t.Fatalf("cancelled at look %d: error %v after %d", most, err, ctx.Looks)
		}
	}
}

// slow holds up the trajectory with the most samples until it is let go.
type slow struct {
	method
	letGo <-chan struct{}
}

func (s slow) Match(ctx context.Context, samples []trajectory.Sample, pins []Pin) (*match.Result, error) {
	if len(samples) == 7 {
		<-s.letGo
	}
	return s.method.Match(ctx, samples, pins)
}

func TestASlowTrajectoryHoldsUpNoOtherResult(t *testing.T) {
	net := roadnettest.GridCity(15)
	in := trips(net, 200) // more than are read ahead
	last := in[1].Samples[5]
	last.Time += 60_000
	in[1].Samples = append(in[1].Samples, last)
	in[5].Samples = nil
	letGo := make(chan struct{})
	r := recoverer(t, net, func(s *Settings) { s.Threads = 2 })
	inner := r.newMethod
	r.newMethod = func() (method, error) {
		m, err := inner()
		return slow{m, letGo}, err
	}
	var got []string
	failed := 0
	err := r.AsFinished(context.Background(), trajectory.Each(in), nil, func(in *trajectory.Trajectory, _ *trajectory.Recovery, err error) error {
		if got = append(got, in.ID); err != nil {
			failed++
		}
		if len(got) == 199 {
			close(letGo)
		}
		return nil
	})
	if err != nil || len(got) != 200 || got[199] != "1" || failed != 1 {
		t.Errorf("%d results, %d failed, %v; error %v", len(got), failed, got, err)
	}
}

// Whatever is in a trajectory costs no other one anything.
func TestBadSamplesCostOnlyTheirTrajectory(t *testing.T) {
	net := roadnettest.GridCity(5)
	in := trips(net, 6)
	want := trips(net, 6)
	for i := range in[1].Samples {
		in[1].Samples[i].Lon, in[1].Samples[i].Lat = math.NaN(), math.Inf(1)
	}
	in[2].Samples = slices.Repeat(in[2].Samples[:1], 100_000)
	slices.Reverse(in[3].Samples)
	in[4].Samples[5].Time = math.MaxInt64
	pins := func(t *trajectory.Trajectory) []Pin {
		if t.ID == "5" {
			panic("lost pins")
		}
		return nil
	}
	r := recoverer(t, net, func(s *Settings) { s.Threads = 2 })
	alone, err := r.Recover(context.Background(), want[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	var failed []string
	err = r.Stream(context.Background(), trajectory.Each(in), pins, func(in *trajectory.Trajectory, rec *trajectory.Recovery, err error) error {
		switch {
		case err != nil:
			failed = append(failed, err.Error())
		case in.ID == "0" && !reflect.DeepEqual(rec, alone):
			t.Error("the good trajectory has another result")
		case in.ID != "0" && len(rec.Warnings) == 0:
			t.Errorf("trajectory %s has no warning", in.ID)
		}
		return nil
	})
	if err != nil || len(failed) != 2 || !strings.HasPrefix(failed[0], `trajectory "4" spans`) || failed[1] != `trajectory "5": internal error: lost pins` {
		t.Errorf("failed %q, error %v", failed, err)
	}
}
