package flow

import (
	"fmt"
	"math"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

func TestTravelTimesOfThoseWhoDroveACorridor(t *testing.T) {
	net := block(t)
	corridor, err := CorridorBetween(net.Network, []roadnet.Point{net.PointNear('A', 10, 3), net.PointNear('D', -10, 3)})
	if err != nil {
		t.Fatal(err)
	}
	if got := net.Path(corridor.Segments); got != net.Path([]roadnet.SegmentID{net.Seg("AB"), net.Seg("BC"), net.Seg("CD")}) {
		t.Fatalf("the corridor is %s", got)
	}
	near(t, "length", corridor.Length, 1200)
	study := NewCorridorStudy(net.Network, Study{Percentiles: []float64{50}}, corridor, 0.6)
	for _, trip := range []Trip{
		at(net, "1", "a", start, 100, "AB", "BC", "CD"),
		at(net, "2", "a", start, 120, "AB", "BC", "CD"),
		at(net, "3", "b", start, 200, "AB", "BC", "CD"),
		at(net, "4", "c", start, 80, "AB", "BC"),                          // 800 of 1200 m: 120 s for the whole
		at(net, "5", "d", start, 10, "AB"),                                // too little
		at(net, "6", "d", start, 100, "AB", "BE", "EF", "FC", "CD"),       // another way
		at(net, "7", "d", start, 100, "DC", "CB", "BA"),                   // the other direction
		at(net, "8", "d", start, 100, "EB", "BC", "CD", "DC", "CB", "BA"), // 800 m, then back: of 1800 m in 100 s
	} {
		study.Add(trip)
	}
	rows := study.Rows()
	if len(rows) != 1 || rows[0].Drives != 5 || rows[0].Vehicles != 4 {
		t.Fatalf("%+v, want 5 drives of 4 vehicles", rows)
	}
	r := rows[0]
	last := 100 * 800.0 / 2200 * 1.5 // EB 200 m, to D 800 m, back 1200 m
	near(t, "mean", r.Mean, (100+120+200+120+last)/5)
	near(t, "median", r.Median, 120)
	near(t, "asked", r.Asked[0], 120)
	near(t, "speed", r.Speed, 1200/r.Mean*3.6)
	near(t, "buffer index", r.Buffer, (r.P95-r.Mean)/r.Mean)
	near(t, "planning time index", r.Planning, r.P95/corridor.FreeFlow)
	near(t, "LOTTR", r.LOTTR, r.P80/120)
	if !(r.Interval.Low < r.Mean && r.Mean < r.Interval.High) {
		t.Errorf("the interval %v of %v", r.Interval, r.Mean)
	}
}

// Drives of 100 and 140 s of two vehicles: the deviations are 20 s, so the variance of
// the mean is (400+400)·2/4 = 400, and Student's 95th percentile with one degree is 6.3138.
func TestIntervalsOfTravelTimes(t *testing.T) {
	net := block(t)
	corridor, err := NewCorridor(net.Network, []roadnet.SegmentID{net.Seg("AB"), net.Seg("BC")})
	if err != nil {
		t.Fatal(err)
	}
	study := NewCorridorStudy(net.Network, Study{}, corridor, 1)
	study.Add(at(net, "1", "a", start, 100, "AB", "BC"))
	study.Add(at(net, "2", "b", start, 140, "AB", "BC"))
	r := study.Rows()[0]
	near(t, "high", r.Interval.High, 120+6.31375*20)
	near(t, "low", r.Interval.Low, max(0, 120-6.31375*20))
	study = NewCorridorStudy(net.Network, Study{MinVehicles: 3}, corridor, 1)
	study.Add(at(net, "1", "a", start, 100, "AB", "BC"))
	if r := study.Rows()[0]; !r.Withheld || !math.IsNaN(r.P95) || r.Drives != -1 {
		t.Errorf("of one vehicle: %+v", r)
	}
	if _, err := NewCorridor(net.Network, []roadnet.SegmentID{net.Seg("AB"), net.Seg("CD")}); err == nil {
		t.Error("a corridor with a hole is taken")
	}
	if _, err := CorridorBetween(net.Network, []roadnet.Point{net.Point('A'), {}}); err == nil {
		t.Error("a place far from any road is taken")
	}
}

func TestDoubtAboutWhenIsLargestBetweenSamples(t *testing.T) {
	r := &trajectory.Recovery{Ticks: []trajectory.Tick{{Time: 0, Observed: true}, {Time: 50_000}, {Time: 100_000, Observed: true, Sample: 1}},
		Doubts: []trajectory.Doubt{{ToSample: 1, Along: 40}}}
	for at, want := range map[float64]float64{0: 0, 50: 40, 75: 20, 100: 0, 200: 0} {
		near(t, fmt.Sprint("doubt at ", at), alongDoubt(r, at), want)
	}
}

// Twelve drives in ten days before, thirty in ten after: 1.2 and 3 a day.
func TestDifferencesHaveIntervals(t *testing.T) {
	before := Count{Mean: 12, Interval: Interval{6, 20}}
	after := Count{Mean: 30, Interval: Interval{22, 40}}
	d := Differ(before, after, 10, 10)
	near(t, "difference", d.Mean, 1.8)
	near(t, "low", d.Low, 1.8-math.Hypot(0.8, 0.8))
	near(t, "high", d.High, 1.8+math.Hypot(1, 0.6))
	if d.Chance {
		t.Error("an interval from 0.67 on holds no 0")
	}
	if d := Differ(before, before, 10, 10); !d.Chance || d.Mean != 0 {
		t.Errorf("no difference at all: %+v", d)
	}
	if d := Differ(before, withheld(), 10, 10); !d.Withheld || !math.IsNaN(d.Low) {
		t.Errorf("one withheld: %+v", d)
	}
}

func TestLinksAreComparedWhereOneOfTwoPeriodsHasThem(t *testing.T) {
	net := block(t)
	before, after := NewLinkStudy(net.Network, Study{}), NewLinkStudy(net.Network, Study{})
	for i := range 30 {
		before.Add(at(net, fmt.Sprint(i), fmt.Sprint(i), start, 100, "AB", "BC"))
		after.Add(at(net, fmt.Sprint(i), fmt.Sprint(i), start, 100, "AB", "BE"))
	}
	rows := Compare(before, after, 1, 1)
	got := map[roadnet.SegmentID]CompareRow{}
	for _, r := range rows {
		got[r.Segment] = r
	}
	ab, bc, be := got[net.Seg("AB")], got[net.Seg("BC")], got[net.Seg("BE")]
	if len(rows) != 3 || !ab.Difference.Chance || bc.Difference.Chance || bc.Difference.Mean != -30 || be.Difference.Mean != 30 || be.Before.High < 2 {
		t.Errorf("%+v", rows)
	}
}
