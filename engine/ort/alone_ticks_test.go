package ort

import (
	"context"
	"reflect"
	"testing"

	"retrace/engine"
	"retrace/engine/bundle"
	"retrace/engine/bundle/bundletest"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// A trip is recovered tick by tick to the very same, to the last bit, alone and among
// others of other lengths, on one thread and on several.
func TestTripsAloneAndTogetherAreTheSameByTicks(t *testing.T) {
	b, err := bundle.Read(bundletest.Both(t))
	if err != nil {
		t.Fatal(err)
	}
	m, net := wholeModel(t, b), roadnettest.GridCity(30)
	trips := walks(net, 9)
	s := engine.DefaultSettings()
	s.Method, s.Decoder, s.Model, s.Alternatives = engine.MethodRNTrajRec, engine.DecoderTicks, m.engine(b), 2
	s.UseRoads(net, nil)
	recover := func(threads int, trips []*trajectory.Trajectory) (all []*trajectory.Recovery) {
		s.Threads = threads
		r, err := engine.NewRecoverer(net, s)
		if err != nil {
			t.Fatal(err)
		}
		err = r.Stream(context.Background(), trajectory.Each(trips), nil, func(_ *trajectory.Trajectory, rec *trajectory.Recovery, err error) error {
			all = append(all, rec)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	together := recover(3, trips)
	for i, trip := range trips {
		alone := recover(1, trips[i:i+1])[0]
		if len(alone.Parts) != 1 || len(alone.Ticks) < 9 {
			t.Errorf("trip %s has %d parts, %d ticks", trip.ID, len(alone.Parts), len(alone.Ticks))
		}
		if !reflect.DeepEqual(alone, together[i]) {
			t.Errorf("trip %d is another one among others", i)
		}
	}
}
