package command

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"retrace/engine"
	"retrace/engine/device"
	"retrace/engine/metrics"
	"retrace/ui/sample"
)

// tell says in a few lines what was recovered, how good it is and where it lies.
// The first result is of the recovery; one that follows is there to compare.
func (c *sampleCommand) tell(w io.Writer, r *metrics.Report, settings engine.Settings) error {
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	fmt.Fprintf(t, "%s, a generated city: %d trips with a point every %s are recovered by %s.\n\n",
		r.Network, r.Cases, strings.NewReplacer("s-", " to ", "s", " s").Replace(sample.Gaps), recoveredBy(settings))
	fmt.Fprintf(t, "Compared with the truth, every %g s", settings.Tick.Seconds())
	for _, res := range r.Results {
		fmt.Fprintf(t, "\t%s", methodName(res.Method))
	}
	for _, f := range sampleFigures() {
		fmt.Fprintf(t, "\n  %s", f.text)
		for _, res := range r.Results {
			fmt.Fprintf(t, "\t%s", f.cell(res))
		}
	}
	file := func(name string) string { return filepath.Join(c.Dir, name) }
	fmt.Fprintf(t, "\n\n%s\tthe map\n%s\tpoints and paths for QGIS\n%s\tthe points as a table\n",
		file("recovery.png"), file("recovery.gpkg"), file("recovery.csv"))
	fmt.Fprintf(t, "All figures: retrace evaluate %s --network %s\n", file("truth.csv"), file(sample.ExtractName))
	return t.Flush()
}

// recoveredBy names the method and, of a model, what it ran on.
func recoveredBy(settings engine.Settings) string {
	if settings.Method == engine.MethodHMM {
		return methodName(settings.Method)
	}
	on := device.CPU.Title() // a system of one city knows no other
	if settings.Model != nil {
		on = device.Name(settings.Model.Device()).Title()
	}
	return fmt.Sprintf("%s (%s) on %s", methodName(settings.Method), settings.Method, on)
}

func methodName(method string) string {
	if method == engine.MethodHMM {
		return "map matching"
	}
	return "the model"
}

// sampleFigure is one line of the comparison.
type sampleFigure struct {
	text, section, name string
	format              string
	times               float64
}

func sampleFigures() []sampleFigure {
	const percent, metres = "%.0f %%", "%.0f m"
	return []sampleFigure{
		{"on the right road", metrics.SectionPaper, "accuracy", percent, 100},
		{"of the roads driven, found", metrics.SectionPaper, "recall", percent, 100},
		{"of the roads found, driven", metrics.SectionPaper, "precision", percent, 100},
		{"where roads are stacked, on the right deck", metrics.SectionElevated, "deck right", percent, 100},
		{"mean distance from the true place", metrics.SectionCode, "great-circle MAE", metres, 1},
	}
}

func (f sampleFigure) cell(r metrics.Result) string {
	figure, ok := r.Figure(f.section, f.name)
	if !ok {
		return "-"
	}
	return fmt.Sprintf(f.format, f.times*figure.Value)
}
