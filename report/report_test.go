package report

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

const morning = 1704182400000 // 2024-01-02T08:00:00Z

// drawn is a street with a bridge, and a trip over it: from the middle of AB over
// B and C to the middle of CD, and a second part on EB.
func drawn(t testing.TB, id string) (*roadnettest.Net, Trip) {
	net := roadnettest.Draw(t, 100, `
	    A---B---C
	        |   |
	        E   D
	`, "ABC highway=primary name=High_Street", "CD highway=residential bridge=yes layer=1", "EB highway=residential")
	tick := func(seconds int64, at roadnet.Position, part int32, along float64, observed bool) trajectory.Tick {
		p := net.At(at)
		return trajectory.Tick{Time: morning + seconds*1000, Lon: p.Lon, Lat: p.Lat, At: at, Part: part, Along: along, Probability: 0.75, Margin: 1, Observed: observed}
	}
	r := &trajectory.Recovery{
		Trajectory: id,
		Ticks: []trajectory.Tick{tick(0, net.Pos("AB", 0.5), 0, 0, true), tick(20, net.Pos("BC", 0), 0, 200, false), tick(60, net.Pos("CD", 0), 0, 600, false),
			tick(75, net.Pos("CD", 0.5), 0, 700, true), tick(100, net.Pos("EB", 0.25), 1, 0, true), tick(115, net.Pos("EB", 0.75), 1, 100, true)},
		Parts: []trajectory.Part{
			{Segments: []roadnet.SegmentID{net.Seg("AB"), net.Seg("BC"), net.Seg("CD")}, StartRatio: 0.5, EndRatio: 0.5},
			{Segments: []roadnet.SegmentID{net.Seg("EB")}, StartRatio: 0.25, EndRatio: 0.75},
		},
		Spans: []trajectory.Span{{Enter: morning + 60_000, Exit: morning + 75_500, Part: 0, From: 600, To: 700, Road: "residential",
			Kind: trajectory.OnDeck, Probability: 0.55, RunnerUp: "High Street", Margin: 0.1}},
		Warnings:   []string{"3 samples are far from every road"},
		Provenance: trajectory.Provenance{Method: "hmm", Settings: "tick=15s & more", Model: "toy@0123456789abcdef"},
	}
	sample := uint32(0)
	for i := range r.Ticks {
		if r.Ticks[i].Observed {
			r.Ticks[i].Sample = sample
			sample++
		}
	}
	r.Risk = trajectory.Risk{Wrong: 0.4, Error: 90}
	r.Doubts = []trajectory.Doubt{{FromSample: 0, ToSample: 1, Probability: 0.5, Risk: 0.6, Error: 80}, {FromSample: 1, ToSample: 2, Risk: 1, Error: 300}, {FromSample: 2, ToSample: 3, Probability: 1}}
	r.Gaps = []trajectory.Gap{{FromSample: 1, ToSample: 2, Why: trajectory.NoWay, Broken: true}}
	t1 := &trajectory.Trajectory{ID: id, Vehicle: "taxi 7"}
	for _, k := range r.Ticks {
		if k.Observed {
			t1.Samples = append(t1.Samples, trajectory.Sample{Time: k.Time, Lon: k.Lon, Lat: k.Lat})
		}
	}
	return net, Trip{Trajectory: t1, Recovery: r}
}

