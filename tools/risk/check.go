package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"retrace/engine/metrics"
	"retrace/engine/risk"
)

const folds = 10

// check prints how well risks do on trips that they were not fitted on.
func check(w io.Writer, method string, trips []trip) {
	bySet := map[string]*metrics.Ranking{}
	var names []string
	for fold := range folds {
		var rest []trip
		for i, t := range trips {
			if i/20%folds != fold {
				rest = append(rest, t)
			}
		}
		weights := weigh(rest)
		for i, t := range trips {
			if i/20%folds != fold {
				continue
			}
			r := bySet[t.Set]
			if r == nil {
				r = &metrics.Ranking{}
				bySet[t.Set], names = r, append(names, t.Set)
			}
			known, found := t.judged(&weights)
			for k, g := range t.Gaps {
				r.AddGap(found[k].Wrong, g.Wrong, found[k].Error, g.Error)
			}
			v := weights.Trip(known, found)
			r.AddTrip(v.Wrong, t.Off > risk.MostWrong, v.Error, t.Error)
		}
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, method)
	for _, name := range names {
		fmt.Fprintf(t, "%s", name)
		for _, f := range bySet[name].Figures() {
			fmt.Fprintf(t, "\t%s %.3f", f.Name, f.Value)
		}
		fmt.Fprintln(t)
	}
	t.Flush()
}
