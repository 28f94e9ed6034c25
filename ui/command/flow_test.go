package command

import (
	"strconv"
	"testing"
)

// Of recoveries without other ways, counts are those of the links that are exported.
func TestFlowLinksCountsWhatTheWorkspaceHolds(t *testing.T) {
	b := newBench(t)
	b.keepRecoveries()
	b.run(OK, "export", "--layer", "links", "-o", b.file("exported.csv"))
	out, errs := b.run(OK, "flow", "links", "-o", b.file("links.csv"))
	says(t, out, "from 5 trips of 5 vehicles")
	says(t, errs, "the vehicle of 5 trips is not known", "recover with --alternatives 10")
	trips := map[string]string{}
	for _, r := range b.rows(b.file("exported.csv")) {
		trips[r["segment"]] = r["trips"]
	}
	rows := b.rows(b.file("links.csv"))
	if len(rows) != len(trips) || len(rows) == 0 {
		t.Fatalf("%d rows, %d links are exported", len(rows), len(trips))
	}
	named := 0
	for _, r := range rows {
		if r["trips"] != trips[r["segment"]] {
			t.Errorf("segment %s: %s trips, %s are exported", r["segment"], r["trips"], trips[r["segment"]])
		}
		if r["name"] != "" {
			named++
		}
		low, count, high := number(t, r["low"]), number(t, r["count"]), number(t, r["high"])
		if low > count || count > high || count != number(t, r["told"]) {
			t.Errorf("segment %s: count %v from %v to %v, told %s", r["segment"], count, low, high, r["told"])
		}
	}
	if named == 0 {
		t.Error("no road has a name")
	}
}

// Files of recoveries hold the other ways, and the trajectories name the vehicles.
func TestFlowLinksOfFilesCountsOtherWays(t *testing.T) {
	b := newBench(t)
	b.run(OK, "recover", b.trips(), "--network", b.extract(), "--alternatives", "10", "-o", b.file("r.gpkg"))
	out, _ := b.run(OK, "--json", "flow", "links", "--network", b.extract(), "--recovery", b.file("r.gpkg"), "--input", b.trips(), "--by", "hour,weekday", "-o", b.file("by.csv"), "--percentiles", "5,95")
	says(t, out, `"trips":60`, `"withheld":0`)
	sum, told := 0.0, 0.0
	for _, r := range b.rows(b.file("by.csv")) {
		sum, told = sum+number(t, r["count"]), told+number(t, r["told"])
		if h, d := number(t, r["hour"]), number(t, r["weekday"]); h < 0 || h > 23 || d < 1 || d > 7 {
			t.Errorf("hour %v, weekday %v", h, d)
		}
	}
	if sum == told || sum < 0.9*told || sum > 1.2*told {
		t.Errorf("%v drives are expected, %v told", sum, told)
	}
	out, errs := b.run(OK, "flow", "links", "--network", b.extract(), "--recovery", b.file("r.gpkg"), "--min-vehicles", "1000", "-o", b.file("few.xlsx"))
	says(t, out, "few.xlsx: ")
	says(t, errs, "rows are withheld, for fewer vehicles than --min-vehicles")
	out, _ = b.run(OK, "flow", "links", "--network", b.extract(), "--recovery", b.file("r.gpkg"), "--trip", "nobody", "-o", b.file("none.parquet"))
	says(t, out, "none.parquet: 0 rows, from 0 trips")
	for _, wrong := range [][]string{{"--by", "hours"}, {"--period", "am=7-9"}, {"--by", "period"}, {"--hours", "25"}, {"--days", "x"}, {"--from", "yesterday"}, {"--level", "100"}, {"--zone", "Nowhere"},
		{"--trim", "-1"}, {"--percentiles", "101"}, {"--network", ""}} {
		args := append([]string{"flow", "links", "--network", b.extract(), "--recovery", b.file("r.gpkg"), "-o", b.file("x.csv")}, wrong...)
		b.run(WrongUsage, args...)
	}
	b.run(WrongUsage, "flow", "links", "-o", b.file("x.gpx"))
	checkTurnsAndZones(t, b)
	b.only("by.csv", "change.csv", "corridor.csv", "few.xlsx", "none.parquet", "od.csv", "r.gpkg", "selected.csv", "sums.csv", "turns.csv", "turns.gpkg")
}

