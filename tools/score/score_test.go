package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"retrace/engine/metrics"
)

func TestFiguresOfTheScoringProgramsAreRead(t *testing.T) {
	l, err := readWorldwide("place recall precision f1 mae rmse hit25 parts instants\n" +
		"  000 0.9 0.8 0.85 20.0 30.0 0.5 1.000 100.0\n" +
		"  001 0.9 0.8 0.95 30.0 40.0 0.5 1.000 100.0\n" +
		" mean     0.974     0.965     0.900    25.000    40.409     0.640     1.250  2454.625\n2 places, 1 failed\n")
	if err != nil || l.f1 != 0.9 || l.mae != 25 || l.parts != 1.25 || l.trips != 2 || l.failed != 1 {
		t.Errorf("worldwide: %+v, %v", l, err)
	}
	if l.f1Range != (span{0.85, 0.95}) || l.maeRange != (span{20, 30}) { // in one draw of four it is one place twice
		t.Errorf("the ranges are %v and %v", l.f1Range, l.maeRange)
	}
	if _, err := readWorldwide("  000 0.9 0.8 0.85 20.0 30.0 0.5 1.000 100.0\n mean 1 1 1 1 1 1 1 1\n2 places, 0 failed\n"); err == nil {
		t.Error("a place is missing, and nobody says so")
	}
	d, err := readDense("400 trips  mae 117.4  rmse 157.9  hit25 0.209\n")
	if err != nil || d.trips != 400 || d.mae != 117.4 {
		t.Errorf("dense: %+v, %v", d, err)
	}
	for _, text := range []string{"", "Traceback"} {
		if _, err := readWorldwide(text); err == nil {
			t.Errorf("worldwide: %q was read", text)
		}
		if _, err := readDense(text); err == nil {
			t.Errorf("dense: %q was read", text)
		}
	}
}

func TestATickIsOfWholeSeconds(t *testing.T) {
	for _, tick := range []time.Duration{0, -time.Second, 1500 * time.Millisecond} {
		if err := checkTick(tick); err == nil {
			t.Errorf("%s was taken", tick)
		}
	}
	if err := checkTick(15 * time.Second); err != nil {
		t.Error(err)
	}
}

func TestFiguresArePrintedAsAReport(t *testing.T) {
	var out strings.Builder
	places := line{set: "worldwide, 60 s", trips: 48, f1: 0.9, mae: 20, f1Range: span{0.8, 0.95}, maeRange: span{18, 22}}
	if err := printJSON(&out, "hmm", []line{places, {set: "Porto, x8", trips: 400, mae: 100}}); err != nil {
		t.Fatal(err)
	}
	var r metrics.Report
	if err := json.Unmarshal([]byte(out.String()), &r); err != nil || len(r.Results) != 2 {
		t.Fatalf("%s: %v", out.String(), err)
	}
	f1, ok := r.Results[0].Figure(metrics.SectionPaper, "F1")
	if !ok || f1.Value != 0.9 || f1.Low != 0.8 || f1.High != 0.95 || r.Results[0].Keep != "worldwide, 60 s" || r.Results[0].Method != "hmm" {
		t.Errorf("F1 is told as %+v", r.Results[0])
	}
	if _, ok := r.Results[1].Figure(metrics.SectionPaper, "F1"); ok {
		t.Error("an F1 is told that is not known")
	}
	if mae, ok := r.Results[1].Figure(metrics.SectionCode, "great-circle MAE"); !ok || mae.Value != 100 {
		t.Errorf("MAE is told as %+v", mae)
	}
}

func TestTheTableSaysWhatMissesItsFloor(t *testing.T) {
	good := line{set: "good", trips: 9, f1: 0.9, f1Floor: 0.9, mae: 20, maeFloor: 20, parts: 1}
	for name, change := range map[string]func(*line){
		"F1":     func(l *line) { l.f1 = 0.89 },
		"MAE":    func(l *line) { l.mae = 21 },
		"hops":   func(l *line) { l.untold = 1 },
		"parts":  func(l *line) { l.parts = 1.1 },
		"failed": func(l *line) { l.failed = 1 },
	} {
		bad := good
		change(&bad)
		var out strings.Builder
		if printTable(&out, []line{good, bad}) || strings.Count(out.String(), "MISSED") != 1 {
			t.Errorf("%s: %s", name, out.String())
		}
	}
	if !printTable(&strings.Builder{}, []line{good}) {
		t.Error("a line at its floors misses them")
	}
}
