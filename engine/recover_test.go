package engine

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

const start = 1_700_000_000_000

// at is a sample some metres east and north of a letter, seconds after the start.
func at(n *roadnettest.Net, second int64, letter rune, east, north float64) trajectory.Sample {
	p := n.PointNear(letter, east, north)
	return trajectory.Sample{Time: start + second*1000, Lon: p.Lon, Lat: p.Lat}
}

func recoverer(t *testing.T, net *roadnet.Network, change func(*Settings)) *Recoverer {
	t.Helper()
	s := DefaultSettings()
	s.Version = "test"
	if change != nil {
		change(&s)
	}
	r, err := NewRecoverer(net, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func recovered(t *testing.T, n *roadnettest.Net, samples ...trajectory.Sample) *trajectory.Recovery {
	t.Helper()
	rec, err := recoverer(t, n.Network, nil).Recover(context.Background(), &trajectory.Trajectory{ID: "x", Samples: samples}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// seconds are the instants of the ticks since the start.
func seconds(rec *trajectory.Recovery) []int64 {
	var out []int64
	for _, k := range rec.Ticks {
		out = append(out, (k.Time-start)/1000)
	}
	return out
}

func wantSeconds(t *testing.T, rec *trajectory.Recovery, want ...int64) {
	t.Helper()
	got := seconds(rec)
	if len(got) != len(want) {
		t.Fatalf("ticks at %v, want %v", got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("ticks at %v, want %v", got, want)
		}
	}
}

func TestTicksAreRegularAndAtEveryInputInstant(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A--------------------B", "AB")
	rec := recovered(t, n, at(n, 0, 'A', 100, 0), at(n, 40, 'A', 500, 0), at(n, 50, 'A', 600, 3000), at(n, 75, 'A', 900, 0))
	wantSeconds(t, rec, 0, 15, 30, 40, 45, 50, 60, 75)
	for i, observed := range []bool{true, false, false, true, false, true, false, true} {
		if rec.Ticks[i].Observed != observed {
			t.Errorf("tick %d observed %v", i, rec.Ticks[i].Observed)
		}
	}
	if k := rec.Ticks[5]; k.Sample != 2 || rec.Matches[2].State != trajectory.OffRoad {
		t.Errorf("the instant of the point off the road is sample %d", k.Sample)
	}
	if k := rec.Ticks[3]; math.Abs(k.Along-400) > 1 || k.Probability < 0.5 {
		t.Errorf("at the second point the vehicle is at %.1f m with %.2f", k.Along, k.Probability)
	}
}

func TestTicksBeginAndEndWithTheMatchedPoints(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A--------------------B", "AB")
	rec := recovered(t, n, at(n, 0, 'A', 0, 3000), at(n, 20, 'A', 300, 0), at(n, 50, 'A', 600, 0), at(n, 90, 'A', 0, 3000))
	wantSeconds(t, rec, 20, 30, 45, 50)
}

func TestOnePointGivesOneTick(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A--------------------B", "AB")
	rec := recovered(t, n, at(n, 7, 'A', 300, 4))
	wantSeconds(t, rec, 7)
	if len(rec.Parts) != 1 || len(rec.Parts[0].Segments) != 1 || rec.Parts[0].StartRatio != rec.Parts[0].EndRatio {
		t.Errorf("parts %+v", rec.Parts)
	}
}

func TestPointsFarFromEveryRoadGiveAWarning(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A--------------------B", "AB")
	rec := recovered(t, n, at(n, 7, 'A', 300, 4000), at(n, 70, 'A', 300, 4000))
	if len(rec.Parts) != 0 || len(rec.Ticks) != 0 || len(rec.Warnings) != 1 || !strings.Contains(rec.Warnings[0], "2 of 2 points") {
		t.Errorf("parts %v, ticks %v, warnings %q", rec.Parts, rec.Ticks, rec.Warnings)
	}
}

func TestABreakIsANewPartAndAWarning(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A--------B    C--------D", "AB", "CD")
	rec := recovered(t, n, at(n, 0, 'A', 100, 0), at(n, 60, 'A', 500, 0), at(n, 90, 'B', -100, 0),
		at(n, 150, 'C', 200, 0), at(n, 200, 'C', 500, 0), at(n, 230, 'D', -100, 0))
	if len(rec.Parts) != 2 || len(rec.Warnings) != 1 || !strings.Contains(rec.Warnings[0], "from point 3 to point 4") {
		t.Fatalf("parts %+v, warnings %q", rec.Parts, rec.Warnings)
	}
	wantSeconds(t, rec, 0, 15, 30, 45, 60, 75, 90, 150, 165, 180, 195, 200, 210, 225, 230)
	for _, k := range rec.Ticks {
		if want := int32(0); k.Time >= start+150_000 && k.Part != 1 || k.Time <= start+90_000 && k.Part != want {
			t.Errorf("tick at %d s is in part %d", (k.Time-start)/1000, k.Part)
		}
	}
}

func TestTheVehicleWaitsAtASignal(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A----------M----------B", "AMB", "M highway=traffic_signals")
	free := roadnettest.Draw(t, 100, "A----------M----------B", "AMB")
	samples := func(n *roadnettest.Net) []trajectory.Sample {
		return []trajectory.Sample{at(n, 0, 'A', 100, 0), at(n, 150, 'B', -100, 0)}
	}
	waits, passes := 0, 0
	for i, k := range recovered(t, n, samples(n)...).Ticks {
		other := recovered(t, free, samples(free)...).Ticks[i]
		if k.Along < 1000 {
			waits += btoi(k.Along > other.Along+0.5) // earlier, to have time for the wait
		} else {
			passes += btoi(k.Along < other.Along-0.5)
		}
	}
	if waits == 0 || passes == 0 {
		t.Errorf("%d ticks are earlier before the signal, %d later after it", waits, passes)
	}
}

// At an even pace half of the way takes half of the time, whatever lies on it.
func TestAnEvenPaceWaitsNowhere(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A----S---------------B", "ASB", "S highway=traffic_signals")
	samples := []trajectory.Sample{at(n, 0, 'A', 100, 0), at(n, 90, 'A', 1100, 0), at(n, 120, 'A', 1900, 0)}
	rec, err := recoverer(t, n.Network, func(s *Settings) { s.Pace = EvenPace(); s.Pace.Others = 0 }).
		Recover(context.Background(), &trajectory.Trajectory{ID: "x", Samples: samples}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if middle := rec.Ticks[3]; middle.Time != start+45_000 || math.Abs(middle.Along-500) > 1 {
		t.Errorf("half of the gap's 1000 m after half of its time, not %+v", middle)
	}
}

func TestProbabilityFallsWithTheDoubtAboutTheTime(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A------B------C------D------E", "AB", "BC", "CD", "DE")
	rec := recovered(t, n, at(n, 0, 'A', 300, 0), at(n, 240, 'D', 300, 0))
	byTime := make(map[int64]trajectory.Tick)
	for _, k := range rec.Ticks {
		byTime[(k.Time-start)/1000] = k
	}
	first, early, middle, late, last := byTime[0], byTime[15], byTime[120], byTime[225], byTime[240]
	if first.Probability < 0.9 || last.Probability < 0.9 {
		t.Errorf("at the samples the probability is %.2f and %.2f", first.Probability, last.Probability)
	}
	if middle.Probability > 0.8*early.Probability || middle.Probability > 0.8*late.Probability || middle.Probability < 0.2 {
		t.Errorf("the probability is %.2f early, %.2f in the middle, %.2f late", early.Probability, middle.Probability, late.Probability)
	}
}

func TestAVehicleThatStandsIsSurelyThere(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A--------------------B", "AB oneway=yes")
	for _, k := range recovered(t, n, at(n, 0, 'A', 500, 2), at(n, 600, 'A', 497, 0)).Ticks {
		if k.Probability < 0.99 || k.Along != 0 {
			t.Errorf("tick %+v", k)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestAFastRoadTakesLessOfTheTime(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A--------------------B--------------------C", "AB highway=residential", "BC highway=motorway")
	rec := recovered(t, n, at(n, 0, 'A', 1, 0), at(n, 300, 'C', -1, 0))
	for _, k := range rec.Ticks {
		if k.Time == start+150_000 && k.Along > 1900 {
			t.Errorf("half the time brings the vehicle to %.0f of 4000 m, though the slow road is first", k.Along)
		}
	}
}

// city has an expressway on a bridge above a street, with a ramp at each end.
func city(t *testing.T) *roadnettest.Net {
	return roadnettest.Draw(t, 10, `
A--------B-----------------------------------------C--------D
         1-----------------------------------------2`,
		"AB highway=primary name=Long_Road",
		"BC highway=primary bridge=yes layer=1 name=Skyway",
		"CD highway=primary name=Long_Road",
		"B1 highway=primary_link", "2C highway=primary_link",
		"12 highway=secondary name=Low_Street")
}

func TestDecksAreToldApart(t *testing.T) {
	n := city(t)
	up := recovered(t, n, at(n, 0, 'A', 20, 0), at(n, 20, 'B', 200, 0), at(n, 40, 'D', -20, 0))
	down := recovered(t, n, at(n, 0, '1', 20, 0), at(n, 30, '1', 200, 0), at(n, 60, '2', -20, 0))
	kinds := func(rec *trajectory.Recovery) map[trajectory.Deck]int {
		count := make(map[trajectory.Deck]int)
		for _, k := range rec.Ticks {
			count[k.Deck]++
		}
		return count
	}
	if c := kinds(up); c[trajectory.OnDeck] == 0 || c[trajectory.Ground] == 0 || c[trajectory.Below] != 0 {
		t.Errorf("on the bridge: %v", c)
	}
	if c := kinds(down); c[trajectory.Below] == 0 || c[trajectory.OnDeck] != 0 {
		t.Errorf("under the bridge: %v", c)
	}
	for _, k := range up.Ticks {
		if k.Deck == trajectory.OnDeck && (k.Layer != 1 || k.Margin >= 1) || k.Observed && k.Deck == trajectory.Ground && k.Margin != 1 {
			t.Errorf("tick %+v", k)
		}
	}
}

func TestSpansListWhatIsDrivenOnAndBelowDecks(t *testing.T) {
	n := city(t)
	rec := recovered(t, n, at(n, 0, 'A', 20, 0), at(n, 20, 'B', 200, 0), at(n, 40, 'D', -20, 0))
	if len(rec.Spans) != 1 {
		t.Fatalf("spans %+v", rec.Spans)
	}
	s := rec.Spans[0]
	if s.Road != "Skyway" || s.RunnerUp != "Low Street" || s.Kind != trajectory.OnDeck ||
		math.Abs(s.To-s.From-420) > 2 || math.Abs(s.From-70) > 2 {
		t.Errorf("span %+v", s)
	}
	if s.Enter <= start || s.Exit >= start+40_000 || s.Enter >= s.Exit || s.Probability <= 0.5 || s.Margin >= 1 {
		t.Errorf("span %+v", s)
	}
	low := recovered(t, n, at(n, 0, '1', 20, 0), at(n, 30, '1', 200, 0), at(n, 60, '2', -20, 0))
	if len(low.Spans) != 1 || low.Spans[0].Kind != trajectory.Below || low.Spans[0].RunnerUp != "Skyway" {
		t.Errorf("spans %+v", low.Spans)
	}
}

func TestProvenanceSaysHowItWasMade(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A--------------------B", "AB")
	p := recovered(t, n, at(n, 7, 'A', 300, 4)).Provenance
	if p.Method != "hmm" || p.Network != "drawn" || p.Fingerprint == "" || p.Version != "test" || p.Device != "cpu" ||
		!strings.Contains(p.Settings, "tick=15s") {
		t.Errorf("provenance %+v", p)
	}
}

func TestWhatCannotBeRecoveredIsRefused(t *testing.T) {
	n := roadnettest.Draw(t, 100, "A--------------------B", "AB")
	r := recoverer(t, n.Network, nil)
	for name, trip := range map[string]*trajectory.Trajectory{
		"no points": {ID: "x"},
		"cut it":    {ID: "x", Samples: []trajectory.Sample{at(n, 0, 'A', 0, 0), at(n, 1e9, 'A', 0, 0)}},
	} {
		if _, err := r.Recover(context.Background(), trip, nil); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
	for _, change := range []func(*Settings){
		func(s *Settings) { s.Method = "guess" },
		func(s *Settings) { s.Tick = 0 },
		func(s *Settings) { s.Tick = 1500 * time.Microsecond },
		func(s *Settings) { s.Threads = -1 },
		func(s *Settings) { s.Alternatives = -1 },
		func(s *Settings) { s.HMM.Sigma = -1 },
	} {
		s := DefaultSettings()
		change(&s)
		if _, err := NewRecoverer(n.Network, s); err == nil {
			t.Errorf("settings %v were taken", s)
		}
	}
}
