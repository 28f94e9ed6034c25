// Package simulate makes trips over a road network with exact truth: where the
// vehicle was at every instant, on which deck, and what a receiver with the
// errors of a real one would have reported.
//
// A driver chooses a route by costs of their own (perturbed times, a preference
// for some classes of road, more or less familiarity), sometimes by a detour, a
// missed turn or a U-turn; drives it within limits of speed and acceleration,
// with peak hours, queues, signals, signs and stops for passengers; and is seen
// by a receiver whose error is correlated in time, larger between houses and
// below decks, with outliers and gaps. The numbers behind all this are a
// [Profile]; docs/simulator.md shows simulated beside real trips.
package simulate

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/internal/inorder"
)

// Options says which trips to make. Zero fields stand for what is said at each.
type Options struct {
	Seed    uint64
	Count   int           // trips
	Tick    time.Duration // between the instants of Dense and Truth; 15 s
	MinGap  time.Duration // between two samples of Trajectory; 60 s
	MaxGap  time.Duration // 180 s
	First   time.Time     // day on which the first trips start; 6 May 2024
	Days    int           // over how many days they start; 7
	Threads int           // trips made at once; one a core
	Profile *Profile      // of drivers and receivers; DefaultProfile
}

// withDefaults fills in what is zero and says what is out of range.
func (o Options) withDefaults() (Options, error) {
	if o.Tick == 0 {
		o.Tick = 15 * time.Second
	}
	if o.MinGap == 0 && o.MaxGap == 0 {
		o.MinGap, o.MaxGap = time.Minute, 3*time.Minute
	}
	if o.First.IsZero() {
		o.First = time.Date(2024, time.May, 6, 0, 0, 0, 0, time.UTC)
	}
	if o.Days == 0 {
		o.Days = 7
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Profile == nil {
		o.Profile = DefaultProfile()
	}
	switch {
	case o.Count < 0:
		return o, fmt.Errorf("simulate: count is %d, want 0 or more", o.Count)
	case o.Tick < time.Millisecond || o.Tick%time.Millisecond != 0:
		return o, fmt.Errorf("simulate: tick is %v, want whole milliseconds, at least one", o.Tick)
	case o.MinGap < 0 || o.MaxGap < o.MinGap:
		return o, fmt.Errorf("simulate: gaps are %v to %v, want the first to be the smaller", o.MinGap, o.MaxGap)
	case o.Days < 1 || o.Threads < 1:
		return o, fmt.Errorf("simulate: %d days, %d threads, want at least one of each", o.Days, o.Threads)
	}
	return o, nil
}

// Trip is one simulated trip.
type Trip struct {
	Trajectory *trajectory.Trajectory // sparse samples with GPS error
	Dense      *trajectory.Trajectory // what the receiver reported at the ticks; gaps are left out
	Truth      *trajectory.Recovery   // exact: every tick of the trip and the driven path
}

// Trips makes trips over a network. Each depends on the seed and its number
// alone, so the same options give the same trips in the same order. An error
// ends the sequence: options out of range, a network on which no trip can be
// made, or ctx done.
func Trips(ctx context.Context, net *roadnet.Network, o Options) iter.Seq2[Trip, error] {
	return func(yield func(Trip, error) bool) {
		o, err := o.withDefaults()
		if err != nil {
			yield(Trip{}, err)
			return
		}
		w, err := newWorld(net, o)
		if err != nil {
			yield(Trip{}, err)
			return
		}
		w.run(ctx, yield)
	}
}

// run makes the trips on several threads and yields them in order.
func (w *world) run(ctx context.Context, yield func(Trip, error) bool) {
	idle := make(chan *maker, w.options.Threads)
	for range w.options.Threads {
		idle <- newMaker(w)
	}
	trips := inorder.Start(ctx, w.options.Threads, func(submit func(int) error) error {
		for number := range w.options.Count {
			if err := submit(number); err != nil {
				return err
			}
		}
		return nil
	}, func(number int) (Trip, error) {
		m := <-idle
		defer func() { idle <- m }()
		return m.trip(number)
	})
	defer trips.Stop()
	for {
		trip, ok, err := trips.Next()
		if ctx.Err() != nil {
			trip, err = Trip{}, ctx.Err()
		}
		if err != nil {
			yield(trip, err)
			return
		}
		if !ok || !yield(trip, nil) {
			return
		}
	}
}
