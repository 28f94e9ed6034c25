package simulate

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// collect makes trips, which must succeed.
func collect(t testing.TB, net *roadnet.Network, o Options) []Trip {
	t.Helper()
	var trips []Trip
	for trip, err := range Trips(context.Background(), net, o) {
		if err != nil {
			t.Fatal(err)
		}
		trips = append(trips, trip)
	}
	return trips
}

func TestSameSeedSameTrips(t *testing.T) {
	net := roadnettest.Random(3, 14)
	one := collect(t, net, Options{Seed: 5, Count: 20, Threads: 1})
	many := collect(t, net, Options{Seed: 5, Count: 20, Threads: 4})
	if d := cmp.Diff(one, many); d != "" {
		t.Errorf("trips depend on the number of threads:\n%s", d)
	}
	other := collect(t, net, Options{Seed: 6, Count: 1})
	if cmp.Equal(one[0].Trajectory.Samples, other[0].Trajectory.Samples) {
		t.Error("two seeds give the same first trip")
	}
}

func TestTripsOverTheCity(t *testing.T) {
	net := cityNetwork(t)
	t.Run("drive", func(t *testing.T) { checkDrives(t, net) })
	t.Run("acceleration", func(t *testing.T) { checkAcceleration(t, net) })
	t.Run("decks", func(t *testing.T) { checkDecks(t, net) })
}

func checkDrives(t *testing.T, net *roadnet.Network) {
	for _, trip := range collect(t, net, Options{Seed: 1, Count: 60, Tick: time.Second}) {
		part := trip.Truth.Parts[0]
		if !net.Drivable(part.Segments) {
			t.Errorf("%s: the path cannot be driven", trip.Truth.Trajectory)
		}
		checkTicks(t, net, trip.Truth)
	}
}

// checkTicks checks that the ticks run along the path at speeds of a car.
func checkTicks(t *testing.T, net *roadnet.Network, truth *trajectory.Recovery) {
	t.Helper()
	part := truth.Parts[0]
	k, start := 0, -part.StartRatio*net.Length(part.Segments[0])
	for i, tick := range truth.Ticks {
		if i > 0 {
			before := truth.Ticks[i-1]
			step := tick.Along - before.Along
			if tick.Time != before.Time+1000 || step < 0 || step > 40 {
				t.Fatalf("%s: tick %d: %.1f m in %d ms", truth.Trajectory, i, step, tick.Time-before.Time)
			}
		}
		// A tick on the border of two segments may lie on either.
		const border = 0.01
		for k+1 < len(part.Segments) && start+net.Length(part.Segments[k]) < tick.Along-border {
			start += net.Length(part.Segments[k])
			k++
		}
		j, at := k, start
		for j+1 < len(part.Segments) && part.Segments[j] != tick.At.Segment && at+net.Length(part.Segments[j]) < tick.Along+border {
			at += net.Length(part.Segments[j])
			j++
		}
		if off := at + tick.At.Ratio*net.Length(tick.At.Segment) - tick.Along; part.Segments[j] != tick.At.Segment || math.Abs(off) > 2*border {
			t.Fatalf("%s: tick %d lies on segment %d, %.1f m along the path is segment %d", truth.Trajectory, i, tick.At.Segment, tick.Along, part.Segments[j])
		}
		if tick.Layer != net.Layer(tick.At.Segment) {
			t.Fatalf("%s: tick %d: layer %d on a segment of layer %d", truth.Trajectory, i, tick.Layer, net.Layer(tick.At.Segment))
		}
	}
}

func checkAcceleration(t *testing.T, net *roadnet.Network) {
	p := DefaultProfile()
	for _, trip := range collect(t, net, Options{Seed: 2, Count: 30, Tick: 500 * time.Millisecond, Profile: p}) {
		ticks := trip.Truth.Ticks
		for i := 2; i < len(ticks); i++ {
			a := ((ticks[i].Along - ticks[i-1].Along) - (ticks[i-1].Along - ticks[i-2].Along)) / 0.25
			// Positions are worked out every few metres, so slow starts are a little coarse.
			if a > p.Accelerate+1.2 || a < -p.Brake-1.2 {
				t.Fatalf("%s: tick %d: %.2f m/s²", trip.Truth.Trajectory, i, a)
			}
		}
	}
}

func checkDecks(t *testing.T, net *roadnet.Network) {
	var on [4]int
	for _, trip := range collect(t, net, Options{Seed: 1, Count: 100}) {
		var seen [4]bool
		for _, tick := range trip.Truth.Ticks {
			seen[tick.Deck] = true
		}
		for d, yes := range seen {
			if yes {
				on[d]++
			}
		}
	}
	if on[trajectory.Ground] < 95 || on[trajectory.OnDeck] < 20 || on[trajectory.Below] < 15 {
		t.Errorf("of 100 trips %d are on the ground, %d on a deck, %d below one; want at least 95, 20, 15",
			on[trajectory.Ground], on[trajectory.OnDeck], on[trajectory.Below])
	}
}

