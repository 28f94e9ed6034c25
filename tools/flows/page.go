package main

import (
	"bytes"
	"fmt"
)

// page is the whole page.
func page(w *world, results []result) []byte {
	info := w.net.Info()
	return append(fmt.Appendf(nil, introduction, info.Name, info.Fingerprint, len(w.truth), (len(w.truth)+perVehicle-1)/perVehicle, w.whole, least), table(results)...)
}

const introduction = `# How far counts can be trusted

Made by ` + "`go run -tags ci ./tools/flows`" + ` on trips simulated over %s (fingerprint %s), on which nothing was trained:
%d trips of %d vehicles within one day, whose reports every 15 s are thinned to one of 8 and one of 16, recovered with
up to 20 other ways for each gap, and counted by hour: drives over segments (links), through junctions (turns) and between
squares of 1 km (zones). Simulated trips of one vehicle have no more in common than those of two.

## Intervals

An interval of 90 %% holds the doubt about ways and the chance by which these vehicles are seen and not others. What it
should hold is the mean: how often such trips drive there on average, taken from the exact truth of %d other trips.
Looked at are cells with a mean of %d drives or more. *truth* counts where the trips really were: there the interval
holds the sampling of vehicles alone, and its share says how good that part is.

`

// table is the tables of the page.
func table(results []result) []byte {
	var b bytes.Buffer
	b.WriteString(`| kept | method | what | cells | mean in its interval |
| --- | --- | --- | ---: | ---: |
`)
	for _, r := range results {
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %.1f %% |\n", r.keep, r.method, r.kind, r.cells, 100*r.held)
	}
	fmt.Fprintf(&b, `
## Errors

How far counts by hour are from the exact truth of the very same trips: counts over all possible ways, beside counts along
the best ways. *hmm* is map matching. *Absolute* and *squared* are the mean absolute error and the root of the mean squared
error over all cells that either names, most of which hold no drive or one; *busy* is the mean absolute error of cells with
a mean of %d drives or more. The sum of probabilities is the count of least squared error where the probabilities are right;
the least absolute error of a cell of one drive has whoever says none or one.

| kept | method | what | squared, all ways | squared, best ways | absolute, all ways | absolute, best ways | busy, all ways | busy, best ways | all drives |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`, least)
	for _, r := range results {
		if r.method == "truth" {
			continue
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %.4f | %.4f | %.4f | %.4f | %.3f | %.3f | %+.1f %% |\n", r.keep, r.method, r.kind, r.allRoot, r.bestRoot, r.all, r.best, r.allBusy, r.bestBusy, 100*r.bias)
	}
	fmt.Fprint(&b, `
## The doubt about ways alone

Cells whose count is in doubt by 0.3 drives or more, and the share of them whose truth lies within 90 % of that doubt. It
knows nothing of ways that no recovery keeps.

| kept | method | what | cells | truth within |
| --- | --- | --- | ---: | ---: |
`)
	for _, r := range results {
		if r.method != "truth" {
			fmt.Fprintf(&b, "| %s | %s | %s | %d | %.1f %% |\n", r.keep, r.method, r.kind, r.doubtful, 100*r.heldWays)
		}
	}
	return b.Bytes()
}
