package flow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// block is a street with another way round it:
//
//	A---B---C---D
//	    |   |
//	    E---F
func block(t testing.TB) *roadnettest.Net {
	return roadnettest.Draw(t, 100, `
		A---B---C---D
		    |   |
		    E---F
	`, "AB name=Main_Street maxspeed=50", "BC", "CD", "BE", "EF", "FC")
}

// at is a trip with a sample at each end of some segments, from start on, that many
// seconds apart, which is certain.
func at(net *roadnettest.Net, id, vehicle string, from int64, seconds float64, segments ...string) Trip {
	p := trajectory.Part{EndRatio: 1}
	length := 0.0
	for _, s := range segments {
		p.Segments = append(p.Segments, net.Seg(s))
		length += net.Length(net.Seg(s))
	}
	return Trip{ID: id, Vehicle: vehicle, Recovery: &trajectory.Recovery{Trajectory: id, Parts: []trajectory.Part{p},
		Ticks: []trajectory.Tick{{Time: from * 1000, Observed: true}, {Time: from*1000 + int64(seconds*1000), Along: length, Observed: true, Sample: 1}}}}
}

// or gives a trip another way between its two samples.
func (t Trip) or(net *roadnettest.Net, own, other float32, segments ...string) Trip {
	p := trajectory.Part{EndRatio: 1}
	for _, s := range segments {
		p.Segments = append(p.Segments, net.Seg(s))
	}
	t.Recovery.Alternatives = append(t.Recovery.Alternatives, trajectory.Alternative{ToSample: 1, Part: p, Probability: other})
	t.Recovery.Doubts = []trajectory.Doubt{{ToSample: 1, Probability: own}}
	return t
}

// three are three trips along the street, one of which may have gone round by E and F
// with a chance of 0.3 against 0.6; two are of one vehicle.
func three(net *roadnettest.Net) []Trip {
	return []Trip{
		at(net, "one", "v1", start, 120, "AB", "BC", "CD").or(net, 0.6, 0.3, "AB", "BE", "EF", "FC", "CD"),
		at(net, "two", "v1", start+3600, 80, "AB", "BC", "CD"),
		at(net, "three", "v2", start+7200, 240, "AB", "BC", "CD"),
	}
}

func linksOf(net *roadnet.Network, s Study, trips []Trip) []LinkRow {
	study := NewLinkStudy(net, s)
	for _, t := range trips {
		study.Add(t)
	}
	return study.Rows()
}

func rowOf(t *testing.T, rows []LinkRow, segment roadnet.SegmentID) LinkRow {
	t.Helper()
	for _, r := range rows {
		if r.Segment == segment {
			return r
		}
	}
	t.Fatalf("no row of segment %d", segment)
	return LinkRow{}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-3*max(1, math.Abs(want)) {
		t.Errorf("%s is %.5f, want %.5f", what, got, want)
	}
}

func TestCountsAreSumsOfChances(t *testing.T) {
	net := block(t)
	rows := linksOf(net.Network, Study{}, three(net))
	for segment, want := range map[string]float64{"AB": 3, "BC": 2 + 2.0/3, "CD": 3, "BE": 1.0 / 3, "EF": 1.0 / 3, "FC": 1.0 / 3} {
		near(t, segment, rowOf(t, rows, net.Seg(segment)).Count.Mean, want)
	}
	if len(rows) != 6 {
		t.Errorf("%d rows, want those of 6 segments", len(rows))
	}
	bc := rowOf(t, rows, net.Seg("BC")).Count
	if bc.Told != 3 || bc.Trips != 3 || bc.Vehicles != 2 {
		t.Errorf("%+v, want 3 drives along the ways told, of 3 trips and 2 vehicles", bc)
	}
	near(t, "doubt", bc.Doubt, math.Sqrt(2.0/3/3))
	// v1 adds 2/3+1, v2 adds 1: the variance is (5/3)² + 1 + 2/9.
	want := Sums{Mean: 8.0 / 3, Squares: 25.0/9 + 1, Doubt: 2.0 / 9}.Interval(0.9)
	near(t, "low", bc.Low, want.Low)
	near(t, "high", bc.High, want.High)
	if be := rowOf(t, rows, net.Seg("BE")).Count; be.Told != 0 || be.Trips != 0 || be.Vehicles != 0 {
		t.Errorf("%+v: no way told drives there", be)
	}
}

