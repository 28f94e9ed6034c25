package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"retrace/engine/metrics"
	"retrace/engine/risk"
)

const folds = 5

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
			r := bySet[t.Set+" "+t.Keep]
			if r == nil {
				r = &metrics.Ranking{}
				bySet[t.Set+" "+t.Keep], names = r, append(names, t.Set+" "+t.Keep)
			}
			known, found := t.judged(&weights)
			for k, g := range t.Gaps {
				if !g.Scored {
					continue
				}
				r.AddGap(found[k].Wrong, g.Wrong, found[k].Error, g.Error)
			}
			v := weights.Trip(known, found)
			r.AddTrip(v.Wrong, t.Error > risk.FarOff, v.Error, t.Error)
		}
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, name := range names {
		figures := bySet[name].Figures()
		if i == 0 {
			fmt.Fprint(t, method)
			for _, f := range figures {
				fmt.Fprintf(t, "\t%s", f.Name)
			}
		}
		fmt.Fprintf(t, "\n%s", name)
		for _, f := range figures {
			fmt.Fprintf(t, "\t%.3f", f.Value)
		}
	}
	fmt.Fprintln(t)
	t.Flush()
}