func TestSparseSamplesAreThoseOfTheTruth(t *testing.T) {
	net := roadnettest.GridCity(30)
	for _, trip := range collect(t, net, Options{Seed: 9, Count: 40, MinGap: time.Minute, MaxGap: 2 * time.Minute}) {
		sparse, truth := trip.Trajectory.Samples, trip.Truth.Ticks
		if sparse[0].Time != truth[0].Time || sparse[len(sparse)-1].Time != truth[len(truth)-1].Time {
			t.Errorf("%s: the ends are not kept", trip.Truth.Trajectory)
		}
		observed := 0
		for _, tick := range truth {
			if !tick.Observed {
				continue
			}
			if s := sparse[tick.Sample]; s.Time != tick.Time || int(tick.Sample) != observed {
				t.Errorf("%s: tick at %d names sample %d at %d", trip.Truth.Trajectory, tick.Time, tick.Sample, s.Time)
			}
			observed++
		}
		if observed != len(sparse) {
			t.Errorf("%s: %d ticks are marked as observed, there are %d samples", trip.Truth.Trajectory, observed, len(sparse))
		}
		for i := 1; i < len(sparse)-1; i++ {
			if gap := sparse[i].Time - sparse[i-1].Time; gap < 60_000 {
				t.Errorf("%s: samples %d ms apart, want at least 60000", trip.Truth.Trajectory, gap)
			}
		}
	}
}

func TestReceiverErrorIsAsTheProfileSays(t *testing.T) {
	net := roadnettest.GridCity(30)
	p := DefaultProfile()
	p.Canyon, p.UnderDeck, p.Outlier, p.Gap, p.Noise, p.Drift = 1, 1, 0, 0, 3, 4
	sum, n := 0.0, 0.0
	for _, trip := range collect(t, net, Options{Seed: 4, Count: 300, Profile: p}) {
		for i, s := range trip.Dense.Samples {
			tick := trip.Truth.Ticks[i]
			north := (s.Lat - tick.Lat) * roadnet.EarthRadius * math.Pi / 180
			sum, n = sum+north*north, n+1
		}
	}
	if rms := math.Sqrt(sum / n); math.Abs(rms-5) > 0.25 {
		t.Errorf("error to the north is %.2f m, want 5", rms)
	}
}

func TestTripsEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	n := 0
	var last error
	for _, err := range Trips(ctx, roadnettest.GridCity(12), Options{Count: 1_000_000}) {
		if last = err; err != nil {
			break
		}
		if n++; n == 3 {
			cancel()
		}
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("after cancelling, the sequence ended with %v", last)
	}
}

func TestNoRoadsNoTrips(t *testing.T) {
	net, _, err := roadnet.NewBuilder().Build(context.Background(), roadnet.Info{Name: "void"})
	if err != nil {
		t.Skip("an empty network cannot be built")
	}
	for _, err := range Trips(context.Background(), net, Options{Count: 1}) {
		if err == nil {
			t.Error("a trip on a network without roads")
		}
	}
}

func TestOptionsOutOfRangeAreRefused(t *testing.T) {
	net := roadnettest.GridCity(4)
	for _, o := range []Options{{Count: -1}, {Count: 1, Tick: time.Microsecond}, {Count: 1, MinGap: time.Hour, MaxGap: time.Minute}, {Count: 1, Days: -1}} {
		for _, err := range Trips(context.Background(), net, o) {
			if err == nil {
				t.Errorf("%+v was taken", o)
			}
		}
	}
}

// BenchmarkTrips measures ticks a second at a tick of a second.
func BenchmarkTrips(b *testing.B) {
	net := cityNetwork(b)
	for _, tick := range []time.Duration{time.Second, 15 * time.Second} {
		b.Run(tick.String(), func(b *testing.B) {
			ticks := 0
			for trip, err := range Trips(context.Background(), net, Options{Seed: 1, Count: b.N, Tick: tick}) {
				if err != nil {
					b.Fatal(err)
				}
				ticks += len(trip.Truth.Ticks)
			}
			b.ReportMetric(float64(ticks)/b.Elapsed().Seconds(), "ticks/s")
		})
	}
}

// Steady drivers keep closer to an even pace than taxis do, and stand less.
func TestSteadyDrivers(t *testing.T) {
	net := cityNetwork(t)
	steady := DefaultProfile()
	steady.Steady = 1
	taxis, stand := uneven(collect(t, net, Options{Seed: 9, Count: 150}))
	others, standing := uneven(collect(t, net, Options{Seed: 9, Count: 150, Profile: steady}))
	if others > 0.8*taxis || standing > 0.7*stand {
		t.Errorf("an even pace is off by %.1f s for taxis and %.1f s for steady drivers, who stand for %.0f %% and %.0f %% of the time",
			taxis, others, 100*stand, 100*standing)
	}
}

// uneven is how far, in seconds of their mean speed, trips are from an even pace
// over every two minutes of them, and the share of ticks at which they stand.
func uneven(trips []Trip) (seconds, standing float64) {
	off, driven, stood, n := 0.0, 0.0, 0, 0
	for _, trip := range trips {
		ticks := trip.Truth.Ticks
		for i := 4; i+4 < len(ticks); i++ {
			off += math.Abs(ticks[i].Along - (ticks[i-4].Along+ticks[i+4].Along)/2)
			driven += (ticks[i+4].Along - ticks[i-4].Along) / 120
			if ticks[i].Along-ticks[i-1].Along < 1 {
				stood++
			}
			n++
		}
	}
	return off / driven, float64(stood) / float64(n)
}
