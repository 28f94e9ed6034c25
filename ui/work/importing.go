package work

import (
	"context"
	"encoding/json"
	"fmt"

	"fyne.io/fyne/v2/lang"

	"retrace/osmimport"
	"retrace/ui/state"
	"retrace/ui/task"
	"retrace/ui/words"
)

// importExtracts makes one network of extracts and calls then when it is shown,
// or when the user has decided against it.
func (d *Desk) importExtracts(paths []string, then func()) {
	name := networkName(paths)
	if !d.taken(name) {
		d.runImport(paths, name, false, then)
		return
	}
	d.ask(lang.L("Replace the network?"),
		lang.L("The workspace already holds a network {{.Name}}. Recoveries made on it have to be made again where the new one differs.", map[string]any{"Name": name}),
		[]string{lang.L("Replace"), lang.L("Keep both"), lang.L("Cancel")}, func(chosen int) {
			switch chosen {
			case 0:
				d.runImport(paths, name, true, then)
			case 1:
				d.runImport(paths, d.freeName(name), false, then)
			default:
				then()
			}
		})
}

// taken reports whether the workspace holds a network of this name.
func (d *Desk) taken(name string) bool {
	for _, info := range d.state.Networks() {
		if info.Name == name {
			return true
		}
	}
	return false
}

func (d *Desk) freeName(name string) string {
	for i := 2; ; i++ {
		if next := fmt.Sprintf("%s %d", name, i); !d.taken(next) {
			return next
		}
	}
}

func (d *Desk) runImport(paths []string, name string, replace bool, then func()) {
	title := lang.L("Importing {{.Name}}", map[string]any{"Name": name})
	var result *osmimport.Result
	d.opening++
	d.tasks.Start(title, func(ctx context.Context, report func(task.Progress)) error {
		var err error
		phases := importPhases(report)
		result, err = osmimport.Import(ctx, paths, osmimport.Options{Name: name, Progress: func(p osmimport.Progress) {
			phases[p.Phase](task.Progress{Phase: phase(p.Phase), Done: p.Done, Total: p.Total})
		}})
		if err != nil {
			return err
		}
		phases["keeping"](task.Progress{Phase: lang.L("keeping the network")})
		return d.keepNetwork(ctx, result, replace)
	}, func(err error) {
		d.opening--
		if err != nil {
			d.fail(lang.L("{{.Name}} was not imported.", map[string]any{"Name": name}), err)
			then()
			return
		}
		d.showImport(result)
		then()
	})
}

// importPhases take the progress of each phase of an import. How long each takes is
// about that of cities of some MB.
func importPhases(report func(task.Progress)) map[string]func(task.Progress) {
	names := []string{"roads", "nodes", "background", "network", "keeping"}
	phases := map[string]func(task.Progress){}
	for i, f := range task.Phases(report, 35, 15, 5, 40, 5) {
		phases[names[i]] = f
	}
	return phases
}

// keepNetwork saves an import; it runs beside the window.
func (d *Desk) keepNetwork(ctx context.Context, r *osmimport.Result, replace bool) error {
	if !d.Kept() {
		return nil
	}
	report, err := json.Marshal(r.Report)
	if err != nil {
		return fmt.Errorf("write the import report: %w", err)
	}
	if replace {
		return d.ws.ReplaceNetwork(ctx, r.Network, r.Basemap, report)
	}
	return d.ws.SaveNetwork(ctx, r.Network, r.Basemap, report)
}

func (d *Desk) showImport(r *osmimport.Result) {
	d.state.Change(func() {
		d.leaveSample()
		d.refreshNetworks()
		d.state.SetNetwork(r.Network, r.Basemap)
		d.state.AddProblems(problemsOf(r.Report))
		d.state.Notify(state.Info, importSummary(r), reportText(r.Report))
	})
	d.shown()
}

// phase is what an import is doing, in words.
func phase(p string) string {
	switch p {
	case "roads":
		return lang.L("reading roads")
	case "nodes":
		return lang.L("reading points")
	case "network":
		return lang.L("building the network")
	case "background":
		return lang.L("building the background")
	}
	return p
}

func importSummary(r *osmimport.Result) string {
	odd := int64(0)
	for _, o := range r.Report.Oddities {
		odd += o.Count
	}
	data := map[string]any{"Name": r.Network.Info().Name, "N": words.Count(r.Report.Segments),
		"S": words.InUse().Fraction(r.Report.Seconds, 1), "Odd": words.Count(int(odd))}
	if odd == 0 {
		return lang.L("{{.Name}}: {{.N}} segments imported in {{.S}} s.", data)
	}
	return lang.L("{{.Name}}: {{.N}} segments imported in {{.S}} s, {{.Odd}} oddities in the file.", data)
}

// problemsOf are the rows of the table PROBLEMS that an import gives.
func problemsOf(r osmimport.Report) []state.Problem {
	file := ""
	if len(r.Files) > 0 {
		file = r.Files[0].Path
	}
	var problems []state.Problem
	for _, list := range []struct {
		items []osmimport.Item
		kept  bool
	}{{r.Oddities, true}, {r.Dropped, false}} {
		for _, item := range list.items {
			p := state.Problem{Source: "import", File: file, What: item.What, Count: item.Count, Kept: list.kept}
			for i, object := range item.Objects {
				if i > 0 {
					p.Object += ", "
				}
				p.Object += object
			}
			problems = append(problems, p)
		}
	}
	return problems
}
