package keeper

import (
	"context"
	"fmt"
	"testing"
	"time"

	"retrace/engine/flow"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// desk runs what a keeper hands to the window, until something holds.
type desk chan func()

func (d desk) until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	end := time.After(20 * time.Second)
	for !ok() {
		select {
		case f := <-d:
			f()
		case <-end:
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

func TestTheKeeperFollowsTheTrips(t *testing.T) {
	net := roadnettest.GridCity(6)
	var trips []flow.Trip
	for i := range 1500 {
		way := trajectory.Part{Segments: []roadnet.SegmentID{roadnet.SegmentID(i % net.NumSegments())}, EndRatio: 1}
		trips = append(trips, flow.Trip{ID: fmt.Sprint(i), Recovery: &trajectory.Recovery{Parts: []trajectory.Part{way}}})
	}
	d := make(desk, 100)
	k := New(func(f func()) { d <- f })
	changed := 0
	count := func() int {
		n, answered := 0, false
		Consult(k, "count", func(_ context.Context, x *flow.Index) (int, error) { return x.Len(), nil }, func(a int) { n, answered = a, true })
		d.until(t, "the count", func() bool { return answered })
		return n
	}
	if n := count(); n != 0 {
		t.Errorf("%d trips without a network", n)
	}
	feed := func(trips []flow.Trip) {
		before := changed
		k.Feed(net, func() []flow.Trip { return trips }, func() { changed++ })
		d.until(t, "the index has changed", func() bool { return changed > before })
	}
	feed(trips)
	if n := count(); n != 1500 {
		t.Errorf("%d trips", n)
	}
	feed(trips[:1000])
	if n := count(); n != 1000 {
		t.Errorf("%d trips after 500 were taken away", n)
	}
	before := changed
	k.Feed(net, func() []flow.Trip { return trips[:1000] }, func() { changed++ })
	if count(); changed != before {
		t.Error("the same trips are a change")
	}
	other := roadnettest.GridCity(6)
	k.Feed(other, func() []flow.Trip { return nil }, func() { changed++ })
	if n := count(); n != 0 {
		t.Errorf("%d trips on another network", n)
	}
}

// Who drove where takes memory: it is not kept while nobody asks.
func TestTheKeeperIsNotFedWhileNobodyAsks(t *testing.T) {
	net := roadnettest.GridCity(4)
	d := make(desk, 100)
	k := New(func(f func()) { d <- f })
	fed, changed := 0, 0
	feed := func(n int) {
		k.Feed(net, func() []flow.Trip {
			fed++
			way := trajectory.Part{Segments: []roadnet.SegmentID{0}, EndRatio: 1}
			return []flow.Trip{{ID: fmt.Sprint(n), Recovery: &trajectory.Recovery{Parts: []trajectory.Part{way}}}}
		}, func() { changed++ })
	}
	feed(1)
	if fed != 0 {
		t.Error("it is fed before anybody asks")
	}
	answered := false
	Consult(k, "count", func(_ context.Context, x *flow.Index) (int, error) { return x.Len(), nil }, func(n int) { answered = n == 1 })
	d.until(t, "the answer", func() bool { return answered && changed == 1 })
	feed(2)
	if fed != 1 {
		t.Errorf("fed %d times, the last after nobody asked any more", fed)
	}
}

func TestANewQuestionTakesThePlaceOfTheOld(t *testing.T) {
	net := roadnettest.GridCity(4)
	d := make(desk, 100)
	k := New(func(f func()) { d <- f })
	k.Feed(net, func() []flow.Trip { return nil }, func() {})
	started := make(chan bool)
	var answers []string
	ask := func(kind Kind, name string, question func(context.Context) error) {
		Consult(k, kind, func(ctx context.Context, _ *flow.Index) (string, error) { return name, question(ctx) },
			func(a string) { answers = append(answers, a) })
	}
	ask("links", "first", func(ctx context.Context) error {
		close(started)
		<-ctx.Done() // it would go on for ever
		return ctx.Err()
	})
	<-started
	ask("links", "second", func(context.Context) error { return nil })
	ask("links", "third", func(context.Context) error { return nil })
	ask("screen", "other", func(context.Context) error { return nil })
	d.until(t, "the answers", func() bool { return len(answers) == 2 })
	if answers[0] != "third" || answers[1] != "other" {
		t.Errorf("answered %v", answers)
	}
}
