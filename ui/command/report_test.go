package command

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// A report is written of what the workspace holds, of a file, and of what is
// being recovered.
func TestReport(t *testing.T) {
	b := newBench(t)
	b.keepRecoveries()
	b.run(OK, "report", "-o", b.file("all.html"), "--pictures", "1", "--title", "Taxis in May")
	all := b.text("all.html")
	says(t, all, "<!DOCTYPE html>", "Taxis in May", "sim-1-000000", "sim-1-000004", "hmm", "© OpenStreetMap contributors", "With pictures are the trips most in doubt:")
	b.run(OK, "report", "-o", b.file("one.html"), "--trip", "sim-1-000003")
	if one := b.text("one.html"); strings.Contains(one, "sim-1-000004") || !strings.Contains(one, "<title>sim-1-000003</title>") {
		t.Error("the report is not of the one trip that was asked for")
	}
	b.run(OK, "recover", b.trips(), "--network", "sample", "-o", b.file("r.gpkg"), "--report", b.file("recovered.html"))
	says(t, b.text("recovered.html"), "sim-1-000059", "How often each road was driven")
	out, _ := b.run(OK, "--json", "report", "--recovery", b.file("r.gpkg"), "--input", b.trips(), "--network", "sample", "-o", b.file("file.html"), "--pictures", "0")
	says(t, out, `"recoveries":60`)
	says(t, b.text("file.html"), "sim-1-000059", "No pictures were asked for.", "method=hmm")
	b.only("all.html", "file.html", "one.html", "r.gpkg", "recovered.html")
	b.run(WrongUsage, "report", "-o", b.file("x.pdf"))
	b.run(WrongUsage, "report", "-o", b.file("x.html"), "--trip", "nobody")
	b.run(WrongUsage, "report", "-o", b.file("x.html"), "--recovery", b.file("r.gpkg"))
	b.run(WrongUsage, "report", "-o", b.file("x.html"), "--input", b.trips())
	b.run(NothingRead, "--workspace", b.file("none.retrace"), "report", "-o", b.file("x.html"))
}

// A table on standard output has no place for where it comes from: that goes to
// standard error, and to a file that is asked for.
func TestStandardOutputSaysWhereItComesFrom(t *testing.T) {
	b := newBench(t)
	out, errs := b.run(OK, "recover", b.trips(), "--network", b.extract(), "-o", "-", "--about", b.file("about.json"))
	says(t, errs, "network: sample", "network fingerprint: ", "method: hmm", "settings: method=hmm tick=15s", "attribution: © OpenStreetMap contributors")
	if !strings.HasPrefix(out, "trajectory,time,lon,lat,") {
		t.Errorf("the table begins with %.60q", out)
	}
	var about map[string]any
	if err := json.Unmarshal([]byte(b.text("about.json")), &about); err != nil || about["retrace:network"] != "sample" || about["retrace:method"] != "hmm" {
		t.Errorf("%v: %v", err, about)
	}
	_, errs = b.run(OK, "--quiet", "recover", b.trips(), "--network", b.extract(), "-o", "-")
	if strings.Contains(errs, "fingerprint") {
		t.Errorf("quiet says %s", errs)
	}
}

// text is what a file holds.
func (b *bench) text(name string) string {
	b.Helper()
	data, err := os.ReadFile(b.file(name))
	if err != nil {
		b.Fatal(err)
	}
	return string(data)
}