// The speeds of the street's middle: 1200 m in 120, 80 and 240 s are 36, 54 and 18 km/h.
func TestSpeedsAreWeighedByChances(t *testing.T) {
	net := block(t)
	rows := linksOf(net.Network, Study{Percentiles: []float64{50}}, three(net))
	cd := rowOf(t, rows, net.Seg("CD")).Speeds
	// The other way is 400 m longer: 1600 m in 120 s are 48 km/h, with a chance of 1/3.
	// Mean: 3*400 m in 80/3 + 80 + 40*2/3 + 30/3 s.
	near(t, "mean", cd.Mean, 1200/(80.0/3+80+80.0/3+10)*3.6)
	// By weight 1, 2/3, 1/3, 1 of 18, 36, 48, 54: half of 3 lies between 36 (at 4/3) and 48 (at 11/6).
	near(t, "median", cd.Median, 36+12*(1.5-4.0/3)/(11.0/6-4.0/3))
	near(t, "asked", cd.Asked[0], cd.Median)
}

func TestCountsAreToldApartByTime(t *testing.T) {
	net := block(t)
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	calendar, err := NewCalendar(lisbon, []Unit{ByHour, ByWeekday}, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := linksOf(net.Network, Study{Calendar: calendar}, three(net))
	var got []string
	for _, r := range rows {
		if r.Segment == net.Seg("AB") {
			got = append(got, fmt.Sprintf("%s o'clock on day %s: %.0f", calendar.Label(r.Slot, 0), calendar.Label(r.Slot, 1), r.Count.Mean))
		}
	}
	if want := "[17 o'clock on day 4: 1 18 o'clock on day 4: 1 19 o'clock on day 4: 1]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
	one := linksOf(net.Network, Study{Filter: Filter{From: time.Unix(start+3600, 0), To: time.Unix(start+7200, 0)}}, three(net))
	near(t, "in one hour", rowOf(t, one, net.Seg("AB")).Count.Mean, 1)
	one = linksOf(net.Network, Study{Filter: Filter{Vehicles: map[string]bool{"v2": true}}}, three(net))
	near(t, "of one vehicle", rowOf(t, one, net.Seg("AB")).Count.Mean, 1)
}

func TestPeriodsAndUnitsAreReadOrRefused(t *testing.T) {
	for text, want := range map[string]string{"am=7-9": "{am 420 540}", "night=22:30-5": "{night 1350 300}", "late=20-24": "{late 1200 1440}"} {
		if s, err := ParseSpan(text); err != nil || fmt.Sprint(s) != want {
			t.Errorf("%s is %v, %v, want %s", text, s, err, want)
		}
	}
	for _, text := range []string{"", "7-9", "am=7", "am=7-7", "am=25-26", "=7-9", "am=a-b"} {
		if s, err := ParseSpan(text); err == nil {
			t.Errorf("%q is read as %v", text, s)
		}
	}
	for _, text := range []string{"hours", "hour,hour", "hour,weekday,date,month"} {
		if u, err := ParseUnits(text); err == nil {
			t.Errorf("%q is read as %v", text, u)
		}
	}
}

func TestFewVehiclesAndTheEndsOfTripsAreNotTold(t *testing.T) {
	net := block(t)
	rows := linksOf(net.Network, Study{MinVehicles: 2}, three(net))
	if ab, be := rowOf(t, rows, net.Seg("AB")), rowOf(t, rows, net.Seg("BE")); ab.Count.Withheld || !be.Count.Withheld || !math.IsNaN(be.Count.Mean) || !math.IsNaN(be.Speeds.Mean) {
		t.Errorf("of two vehicles %+v, of none %+v", ab, be)
	}
	// Of 1200 m, what begins between 300 and 900 m is left: BC at 400, CD at 800 m.
	rows = linksOf(net.Network, Study{Trim: 300}, three(net)[1:])
	if len(rows) != 2 || rowOf(t, rows, net.Seg("BC")).Count.Mean != 2 {
		t.Errorf("%+v, want BC and CD, twice each", rows)
	}
	if rows = linksOf(net.Network, Study{Trim: 700}, three(net)[1:]); len(rows) != 0 {
		t.Errorf("a trip shorter than what is cut tells %+v", rows)
	}
}

// Mid-p intervals of a Poisson mean, as their definition gives them: half of the
// chance of the count itself lies on either side.
func TestIntervalsOfVehiclesWithATripEachArePoisson(t *testing.T) {
	for n, want := range map[float64]Interval{0: {0, 2.302585}, 1: {0.100159, 4.113003}, 5: {2.216525, 9.936567}, 20: {13.621245, 28.519812}} {
		got := Sums{Mean: n, Squares: n}.Interval(0.9)
		near(t, fmt.Sprintf("low of %v", n), got.Low, want.Low)
		near(t, fmt.Sprintf("high of %v", n), got.High, want.High)
	}
}

// Of the vehicles of a Poisson number of trips each, nine of ten intervals hold the mean.
func TestIntervalsHoldTheMean(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	poisson := func(mean float64) int {
		n := 0
		for at := rng.ExpFloat64(); at < mean; at += rng.ExpFloat64() {
			n++
		}
		return n
	}
	for _, mean := range []float64{4, 15, 60} {
		held, runs := 0, 500
		for range runs {
			var s Sums
			for range poisson(mean) { // vehicles, of one to three trips, each with its doubt
				trips := 1 + rng.IntN(3)
				x := 0.0
				for range trips {
					p := 0.5 + rng.Float64()/2
					x += p
					s.Doubt += p * (1 - p)
				}
				s.Mean += x
				s.Squares += x * x
			}
			if i := s.Interval(0.9); i.Low <= mean*1.5 && mean*1.5 <= i.High {
				held++
			}
		}
		if share := float64(held) / float64(runs); share < 0.84 || share > 0.97 {
			t.Errorf("%.3f of intervals hold a mean of %v vehicles", share, mean)
		}
	}
}

func TestManyVehiclesAreCountedInLittleRoom(t *testing.T) {
	var g group
	for i := range 20000 {
		g.add(hash(fmt.Sprint("vehicle ", i%1000)), 1, true)
	}
	if g.count() != 1000 || g.squares() != 1000*20*20 {
		t.Errorf("%d vehicles, squares %v", g.count(), g.squares())
	}
	for i := range 3000 {
		g.add(hash(fmt.Sprint("vehicle ", i)), 1, true)
	}
	if n := g.count(); n < 2500 || n > 3500 || len(g.all) > mostVehicles {
		t.Errorf("about %d vehicles in %d places, want about 3000", n, len(g.all))
	}
}

// A hundred times the trips take no more memory: it is that of the result.
func TestMemoryIsBoundedByTheResult(t *testing.T) {
	net := roadnettest.GridCity(6)
	study := NewLinkStudy(net, Study{})
	rng := rand.New(rand.NewPCG(1, 1))
	var trips []Trip
	for i := range 200 {
		trip := randomTrip(net, rng, i)
		trip.Vehicle = fmt.Sprint(i)
		trips = append(trips, trip)
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	run := func(rounds int) {
		for range rounds {
			for _, trip := range trips {
				study.Add(trip)
			}
		}
	}
	run(1)
	before := heap()
	run(100)
	if grown := int64(heap()) - int64(before); grown > 1<<20 {
		t.Errorf("%d bytes more after 20,000 trips", grown)
	}
	runtime.KeepAlive(study)
}

func TestHoursAndDaysAreReadOrRefused(t *testing.T) {
	for text, want := range map[string]uint32{"": 0, "7-9,17": 1<<7 | 1<<8 | 1<<17, "22-2": 1<<22 | 1<<23 | 1 | 2, "0-24": 1<<24 - 1} {
		if got, err := ParseHours(text); err != nil || got != want {
			t.Errorf("hours %q are %b, %v, want %b", text, got, err, want)
		}
	}
	for text, want := range map[string]uint8{"": 0, "mon-fri": 0b0111110, "Sat-sun": 0b1000001, "wed": 8} {
		if got, err := ParseDays(text); err != nil || got != want {
			t.Errorf("days %q are %b, %v, want %b", text, got, err, want)
		}
	}
	for _, text := range []string{"7-", "24", "a", "7-25", "-3", "7-7"} {
		if got, err := ParseHours(text); err == nil {
			t.Errorf("hours %q are read as %b", text, got)
		}
	}
	for _, text := range []string{"monday", "mon-", "1"} {
		if got, err := ParseDays(text); err == nil {
			t.Errorf("days %q are read as %b", text, got)
		}
	}
}
