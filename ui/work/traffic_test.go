package work

import (
	"context"
	"errors"
	"testing"

	"retrace/engine"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/ui/state"
	"retrace/ui/task"
)

func TestTrafficIsGatheredOnceForTheSameTrips(t *testing.T) {
	net := roadnettest.Draw(t, 100, `
	    A---B---C
	`, "ABC highway=primary")
	trip := func(id string) *trajectory.Trajectory {
		a, b := net.PointNear('A', 50, 2), net.PointNear('C', -50, 2)
		return &trajectory.Trajectory{ID: id, Samples: []trajectory.Sample{
			{Time: 0, Lon: a.Lon, Lat: a.Lat}, {Time: 60_000, Lon: b.Lon, Lat: b.Lat}}}
	}
	var s trafficShelf
	reports := 0
	gather := func(ctx context.Context, trips ...*trajectory.Trajectory) (any, error) {
		var all []*state.Journey
		for _, t := range trips {
			all = append(all, state.NewJourney(t))
		}
		return s.gather(ctx, net.Network, all, engine.DefaultSettings(), func(task.Progress) { reports++ })
	}
	first, err := gather(context.Background(), trip("a"), trip("b"))
	if err != nil || reports != 2 {
		t.Fatalf("%d reports, error %v", reports, err)
	}
	if again, _ := gather(context.Background(), trip("a"), trip("b")); again != first || reports != 2 {
		t.Error("the same trips were looked at twice")
	}
	if other, _ := gather(context.Background(), trip("a"), trip("c")); other == first {
		t.Error("other trips tell the same")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := gather(ctx, trip("d"), trip("e")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}