// checkTurnsAndZones counts what r.gpkg holds at junctions and between zones.
func checkTurnsAndZones(t *testing.T, b *bench) {
	source := []string{"--network", b.extract(), "--recovery", b.file("r.gpkg"), "--input", b.trips()}
	run := func(status int, args ...string) string {
		out, _ := b.run(status, append(append([]string{"flow"}, args...), source...)...)
		return out
	}
	run(OK, "turns", "-o", b.file("turns.gpkg"))
	run(OK, "turns", "-o", b.file("turns.csv"))
	turns := b.rows(b.file("turns.csv"))
	words := map[string]int{}
	for _, r := range turns {
		words[r["turn"]]++
	}
	if words["left"] == 0 || words["right"] == 0 || words["straight"] == 0 {
		t.Errorf("turns %v", words)
	}
	run(OK, "turns", "-o", b.file("turns.csv"), "--at="+turns[0]["lon"]+","+turns[0]["lat"])
	for _, r := range b.rows(b.file("turns.csv")) {
		if r["junction"] != turns[0]["junction"] {
			t.Errorf("a turn at %s, asked for %s", r["junction"], turns[0]["junction"])
		}
	}
	says(t, run(OK, "od", "-o", b.file("od.csv"), "--grid", "hex:500", "--sums", b.file("sums.csv")), "from 60 trips of")
	total := 0.0
	for _, r := range b.rows(b.file("od.csv")) {
		total += number(t, r["count"])
	}
	sums := map[string]float64{}
	for _, r := range b.rows(b.file("sums.csv")) {
		sums[r["trips_that"]] += number(t, r["count"])
	}
	for _, sum := range []float64{total, sums["begin"], sums["end"]} {
		if sum < 59.9 || sum > 60.1 {
			t.Errorf("the matrix holds %v trips, its sums %v, want 60", total, sums)
		}
	}
	checkCorridorAndChange(t, b, run)
	checkSelection(t, b, run)
	run(WrongUsage, "od", "-o", b.file("x.csv"))
	run(WrongUsage, "od", "-o", b.file("x.csv"), "--grid", "circle:5")
	run(WrongUsage, "od", "-o", b.file("x.csv"), "--grid", "hex:500", "--sums", b.file("x.csv"))
	run(WrongUsage, "turns", "-o", b.file("x.csv"), "--at", "41")
	run(NothingRead, "od", "-o", b.file("x.csv"), "--zones", b.file("nowhere.gpkg"))
}

// checkCorridorAndChange takes for a corridor what the most driven segment's drivers
// pass, and for a change what there is on its day against nothing the week before.
func checkCorridorAndChange(t *testing.T, b *bench, run func(int, ...string) string) {
	turns := b.rows(b.file("turns.csv"))
	at := "--via=" + turns[0]["lon"] + "," + turns[0]["lat"]
	run(WrongUsage, "corridor", "-o", b.file("x.csv"), at)
	run(WrongUsage, "corridor", "-o", b.file("x.csv"), at, "--via=0,0")
	run(WrongUsage, "corridor", "-o", b.file("x.csv"), at, at, "--enough", "0")
	says(t, run(OK, "corridor", "-o", b.file("corridor.csv"), at, at, "--percentiles", "10"), "without traffic.", "corridor.csv: ")
	for _, r := range b.rows(b.file("corridor.csv")) {
		if low, high := number(t, r["p15_s"]), number(t, r["p85_s"]); low > high || r["p10_asked_s"] == "" || number(t, r["drives"]) < number(t, r["vehicles"]) {
			t.Errorf("%v", r)
		}
	}
	for _, wrong := range []string{"2024-05-06", "2024-05-06..2024-05-06", "2024-05-06..x"} {
		run(WrongUsage, "compare", "-o", b.file("x.csv"), "--before", "2024-05-06..2024-05-07", "--after", wrong)
	}
	run(WrongUsage, "compare", "-o", b.file("x.csv"), "--before", "2024-05-06..2024-05-07", "--after", "2024-05-07..2024-05-08", "--days", "sun")
	run(OK, "compare", "-o", b.file("change.csv"), "--before", "2020-01-01..2020-01-11", "--after", "2000-01-01..2100-01-01")
	for _, r := range b.rows(b.file("change.csv")) {
		if number(t, r["before_count"]) != 0 || number(t, r["change_a_day"]) < 0 {
			t.Errorf("%v", r)
		}
	}
}

// checkSelection selects those who drove one segment: all of them drove it.
func checkSelection(t *testing.T, b *bench, run func(int, ...string) string) {
	turn := b.rows(b.file("turns.csv"))[0]
	says(t, run(OK, "select", "-o", b.file("selected.csv"), "--where", "segment:"+turn["to_segment"]), "all times: ", " trips selected, ", "selected.csv: ")
	most, own := 0.0, 0.0
	for _, r := range b.rows(b.file("selected.csv")) {
		most = max(most, number(t, r["count"]))
		if r["segment"] == turn["to_segment"] {
			own = number(t, r["count"])
		}
	}
	if own == 0 || own < most {
		t.Errorf("%v drives over the segment itself, at most %v over others", own, most)
	}
	run(OK, "select", "-o", b.file("selected.csv"), "--where", "way:"+turn["to_way"]+" and not "+turn["lon"]+","+turn["lat"], "--by", "hour")
	for _, wrong := range []string{"", "way:0", "segment:-1", "bridge", "way:" + turn["to_way"] + " and", "0,0"} {
		run(WrongUsage, "select", "-o", b.file("x.csv"), "--where="+wrong)
	}
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
