package rntrajrec

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/internal/canceltest"
)

// counting counts what is asked of a model, and calls off the work at a call.
type counting struct {
	nearest
	calls *atomic.Int64
	at    int64
	off   context.CancelFunc
}

func (c counting) Routes(in *RouteInput) (u, v []float32, err error) {
	if c.calls.Add(1) == c.at {
		c.off()
	}
	return c.nearest.Routes(in)
}

func (c counting) Times(in *TimeInput) (share, spread []float32, err error) {
	if c.calls.Add(1) == c.at {
		c.off()
	}
	return c.nearest.Times(in)
}

// toAndFro drives a long time between A and D.
func toAndFro(net *roadnettest.Net, samples int) []trajectory.Sample {
	var all []trajectory.Sample
	for i := range samples {
		p := []roadnet.Point{net.PointNear('A', 150, 4), net.PointNear('D', -150, 4)}[i%2]
		all = append(all, trajectory.Sample{Time: int64(i) * 240_000, Lon: p.Lon, Lat: p.Lat})
	}
	return all
}

// Once called off, none of the trips under way asks the model for anything more.
// Routes and times are asked for side by side: a call for the others may be on
// its way to the model while this one calls off.
func TestNothingIsAskedAfterACancel(t *testing.T) {
	net := block(t)
	for _, at := range []int64{1, 2, 5} {
		ctx, off := context.WithCancel(context.Background())
		c := counting{calls: new(atomic.Int64), at: at, off: off}
		d := decoder(t, net.Network, c)
		var all sync.WaitGroup
		var ended atomic.Int64
		for range 20 {
			all.Go(func() {
				for ctx.Err() == nil {
					d.Match(ctx, drive(net), nil)
				}
				if _, err := d.Match(ctx, drive(net), nil); errors.Is(err, context.Canceled) {
					ended.Add(1)
				}
			})
		}
		all.Wait()
		if n := c.calls.Load(); n < at || n > at+1 || ended.Load() != 20 {
			t.Errorf("called off at call %d, the model is asked %d times; %d of 20 trips say so", at, n, ended.Load())
		}
	}
}

// A long trip looks at every step of every gap whether it is called off, and
// ends at that look.
func TestALongTripIsCancelledAtAnyStep(t *testing.T) {
	net := block(t)
	samples := toAndFro(net, 40)
	d := decoder(t, net.Network, nearest{})
	whole := canceltest.Never()
	if _, err := d.Match(whole, samples, nil); err != nil {
		t.Fatal(err)
	}
	if gaps := len(samples) - 1; whole.Looks < 4*gaps { // two passes, the report, the pieces
		t.Errorf("%d looks in %d gaps", whole.Looks, gaps)
	}
	for most := 0; most < whole.Looks; most += 7 {
		ctx := canceltest.After(most)
		if _, err := d.Match(ctx, samples, nil); !errors.Is(err, context.Canceled) || ctx.Looks > most+1 {
			t.Fatalf("cancelled at look %d: error %v after %d", most, err, ctx.Looks)
		}
	}
}

// A long trip is asked about in several calls, with the same result.
func TestALongTripIsAskedAboutInParts(t *testing.T) {
	net := block(t)
	samples := toAndFro(net, 20)
	want, err := decoder(t, net.Network, nearest{}).Match(context.Background(), samples, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := counting{calls: new(atomic.Int64)}
	d := decoder(t, net.Network, c)
	d.routes.most, d.times.most = 1000, 16
	got, err := d.Match(context.Background(), samples, nil)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v in parts, %+v at once; error %v", got, want, err)
	}
	if n := c.calls.Load(); n < 12 {
		t.Errorf("%d calls", n)
	}
}