// written writes a report and gives its text.
func written(t *testing.T, net *roadnettest.Net, opt Options, trips ...Trip) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	w, err := Create(path, net.Network, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, trip := range trips {
		if err := w.Write(trip); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// text is what a reader sees of a page: without pictures, tags and styles.
func text(page string) string {
	page = regexp.MustCompile(`(?s)<style>.*</style>`).ReplaceAllString(page, "")
	page = regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, " ")
	return strings.Join(strings.Fields(strings.ReplaceAll(page, narrow, " ")), " ")
}

func says(t *testing.T, page string, all ...string) {
	t.Helper()
	for _, want := range all {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestReportOfOneTrip(t *testing.T) {
	net, trip := drawn(t, "trip 1")
	page := written(t, net, Options{Version: "0.1"}, trip)
	says(t, text(page), "trip 1", "Length driven 800 m", "Mean speed 25 km/h", "On elevated roads 100 m", "Breaks in the path 1", "Vehicle taxi 7",
		"3 samples are far from every road",
		"1 2024-01-02 08:00:00 08:01:15 2 608 m 700 m 1.15 34 km/h", // the part: reported and driven lengths
		"1 2024-01-02 08:01:00 08:01:15 100 m residential on an elevated road 0.55 0.10 High Street",
		"1 2024-01-02 08:01:15 no way was found from here: the path is broken residential",
		"which way is in doubt High Street", "Risk 0.40", "Expected error 90 m", "deck or ground is in doubt residential / High Street",
		"Method hmm", "Model toy@0123456789abcdef", "Settings tick=15s &amp; more", "Network drawn", "Made by Retrace 0.1", net.Info().Fingerprint)
	if n := strings.Count(page, "<img "); n != 4 { // whole, the span, the break, the low point
		t.Errorf("%d pictures", n)
	}
	if n := strings.Count(page, "<polyline "); n != 4 { // two curves of two parts
		t.Errorf("%d lines in the curves", n)
	}
	if strings.Contains(page, "All trips") || strings.Contains(page, "Table of all trips") {
		t.Error("a report of one trip has the tables of many")
	}
}

// A report needs nothing from elsewhere, runs nothing, and shows ids as they are.
func TestReportIsSelfContainedAndEscaped(t *testing.T) {
	net, trip := drawn(t, `<script>alert("1")</script> & "x"`)
	trip.Recovery.Warnings = []string{`<img src=x onerror=alert(1)>`}
	trip.Recovery.Spans[0].Road = `"><b>`
	page := written(t, net, Options{Title: "</title><script>"}, trip, trip)
	for _, bad := range []string{"<script", "<link", "<img src=x", "<b>", "ZgotmplZ", "http://", "https://", "url("} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q in it", bad)
		}
	}
	if net, trip = drawn(t, "=1+1"); strings.Contains(written(t, net, Options{}, trip, trip), "<td>=") {
		t.Error("a name runs as a formula where the page is opened in a spreadsheet")
	}
	says(t, page, "&lt;script&gt;alert(&#34;1&#34;)&lt;/script&gt; &amp; &#34;x&#34;")
}

// Of thousands of trips all stand in the table, and few have pictures.
func TestReportOfManyTripsIsBounded(t *testing.T) {
	net, trip := drawn(t, "x")
	const all = 3000
	var trips []Trip
	for i := range all {
		one := *trip.Recovery
		one.Trajectory = fmt.Sprintf("trip %d", i)
		if i == 1234 { // that of the highest risk
			one.Risk.Wrong = 0.9
		}
		trips = append(trips, Trip{Trajectory: trip.Trajectory, Recovery: &one})
	}
	page := written(t, net, Options{Pictures: 2}, trips...)
	words := text(page)
	says(t, words, "Trips 3 000", "Breaks in the paths 3 000", "Places in doubt 9 000", "Not listed, because less in doubt: 8 900",
		"With pictures are the trips most in doubt: 2 / 3 000", "trip 2999", "High Street primary", "606–3 000")
	if n := strings.Count(page, "<img "); n != 1+2*4 {
		t.Errorf("%d pictures", n)
	}
	if n := strings.Count(page, "<tr>"); n < all || n > all+400 {
		t.Errorf("%d rows", n)
	}
	if at, other := strings.Index(words, "trip 1234 Begin"), strings.Index(words, "trip 0 Begin"); at < 0 || other < at {
		t.Errorf("the most doubtful trip is not shown first: %d, %d", at, other)
	}
	if len(page) > 4<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
	none := written(t, net, Options{Pictures: -1}, trips[:5]...)
	if strings.Contains(none, "<img ") || !strings.Contains(none, "No pictures were asked for.") {
		t.Error("pictures that were not asked for")
	}
}

// A trip of which there is but the recovery, and one without any point, are
// reported as far as they go.
func TestReportOfLittle(t *testing.T) {
	net, trip := drawn(t, "x")
	page := written(t, net, Options{}, Trip{Recovery: trip.Recovery})
	says(t, text(page), "Reported points 4", "Length of the reported line –", "Length driven 800 m")
	page = written(t, net, Options{}, Trip{Recovery: &trajectory.Recovery{Trajectory: "empty"}})
	says(t, text(page), "empty", "Length driven 0 m")
	says(t, text(written(t, net, Options{})), "Trips 0")
}

func TestNothingStandsThereBeforeTheEnd(t *testing.T) {
	net, trip := drawn(t, "x")
	dir := t.TempDir()
	w, err := Create(filepath.Join(dir, "report.html"), net.Network, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(trip); err != nil {
		t.Fatal(err)
	}
	w.Abort()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind %v", left)
	}
	if _, err := os.Stat(w.rows.Name()); !os.IsNotExist(err) {
		t.Error("the table of trips is left behind")
	}
}

func BenchmarkWrite(b *testing.B) {
	net, trip := drawn(b, "x")
	w, err := Create(filepath.Join(b.TempDir(), "report.html"), net.Network, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Abort()
	for b.Loop() {
		if err := w.Write(trip); err != nil {
			b.Fatal(err)
		}
	}
}
