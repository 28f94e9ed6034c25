package command

import (
	"os"
	"strings"
	"testing"
)

// A messy table becomes clean trips in another format, and all that was done to
// it stands in a table.
func TestConvertTidiesAndTells(t *testing.T) {
	b := newBench(t)
	messy := "trip,time,lon,lat\n" +
		"a,2024-01-02T08:00:00Z,13.5,52.5\n" +
		"a,2024-01-02T08:00:00Z,13.5,52.5\n" + // the same instant
		"a,2024-01-02T08:01:00Z,14.5,52.5\n" + // 68 km in a minute
		"a,2024-01-02T08:02:00Z,13.51,52.5\n" +
		"a,oops,13.51,52.5\n" +
		"a,=1+1,13.51,52.5\n" +
		"a,2024-01-02T09:00:00Z,13.52,52.5\n" // after a gap
	if err := os.WriteFile(b.file("messy.csv"), []byte(messy), 0o600); err != nil {
		t.Fatal(err)
	}
	_, errs := b.run(OK, "convert", b.file("messy.csv"), "-o", b.file("clean.geojson"), "--max-speed", "200", "--problems", b.file("left-out.csv"))
	says(t, errs, "2 trajectories with 3 points", "messy.csv:6: time cannot be read")
	rules := map[string]string{}
	for _, r := range b.rows(b.file("left-out.csv")) {
		if strings.HasPrefix(r["value"], "=") {
			t.Errorf("the value %s runs in a spreadsheet", r["value"])
		}
		rules[r["rule"]] += r["reason"] + " at " + r["value"]
	}
	for rule, want := range map[string]string{
		"duplicates": "the same instant as the sample before, left out at 2024-01-02T08:00:00Z",
		"jumps":      "cannot be reached in the time, left out at 2024-01-02T08:01:00Z 14.500000 52.500000",
		"gaps":       "no sample for long, cut at 2024-01-02T09:00:00Z",
		"":           "time cannot be read at oops",
	} {
		if !strings.HasPrefix(rules[rule], want) {
			t.Errorf("rule %q: %s, want %s", rule, rules[rule], want)
		}
	}
	out, _ := b.run(OK, "preview", b.file("messy.csv"), "--gap", "0s", "--keep-duplicates")
	says(t, out, "1 trajectory with 5 points", "separated by comma", "column 2 (time): time")
	out, _ = b.run(OK, "inspect", b.file("clean.geojson"))
	says(t, out, "GeoJSON", "2 trajectories with 3 points")
	b.run(WrongUsage, "convert", b.file("messy.csv"), "-o", b.file("clean.doc"))
	b.run(WrongUsage, "convert", b.file("messy.csv"), "-o", b.file("x.csv"), "--zone", "Nowhere")
	b.run(NothingRead, "convert", b.file("missing.csv"), "-o", b.file("x.csv"))
	b.only("clean.geojson", "left-out.csv", "messy.csv")
}

// The same file named twice, and in a folder, is read once.
func TestTheSameFileIsReadOnce(t *testing.T) {
	b := newBench(t)
	row := "trip,time,lon,lat\na,2024-01-02T08:00:00Z,13.5,52.5\n"
	for _, name := range []string{"one.csv", "copy.csv"} {
		if err := os.WriteFile(b.file(name), []byte(row), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, errs := b.run(OK, "convert", b.file("one.csv"), b.dir, "-o", b.file("../out.csv"))
	says(t, errs, "the same file was read already", "1 trajectory with 1 point")
}
