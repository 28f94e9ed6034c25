package engine

import (
	"context"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// fork is a network with two ways of nearly one length from A to D, and a trip along the
// upper one whose samples lie at its ends.
func fork(t *testing.T) (*roadnettest.Net, *trajectory.Trajectory) {
	net := roadnettest.Draw(t, 100, `
		    +---B---+
		    |       |
		S---A       D---E
		    |       |
		    +---C---+
	`, "SA", "AB", "BD", "AC", "CD", "DE")
	trip := &trajectory.Trajectory{ID: "one"}
	for i, p := range []roadnet.Position{net.Pos("SA", 0.1), net.Pos("SA", 0.6), net.Pos("DE", 0.4), net.Pos("DE", 0.9)} {
		at := net.At(p)
		trip.Samples = append(trip.Samples, trajectory.Sample{Time: int64(i) * 90_000, Lon: at.Lon, Lat: at.Lat})
	}
	return net, trip
}

func judged(t *testing.T, net *roadnettest.Net, trip *trajectory.Trajectory, pins []Pin) *trajectory.Recovery {
	t.Helper()
	r, err := NewRecoverer(net.Network, DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	rec, err := r.Recover(context.Background(), trip, pins)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func TestEveryGapHasARisk(t *testing.T) {
	net, trip := fork(t)
	rec := judged(t, net, trip, nil)
	if len(rec.Doubts) != 3 {
		t.Fatalf("%d gaps have a risk, want 3", len(rec.Doubts))
	}
	for i, d := range rec.Doubts {
		if d.FromSample != uint32(i) || d.ToSample != uint32(i+1) || d.Risk < 0 || d.Risk > 1 || d.Error <= 0 || d.Along < 0 {
			t.Errorf("gap %d: %+v", i, d)
		}
	}
	if rec.Risk.Error <= 0 || rec.Risk.Wrong <= 0 || rec.Risk.Wrong >= 1 {
		t.Errorf("the trip: %+v", rec.Risk)
	}
}

// A gap that is one piece of road ends where a sample is seen: half way, there is doubt.
func TestThereIsDoubtAlongAGapOfOnePiece(t *testing.T) {
	net, trip := fork(t)
	for i, ratio := range []float64{0.1, 0.4, 0.7, 0.9} {
		at := net.At(net.Pos("SA", ratio))
		trip.Samples[i].Lon, trip.Samples[i].Lat = at.Lon, at.Lat
	}
	for _, d := range judged(t, net, trip, nil).Doubts {
		if d.Along < 5 {
			t.Errorf("from point %d on %g m of doubt along the way", d.FromSample, d.Along)
		}
	}
}

func TestAWayThatNoVehicleDrivesIsWarnedOf(t *testing.T) {
	net, trip := fork(t)
	for i := range trip.Samples {
		trip.Samples[i].Time /= 10 // 9 s for each gap
	}
	rec := judged(t, net, trip, nil)
	odd := false
	for _, d := range rec.Doubts {
		odd = odd || d.Odd.Has(trajectory.Speeds)
	}
	if said := len(rec.Warnings) > 0; !odd && len(rec.Gaps) == 0 || !said {
		t.Errorf("1 km in 9 s is not warned of: %q, %+v", rec.Warnings, rec.Doubts)
	}
}

func TestAPinIsCountedAnew(t *testing.T) {
	net, trip := fork(t)
	before := judged(t, net, trip, nil)
	after := judged(t, net, trip, []Pin{{Sample: 1, Segment: net.Seg("AC"), Forbid: true}, {Sample: 1, Segment: net.Seg("AB")}})
	if before.Doubts[0] == after.Doubts[0] || before.Risk == after.Risk {
		t.Errorf("after a pin the gap is %+v and the trip %+v, as before", after.Doubts[0], after.Risk)
	}
}
