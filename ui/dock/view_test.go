package dock

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/clean"
	"retrace/internal/cputime"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/query"
	"retrace/ui/state"
)

// numbered is a source whose rows stand for trips named by their numbers.
type numbered struct{ source }

func (numbered) count() int { return 3 }
func (numbered) item(row int) render.Item {
	return render.Item{Kind: render.TripItem, Trip: string(rune('a' + row))}
}

func TestRowsUnderThePointerAreThoseShown(t *testing.T) {
	v := &view{source: numbered{}, order: []int{2, 0}} // sorted, and one filtered out
	for i, want := range map[int]string{0: "c", 1: "a", 2: "", -1: ""} {
		if got := v.item(i); got.Trip != want {
			t.Errorf("row %d shows trip %q, want %q", i, got.Trip, want)
		}
	}
}

// manyTrips is a state with n trips of random facts, half of them recovered.
func manyTrips(rng *rand.Rand, n int) *state.Model {
	m := state.New()
	net := roadnettest.GridCity(4)
	m.SetNetwork(net, nil)
	trips := make([]*state.Trip, n)
	for i, number := range rng.Perm(n) {
		t := &trajectory.Trajectory{ID: fmt.Sprintf("Taxi %d", number), Source: "taxis.csv",
			Samples: []trajectory.Sample{{Time: 1_380_214_272_000, Lon: -8.6, Lat: 41.1}, {Time: 1_380_214_972_000, Lon: -8.5, Lat: 41.1}}}
		var recovery *trajectory.Recovery
		if i%2 == 0 {
			recovery = &trajectory.Recovery{Provenance: trajectory.Provenance{Fingerprint: net.Info().Fingerprint}}
		}
		trips[i] = state.NewTrip(t, recovery, nil)
	}
	m.AddTrips(trips)
	for i, t := range trips {
		t.Facts.Start = 1_380_214_272_000 + rng.Int64N(1e10)
		t.Facts.End = t.Facts.Start + rng.Int64N(1e7)
		t.Facts.Points = rng.IntN(30)
		t.Facts.Length, t.Facts.Straight = float64(rng.IntN(20000)), float64(rng.IntN(20000))
		t.Facts.Breaks = rng.IntN(3)
		t.Status = state.Waiting
		if i%2 == 0 {
			t.Status, t.Facts.Ticks, t.Facts.Judged, t.Facts.Risk = state.Recovered, 100, true, float32(rng.IntN(100))/100
		}
	}
	return m
}

// themed has widgets look as in the window.
func themed(tb testing.TB) {
	test.NewTempApp(tb).Settings().SetTheme(look.NewTheme(look.Light, 1))
}

// tripView is the table of trips over a state.
func tripView(tb testing.TB, m *state.Model) *view {
	themed(tb)
	v := newView(m, newTrips(m), Acts{Show: func(render.Item) {}, Fit: func(render.Item) {}, Menu: func(fyne.Position) {}})
	v.reload()
	return v
}

func TestEveryColumnSorts(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	v := tripView(t, manyTrips(rand.New(rand.NewPCG(seed, 1)), 300))
	for c := range v.columns {
		if v.columns[c].name == "" {
			continue
		}
		for _, falling := range []bool{false, true} {
			v.sort(c, falling)
			if got := slices.Sorted(slices.Values(v.order)); len(got) != 300 || got[0] != 0 || got[299] != 299 {
				t.Fatalf("%s: rows are lost", v.columns[c].name)
			}
			for i := 1; i < len(v.order); i++ {
				if a, b := v.order[i-1], v.order[i]; wrongOrder(v, c, a, b, falling) {
					t.Fatalf("%s, falling %v: %q stands before %q", v.columns[c].name, falling, v.columns[c].show(a, v.in), v.columns[c].show(b, v.in))
				}
			}
		}
	}
}

// wrongOrder reports whether row a may not stand before row b.
func wrongOrder(v *view, c, a, b int, falling bool) bool {
	col := &v.columns[c]
	if col.value == nil {
		x, y := col.show(a, v.in), col.show(b, v.in)
		if x == "" || y == "" {
			return x == "" && y != ""
		}
		return false // the order of texts is tested where it is made
	}
	x, okX := col.value(a)
	y, okY := col.value(b)
	switch {
	case okX != okY:
		return okY // what has no value comes last
	case !okX || x == y:
		return okX && a > b // as they come
	}
	return x < y == falling
}

