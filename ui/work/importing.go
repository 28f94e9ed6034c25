package work

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"fyne.io/fyne/v2/lang"

	"retrace/osmimport"
	"retrace/storage"
	"retrace/ui/state"
	"retrace/ui/task"
	"retrace/ui/words"
)

// importExtracts makes networks of extracts, one of all or one of each, as the user
// decides, and calls then when the last is shown, or when the user has decided
// against it.
func (d *Desk) importExtracts(paths []string, then func()) {
	if len(paths) == 1 {
		d.importAs(paths, then)
		return
	}
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = networkName([]string{p})
	}
	const named = 6
	text := strings.Join(names[:min(len(names), named)], ", ")
	if len(names) > named {
		text += ", …"
	}
	d.ask(lang.L("One network, or several?"),
		lang.L("{{.Names}}: extracts of one area belong into one network, those of different cities into a network each.", map[string]any{"Names": text}),
		[]string{lang.L("A network each"), lang.L("One network"), lang.L("Cancel")}, func(chosen int) {
			switch chosen {
			case 0:
				d.importEach(paths, then)
			case 1:
				d.importAs(paths, then)
			default:
				then()
			}
		})
}

// importEach makes a network of each extract, one after the other.
func (d *Desk) importEach(paths []string, then func()) {
	if len(paths) == 0 {
		then()
		return
	}
	d.importAs(paths[:1], func() { d.importEach(paths[1:], then) })
}

// importAs makes one network of extracts. Where the workspace has one of that name
// the user says what becomes of it.
func (d *Desk) importAs(paths []string, then func()) {
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

// keptImport is what the import of a network of the workspace had found; it may run
// beside the window.
func keptImport(ws *storage.Workspace, name string) ([]state.Problem, error) {
	text, err := ws.NetworkReport(name)
	if err != nil || text == nil {
		return nil, err
	}
	var r osmimport.Report
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("the import report of %s: %w", name, err)
	}
	return problemsOf(r), nil
}

func (d *Desk) showImport(r *osmimport.Result) {
	d.state.Change(func() {
		d.leaveSample()
		d.refreshNetworks()
		d.state.SetNetwork(r.Network, r.Basemap)
		d.state.SetImport(problemsOf(r.Report))
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

// importSummary says what came of an import, and how much the table PROBLEMS holds of
// it: the same number as there.
func importSummary(r *osmimport.Result) string {
	found := int64(0)
	for _, p := range problemsOf(r.Report) {
		found += p.Count
	}
	data := map[string]any{"Name": r.Network.Info().Name, "N": words.Count(r.Report.Segments),
		"S": words.InUse().Fraction(r.Report.Seconds, 1), "Found": words.Count(int(found))}
	if found == 0 {
		return lang.L("{{.Name}}: {{.N}} segments imported in {{.S}} s.", data)
	}
	return lang.L("{{.Name}}: {{.N}} segments imported in {{.S}} s. {{.Found}} things in the file were odd or left out: see PROBLEMS.", data)
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
			p := state.Problem{Source: state.ImportSource, File: file, What: item.What, Count: item.Count, Kept: list.kept}
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
