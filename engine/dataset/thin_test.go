package dataset

import (
	"fmt"
	"slices"
	"testing"

	"retrace/engine/metrics"
	"retrace/engine/trajectory"
)

func longTrip(id string, samples int) *trajectory.Trajectory {
	t := &trajectory.Trajectory{ID: id}
	for i := range samples {
		t.Samples = append(t.Samples, trajectory.Sample{Time: int64(i) * 15_000})
	}
	return t
}

// Of such a share of the trips as is asked for only a stretch is taken, in each
// way another one, and always the same; the ends of a stretch are kept.
func TestStretches(t *testing.T) {
	s := settings()
	s.Stretches = 0.5
	cut, apart := 0, 0
	for i := range 400 {
		trip := longTrip(fmt.Sprint(i), 100)
		a, b := s.stretch(trip, 0), s.stretch(trip, 1)
		if len(a) < shortestStretch+5 || !slices.Equal(a, s.stretch(trip, 0)) {
			t.Fatalf("trip %d: a stretch of %d samples, want at least a quarter of 100, always the same", i, len(a))
		}
		if len(a) < 100 {
			cut++
		}
		if !slices.Equal(a, b) {
			apart++
		}
		kept := s.thinned(trip, 0).Samples
		if kept[0] != a[0] || kept[len(kept)-1] != a[len(a)-1] {
			t.Fatalf("trip %d: the ends of the stretch are not kept", i)
		}
	}
	if cut < 150 || cut > 250 || apart < 200 {
		t.Errorf("of 400 trips %d are cut and %d differ from one way of thinning to the other; want about 200 and 300", cut, apart)
	}
}

func TestNoStretchesUnlessAskedFor(t *testing.T) {
	s, trip := settings(), longTrip("whole", 100)
	if got := s.stretch(trip, 0); len(got) != 100 {
		t.Errorf("%d samples without stretches, want all 100", len(got))
	}
	s.Stretches = 1
	if short := longTrip("short", shortestStretch); len(s.stretch(short, 0)) != shortestStretch {
		t.Error("a short trip is cut")
	}
	want := metrics.Keep{Ratio: 1.0 / 8}.Thin(trip, s.Seed).Samples
	s.Stretches = 0
	if !slices.Equal(s.thinned(trip, 0).Samples, want) {
		t.Error("trips are thinned otherwise than by metrics.Keep")
	}
}
