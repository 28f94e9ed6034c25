package command

import "testing"

func TestSimulateWritesTripsAndTheirTruth(t *testing.T) {
	b := newBench(t)
	out, _ := b.run(OK, "simulate", "--network", b.extract(), "--trips", "5", "--seed", "3", "--gap", "60s",
		"-o", b.file("trips.csv"), "--dense", b.file("dense.csv"), "--truth", b.file("truth.csv"))
	says(t, out, "5 trips")
	b.only("dense.csv", "trips.csv", "truth.csv")
	observed := map[string]bool{}
	for _, r := range b.rows(b.file("truth.csv")) {
		if r["observed"] == "1" {
			observed[r["trajectory"]+" "+r["time"]] = true
		}
	}
	trips := b.rows(b.file("trips.csv"))
	if len(trips) != len(observed) || len(trips) < 10 {
		t.Errorf("%d samples, the truth tells of %d", len(trips), len(observed))
	}
	for _, r := range trips {
		if !observed[r["trajectory"]+" "+r["time"]] {
			t.Errorf("sample %v is not in the truth", r)
		}
	}
	if dense := b.rows(b.file("dense.csv")); len(dense) <= len(trips) {
		t.Errorf("%d dense samples, %d sparse ones", len(dense), len(trips))
	}
}

func TestSimulateRefusesWhatCannotBe(t *testing.T) {
	b := newBench(t)
	for _, args := range [][]string{
		{"--trips", "0", "-o", b.file("a.csv")},
		{"--gap", "1/8", "-o", b.file("a.csv")},
		{"--tick", "1us", "-o", b.file("a.csv")},
		{"-o", b.file("a.doc")},
		{"-o", b.file("a.csv"), "--truth", b.file("a.txt")},
		{"-o", b.file("a.csv"), "--dense", b.file("a.csv")},
	} {
		b.run(WrongUsage, append([]string{"simulate", "--network", b.extract()}, args...)...)
	}
	b.only()
}
