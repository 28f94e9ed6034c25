package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"text/tabwriter"

	"retrace/engine/metrics"
)

// line is how one set was scored. A floor of 0 is none.
type line struct {
	set                        string
	trips, failed              int
	f1, f1Floor, mae, maeFloor float64
	parts                      float64 // mean of a trip
	perSecond                  float64 // points in a second of the processors
	told, untold               int     // impossible hops that recovery tells of as such, and others
	f1Range, maeRange          span
}

// span is the range in which a mean over places lies with 95 % confidence, by resampling
// places; both ends 0 where single places are not known.
type span struct{ low, high float64 }

func (s span) text(digits int) string {
	if s == (span{}) {
		return ""
	}
	return fmt.Sprintf("(%.*f to %.*f)", digits, s.low, digits, s.high)
}

// hasPath reports whether the driven path is scored.
func (l line) hasPath() bool { return l.f1 > 0 || l.f1Floor > 0 }

// judged reports whether there is a floor to reach.
func (l line) judged() bool { return l.maeFloor > 0 }

func (l line) reached() bool {
	return l.failed == 0 && l.untold == 0 && l.f1 >= l.f1Floor && l.mae <= l.maeFloor && l.parts == 1
}

// printTable prints the lines and reports whether every floor is reached.
func printTable(w io.Writer, lines []line) bool {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "set\ttrips\tfailed\tparts\tF1\t\tat least\tMAE m\t\tat most\thops told\tnot told\tpoints/CPU s\t")
	all := true
	for _, l := range lines {
		f1, verdict := "", ""
		if l.hasPath() {
			f1 = fmt.Sprintf("%.3f", l.f1)
		}
		switch {
		case l.judged() && l.reached():
			verdict = "reached"
		case l.judged():
			verdict, all = "MISSED", false
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%.3f\t%s\t%s\t%s\t%.1f\t%s\t%s\t%d\t%d\t%.0f\t%s\n",
			l.set, l.trips, l.failed, l.parts, f1, l.f1Range.text(3), known(3, l.f1Floor), l.mae, l.maeRange.text(1),
			known(0, l.maeFloor), l.told, l.untold, l.perSecond, verdict)
	}
	t.Flush()
	return all
}

// printJSON prints the lines in the form of a metrics.Report.
func printJSON(w io.Writer, method string, lines []line) error {
	var r metrics.Report
	for _, l := range lines {
		n := float64(l.trips)
		mae := metrics.Figure{Section: metrics.SectionCode, Name: "great-circle MAE", Unit: "m", Value: l.mae, Low: l.maeRange.low, High: l.maeRange.high, N: n}
		f1 := metrics.Figure{Section: metrics.SectionPaper, Name: "F1", Unit: "share", Value: l.f1, Low: l.f1Range.low, High: l.f1Range.high, N: n}
		res := metrics.Result{Method: method, Keep: l.set, Trips: l.trips, Figures: []metrics.Figure{f1, mae}}
		if !l.hasPath() {
			res.Figures = res.Figures[1:]
		}
		r.Results = append(r.Results, res)
	}
	return json.NewEncoder(w).Encode(r)
}

// known is a figure, empty where there is none.
func known(digits int, x float64) string {
	if x == 0 {
		return ""
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}

// csvTable is a CSV file in the making.
type csvTable struct{ rows [][]string }

func newTable(columns ...string) *csvTable { return &csvTable{rows: [][]string{columns}} }

func (t *csvTable) add(values ...string) { t.rows = append(t.rows, values) }

func (t *csvTable) write(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := csv.NewWriter(f).WriteAll(t.rows); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func degrees(x float64) string { return strconv.FormatFloat(x, 'f', 7, 64) }
