package metrics

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// twoMethods evaluates a method that is always right and one that lags 150 m
// behind and fails one trip.
func twoMethods(t *testing.T, threads int) *Report {
	t.Helper()
	net, dense, rec := straight(t)
	var cases []Case
	for i := range 12 {
		d, r := *dense, *rec
		d.ID, r.Trajectory = fmt.Sprint("trip ", i), fmt.Sprint("trip ", i)
		cases = append(cases, Case{&d, &r})
	}
	late := func(_ context.Context, sparse *trajectory.Trajectory) (*trajectory.Recovery, error) {
		if sparse.ID == "trip 3" {
			return nil, errors.New("no answer")
		}
		out := *rec
		out.Ticks = append([]trajectory.Tick(nil), rec.Ticks...)
		for i := range out.Ticks {
			out.Ticks[i].At = roadnet.Position{Segment: rec.Ticks[i].At.Segment, Ratio: max(0, rec.Ticks[i].At.Ratio-150./4000)}
		}
		return &out, nil
	}
	report, err := Evaluate(context.Background(), net.Network, cases,
		[]Method{{Name: "right", Recover: answer(rec, nil)}, {Name: "late", Recover: late}},
		Options{Keep: []Keep{{Ratio: 1. / 8}, {Ratio: 1. / 4}}, Seed: 1, Draws: 200, Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestEvaluateComparesMethods(t *testing.T) {
	r := twoMethods(t, 2)
	if len(r.Results) != 4 || len(r.Differences) != 2 {
		t.Fatalf("%d results and %d differences, want 4 and 2", len(r.Results), len(r.Differences))
	}
	if f, _ := r.Results[0].Figure(SectionPaper, "MAE"); f.Value != 0 || f.N != 12 {
		t.Errorf("MAE of what is right is %+v", f)
	}
	// 19 of 20 ticks lag 150 m; one trip of 12 is missing.
	want := (11*19./20*150 + codeCap) / 12
	if f, _ := r.Results[1].Figure(SectionCode, "MAE"); f.Value < want-0.1 || f.Value > want+0.1 || f.Low >= f.Value || f.High <= f.Value {
		t.Errorf("MAE of what lags is %+v, want %.1f within a range", f, want)
	}
	if d, _ := r.Differences[0].Figure(SectionCode, "MAE"); d.Value < want-0.1 || d.Low < 0 {
		t.Errorf("difference is %+v, want %.1f, established", d, want)
	}
	if f := r.Results[1].Failed; len(f) != 1 || !strings.Contains(f[0], "trip 3: no answer") {
		t.Errorf("failed: %v", f)
	}
}

// What others tell is thinned as what is measured is, and what cannot be read of
// them ends the evaluation.
func TestAMethodIsToldOfOthers(t *testing.T) {
	net, dense, rec := straight(t)
	other := *dense
	other.ID = "other"
	var failure error
	keep, told := Keep{Ratio: 1. / 8}, []string{}
	m := Method{Name: "told", Prepare: func(_ context.Context, trips iter.Seq2[*trajectory.Trajectory, error]) (Recover, error) {
		for trip, err := range trips {
			if err != nil {
				return nil, err
			}
			told = append(told, fmt.Sprint(trip.ID, " ", len(trip.Samples) < len(dense.Samples)))
		}
		return answer(rec, nil), nil
	}}
	o := Options{Keep: []Keep{keep}, Seed: 1, Draws: 10, Threads: 1, Others: func(yield func(*trajectory.Trajectory, error) bool) {
		yield(&other, failure)
	}}
	cases := []Case{{dense, rec}}
	if _, err := Evaluate(context.Background(), net.Network, cases, []Method{m}, o); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{dense.ID + " true", "other true"}, told); d != "" {
		t.Error(d)
	}
	failure = errors.New("broken")
	if _, err := Evaluate(context.Background(), net.Network, cases, []Method{m}, o); !errors.Is(err, failure) {
		t.Errorf("%v, want what is broken", err)
	}
}

func TestEvaluateDoesNotDependOnThreads(t *testing.T) {
	if d := cmp.Diff(twoMethods(t, 1), twoMethods(t, 5)); d != "" {
		t.Errorf("one thread and five differ:\n%s", d)
	}
}

func TestReportIsWritten(t *testing.T) {
	r := twoMethods(t, 1)
	r.Dropped, r.Cut = []Count{{"too short", 3}, {"too fast", 0}}, 2
	var table, sheet, markdown bytes.Buffer
	if err := errors.Join(r.WriteTable(&table), r.WriteCSV(&sheet), r.WriteMarkdown(&markdown)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"drawn: 12 trips", "of a trip that breaks: 2", "left out, too short: 3", "late at 1/8: 1 trips not recovered", "As the paper defines it", "late less right"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("the table does not say %q:\n%s", want, table.String())
		}
	}
	if strings.Contains(table.String(), "too fast") || strings.Contains(table.String(), "NaN") {
		t.Errorf("the table says what is not:\n%s", table.String())
	}
	rows, err := csv.NewReader(&sheet).ReadAll()
	figures := 0
	for _, res := range r.Results {
		figures += len(res.Figures)
	}
	for _, d := range r.Differences {
		figures += len(d.Figures)
	}
	if err != nil || len(rows) != figures+1 {
		t.Errorf("%d lines of CSV (%v), want %d", len(rows), err, figures+1)
	}
	text, err := json.Marshal(r)
	var back Report
	if err != nil || json.Unmarshal(text, &back) != nil || cmp.Diff(*r, back) != "" {
		t.Errorf("JSON does not hold the report: %v %s", err, cmp.Diff(*r, back))
	}
	if !strings.Contains(markdown.String(), "| F1 | 1.000 (1.000 to 1.000) |") {
		t.Errorf("the Markdown does not say that F1 is 1:\n%s", markdown.String())
	}
}

func TestNothingToEvaluate(t *testing.T) {
	net := roadnettest.Draw(t, 100, `A--B`, "AB")
	r, err := Evaluate(context.Background(), net.Network, nil, nil, Options{Keep: []Keep{{Ratio: 0.5}}})
	if err != nil || r.Cases != 0 || len(r.Results) != 0 {
		t.Errorf("got %+v, %v", r, err)
	}
	if err := r.WriteTable(&bytes.Buffer{}); err != nil {
		t.Error(err)
	}
}