func TestAFilterLetsThroughWhatItSays(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	m := manyTrips(rand.New(rand.NewPCG(seed, 1)), 300)
	v := tripView(t, m)
	v.setFilter("length > 5 km and (risk < 0.5 or points >= 20) 1")
	passed := map[int]bool{}
	for _, row := range v.order {
		passed[row] = true
	}
	for row, trip := range m.Trips() {
		f := trip.Facts
		want := f.Distance() > 5000 && (trip.Shown() != nil && f.Judged && f.Risk < 0.5 || f.Points >= 20)
		one := false
		for i := range v.columns {
			if k := v.columns[i].kind; k == query.Text || k == query.Number || k == query.Instant {
				one = one || strings.Contains(v.columns[i].show(row, styleOf(m)), "1")
			}
		}
		if passed[row] != (want && one) {
			t.Errorf("%s, %+v passes: %v", trip.ID(), f, passed[row])
		}
	}
	before := len(v.order)
	v.setFilter("length > 5 km and (risk")
	if v.wrong == nil || v.fault.Hidden || len(v.order) != before {
		t.Errorf("a filter that is not complete: %v, %d rows instead of %d", v.wrong, len(v.order), before)
	}
}

func TestCSVHoldsBareNumbers(t *testing.T) {
	v := tripView(t, manyTrips(rand.New(rand.NewPCG(1, 1)), 3))
	rows, err := csv.NewReader(strings.NewReader(v.csv(v.order))).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatal(rows, err)
	}
	if got := strings.Join(rows[0], ","); got != "Name,Start,Duration (s),Length (m),Points,Risk,Expected error (m),Elevated (m),Warnings,State" {
		t.Errorf("headed %s", got)
	}
	if length := rows[1][3]; strings.ContainsAny(length, "km ,") {
		t.Errorf("a length is %q", length)
	}
	for i := range v.columns {
		switch c := &v.columns[i]; c.name {
		case "name":
			c.text = func(int) string { return "=1+1" }
		case "length":
			c.value = func(int) (float64, bool) { return -5, true }
		}
	}
	if rows, err = csv.NewReader(strings.NewReader(v.csv(v.order))).ReadAll(); err != nil || rows[1][0] != "'=1+1" || rows[1][3] != "-5.0" {
		t.Errorf("a name and a number are %q and %q, %v", rows[1][0], rows[1][3], err)
	}
	for _, row := range rows[1:] {
		if (row[9] == "recovered") != (row[5] != "") {
			t.Errorf("a trip that is %q has the risk %q", row[9], row[5])
		}
	}
}

func TestProblemsByRuleAndOnTheMap(t *testing.T) {
	themed(t)
	m := manyTrips(rand.New(rand.NewPCG(1, 1)), 2)
	at := roadnet.Point{Lon: -8.6, Lat: 41.1}
	m.AddProblems([]state.Problem{
		{Source: "import", What: "odd", Count: 7, Kept: true},
		{Source: "reading", Rule: string(clean.Duplicates), What: "same instant", Count: 1, Object: m.Trips()[0].ID(), Line: 12, File: "a.csv"},
		{Source: "reading", Rule: string(clean.Duplicates), What: "same instant", Count: 1, At: &at},
		{Source: "reading", Rule: string(clean.Gaps), What: "cut", Count: 1, Kept: true},
	})
	var gone roadnet.Point
	s := newProblems(m, Acts{GoTo: func(p roadnet.Point) { gone = p }})
	s.again = s.load
	s.load()
	var labels []string
	for _, o := range s.kinds.Objects {
		labels = append(labels, o.(*kit.Button).Label())
	}
	if len(labels) != 4 || labels[0] != "all  10" || labels[1] != "import  7" || labels[2] != "rule: same instant  2" {
		t.Fatalf("counted %q", labels)
	}
	test.Tap(s.kinds.Objects[2].(*kit.Button))
	if s.count() != 2 {
		t.Fatalf("%d rows of the rule", s.count())
	}
	s.pick(0)
	if m.Current() == nil || m.Current().ID() != m.Trips()[0].ID() {
		t.Error("a problem of a trip does not lead to it")
	}
	s.pick(1)
	if gone != at || m.Selected().Kind != render.PlaceItem {
		t.Errorf("a problem with a place leads to %v, %+v", gone, m.Selected())
	}
}

// Benchmark100000Rows reads, filters and sorts a table of 100,000 trips.
func Benchmark100000Rows(b *testing.B) {
	v := tripView(b, manyTrips(rand.New(rand.NewPCG(1, 1)), 100_000))
	for name, run := range map[string]func(){
		"as they come":       func() { v.setFilter(""); v.column = -1; v.reload() },
		"sorted by length":   func() { v.sort(4, false) },
		"sorted by name":     func() { v.sort(1, true) },
		"filtered by length": func() { v.setFilter(""); v.column = -1; v.setFilter("length > 5 km and risk < 0.5") },
		"filtered by a word": func() { v.setFilter(""); v.column = -1; v.setFilter("xyz") },
		"filtered by digits": func() { v.setFilter(""); v.column = -1; v.setFilter("2013-10") },
	} {
		b.Run(name, func(b *testing.B) {
			before := cputime.Used()
			for b.Loop() {
				run()
			}
			b.ReportMetric((cputime.Used()-before).Seconds()*1000/float64(b.N), "cpu-ms/op") // whatever else runs beside
		})
	}
}
