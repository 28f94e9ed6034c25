package engine

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// halfway is where a vehicle is told in the middle of the gap whose first half has a
// traffic signal, metres from the start of that gap. The gaps around it are of so many
// metres, 100 s each.
func halfway(t *testing.T, steady float64, metres ...float64) float64 {
	t.Helper()
	n := roadnettest.Draw(t, 100, "A----------------------------S----------------------------B", "ASB", "S highway=traffic_signals")
	var samples []trajectory.Sample
	middle := n.PointNear('S', 0, 0)
	own := len(metres) / 2
	begin := -metres[own] / 4 // of the gap, from the signal
	at := begin
	for _, m := range metres[:own] {
		at -= m
	}
	samples = append(samples, trajectory.Sample{Time: start, Lon: n.PointNear('S', at, 0).Lon, Lat: middle.Lat})
	for i, m := range metres {
		at += m
		samples = append(samples, trajectory.Sample{Time: start + int64(i+1)*100_000, Lon: n.PointNear('S', at, 0).Lon, Lat: middle.Lat})
	}
	r := recoverer(t, n.Network, func(s *Settings) {
		s.Tick = 50_000_000_000
		s.Pace = EvenPace()
		s.Pace.Signal, s.Pace.Steady = 60, steady
	})
	rec, err := r.Recover(context.Background(), &trajectory.Trajectory{ID: "x", Samples: samples}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range rec.Ticks {
		if k.Time == start+int64(own)*100_000+50_000 {
			p := n.PointNear('S', begin, 0)
			return (k.Lon - p.Lon) * roadnet.Degree * math.Cos(p.Lat*math.Pi/180)
		}
	}
	t.Fatal("no tick in the middle of the gap")
	return 0
}

func TestASteadyVehicleHardlyWaitsAtASignal(t *testing.T) {
	alike := []float64{400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400}
	unlike := []float64{100, 700, 50, 600, 100, 400, 900, 80, 500, 60, 700}
	off := halfway(t, 0, alike...)
	steady := halfway(t, 1, alike...)
	taxi := halfway(t, 1, unlike...)
	short := halfway(t, 1, 400, 400, 400)
	if math.Abs(off-100) > 5 { // still at the signal, a quarter of the way along
		t.Fatalf("without it the vehicle is %.0f m along", off)
	}
	if steady < off+8 || steady > 195 { // 200 m at an even pace
		t.Errorf("a vehicle of one pace is %.0f m along", steady)
	}
	if math.Abs(taxi-off) > 1 {
		t.Errorf("a vehicle whose pace changes is %.0f m along, %.0f without", taxi, off)
	}
	if short >= steady || short < off {
		t.Errorf("three gaps of one pace put it %.0f m along, many %.0f", short, steady)
	}
}

// Whatever the gaps, the shares are in range, and the more alike paces are, the larger.
func TestStepsTowardsOnePaceMakeAGapMoreEven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logs := rapid.SliceOfN(rapid.Float64Range(-1, 3.5), 1, 40).Draw(t, "logarithms of pace")
		nearer := rapid.Float64Range(0, 1).Draw(t, "how near")
		line := func(scale float64) *timeline {
			l := &timeline{pace: Pace{Steady: 1}}
			for i, x := range logs {
				l.gaps = append(l.gaps, gap{begin: float64(i) * 60_000, end: float64(i+1) * 60_000, length: 60 * math.Exp(scale*x)})
			}
			l.steady()
			return l
		}
		far, near := line(1), line(nearer)
		for i := range logs {
			if e := far.gaps[i].even; !(e >= 0 && e <= evenMost) {
				t.Fatalf("gap %d of %v: %g of the time", i, logs, e)
			}
			if near.gaps[i].even < far.gaps[i].even-1e-9 {
				t.Errorf("gap %d of %v, paces %g as far apart: %g, less than %g", i, logs, nearer, near.gaps[i].even, far.gaps[i].even)
			}
		}
	})
}
